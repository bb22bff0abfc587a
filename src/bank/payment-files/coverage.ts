/** What bank accounts do not cover of the payouts that are to leave. It says so and decides nothing: only the bank knows what it allows. */
import type { Stored } from '../../core/objects.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Shortfall } from './fields.ts';

/** By bank account, minor units. */
type Sums = ReadonlyMap<string, bigint>;

/** Older files have been reported on, or a person looks at them. */
const DAYS_UNDER_WAY = 14;

/** What has left and is not booked, by bank account: of the files of the last days (primary key, index bank_instructions_file). */
export const underWayByAccount = (environmentId: string, nowMs: number): Statement => ({
  name: 'under_way_by_bank_account',
  text: `SELECT f.bank_account_id, sum(p.amount)::text AS total FROM bank_files f
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
