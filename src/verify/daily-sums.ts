/** The checks of the daily sums: they are those of the transfers, as far as they are. What is wrong here moves no money. With the others: `verify.ts`. */
import { broken, checks, HOUSE_NUMBERS, isHouse, outside, rowOf } from './check.ts';

const KINDS = Object.keys(HOUSE_NUMBERS) as (keyof typeof HOUSE_NUMBERS)[];
const side = (account: string): string =>
  `CASE WHEN NOT ${outside(account)} THEN 'account' ${KINDS.map((kind) => `WHEN ${isHouse(account, kind)} THEN '${kind}'`).join(' ')} ELSE ${account}::text END`;

const EACH = 'currency, cause, debit_side, credit_side';

export const DAILY_SUM_CHECKS = checks('daily_sum', {
  'daily sums are those of all transfers up to the one that they have reached': `WITH reached AS (
        SELECT t.environment_id, (t.created_at AT TIME ZONE 'UTC')::date AS day, t.currency, t.cause, ${side('t.debit_account')} AS debit_side,
          ${side('t.credit_account')} AS credit_side, count(*) AS count, sum(t.amount) AS amount
        FROM transfers t JOIN summary_state s ON s.environment_id = t.environment_id AND t.id <= s.transfer_id GROUP BY 1, 2, 3, 4, 5, 6),
      owed AS (SELECT environment_id, day, ${EACH}, count, amount FROM reached
        UNION ALL SELECT environment_id, '-infinity', ${EACH}, sum(count), sum(amount) FROM reached GROUP BY environment_id, ${EACH})
      SELECT ${broken({
        environment: 'environment_id',
        prefix: "'daily_sum'",
        id: 'NULL::uuid',
        name: "day || ' ' || currency || ' ' || cause || ' from ' || debit_side || ' to ' || credit_side",
        expected: "coalesce(o.count || ' transfers of ' || o.amount, 'none')",
        found: "coalesce(d.count || ' transfers of ' || d.amount, 'none')",
      })}
      FROM owed o FULL JOIN daily_sums d USING (environment_id, day, ${EACH}) WHERE (o.count, o.amount) IS DISTINCT FROM (d.count, d.amount)`,
  'daily sums have reached a transfer that is there': `SELECT ${broken({
    ...rowOf('s', 'trf'),
    id: 's.transfer_id',
    expected: "'a transfer'",
    found: "'none with this id'",
  })}
      FROM summary_state s WHERE s.transfer_id <> '00000000-0000-0000-0000-000000000000'
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.environment_id = s.environment_id AND t.id = s.transfer_id)`,
});
