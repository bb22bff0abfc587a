/** Looks for what a text may be, everywhere at once. What each is taken for: `shape.ts`; what the caller may see of it: `ask.ts`. */
import { accountRange } from '../../core/rails/creditor-reference.ts';
import { covers } from '../../core/scopes.ts';
import { idOf, instantOf, isId, type Prefix } from '../../core/values/ids.ts';
import { wordsOf } from '../../core/values/words.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import type { Caller, Route } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import { type Asking, type Found, isPayrollHidden } from './ask.ts';
import { type Hit, hitOf, type Matched, type Shown } from './hits.ts';
import type { Look } from './shape.ts';
import {
  accountsBetween,
  currenciesOfPayouts,
  eventsOfRequest,
  MAX_ACCOUNTS,
  MAX_CAUSED,
  MAX_EVENTS,
  newestAccounts,
  recordOf,
} from './sql.ts';

/** Where objects are retrieved, by the prefix of their ids. Kinds without a path are shown inside of others. */
const PATHS: { readonly [P in Prefix]?: Route['path'] } = {
  acct: '/v1/accounts/:id',
  trf: '/v1/transfers/:id',
  stm: '/v1/daily_statements/:id',
  rcp: '/v1/recipients/:id',
  quo: '/v1/exchange_quotes/:id',
  exc: '/v1/exchanges/:id',
  po: '/v1/payouts/:id',
  pob: '/v1/payout_batches/:id',
  lim: '/v1/limits/:id',
  so: '/v1/standing_orders/:id',
  sor: '/v1/standing_order_runs/:id',
  fee: '/v1/fee_rules/:id',
  ba: '/v1/bank_accounts/:id',
  pf: '/v1/payment_files/:id',
  br: '/v1/bank_rules/:id',
  sf: '/v1/statement_files/:id',
  bs: '/v1/bank_statements/:id',
  be: '/v1/bank_entries/:id',
  plink: '/v1/payment_links/:id',
  pay: '/v1/payments/:id',
  xp: '/v1/expected_payments/:id',
  evt: '/v1/events/:id',
  we: '/v1/webhook_endpoints/:id',
  dlv: '/v1/deliveries/:id',
  rep: '/v1/webhook_replays/:id',
  key: '/v1/keys/:id',
  usr: '/v1/users/:id',
  // Where the log of requests is served, a request is found in it too.
  req: '/v1/request_logs/:id',
};

/** Of a list. */
const FEW = 5;
/** Recipients whose payouts are listed. */
const MAX_PAYEES = 3;
/** A request is answered within seconds of the instant in its id. */
const BEFORE_MS = 1_000;
const AFTER_MS = 15_000;

export interface Result {
  readonly hits: readonly Hit[];
  /** Whether nothing was left out. */
  readonly isComplete: boolean;
  /** Milliseconds; what is older was not looked through. `null`: everything was. */
  readonly searchedUntilMs: number | null;
}
const whole = (hits: readonly Hit[]): Result => ({ hits, isComplete: true, searchedUntilMs: null });

export interface Reach {
  readonly service: Pick<Service, 'rows'>;
  readonly caller: Caller;
  readonly ask: Asking;
  readonly parts: SearchParts;
}

export interface SearchParts {
  sequencesBetween(
    this: void,
    environmentId: string,
    created: { readonly fromMs: number | undefined; readonly untilMs: number | undefined },
  ): Promise<{ readonly after: bigint; readonly until: bigint | null }>;
  /** Under which key a request is recorded that came without one. */
  ownRecordKey(this: void, request: string): string;
}

/** What one look finds, best first. */
export function lookedFor(reach: Reach, look: Look): Promise<Result> {
  switch (look.kind) {
    case 'id':
      return byId(reach, look.prefix, look.id, 'id').then(whole);
    case 'request':
      return byRequest(reach, look.id);
    case 'iban':
      return byIban(reach, look.iban);
    case 'reference':
      return byReference(reach, look.reference);
    case 'amount':
      return byAmount(reach, look);
    case 'exact':
      return byExactText(reach, look.text);
    case 'name':
      return byName(reach, look.name);
  }
}

const hitsOf = ({ objects }: Found, matched: Matched) => objects.map((object) => hitOf(object, matched));
const several = (found: readonly (readonly [Found, Matched])[]): Result => ({
  hits: found.flatMap(([each, matched]) => hitsOf(each, matched)),
  isComplete: found.every(([{ hasMore }]) => !hasMore),
  searchedUntilMs: null,
});

async function byId({ ask }: Reach, prefix: Prefix, id: string, matched: Matched): Promise<readonly Hit[]> {
  const path = PATHS[prefix];
  const found = path === undefined ? null : await ask.retrieve(path, id);
  return found === null ? [] : [hitOf(found, matched)];
}

/** The log's line, the events that the request caused, and the objects that those are about. */
async function byRequest(reach: Reach, request: string): Promise<Result> {
  const { service, caller, parts } = reach;
  const { environmentId, livemode } = caller;
  const log = byId(reach, 'req', request, 'request');
  const recorded = service.rows(recordOf(environmentId, parts.ownRecordKey(request)));
  const atMs = instantOf(request);
  // A sandbox may be ahead by another time than then: there the newest events are looked through.
  const range = livemode
    ? await parts.sequencesBetween(environmentId, { fromMs: atMs - BEFORE_MS, untilMs: atMs + AFTER_MS })
    : { after: 0n, until: null };
  const [events] = await service.rows(eventsOfRequest(environmentId, request, range));
  const caused = ((events?.['ids'] ?? []) as readonly string[]).map((id) => idOf('evt', id));
  const ids = caused.slice(0, MAX_CAUSED);
  const answered = (await recorded).flatMap(answeredIn);
  const all = [...new Set([...ids, ...answered])];
  const found = await Promise.all(all.map((id) => objectsBehind(reach, id, 'request')));
  const isComplete = caused.length <= MAX_CAUSED && ((events?.['looked'] ?? 0) as number) < MAX_EVENTS;
  return { hits: [...(await log), ...found.flat()], isComplete, searchedUntilMs: null };
}

/** What a record answers with: an event's object, or a resource. */
function answeredIn(row: Row): readonly string[] {
  const [event, prefix, id] = [row['event_id'], row['resource_prefix'], row['resource_id']] as (string | null)[];
  if (event != null) return [idOf('evt', event)];
  return prefix == null || id == null ? [] : [idOf(prefix as Prefix, id)];
}

/** The object itself; of an event its object, if the caller may read that, and the event. */
async function objectsBehind(reach: Reach, id: string, matched: Matched): Promise<readonly Hit[]> {
  if (!isId('evt', id)) return byId(reach, id.slice(0, id.indexOf('_')) as Prefix, id, matched);
  // Which object it is about is not shown, only that object, which has its own scope.
  const event = await reach.ask.retrieve('/v1/events/:id', id, true);
  if (event === null) return [];
  const about = ((event['data'] as Shown)['object'] as Shown)['id'];
  const own = byId(reach, 'evt', id, matched);
  const object =
    typeof about === 'string' ? await byId(reach, about.slice(0, about.indexOf('_')) as Prefix, about, matched) : [];
  return [...object, ...(await own)];
}

async function byIban({ ask }: Reach, iban: string): Promise<Result> {
  const recipients = await ask.look('searchRecipients', { iban, limit: FEW });
  return withPayouts(ask, recipients, 'account');
}

/** Recipients, and the newest payouts to the first of them. */
async function withPayouts(ask: Asking, recipients: Found, matched: Matched): Promise<Result> {
  const payees = recipients.objects.slice(0, MAX_PAYEES).map(({ id }) => id as string);
  const payouts = payees.length === 0 ? NONE : await ask.list('listPayouts', { recipient: payees, limit: FEW });
  return several([
    [recipients, matched],
    [payouts, matched === 'name' ? 'recipient' : matched],
  ]);
}
const NONE: Found = { objects: [], hasMore: false };

async function byReference({ service, caller, ask }: Reach, reference: string): Promise<Result> {
  const range = accountRange(reference);
  const [payments, expected, payouts, accounts] = await Promise.all([
    ask.list('listPayments', { reference, limit: FEW }),
    ask.list('listExpectedPayments', { reference, limit: FEW }),
    ask.list('listPayouts', { reference, limit: FEW }),
    range === null ? [] : service.rows(accountsBetween(caller.environmentId, range)),
  ]);
  const found = await Promise.all(
    accounts.map((row) => ask.retrieve('/v1/accounts/:id', idOf('acct', row['id'] as string))),
  );
  const owned = { objects: found.filter((each) => each !== null), hasMore: false };
  return several([
    [payments, 'reference'],
    [expected, 'reference'],
    [owned, 'reference'],
    [payouts, 'reference'],
  ]);
}

/** Payouts of the amount, newest first, in the currencies in which there are payouts. */
async function byAmount(
  { service, caller, ask }: Reach,
  look: Extract<Look, { readonly kind: 'amount' }>,
): Promise<Result> {
  const known = look.currency === null ? await service.rows(currenciesOfPayouts(caller.environmentId)) : [];
  const currencies = look.currency === null ? known.map(({ currency }) => currency as string) : [look.currency];
  const found = await Promise.all(
    currencies.flatMap((currency) =>
      look.amounts.map((amount) => ask.list('listPayouts', { amount, currency, limit: FEW })),
    ),
  );
  const { hits, ...rest } = several(found.map((each) => [each, 'amount']));
  return { ...rest, hits: hits.toSorted((a, b) => instantOf(b.id) - instantOf(a.id)) };
}

async function byExactText(reach: Reach, text: string): Promise<Result> {
  const { service, caller, ask } = reach;
  const [payouts, batches, ofReference, links, answered] = await Promise.all([
    ask.list('listPayouts', { external_id: text, limit: FEW }),
    ask.list('listPayoutBatches', { external_id: text, limit: FEW }),
    ask.list('listPayouts', { reference: text, limit: FEW }),
    ask.list('listPaymentLinks', { reference: text, limit: FEW }),
    service.rows(recordOf(caller.environmentId, text)),
  ]);
  const behind = await Promise.all(answered.flatMap(answeredIn).map((id) => objectsOfKey(reach, id)));
  const { hits, ...rest } = several([
    [payouts, 'external_id'],
    [batches, 'external_id'],
    [ofReference, 'reference'],
    [links, 'reference'],
  ]);
  return { ...rest, hits: [...hits, ...behind.flat()] };
}

/** What was made under an idempotency key, which is a mark that a payroll hides. */
async function objectsOfKey(reach: Reach, id: string): Promise<readonly Hit[]> {
  const event = isId('evt', id) ? await reach.ask.retrieve('/v1/events/:id', id, true) : null;
  const object = event === null ? null : ((event['data'] as Shown)['object'] as Shown);
  if (object !== null && isPayrollHidden(reach.caller, object)) return [];
  const about = object === null ? (isId('evt', id) ? undefined : id) : object['id'];
  if (typeof about !== 'string') return [];
  return byId(reach, about.slice(0, about.indexOf('_')) as Prefix, about, 'idempotency_key');
}

async function byName({ service, caller, ask }: Reach, name: string): Promise<Result> {
  const words = wordsOf(name);
  if (words.length === 0) return whole([]);
  // Of accounts that the caller may not see it is not even said how many there are.
  const seesAccounts = caller.scopes === null || covers(caller.scopes, 'accounts:read');
  const [recipients, rows] = await Promise.all([
    ask.look('searchRecipients', { name, limit: FEW }),
    seesAccounts ? service.rows(newestAccounts(caller.environmentId, caller.accounts)) : [],
  ]);
  const isNamed = (row: Row) => {
    const own = wordsOf((row['name'] as string | null) ?? '');
    return words.every((word) => own.some((each) => each.startsWith(word)));
  };
  const named = rows.slice(0, MAX_ACCOUNTS).filter(isNamed);
  const [found, accounts] = await Promise.all([
    withPayouts(ask, recipients, 'name'),
    Promise.all(named.slice(0, FEW).map((row) => ask.retrieve('/v1/accounts/:id', idOf('acct', row['id'] as string)))),
  ]);
  const hits = accounts.filter((each) => each !== null).map((object) => hitOf(object, 'name'));
  const oldest = rows.length > MAX_ACCOUNTS ? (rows[MAX_ACCOUNTS - 1]?.['created_at'] as number) : null;
  return {
    hits: [...hits, ...found.hits],
    isComplete: found.isComplete && named.length <= FEW && oldest === null,
    searchedUntilMs: oldest,
  };
}
