/** What bank accounts do not cover of the payouts that are to leave. It says so and decides nothing: only the bank knows what it allows. */
import type { Stored } from '../../core/objects.ts';
import { covers } from '../../core/scopes.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Answer, Caller } from '../../platform/http/route.ts';
import type { Shortfall } from './fields.ts';
import { renderShortfalls } from './schema.ts';

/** By bank account, minor units. */
type Sums = ReadonlyMap<string, bigint>;

/** Older files have been reported on, or a person looks at them. */
const DAYS_UNDER_WAY = 14;

/** What has left and is not booked, by bank account: of the files of the last days (primary key, index bank_instructions_file). */
export const underWayByAccount = (environmentId: string, nowMs: number): Statement => ({
  name: 'under_way_by_bank_account',
  text: `SELECT f.bank_account_id, sum(p.amount)::text AS total FROM payment_files f
      JOIN bank_instructions i ON i.environment_id = f.environment_id AND i.file_id = f.id AND i.status = 'claimed'
      JOIN payouts p ON p.environment_id = i.environment_id AND p.id = i.id
      WHERE f.environment_id = $1 AND f.id >= $2 AND f.status IN ('claiming', 'sealed') AND (p.status = 'in_transit' OR i.unbooked)
      GROUP BY f.bank_account_id`,
  values: [uuidOf(environmentId), uuidOf(firstIdAt(nowMs - DAYS_UNDER_WAY * DAY_MS))],
});

export const sumsIn = (rows: readonly Row[]): Sums =>
  new Map(rows.map((row) => [idOf('ba', row['bank_account_id'] as string), BigInt(row['total'] as string)]));

/** Of accounts whose balance is known, that is, of which a statement came. */
export function shortfallsOf(
  accounts: readonly Pick<Stored['bank_account'], 'id' | 'currency' | 'balance' | 'booksFrom'>[],
  { leaving, underWay }: { readonly leaving: Sums; readonly underWay: Sums },
): readonly Shortfall[] {
  return accounts.flatMap(({ id: bankAccount, currency, balance, booksFrom }) => {
    const planned = leaving.get(bankAccount);
    if (planned === undefined || booksFrom === null) return [];
    const missing = planned + (underWay.get(bankAccount) ?? 0n) - balance;
    return missing > 0n ? [{ bankAccount, currency, balance, missing }] : [];
  });
}

/** Pending payouts that may leave on some day, by the bank account that they name, and by currency (index payouts_due). */
const pendingByAccount = (environmentId: string): Statement => ({
  name: 'pending_by_bank_account',
  text: `SELECT p.bank_account_id, p.currency, sum(p.amount)::text AS total FROM payouts p
      WHERE p.environment_id = $1 AND p.status = 'pending' AND p.due_at IS NOT NULL GROUP BY p.bank_account_id, p.currency`,
  values: [uuidOf(environmentId)],
});

interface Leaving {
  /** `null`: the usual one of the currency. */
  readonly bankAccount: string | null;
  readonly currency: string;
  readonly amount: bigint;
}

export interface CoverageParts {
  rows(this: void, statement: Statement): Promise<readonly Row[]>;
  /** By age. */
  accounts(this: void, environmentId: string): Promise<readonly Stored['bank_account'][]>;
  /** Environment clock. */
  now(this: void, environmentId: string): Promise<number>;
}

/**
 * The answer to a dry run of payouts, with what bank accounts lack for them and for all that is to leave already. Only for keys that may read
 * bank accounts.
 */
export async function withShortfalls(parts: CoverageParts, caller: Caller, answer: Answer): Promise<Answer> {
  const { environmentId, scopes, accounts: own } = caller;
  const mayRead = own === null && (scopes === null || covers(scopes, 'bank_accounts:read'));
  if (answer.status !== 200 || !mayRead) return answer;
  const asked = leavingIn(answer.body);
  const accounts = (await parts.accounts(environmentId)).filter(({ status }) => status === 'open');
  const payerOf = ({ bankAccount, currency }: Leaving) =>
    bankAccount ?? accounts.find((each) => each.currency === currency && each.uses.includes('payouts'))?.id ?? '';
  const payers = new Set(asked.map(payerOf));
  const leaving = new Map<string, bigint>();
  for (const each of [...asked, ...pendingIn(await parts.rows(pendingByAccount(environmentId)))]) {
    const payer = payerOf(each);
    if (payers.has(payer)) leaving.set(payer, (leaving.get(payer) ?? 0n) + each.amount);
  }
  const underWay = sumsIn(await parts.rows(underWayByAccount(environmentId, await parts.now(environmentId))));
  const shortfalls = renderShortfalls(shortfallsOf(accounts, { leaving, underWay }));
  return { ...answer, body: `${answer.body.slice(0, -1)},"shortfalls":${shortfalls}}` };
}

const pendingIn = (rows: readonly Row[]): readonly Leaving[] =>
  rows.map((row) => ({
    bankAccount: row['bank_account_id'] === null ? null : idOf('ba', row['bank_account_id'] as string),
    currency: row['currency'] as string,
    amount: BigInt(row['total'] as string),
  }));

interface Tried {
  readonly bank_account: string | null;
  readonly currency: string;
  readonly amount_minor: number;
}

/** The payouts that would be made: one, or the items of a batch. */
function leavingIn(body: string): readonly Leaving[] {
  const { results, ...one } = JSON.parse(body) as Tried & { readonly results?: readonly { readonly payout?: Tried }[] };
  const tried = results === undefined ? [one] : results.flatMap(({ payout }) => payout ?? []);
  return tried.map((each) => {
    return { bankAccount: each.bank_account, currency: each.currency, amount: BigInt(each.amount_minor) };
  });
}
