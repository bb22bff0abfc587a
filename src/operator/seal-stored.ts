/**
 * Seals what is still clear in the database, or sealed under an earlier server secret. Rows of versions that sealed nothing: at the
 * start, before this process serves. Everything, after a rotation: by `bursar secret rotate`, beside servers. As the owner, because it
 * changes events and records, which the server may not. In batches, each a transaction: killed, it begins again and passes over what is done. Once a table is
 * through, `sealings` says so, and later starts look at nothing. No process of an earlier version may run beside it: what that
 * writes is clear. What is sealed how: `write/at-rest.ts`.
 */
import type { Client } from 'pg';
import { ConfigError } from '../config.ts';
import { EVENT_TYPES } from '../core/event-types.ts';
import { idOf } from '../core/values/ids.ts';
import type { Log } from '../platform/db/embedded/embedded.ts';
import { connectPatiently } from '../platform/db/pool.ts';
import type { Row } from '../platform/db/wire/statement.ts';
import { RARE } from '../events/log/sql.ts';
import { PAYMENT_LINKS, PAYMENTS } from '../collecting/payments/sql.ts';
import type { PaymentSeals } from '../collecting/payments/sealing.ts';
import type { Recipient } from '../paying/recipients/fields.ts';
import type { SealedRecipient } from '../paying/recipients/sealing.ts';
import { SealError } from '../platform/vault/vault.ts';
import type { AtRest } from '../write/at-rest.ts';

/** Rows of one transaction: some tens of milliseconds. */
const BATCH_ROWS = 500;
/** SQLSTATEs of another process being in the way: a deadlock, a lock time-out. The batch is done again. */
const BUSY: ReadonlySet<string> = new Set(['40P01', '40001', '55P03']);
const MOST_TRIES = 10;

/** What a row becomes. */
interface Change {
  readonly values: readonly (string | null)[];
  /** What stood for tokens, and what does now. */
  readonly lookUps: readonly (readonly [string, string])[];
}

/** One table, and how a row of it is sealed. */
interface Step {
  readonly table: string;
  /** The columns of the index in whose order rows are walked, and what makes a row unique, each with its type. */
  readonly order: Readonly<Record<string, string>>;
  readonly key: Readonly<Record<string, string>>;
  /** Columns that are read (alias `t`), and those that are written, each with its type. */
  readonly columns: string;
  readonly writes: Readonly<Record<string, string>>;
  readonly where: string;
  /** `null`: there is nothing to do. Throws `SealError`. */
  change(row: Row): Change | null;
}

const BY_ID = { environment_id: 'uuid', id: 'uuid' };
const LINK_EVENTS = EVENT_TYPES.filter((type) => type.startsWith('payment_link.'));

function stepsOf({ payments, recipients }: AtRest): readonly Step[] {
  const bankDetails = (row: Row, recipientId: string): Change | null => {
    const details = JSON.parse(row['bank_details'] as string) as Recipient['bankDetails'];
    const stored = { id: idOf('rcp', recipientId), bankDetails: details } as Recipient;
    const { isCurrent, open, seal } = recipients.recipient;
    if (isCurrent(stored)) return null;
    const sealed = seal(open(stored), idOf('env', row['environment_id'] as string)) as SealedRecipient;
    return { values: [JSON.stringify(sealed.bankDetails), sealed.bankFingerprint], lookUps: [] };
  };
  return [
    {
      table: 'recipients',
      order: BY_ID,
      key: BY_ID,
      columns: 't.environment_id, t.id, t.bank_details::text',
      writes: { bank_details: 'jsonb', bank_fingerprint: 'bytea' },
      where: 'true',
      change: (row) => bankDetails(row, row['id'] as string),
    },
    {
      table: 'recipient_versions',
      order: { environment_id: 'uuid', recipient_id: 'uuid', version: 'int4' },
      key: { environment_id: 'uuid', recipient_id: 'uuid', version: 'int4' },
      columns: 't.environment_id, t.recipient_id, t.version, t.bank_details::text',
      writes: { bank_details: 'jsonb' },
      where: 'true',
      change: (row) => bankDetails(row, row['recipient_id'] as string),
    },
    {
      table: 'payment_links',
      order: BY_ID,
      key: BY_ID,
      columns: PAYMENT_LINKS.columns('t'),
      writes: { token: 'text', url: 'text' },
      where: 'true',
      change(row) {
        const stored = PAYMENT_LINKS.read(row);
        if (payments.link.isCurrent(stored)) return null;
        const link = payments.link.open(stored);
        const { token, url } = payments.link.seal(link, idOf('env', row['environment_id'] as string));
        return { values: [token, url], lookUps: lookUpsOf(link.token, payments) };
      },
    },
    {
      table: 'payments',
      order: BY_ID,
      key: BY_ID,
      columns: PAYMENTS.columns('t'),
      writes: { token: 'text', payer_iban: 'text' },
      where: 'true',
      change(row) {
        const stored = PAYMENTS.read(row);
        if (payments.payment.isCurrent(stored)) return null;
        const payment = payments.payment.open(stored);
        const { token, payerIban } = payments.payment.seal(payment, idOf('env', row['environment_id'] as string));
        return { values: [token, payerIban], lookUps: lookUpsOf(payment.token, payments) };
      },
    },
    {
      table: 'events',
      order: { environment_id: 'uuid', type: 'text', sequence: 'int8' },
      key: { environment_id: 'uuid', sequence: 'int8' },
      columns: 't.environment_id, t.type, t.sequence, t.object',
      writes: { object: 'text' },
      // The index events_rare_type holds these, and no events of payouts.
      where: `${RARE} AND t.type IN (${LINK_EVENTS.map((type) => `'${type}'`).join(', ')})`,
      change: (row) => jsonChange(row['object'] as string, payments),
    },
    {
      table: 'idempotency_records',
      order: { environment_id: 'uuid', key: 'text' },
      key: { environment_id: 'uuid', key: 'text' },
      columns: 't.environment_id, t.key, t.body',
      writes: { body: 'text' },
      where: `t.resource_prefix = 'plink' AND t.body IS NOT NULL`,
      change: (row) => jsonChange(row['body'] as string, payments),
    },
  ];
}

function lookUpsOf(token: string | null, seals: PaymentSeals): Change['lookUps'] {
  if (token === null) return [];
  const now = seals.lookUpOf(token);
  return seals.lookUpsOf(token).flatMap((before) => (before === now ? [] : [[before, now] as const]));
}

function jsonChange(stored: string, { json }: PaymentSeals): Change | null {
  return json.isCurrent(stored) ? null : { values: [json.seal(json.open(stored))], lookUps: [] };
}

/** The columns that are sealed here, as `table.column`. */
export const columnsSealed = (sealing: AtRest): readonly string[] =>
  stepsOf(sealing).flatMap(({ table, writes }) => Object.keys(writes).map((column) => `${table}.${column}`));

/** Tables of which not every row is known to be sealed under the current secret. */
export async function tablesLeft(
  run: (text: string) => Promise<readonly Row[]>,
  sealing: AtRest,
): Promise<readonly string[]> {
  const rows = await run('SELECT name, key_id FROM sealings');
  const done = new Map(rows.map((row) => [row['name'], row['key_id']]));
  return stepsOf(sealing).flatMap(({ table }) => (done.get(table) === sealing.payments.keyIds[0] ? [] : table));
}

/** By table: the key that its rows were sealed under. */
async function sealedUnder(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; key_id: string }>('SELECT name, key_id FROM sealings');
  return new Map(rows.map(({ name, key_id: keyId }) => [name, keyId]));
}

/** Why the secrets of `sealing` do not open this database, in a sentence; `null`: they do. */
export async function foreignSeal(client: Client, { payments: { keyIds } }: AtRest): Promise<string | null> {
  const unknown = [...(await sealedUnder(client)).values()].find((keyId) => !keyIds.includes(keyId));
  if (unknown === undefined) return null;
  return `This database was sealed under another server secret (key ${unknown}; this one is ${keyIds[0]}). Start with the BURSAR_SECRET that it was used with. If that is lost for good: docs/guides/operating/secrets.md, "If the secret is lost".`;
}

/**
 * Seals all there is, or only the tables that may hold clear rows: what is under an earlier secret can be read, so no start has to wait
 * for it, and no server that runs beside is left behind. Rejects with `ConfigError` when the database was sealed under a server secret that is not among those of
 * `sealing`. Rows that cannot be opened stay as they are and are counted in the log, without what they hold.
 */
export async function sealStored(
  ownerUrl: string,
  log: Log,
  sealing: AtRest,
  what: 'all' | 'clear' = 'all',
): Promise<void> {
  const client = await connectPatiently(ownerUrl, log);
  try {
    const foreign = await foreignSeal(client, sealing);
    if (foreign !== null) throw new ConfigError(foreign);
    const done = await sealedUnder(client);
    const { keyIds } = sealing.payments;
    for (const step of stepsOf(sealing)) {
      const before = done.get(step.table);
      if (before === keyIds[0] || (before !== undefined && what === 'clear')) continue;
      const { sealed, shut } = await walk(client, step);
      if (sealed > 0) log.info(`Sealed rows of ${step.table}: ${sealed}.`);
      if (shut > 0)
        log.warn(`${shut} rows of ${step.table} cannot be opened under this server secret and stay as they are.`);
      await client.query(
        'INSERT INTO sealings (name, key_id) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET key_id = $2, sealed_at = now()',
        [step.table, keyIds[0]],
      );
    }
  } finally {
    await client.end();
  }
}

/** The migration that made room for sealed texts, of `migrations/before-1.0/`. */
const SEALING = '0009_sealed_texts.sql';

/**
 * Seals the clear rows at once when the migrations that just ran brought a database from before sealing. Otherwise the next start of a
 * server does it, and until then `bursar verify` finds page tokens that no look-up can have. `sealing` is `null` without a secret.
 */
export async function sealMigrated(
  ownerUrl: string,
  log: Log,
  sealing: AtRest | null,
  ran: readonly string[],
): Promise<void> {
  if (sealing !== null && ran.includes(SEALING)) await sealStored(ownerUrl, log, sealing, 'clear');
}

/** Batch by batch, in order of the index. */
async function walk(client: Client, step: Step): Promise<{ readonly sealed: number; readonly shut: number }> {
  const total = { sealed: 0, shut: 0 };
  for (let after: Row | null = null; ; ) {
    const batch = await patiently(client, () => sealBatch(client, step, after));
    total.sealed += batch.sealed;
    total.shut += batch.shut;
    if (batch.last === null) return total;
    after = batch.last;
  }
}

/** Runs it in a transaction, again when another process was in the way. */
async function patiently<T>(client: Client, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query('BEGIN');
      const result = await work();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      if (tries === MOST_TRIES || !BUSY.has((error as { code?: string }).code ?? '')) throw error;
    }
  }
}

/** Locks the next rows and seals them. `last`: where to go on; `null` at the end. */
async function sealBatch(client: Client, step: Step, after: Row | null) {
  const { table, order, columns, where } = step;
  const names = Object.keys(order);
  const from = after === null ? 'true' : `(${list(names, (name) => `t.${name}`)}) > (${parameters(order)})`;
  const { rows } = await client.query<Row>(
    `SELECT ${columns} FROM ${table} AS t WHERE ${where} AND ${from}
      ORDER BY ${list(names, (name) => `t.${name}`)} LIMIT ${BATCH_ROWS} FOR UPDATE`,
    after === null ? [] : names.map((name) => after[name]),
  );
  let shut = 0;
  const changed: (Change & { readonly row: Row })[] = [];
  for (const row of rows) {
    try {
      const change = step.change(row);
      if (change !== null) changed.push({ ...change, row });
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      shut += 1;
    }
  }
  if (changed.length > 0) await write(client, step, changed);
  return { sealed: changed.length, shut, last: rows.length === BATCH_ROWS ? (rows.at(-1) as Row) : null };
}

async function write(
  client: Client,
  { table, key, writes }: Step,
  changed: readonly (Change & { readonly row: Row })[],
) {
  const [keys, names] = [Object.keys(key), Object.keys(writes)];
  const types = { ...key, ...writes };
  await client.query(
    `UPDATE ${table} AS t SET ${list(names, (name) => `${name} = v.${name}::${writes[name]}`)}
      FROM (SELECT ${list(Object.keys(types), (name, at) => `unnest($${at}::text[]) AS ${name}`)}) AS v
      WHERE ${keys.map((name) => `t.${name} = v.${name}::${key[name]}`).join(' AND ')}`,
    [
      ...keys.map((name) => changed.map(({ row }) => String(row[name]))),
      ...names.map((_, at) => changed.map(({ values }) => values[at])),
    ],
  );
  const lookUps = changed.flatMap((each) => each.lookUps);
  if (lookUps.length === 0) return;
  await client.query(
    `UPDATE payment_tokens AS t SET token = v.now FROM (SELECT unnest($1::text[]) AS before, unnest($2::text[]) AS now) AS v
      WHERE t.token = v.before`,
    [lookUps.map(([before]) => before), lookUps.map(([, now]) => now)],
  );
}

const list = (names: readonly string[], write: (name: string, at: number) => string) =>
  names.map((name, index) => write(name, index + 1)).join(', ');
const parameters = (types: Readonly<Record<string, string>>) =>
  list(Object.keys(types), (name, at) => `$${at}::${types[name]}`);
