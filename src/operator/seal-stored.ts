/**
 * Seals what is still clear in the database, or under an earlier secret: clear rows at the start, before this process
 * serves; everything after a rotation, beside servers. As the owner, because it changes events and records. Killed, it
 * begins again; once a table is through, `sealings` says so, and clear text in it is never sealed again: somebody wrote
 * it past the service. The walk: `reseal.ts`. What is sealed how: `write/at-rest.ts`.
 */
import type { Client } from 'pg';
import { ConfigError } from '../config.ts';
import { EVENT_TYPES } from '../core/event-types.ts';
import { idOf } from '../core/values/ids.ts';
import { runOn } from './database.ts';
import type { Log } from '../platform/db/embedded/embedded.ts';
import { connectPatiently } from '../platform/db/pool.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import { RARE } from '../events/log/sql.ts';
import { PAYMENT_LINKS, PAYMENTS } from '../collecting/payments/sql.ts';
import type { PaymentSeals } from '../collecting/payments/sealing.ts';
import { paymentFileVault } from '../bank/payment-files/sealing.ts';
import type { OpenFile } from '../verify/sealed.ts';
import type { Recipient } from '../paying/recipients/fields.ts';
import type { SealedRecipient } from '../paying/recipients/sealing.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';
import { type AtRest, atRest } from '../write/at-rest.ts';
import { type Change, noteShut, type RunOne, type Step, walkStep } from './reseal.ts';
import { guide } from './guide.ts';

const BY_ID = { environment_id: 'uuid', id: 'uuid' };
const LINK_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('payment_link.'));

/** A table whose rows are read whole. `change` gives the values of `writes`, or `null` if the row is current; it throws `SealError`. */
function rowsOf(
  table: string,
  of: Pick<Step, 'columns' | 'writes'> & Partial<Step>,
  change: (row: Row) => Pick<Change, 'values' | 'lookUps'> | null,
): Step {
  return {
    name: table,
    table,
    key: BY_ID,
    where: 'true',
    ...of,
    judge(row, counting) {
      try {
        const changed = change(row);
        if (changed === null) counting.current += 1;
        else counting.previous += 1;
        return changed && { ...changed, texts: 1 };
      } catch (error) {
        return noteShut(counting, error);
      }
    },
  };
}

function stepsOf({ payments, recipients }: AtRest): readonly Step[] {
  const bankDetails = (row: Row, recipientId: string) => {
    const details = JSON.parse(row['bank_details'] as string) as Recipient['bankDetails'];
    const stored = { id: idOf('rcp', recipientId), bankDetails: details } as Recipient;
    const { isCurrent, open, seal } = recipients.recipient;
    if (isCurrent(stored)) return null;
    const sealed = seal(open(stored), idOf('env', row['environment_id'] as string)) as SealedRecipient;
    return { values: [JSON.stringify(sealed.bankDetails), sealed.bankFingerprint] };
  };
  const jsonIn = (column: string) => (row: Row) => {
    const stored = row[column] as string;
    return payments.json.isCurrent(stored) ? null : { values: [payments.json.seal(payments.json.open(stored))] };
  };
  return [
    rowsOf(
      'recipients',
      {
        columns: 't.bank_details::text, t.bank_fingerprint::text',
        writes: { bank_details: 'jsonb', bank_fingerprint: 'bytea' },
      },
      (row) => bankDetails(row, row['id'] as string),
    ),
    rowsOf(
      'recipient_versions',
      {
        key: { environment_id: 'uuid', recipient_id: 'uuid', version: 'int4' },
        columns: 't.bank_details::text',
        writes: { bank_details: 'jsonb' },
      },
      (row) => {
        const sealed = bankDetails(row, row['recipient_id'] as string);
        return sealed && { values: sealed.values.slice(0, 1) };
      },
    ),
    rowsOf('payment_links', { columns: PAYMENT_LINKS.columns('t'), writes: { token: 'text', url: 'text' } }, (row) => {
      const stored = PAYMENT_LINKS.read(row);
      if (payments.link.isCurrent(stored)) return null;
      const link = payments.link.open(stored);
      const { token, url } = payments.link.seal(link, idOf('env', row['environment_id'] as string));
      return { values: [token, url], lookUps: lookUpsOf(link.token, payments) };
    }),
    rowsOf('payments', { columns: PAYMENTS.columns('t'), writes: { token: 'text', payer_iban: 'text' } }, (row) => {
      const stored = PAYMENTS.read(row);
      if (payments.payment.isCurrent(stored)) return null;
      const payment = payments.payment.open(stored);
      const { token, payerIban } = payments.payment.seal(payment, idOf('env', row['environment_id'] as string));
      return { values: [token, payerIban], lookUps: lookUpsOf(payment.token, payments) };
    }),
    rowsOf(
      'events',
      {
        key: { environment_id: 'uuid', sequence: 'int8' },
        // The index events_rare_type holds these, and no events of payouts.
        order: { environment_id: 'uuid', type: 'text', sequence: 'int8' },
        within: `${RARE} AND t.type IN (${LINK_EVENTS.map((type) => `'${type}'`).join(', ')})`,
        columns: 't.object',
        writes: { object: 'text' },
      },
      jsonIn('object'),
    ),
    rowsOf(
      'idempotency_records',
      {
        key: { environment_id: 'uuid', key: 'text' },
        where: `t.resource_prefix = 'plink' AND t.body IS NOT NULL`,
        columns: 't.body',
        writes: { body: 'text' },
      },
      jsonIn('body'),
    ),
  ];
}

function lookUpsOf(token: string | null, seals: PaymentSeals): NonNullable<Change['lookUps']> {
  if (token === null) return [];
  const now = seals.lookUpOf(token);
  return [...seals.lookUpsOf(token), token].flatMap((before) => (before === now ? [] : [[before, now] as const]));
}

/** The columns that are sealed here, as `table.column`. */
export const columnsSealed = (sealing: AtRest): readonly string[] =>
  stepsOf(sealing).flatMap(({ table, writes }) => Object.keys(writes).map((column) => `${table}.${column}`));

type RunText = (text: string) => Promise<readonly object[]>;

/** Tables of which not every row is known to be sealed under the current secret. */
export async function tablesLeft(run: RunText, sealing: AtRest): Promise<readonly string[]> {
  const done = await sealedUnder(run);
  return stepsOf(sealing).flatMap(({ table }) => (done.get(table) === sealing.payments.keyIds[0] ? [] : table));
}

/** By table: the key that its rows were sealed under. */
async function sealedUnder(run: RunText): Promise<ReadonlyMap<string, string>> {
  const rows = (await run('SELECT name, key_id FROM sealings')) as readonly { name: string; key_id: string }[];
  return new Map(rows.map(({ name, key_id: keyId }) => [name, keyId]));
}

/** Why the secrets of `sealing` do not open this database, in a sentence; `null`: they do. */
export async function foreignSeal(client: Client, { payments: { keyIds } }: AtRest): Promise<string | null> {
  const unknown = [...(await sealedUnder(runOn(client))).values()].find((keyId) => !keyIds.includes(keyId));
  if (unknown === undefined) return null;
  return `This database was sealed under another server secret (key ${unknown}; this one is ${keyIds[0]}). Start with the BURSAR_SECRET that it was used with. If that is lost for good: ${guide('operating/secrets.md')}, "If the secret is lost".`;
}

/** What opens payment files for `verify`; `null`: the secret that the database was sealed under is not here. */
export async function fileOpener(client: Client, secrets: ServerSecrets | null): Promise<OpenFile | null> {
  const fits = secrets !== null && (await foreignSeal(client, atRest(secrets))) === null;
  return fits ? paymentFileVault(secrets).open : null;
}

/**
 * Seals everything, or only the tables that may hold clear rows. Rejects with `ConfigError` when the database was
 * sealed under a secret that `secrets` lacks. Rows that cannot be opened stay, and are counted in the log.
 */
export async function sealStored(ownerUrl: string, log: Log, secrets: ServerSecrets, what: 'all' | 'clear' = 'all') {
  const [strict, first] = [atRest(secrets), atRest(secrets, 'taken')];
  const client = await connectPatiently(ownerUrl, log);
  try {
    const foreign = await foreignSeal(client, strict);
    if (foreign !== null) throw new ConfigError(foreign);
    const done = await sealedUnder(runOn(client));
    const { keyIds } = strict.payments;
    const run: RunOne = (statement) => client.query(statement);
    const [opening, taking] = [stepsOf(strict), stepsOf(first)];
    for (const [at, { table }] of opening.entries()) {
      const before = done.get(table);
      if (before === keyIds[0] || (before !== undefined && what === 'clear')) continue;
      const step = (before === undefined ? taking : opening)[at] as Step;
      const { resealed: sealed, unreadable: shut } = await walkStep(step, { run, reseals: true });
      if (sealed > 0) log.info(`Sealed rows of ${table}: ${sealed}.`);
      if (shut > 0)
        log.warn(`${shut} rows of ${table} cannot be opened under this server secret and stay as they are.`);
      await client.query(
        'INSERT INTO sealings (name, key_id) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET key_id = $2, sealed_at = now()',
        [table, keyIds[0]],
      );
    }
  } finally {
    await client.end();
  }
}

/**
 * Seals the clear rows that migrations which just ran may have brought to light: until then `bursar verify` finds page
 * tokens that no look-up can have. `secrets` is `null` where there is none. Under another secret the start will say so.
 */
export async function sealMigrated(
  ownerUrl: string,
  log: Log,
  secrets: ServerSecrets | null,
  ran: readonly string[],
): Promise<void> {
  if (secrets === null || ran.length === 0) return;
  try {
    await sealStored(ownerUrl, log, secrets, 'clear');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.warn(error.message);
  }
}
