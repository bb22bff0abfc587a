/**
 * What limits have been used, of those that a batch's outflows count for or give back. It takes round trips only where there are limits.
 * Rates are read only for limits in all currencies, in the same round trip. How limits are counted: `core/limits.ts`. Who asks: `load.ts`.
 */
import type { Limit, LimitSubject } from '../core/payout-rules.ts';
import type { State } from '../core/state.ts';
import { idOf } from '../core/values/ids.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import type { Key, Row } from '../platform/db/wire/statement.ts';
import { valuerBy } from '../ledger/exchanges/slice.ts';
import { fixingAt, fixingFrom } from '../ledger/exchanges/sql.ts';
import { LIMIT_USAGES, loadUsages } from '../paying/payouts/sql.ts';
import { loadVersionDetails, RECIPIENTS } from '../paying/recipients/sql.ts';
import type { ReadSet } from '../core/read-set.ts';
import { ibanOf } from '../core/rails/iban.ts';
import { type AtRest, opened } from './at-rest.ts';

type States = ReadonlyMap<string, { readonly state: State }>;

const limitsOf = ({ environment }: State) => environment.payoutRules?.limits ?? [];
const payoutsOf = ({ tables }: State) => [...tables.payout.values()];

export const environmentOf = (row: Row): string => idOf('env', row['environment_id'] as string);

/** Each object once: an account or recipient that a thousand items share is read once. */
export function unique(keys: readonly Key[]): readonly Key[] {
  return keys.length === 1 ? keys : [...new Map(keys.map((key) => [key.environmentId + key.id, key])).values()];
}

/** Whether a command of the batch may be under such a limit: the batch itself may make the first one. */
export const mayLimit = (state: State, readSet: ReadSet, per?: LimitSubject): boolean =>
  readSet.limitsOf.has(state.environment.id) || limitsOf(state).some((limit) => per === undefined || limit.per === per);

export async function loadUsed(pipeline: Pipeline, sealing: AtRest, loaded: States, readSet: ReadSet): Promise<void> {
  const states = Array.from(loaded.values(), ({ state }) => state).filter((state) => mayLimit(state, readSet));
  if (states.length === 0) return;
  for (const state of states) {
    const { id } = state.environment;
    state.accountOf = (details) => sealing.recipients.fingerprintsOf(id, details)[0]?.slice(2) ?? null;
  }
  await loadPayees(pipeline, sealing, loaded, readSet);
  const wanted = states.flatMap((state) => subjectsIn(state, readSet));
  const shares = states.flatMap((state) =>
    payoutsOf(state).flatMap((payout) =>
      (payout.shares ?? []).map(({ usage: id }) => ({ environmentId: state.environment.id, id })),
    ),
  );
  const statements = [loadUsages(wanted), ...(shares.length > 0 ? [LIMIT_USAGES.load(unique(shares))] : [])];
  const answers = statements.map((statement) => pipeline.run(statement));
  const valued = states
    .filter((state) => limitsOf(state).some(isValuing) || readSet.limitsOf.has(state.environment.id))
    .map((state) => loadRates(pipeline, state));
  pipeline.sync();
  for (const state of states) state.hasUsages = true;
  const [used] = await Promise.all([Promise.all(answers), ...valued]);
  for (const { rows } of used)
    for (const row of rows) loaded.get(environmentOf(row))?.state.put(LIMIT_USAGES.read(row));
}

const isValuing = ({ allCurrencies, amount }: Limit): boolean => allCurrencies && amount !== null;

/**
 * The table of the sandbox, or the newest fixing that is stored, whatever its age: a limit goes on while the source of rates is away. All
 * processes see the same one under the lock.
 */
async function loadRates(pipeline: Pipeline, state: State): Promise<void> {
  const { id, livemode, lastAtMs } = state.environment;
  state.valueIn = valuerBy(livemode ? fixingFrom((await pipeline.run(fixingAt(id, lastAtMs))).rows) : 'sandbox');
}

/** Each subject that may count, once. */
function subjectsIn(state: State, { actors, newDetails, payees }: ReadSet) {
  const { environment, tables, payeeAccounts } = state;
  const subjects = new Set([
    environment.id,
    ...actors,
    ...tables.account.keys(),
    ...tables.recipient.keys(),
    ...payoutsOf(state).flatMap(({ recipient, createdBy }) => [recipient, createdBy ?? '']),
    ...payeeAccounts.values(),
    ...Array.from(tables.key.values(), ({ lineage }) => lineage).flat(),
  ]);
  if (limitsOf(state).some(({ per }) => per === 'recipient')) {
    const named = [
      ...Array.from(tables.recipient.values(), (recipient) => () => recipient.bankDetails),
      ...newDetails.flatMap(({ environmentId, recipient: id, detailsIn }) => {
        const before = environmentId === environment.id ? tables.recipient.get(id) : undefined;
        return before === undefined ? [] : () => detailsIn(before);
      }),
      // Payees, and whoever gets money back, may become recipients in the decision itself.
      ...payees.flatMap(({ environmentId, details }) => (environmentId === environment.id ? [() => details] : [])),
      ...Array.from(tables.payment.values(), (payment) => () => ibanDetails(payment.payerIban)),
      ...Array.from(tables.bank_entry.values(), (entry) => () => ibanDetails(entry.explanation.account)),
    ];
    for (const details of named) {
      const account = readable(() => state.accountOf(details()));
      if (account !== null) subjects.add(account);
    }
  }
  return Array.from(subjects, (subject) => ({ environmentId: environment.id, subject }));
}

function ibanDetails(account: string | null): Readonly<Record<string, string>> {
  const iban = account === null ? null : ibanOf(account);
  return iban === null ? {} : { iban };
}

/** Details that cannot be opened name no account, and the rest of the batch goes on. */
function readable(read: () => string | null): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The accounts that limits of recipients count: of recipients that limits name, and of versions that payouts go to. */
async function loadPayees(pipeline: Pipeline, sealing: AtRest, loaded: States, readSet: ReadSet): Promise<void> {
  const named: Key[] = [];
  const versions: { readonly environmentId: string; readonly recipient: string; readonly version: number }[] = [];
  for (const [environmentId, { state }] of loaded) {
    if (!mayLimit(state, readSet, 'recipient')) continue;
    for (const { per, of: id } of limitsOf(state)) {
      if (per === 'recipient' && id !== null) named.push({ environmentId, id });
    }
    for (const { recipient, recipientVersion: version } of payoutsOf(state)) {
      versions.push({ environmentId, recipient, version });
    }
  }
  const recipients = named.length > 0 ? [pipeline.run(RECIPIENTS.load(unique(named)))] : [];
  const details = versions.length > 0 ? [pipeline.run(loadVersionDetails(versions))] : [];
  if (recipients.length + details.length === 0) return;
  pipeline.sync();
  for (const { rows } of await Promise.all(recipients))
    for (const row of rows) loaded.get(environmentOf(row))?.state.put(opened(sealing, RECIPIENTS.read(row)));
  for (const { rows } of await Promise.all(details)) {
    for (const row of rows) {
      const state = loaded.get(environmentOf(row))?.state;
      const id = idOf('rcp', row['recipient_id'] as string);
      const details = () => sealing.recipients.detailsOf(row['bank_details'] as string, id);
      const account = readable(() => state?.accountOf(details()) ?? null);
      if (account !== null) state?.payeeAccounts.set(`${id} ${row['version'] as number}`, account);
    }
  }
}
