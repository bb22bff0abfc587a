/**
 * The second stage of the path: locks the environments of a batch and reads all that its commands need, in one round trip.
 * Nothing else is locked: every write of an environment goes through its row (docs/decisions/0001), so what is read
 * after the lock is the truth until COMMIT. `read-set.ts` says what a command needs. Next: `decide-batch.ts`.
 */
import {
  ACCOUNTS,
  loadAccountsInRanges,
  loadAccountsOfQuotes,
  loadOldestOpenAccounts,
} from '../ledger/accounts/sql.ts';
import { isPerson } from '../core/actor.ts';
import { assert } from '../core/values/assert.ts';
import { idOf } from '../core/values/ids.ts';
import { makersOfPayout } from '../core/approvals.ts';
import { feeRulesFromJson } from '../core/fee-rules.ts';
import { fxFromJson } from '../core/fx.ts';
import { payingBanksFromJson } from '../core/rails/paying-banks.ts';
import { NO_RULES, rulesFromJson } from '../core/payout-rules.ts';
import type { Environment, StoredObject } from '../core/objects.ts';
import { State, subscriptionsOf } from '../core/state.ts';
import { uuids } from '../platform/db/wire/columns.ts';
import { keyedOf, type Load } from '../platform/db/wire/keyed.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { auditHeadOf, loadAuditHeads } from '../tenancy/audit-log/sql.ts';
import { PAYMENT_FILES, BANK_INSTRUCTIONS, loadFilling } from '../bank/payment-files/sql.ts';
import { BANK_ACCOUNTS, loadBankAccountsOf } from '../bank/accounts/sql.ts';
import {
  BANK_DETAILS,
  STATEMENT_FILES,
  BANK_ENTRIES,
  BANK_RULES,
  BANK_STATEMENTS,
  BANK_WAITING,
  loadDetailsBeside,
  loadDetailsOfMarks,
  loadDocumentsOfHashes,
  loadEntriesOfMarks,
  loadWaitingEntries,
  loadNeighbours,
  loadRulesOf,
  loadTargetsOfRules,
  rangesOf,
} from '../bank/statements/sql.ts';
import { EXCHANGES, QUOTES } from '../ledger/exchanges/sql.ts';
import { API_KEYS, loadFamilyKeys, loadWorkingKeys } from '../tenancy/keys/sql.ts';
import { loadUsersOf, USERS } from '../tenancy/people/sql.ts';
import {
  EXPECTED_PAYMENTS,
  loadExpectedOfReferences,
  loadOfReferences,
  loadPaymentsOfSessions,
  loadWaitingPayments,
  PAYMENT_LINKS,
  PAYMENTS,
} from '../collecting/payments/sql.ts';
import {
  loadAccountsOfBatches,
  loadExternalIds,
  loadExternalIdsOfBatches,
  loadPayoutsOfBatches,
  PAYOUT_BATCHES,
  PAYOUTS,
} from '../paying/payouts/sql.ts';
import { loadPasts, pastOf } from './erasure.ts';
import { loadOfAccounts, RECIPIENTS } from '../paying/recipients/sql.ts';
import { loadOrdersOfRecipients, STANDING_ORDERS } from '../paying/standing-orders/sql.ts';
import { SETTINGS_ROWS } from '../tenancy/settings/sql.ts';
import { loadEndpointsOf, WEBHOOK_ENDPOINTS } from '../events/webhooks/sql.ts';
import { type AtRest, opened } from './at-rest.ts';
import { environmentOf, loadUsed, mayLimit, unique } from './load-limits.ts';
import { loadWaiting } from './load-waiting.ts';
import { loadRecords, type Recorded, recordFrom } from './idempotency.ts';
import type { KeyKind, ReadSet } from '../core/read-set.ts';
import type { Complete } from './slices.ts';
import { knownSubscriptions, keepSubscriptions } from './subscriptions.ts';

export interface Loaded {
  readonly state: State;
  /** As it stands in its row. */
  readonly before: Environment;
  /** Database clock less that of this process, when it was read. */
  readonly aheadMs: number;
  /** The instant of this batch, environment clock: later than the batch before, whatever the clocks do. */
  readonly atMs: number;
  readonly recorded: Map<string, Recorded>;
}

export const BEGIN: Statement = { name: 'BEGIN', text: 'BEGIN', values: [] };

interface Reader {
  read(row: Row): StoredObject;
}
const NO_ROWS: Promise<readonly Row[]> = Promise.resolve([]);

const READS = [
  ['apiKeys', API_KEYS.load, API_KEYS],
  ['users', USERS.load, USERS],
  ['accounts', ACCOUNTS.load, ACCOUNTS],
  ['recipients', RECIPIENTS.load, RECIPIENTS],
  ['quotes', QUOTES.load, QUOTES],
  ['exchanges', EXCHANGES.load, EXCHANGES],
  ['payouts', PAYOUTS.load, PAYOUTS],
  ['payouts', keyedOf(ACCOUNTS, PAYOUTS, 'account_id'), ACCOUNTS],
  ['payouts', keyedOf(PAYOUT_BATCHES, PAYOUTS, 'batch_id'), PAYOUT_BATCHES],
  ['payouts', keyedOf(PAYMENTS, PAYOUTS, 'refund_of'), PAYMENTS],
  ['batches', PAYOUT_BATCHES.load, PAYOUT_BATCHES],
  ['batches', loadPayoutsOfBatches, PAYOUTS],
  ['batches', loadAccountsOfBatches, ACCOUNTS],
  ['settings', SETTINGS_ROWS.load, SETTINGS_ROWS],
  ['standingOrders', STANDING_ORDERS.load, STANDING_ORDERS],
  ['standingOrders', keyedOf(ACCOUNTS, STANDING_ORDERS, 'account_id'), ACCOUNTS],
  ['standingOrders', keyedOf(RECIPIENTS, STANDING_ORDERS, 'recipient_id'), RECIPIENTS],
  ['erased', loadOrdersOfRecipients, STANDING_ORDERS], // the past of an object is none
  ['statementFiles', STATEMENT_FILES.load, STATEMENT_FILES],
  ['bankEntries', BANK_ENTRIES.load, BANK_ENTRIES],
  ['bankEntryDetails', loadDetailsBeside, BANK_DETAILS],
  ['bankStatements', BANK_STATEMENTS.load, BANK_STATEMENTS],
  ['bankWaitingLines', BANK_WAITING.load, BANK_WAITING],
  ['paymentFiles', PAYMENT_FILES.load, PAYMENT_FILES],
  ['instructions', BANK_INSTRUCTIONS.load, BANK_INSTRUCTIONS],
  ['instructions', keyedOf(PAYMENT_FILES, BANK_INSTRUCTIONS, 'file_id'), PAYMENT_FILES],
  ['instructions', loadWaitingEntries, BANK_ENTRIES],
  ['links', PAYMENT_LINKS.load, PAYMENT_LINKS],
  ['links', loadWaitingPayments, PAYMENTS],
  ['links', keyedOf(ACCOUNTS, PAYMENT_LINKS, 'account_id'), ACCOUNTS],
  ['payments', PAYMENTS.load, PAYMENTS],
  ['payments', keyedOf(PAYMENT_LINKS, PAYMENTS, 'link_id'), PAYMENT_LINKS],
  ['payments', keyedOf(ACCOUNTS, PAYMENTS, 'account_id'), ACCOUNTS],
  ['expectedPayments', EXPECTED_PAYMENTS.load, EXPECTED_PAYMENTS],
  ['expectedPayments', keyedOf(ACCOUNTS, EXPECTED_PAYMENTS, 'account_id'), ACCOUNTS],
] as const satisfies readonly (readonly [KeyKind, Load, Reader])[];
type Unread = Exclude<KeyKind, (typeof READS)[number][0]>;

function* readsOf(
  readSet: Complete<Unread, ReadSet>,
  { recipients: { fingerprintsOf } }: AtRest,
): Generator<readonly [Statement, Reader]> {
  const count = readSet.closes.length + 1; // a batch that closes accounts may need the next oldest
  const currencies = [...readSet.currencies.values()].map((want) => ({ ...want, count }));
  if (currencies.length > 0) yield [loadOldestOpenAccounts(currencies), ACCOUNTS];
  for (const [kind, load, reader] of READS) {
    if (readSet[kind].length > 0) yield [load(unique(readSet[kind])), reader];
  }
  if (readSet.payees.length > 0) {
    const accounts = readSet.payees.flatMap(({ environmentId, details }) =>
      fingerprintsOf(environmentId, details).map(
        (fingerprint) => [fingerprint, { environmentId, fingerprint }] as const,
      ),
    );
    yield [loadOfAccounts([...new Map(accounts).values()]), RECIPIENTS]; // no two environments have a fingerprint in common
  }
  if (readSet.quotes.length > 0) yield [loadAccountsOfQuotes(unique(readSet.quotes), count), ACCOUNTS];
  if (readSet.sessions.length > 0) yield [loadPaymentsOfSessions(readSet.sessions), PAYMENTS];
  if (readSet.bankAccountsOf.size > 0) yield [loadBankAccountsOf([...readSet.bankAccountsOf]), BANK_ACCOUNTS];
  if (readSet.bankRulesOf.size > 0) {
    yield [loadRulesOf([...readSet.bankRulesOf]), BANK_RULES];
    yield [loadTargetsOfRules([...readSet.bankRulesOf], ACCOUNTS), ACCOUNTS];
  }
  if (readSet.keysOf.size > 0) yield [loadWorkingKeys([...readSet.keysOf]), API_KEYS];
  if (readSet.usersOf.size > 0) yield [loadUsersOf([...readSet.usersOf]), USERS];
  if (readSet.fillingOf.size > 0) yield [loadFilling([...readSet.fillingOf]), PAYMENT_FILES];
  yield* readsOfBanks(readSet);
  if (readSet.endpointsOf.size > 0) yield [loadEndpointsOf([...readSet.endpointsOf]), WEBHOOK_ENDPOINTS];
}

/** What the import of statements looks for by what banks say. */
function* readsOfBanks({
  documents,
  statements,
  entryMarks,
  references,
}: ReadSet): Generator<readonly [Statement, Reader]> {
  if (documents.length > 0) yield [loadDocumentsOfHashes(documents), STATEMENT_FILES];
  if (statements.length > 0) yield [loadNeighbours(statements), BANK_STATEMENTS];
  if (entryMarks.length > 0) {
    yield [loadDetailsOfMarks(entryMarks), BANK_DETAILS];
    yield [loadEntriesOfMarks(entryMarks), BANK_ENTRIES];
  }
  if (references.length === 0) return;
  yield [loadOfReferences(references, PAYMENTS, 'id'), PAYMENTS];
  yield [loadOfReferences(references, PAYMENT_LINKS, 'link_id'), PAYMENT_LINKS];
  yield [loadOfReferences(references, ACCOUNTS, 'account_id'), ACCOUNTS];
  yield [loadExpectedOfReferences(references, EXPECTED_PAYMENTS, 'id'), EXPECTED_PAYMENTS];
  yield [loadExpectedOfReferences(references, ACCOUNTS, 'account_id'), ACCOUNTS];
  const ranges = rangesOf(references);
  if (ranges.length > 0) yield [loadAccountsInRanges(ranges), ACCOUNTS];
}

/** Opens the transaction, takes the locks (sorted, so that no two batches can wait for each other) and reads. */
export async function load(
  pipeline: Pipeline,
  sealing: AtRest,
  readSet: ReadSet,
): Promise<ReadonlyMap<string, Loaded>> {
  const rowsOf = async (statement: Statement): Promise<readonly Row[]> => (await pipeline.run(statement)).rows;
  const objectsOf = async ([statement, reader]: readonly [Statement, Reader]) =>
    (await rowsOf(statement)).map((row) => ({
      environmentId: environmentOf(row),
      object: opened(sealing, reader.read(row)),
    }));

  // One round trip: every statement is sent before the first answer is awaited.
  const answers = [
    rowsOf(BEGIN),
    rowsOf(lockEnvironments(readSet.environmentIds)),
    readSet.records.length > 0 ? rowsOf(loadRecords(readSet.records)) : NO_ROWS,
    readSet.externalIds.length > 0 ? rowsOf(loadExternalIds(readSet.externalIds)) : NO_ROWS,
    readSet.externalIdsOfBatches.length > 0 ? rowsOf(loadExternalIdsOfBatches(readSet.externalIdsOfBatches)) : NO_ROWS,
    readSet.erased.length > 0 ? rowsOf(loadPasts(readSet.erased)) : NO_ROWS,
    readSet.audited.size > 0 ? rowsOf(loadAuditHeads([...readSet.audited])) : NO_ROWS,
    Promise.all(Array.from(readsOf(readSet, sealing), objectsOf)),
  ] as const;
  pipeline.sync();
  await Promise.allSettled(answers); // every promise is collected before the first error leaves
  const [, environments, records, externalIds, idsOfBatches, pasts, heads, objects] = await Promise.all(answers);

  const loaded = new Map(environments.map((row) => [environmentOf(row), loadedFrom(row)]));
  const of = (environmentId: string): Loaded => {
    const found = loaded.get(environmentId);
    assert(found, `environment ${environmentId} exists`);
    return found;
  };
  for (const row of records)
    of(environmentOf(row)).recorded.set(row['key'] as string, recordFrom(row, sealing.payments.json));
  for (const { environmentId, object } of objects.flat()) of(environmentId).state.put(object);
  for (const row of pasts) {
    const { id, past } = pastOf(row, readSet.erased, sealing.recipients.detailsOf);
    of(environmentOf(row)).state.pasts.set(id, past);
  }
  for (const row of heads) of(environmentOf(row)).state.auditHead = auditHeadOf(row);
  for (const row of externalIds) {
    of(environmentOf(row)).state.externalIds.set(row['external_id'] as string, idOf('po', row['id'] as string));
  }
  for (const row of idsOfBatches) {
    const id = idOf('pob', row['id'] as string);
    of(environmentOf(row)).state.externalIdsOfBatches.set(row['external_id'] as string, id);
  }
  await subscribe(pipeline, loaded, readSet.endpointsOf);
  await loadFamilies(pipeline, loaded, readSet);
  await loadUsed(pipeline, sealing, loaded, readSet);
  await loadWaiting(pipeline, loaded, readSet);
  return loaded;
}

/** The subscriptions that the batch's events are matched with. Takes a round trip only after an endpoint changed. */
async function subscribe(
  pipeline: Pipeline,
  loaded: ReadonlyMap<string, Loaded>,
  alreadyLoaded: ReadonlySet<string>,
): Promise<void> {
  const unknown: string[] = [];
  for (const [id, { state }] of loaded) {
    const known = knownSubscriptions(state.environment);
    if (known !== undefined) state.subscriptions = known;
    else if (!alreadyLoaded.has(id)) unknown.push(id);
  }
  if (unknown.length > 0) {
    const endpoints = pipeline.run(loadEndpointsOf(unknown));
    pipeline.sync();
    const { rows } = await endpoints;
    for (const row of rows) loaded.get(environmentOf(row))?.state.put(WEBHOOK_ENDPOINTS.read(row));
  }
  for (const id of [...unknown, ...alreadyLoaded]) {
    const { state } = loaded.get(id) as Loaded;
    state.subscriptions = subscriptionsOf(state.tables.webhook_endpoint.values());
    keepSubscriptions(state.environment, state.subscriptions);
  }
}

/**
 * The keys and users of whoever asked for what a second person decides, and of who approved it; of whoever made payouts that count for
 * limits of keys. Takes a round trip only for such commands and limits.
 */
async function loadFamilies(pipeline: Pipeline, loaded: ReadonlyMap<string, Loaded>, readSet: ReadSet): Promise<void> {
  const { familiesOf, actors } = readSet;
  const limited = [...loaded.values()].filter(({ state }) => mayLimit(state, readSet, 'key'));
  const wanted = new Set([...familiesOf, ...limited.map(({ before }) => before.id)]);
  const asked = [...wanted].flatMap((environmentId) =>
    [...askedBy(loaded.get(environmentId) as Loaded, actors)].map((id) => ({ environmentId, id })),
  );
  const lines = asked.filter(({ id }) => id.startsWith('key_'));
  const persons = asked.filter(({ id }) => isPerson(id));
  if (asked.length === 0) return;
  const keys = lines.length === 0 ? null : pipeline.run(loadFamilyKeys(lines));
  const users = persons.length === 0 ? null : pipeline.run(USERS.load(persons));
  pipeline.sync();
  for (const row of (await keys)?.rows ?? []) {
    const [key, state] = [API_KEYS.read(row), loaded.get(environmentOf(row))?.state];
    if (!state?.tables.key.has(key.id)) state?.put(key); // one that a command is about has more in it
  }
  for (const row of (await users)?.rows ?? []) loaded.get(environmentOf(row))?.state.put(USERS.read(row));
}

/** With who decides, and the lines of keys and those who let users in that wait to be confirmed. */
function askedBy({ state: { environment, tables } }: Loaded, deciding: ReadonlySet<string>): ReadonlySet<string> {
  const actors: (string | null | undefined)[] = [...deciding];
  for (const { lineage } of tables.key.values()) actors.push(lineage.at(-1));
  for (const { letInBy } of tables.user.values()) actors.push(...letInBy);
  const note = (approvals: readonly { readonly by: string }[], ...asked: readonly (string | null | undefined)[]) =>
    actors.push(...asked, ...approvals.map(({ by }) => by));
  for (const payout of tables.payout.values()) note(payout.release?.approvals ?? [], ...makersOfPayout(payout));
  for (const { createdBy } of tables.payment_file.values()) note([], createdBy);
  const { pending, limits } = environment.payoutRules ?? NO_RULES;
  const deletions = limits.map(({ pendingDeletion }) => pendingDeletion);
  const changes = [...tables.bank_account.values(), ...tables.bank_entry.values()].map(
    ({ pendingChanges }) => pendingChanges,
  );
  for (const waiting of [pending, ...deletions, ...changes]) if (waiting) note(waiting.approvals, ...waiting.by);
  const isOne = (actor: string | null | undefined) =>
    actor?.startsWith('key_') === true || (actor ? isPerson(actor) : false);
  return new Set(actors.filter(isOne) as string[]);
}

/** Locks by primary key, in order of id. `clock_timestamp`, not `now()`: the instant after the wait, not before it. */
function lockEnvironments(ids: readonly string[]): Statement {
  return {
    name: 'lock_environments',
    text: `SELECT environment_id, livemode, last_sequence, last_at, clock_offset_ms, endpoints_version, payout_rules, fees, paying_banks, fx,
        clock_timestamp() AS now
      FROM environments WHERE environment_id = ANY($1::uuid[]) ORDER BY environment_id FOR UPDATE`,
    values: [uuids(ids)],
  };
}

function loadedFrom(row: Row): Loaded {
  const before: Environment = {
    id: environmentOf(row),
    livemode: row['livemode'] as boolean,
    lastSequence: row['last_sequence'] as bigint,
    lastAtMs: row['last_at'] as number,
    clockOffsetMs: Number(row['clock_offset_ms']),
    endpointsVersion: row['endpoints_version'] as bigint,
    payoutRules: row['payout_rules'] === null ? null : rulesFromJson(row['payout_rules'] as string),
    fees: feeRulesFromJson(row['fees'] as string | null),
    payingBanks: payingBanksFromJson(row['paying_banks'] as string | null),
    fx: fxFromJson(row['fx'] as string | null),
  };
  return loadedNow(before, (row['now'] as number) - Date.now());
}

/** An environment of which nothing is known yet but its row. */
export function loadedNow(before: Environment, aheadMs: number): Loaded {
  const atMs = Math.max(Date.now() + aheadMs + before.clockOffsetMs, before.lastAtMs + 1);
  return { before, aheadMs, state: new State({ ...before, lastAtMs: atMs }), atMs, recorded: new Map() };
}
