/**
 * Whether what a batch is about to pay was paid in the days before: the same file under another name, or a row of it. It warns and decides
 * nothing, so it is read without the lock, after the dry run. Next: `tried-schema.ts`.
 */
import { isPayroll } from '../../core/rails/purposes.ts';
import { seesPayroll } from '../../core/scopes.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { firstIdAt } from '../../platform/db/wire/page.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Answer, Caller } from '../../platform/http/route.ts';
import { loadPaidBefore } from './sql.ts';
import { type PaidBefore, withPaidBefore } from './tried-schema.ts';

/** More than a week, in which a file is most likely sent again; less than a fortnight or a month, after which the same pay is due again. */
export const DAYS_BEFORE = 10;

/** A result of a dry run, as far as it is compared. */
interface Tried {
  readonly index: number;
  readonly payout?: {
    /** `null`: it would be made, so nothing was paid to it. */
    readonly recipient: string | null;
    readonly amount_minor: number;
    readonly currency: string;
  };
}

/** The answer to a dry run of a batch, with warnings of what was paid before. Names only payouts that whoever asks may see. */
export async function warnedOf(
  service: { rows(statement: Statement): Promise<readonly Row[]> },
  caller: Caller,
  answer: Answer,
): Promise<Answer> {
  if (answer.status !== 200) return answer;
  const { environmentId } = caller;
  const { created, results } = JSON.parse(answer.body) as { created: number; results: readonly Tried[] };
  const since = firstIdAt(created * 1000 - DAYS_BEFORE * DAY_MS);
  const asked = results.flatMap(({ index, payout }) => (payout?.recipient ? [{ index, ...payout }] : []));
  const keyOf = ({ recipient, amount_minor, currency }: (typeof asked)[number]) =>
    JSON.stringify([recipient, amount_minor, currency]);
  const distinct = [...new Map(asked.map((each) => [keyOf(each), each])).values()];
  const wanted = distinct.map(({ recipient, amount_minor, currency }, index) => {
    return { environmentId, index, recipient: recipient as string, amount: BigInt(amount_minor), currency, since };
  });
  const rows = wanted.length === 0 ? [] : await service.rows(loadPaidBefore(wanted));
  const newest = new Map<string, Row>();
  for (const row of rows.filter((each) => mayName(each, caller))) {
    const key = keyOf(distinct[row['index'] as number] as (typeof asked)[number]);
    if (!newest.has(key)) newest.set(key, row);
  }
  const paid = asked.flatMap((each): PaidBefore[] => {
    const row = newest.get(keyOf(each));
    if (row === undefined) return [];
    const days = Math.max(0, Math.floor((created * 1000 - (row['created_at'] as number)) / DAY_MS));
    return [{ index: each.index, payout: idOf('po', row['id'] as string), days }];
  });
  return { ...answer, body: withPaidBefore(answer.body, paid) };
}

/** Of a payroll only to who sees it, or made it: else whoever may try a batch could ask whether somebody earns a sum. */
function mayName(row: Row, { accounts, scopes, lineage, actorId }: Caller): boolean {
  if (accounts !== null && !accounts.has(idOf('acct', row['account_id'] as string))) return false;
  if (seesPayroll(scopes) || !isPayroll(row['category_purpose'] as string | null)) return true;
  return [...lineage, actorId].some((each) => uuidOf(each) === row['created_by']);
}
