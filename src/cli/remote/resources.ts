/**
 * `bursar accounts|recipients|payouts|…`: what can be done with each is a line of the table. Parameters are those of
 * the API, typed as `name=value`. Beside the table: `batch.ts` (payouts from a file), `listen.ts` (events).
 */
import { Command } from 'commander';
import { fromMinor } from '../../../client/src/money.ts';
import {
  asking,
  connect,
  type Connection,
  get,
  pageAt,
  pathWith,
  post,
  remote,
  type RemoteOptions,
} from './connection.ts';
import { described, type Json, printObject, printRows, wholeNumber } from './output.ts';
import { print } from './terminal.ts';

/** A path below the resource, and parameters of an example. */
type Below = readonly [path: string, example?: string];

interface Resource {
  readonly path: string;
  readonly columns: Readonly<Record<string, (object: Json) => unknown>>;
  /** As it stands in examples. */
  readonly id: string;
  /** What is made with parameters, by verb. */
  readonly makes?: Readonly<Record<string, Below>>;
  /** What is done with one, by verb: the path behind its id. */
  readonly does?: Readonly<Record<string, Below>>;
  readonly deletes?: boolean;
}

const member = (name: string) => (object: Json) => object[name];
const members = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, member(name)]));
const at = (object: Json) => new Date(Number(object['created']) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
const balance = (object: Json) => fromMinor(Number(object['balance']), String(object['currency']));

const BY_NAME = 'metadata[invoice]=7';

export const RESOURCES: Readonly<Record<string, Resource>> = {
  accounts: {
    path: '/v1/accounts',
    columns: { ...members('id', 'currency'), balance, ...members('name', 'status') },
    id: 'acct_…',
    makes: { create: ['', 'currency=EUR name=Salaries'] },
    does: { update: ['', 'name=Operations'], close: ['/close'] },
  },
  recipients: {
    path: '/v1/recipients',
    columns: members('id', 'name', 'currency', 'country', 'status'),
    id: 'rcp_…',
    makes: {
      create: ['', 'name="Grace Hopper" type=individual currency=EUR country=DE iban=DE89370400440532013000'],
      validate: ['/validate', 'name="Grace Hopper" type=individual currency=EUR country=DE iban=DE02…'],
    },
    does: { update: ['', 'email=grace@example.com'], redact: ['/redact'] },
    deletes: true,
  },
  payouts: {
    path: '/v1/payouts',
    columns: { ...members('id', 'amount', 'currency', 'status', 'recipient', 'external_id'), created: at },
    id: 'po_…',
    makes: { create: ['', 'amount=250.00 currency=EUR recipient=rcp_…'] },
    does: {
      update: ['', BY_NAME],
      cancel: ['/cancel'],
      approve: ['/approve', 'fingerprint=…'],
      reject: ['/reject', 'reason="not our supplier"'],
    },
  },
  exchanges: {
    path: '/v1/exchanges',
    columns: {
      ...members('id', 'sell_amount', 'sell_currency', 'buy_amount', 'buy_currency', 'rate', 'status'),
      created: at,
    },
    id: 'exc_…',
    makes: {
      create: ['', 'quote=quo_…'],
      quote: ['/quote', 'sell_currency=EUR buy_currency=USD amount=100'],
    },
    does: { update: ['', BY_NAME] },
  },
  links: {
    path: '/v1/payment_links',
    columns: members('id', 'amount', 'currency', 'status', 'payments_count', 'url'),
    id: 'plink_…',
    makes: { create: ['', 'amount=250.00 currency=EUR description="Garden table"'] },
    does: { update: ['', 'description="Garden chair"'], deactivate: ['/deactivate'] },
  },
  events: {
    path: '/v1/events',
    columns: {
      ...members('sequence', 'id', 'type'),
      object: (event) => ((event['data'] as Json)['object'] as Json)['id'],
      created: at,
    },
    id: 'evt_…',
    does: { resend: ['/resend', 'webhook_endpoint=we_…'] },
  },
  endpoints: {
    path: '/v1/webhook_endpoints',
    columns: { ...members('id', 'url', 'status'), events: member('enabled_events') },
    id: 'we_…',
    makes: { create: ['', 'url=https://example.com/hook "enabled_events[]=payout.*"'] },
    does: {
      update: ['', '"enabled_events[]=payment.*"'],
      test: ['/test'],
      enable: ['/enable'],
      disable: ['/disable'],
      roll_secret: ['/roll_secret', 'expires_in=3600'],
      replay: ['/replay', 'event=evt_…'],
    },
    deletes: true,
  },
};

interface ListOptions extends RemoteOptions {
  readonly limit: number;
  readonly all?: boolean;
}

export interface WriteOptions extends RemoteOptions {
  readonly idempotencyKey?: string;
}

export function resourceCommand(name: string, about: string): Command {
  const resource = RESOURCES[name] as Resource;
  const { path, id: known, makes = {}, does = {} } = resource;
  const all = described(new Command(name), about, `${name} list --all`);
  const verb = (line: string, what: string, example: string) =>
    remote(described(all.command(line), what, `${name} ${example}`.trimEnd()));
  const pathTo = (id: string) => `${path}/${encodeURIComponent(id)}`;
  verb('list [filter...]', 'newest first; filters as name=value', 'list limit=5')
    .option('--limit <count>', 'at most so many', wholeNumber(1, 999_999_999), 20)
    .option('--all', 'every page')
    .action((filters: string[], options: ListOptions) => list(resource, filters, options));
  verb('get <id>', 'show one', `get ${known}`).action((id: string, options: RemoteOptions) =>
    shown(options, ({ bursar }) => get(bursar, pathTo(id))),
  );
  const posted = (to: string, pairs: string[], options: WriteOptions) =>
    shown(options, ({ bursar }) => post(bursar, to, pairs, options.idempotencyKey));
  for (const [word, [below, parameters = '']] of Object.entries(makes)) {
    const what = `${word}, with name=value for each parameter`;
    withKey(verb(`${word} [parameter...]`, what, `${word} ${parameters}`)).action(
      (pairs: string[], options: WriteOptions) => posted(`${path}${below}`, pairs, options),
    );
  }
  for (const [word, [below, parameters = '']] of Object.entries(does)) {
    const what = `${word.replace('_', ' ')} one`;
    withKey(verb(`${word} <id> [parameter...]`, what, `${word} ${known} ${parameters}`)).action(
      (id: string, pairs: string[], options: WriteOptions) => posted(`${pathTo(id)}${below}`, pairs, options),
    );
  }
  if (resource.deletes === true) {
    verb('delete <id>', 'delete one', `delete ${known}`).action((id: string, options: RemoteOptions) =>
      shown(options, async ({ bursar }) => (await bursar.request('DELETE', pathTo(id))).text()),
    );
  }
  return all;
}

export const withKey = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'the same key again gives the same answer, and does nothing twice');

/** Asks, and prints the object that is answered. */
export async function shown(options: RemoteOptions, ask: (connection: Connection) => Promise<string>): Promise<void> {
  const connection = await connect(options);
  printObject(await asking(() => ask(connection)), options.json);
}

async function list({ path, columns }: Resource, filters: readonly string[], options: ListOptions): Promise<void> {
  const { bursar } = await connect(options);
  const most = options.all === true ? Number.POSITIVE_INFINITY : options.limit;
  const limit = filters.some((each) => each.startsWith('limit=')) ? [] : [`limit=${Math.min(most, 100)}`];
  let shownCount = 0;
  let next: string | null = pathWith(path, [...filters, ...limit]);
  while (next !== null && shownCount < most) {
    const at: string = next;
    const page = await asking(() => pageAt(bursar, at));
    const left = most - shownCount;
    const cells = (each: Json) => Object.values(columns).map((column) => column(each));
    if (options.json === true) for (const each of page.raw.slice(0, left)) print(JSON.stringify(each));
    else await printRows(Object.keys(columns), page.data.slice(0, left).map(cells));
    shownCount += page.data.length;
    next = page.next;
  }
}
