/**
 * Of accounts whose payouts wait for money in order, the oldest of these; and of payouts that may get their money now, what older ones of
 * their account need. It takes a round trip only where such an account is loaded. What it is for: `paying/payouts/waiting.ts`. Who asks:
 * `load.ts`.
 */
import { isInOrder } from '../core/payout-rules.ts';
import type { ReadSet } from '../core/read-set.ts';
import type { State } from '../core/state.ts';
import { idOf } from '../core/values/ids.ts';
import { loadWaitingOf } from '../paying/payouts/sql.ts';
import type { Pipeline } from '../platform/db/wire/pipeline.ts';
import { environmentOf } from './load-limits.ts';

type States = ReadonlyMap<string, { readonly state: State }>;

export async function loadWaiting(pipeline: Pipeline, loaded: States, { fundingOf }: ReadSet): Promise<void> {
  const wanted = [...loaded].flatMap(([environmentId, { state }]) =>
    isInOrder(state.environment.payoutRules) ? waitingIn(environmentId, state, fundingOf.has(environmentId)) : [],
  );
  if (wanted.length === 0) return;
  const answer = pipeline.run(loadWaitingOf(wanted));
  pipeline.sync();
  for (const row of (await answer).rows) {
    const state = loaded.get(environmentOf(row))?.state;
    const payout = idOf('po', row['id'] as string);
    if (row['is_oldest'] === true) state?.oldestWaiting.set(idOf('acct', row['account_id'] as string), payout);
    if (state?.tables.payout.has(payout) === true) state.neededBefore.set(payout, BigInt(row['before'] as string));
  }
}

/** Each account on which payouts wait, with those of them that are loaded where one may get its money. */
function waitingIn(environmentId: string, { tables }: State, mayFund: boolean) {
  const accounts = [...tables.account.values()].filter(({ waiting }) => waiting !== null);
  if (accounts.length === 0) return [];
  const payouts = mayFund ? [...tables.payout.values()].filter(({ status }) => status === 'waiting') : [];
  return accounts.map(({ id: account }) => {
    const loaded = payouts.filter((payout) => payout.account === account).map(({ id }) => id);
    return { environmentId, account, youngest: loaded.sort().at(-1) ?? null };
  });
}
