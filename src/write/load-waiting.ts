/**
 * Of accounts on which payouts wait in order, the oldest of these; and of payouts that may get their money now, what older ones of their
 * account need. It takes a round trip only where such an account is loaded. What it is for: `paying/payouts/waiting.ts`. Who asks:
 * `load.ts`.
 */
import { isInOrder } from '../core/payout-rules.ts';
import type { ReadSet } from '../core/read-set.ts';
import type { State } from '../core/state.ts';
import { idOf } from '../core/values/ids.ts';
import { loadNeededBefore, loadOldestWaiting } from '../paying/payouts/sql.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import { environmentOf } from './load-limits.ts';

type States = ReadonlyMap<string, { readonly state: State }>;

export async function loadWaiting(pipeline: Pipeline, loaded: States, { waitingOf }: ReadSet): Promise<void> {
  const crowded = [...loaded].flatMap(([environmentId, { state }]) =>
    waitingOf.has(environmentId) || isInOrder(state.environment.payoutRules) ? crowdedIn(environmentId, state) : [],
  );
  if (crowded.length === 0) return;
  // Those that are loaded may end to wait in this batch; the one behind them does not.
  const lines = pipeline.run(loadOldestWaiting(crowded.map((each) => ({ ...each, most: each.payouts.length + 1 }))));
  const asked = crowded
    .filter(({ environmentId }) => waitingOf.has(environmentId))
    .flatMap(({ payouts, ...of }) => payouts.map((payout) => ({ ...of, payout, youngest: payouts.at(-1) as string })));
  const sums = asked.length > 0 ? [pipeline.run(loadNeededBefore(asked))] : [];
  pipeline.sync();
  const stateOf = (environmentId: string) => loaded.get(environmentId)?.state as State;
  for (const { environmentId, account } of crowded) stateOf(environmentId).waitingLines.set(account, []);
  for (const row of (await lines).rows) {
    const line = stateOf(environmentOf(row)).waitingLines.get(idOf('acct', row['account_id'] as string));
    line?.push(idOf('po', row['id'] as string));
  }
  for (const { rows } of await Promise.all(sums)) {
    for (const row of rows) {
      const { neededBefore } = stateOf(environmentOf(row));
      neededBefore.set(idOf('po', row['id'] as string), BigInt(row['before'] as string));
    }
  }
}

/** Each account on which payouts wait, with those of them that are loaded, the oldest first. */
function crowdedIn(environmentId: string, { tables }: State) {
  const accounts = [...tables.account.values()].filter(({ waiting }) => waiting !== null);
  if (accounts.length === 0) return [];
  const loaded = [...tables.payout.values()].filter(({ status }) => status === 'waiting');
  return accounts.map(({ id: account }) => {
    const payouts = loaded.filter((payout) => payout.account === account).map(({ id }) => id);
    return { environmentId, account, payouts: payouts.sort() };
  });
}
