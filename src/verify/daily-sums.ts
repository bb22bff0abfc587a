/** The checks of the daily sums: they are those of the transfers, as far as they are. What is wrong here moves no money. With the others: `verify.ts`. */
import { broken, checks, HOUSE_NUMBERS, isHouse, outside, rowOf } from './check.ts';

const OTHERS = (Object.keys(HOUSE_NUMBERS) as (keyof typeof HOUSE_NUMBERS)[]).filter((kind) => kind !== 'bank');
const isBank = (account: string): string =>
  `(${outside(account)} AND NOT (${OTHERS.map((kind) => isHouse(account, kind)).join(' OR ')}))`;
/** 1 for who received, -1 for who paid, 0 for both and neither. */
const sign = (is: (account: string) => string): string =>
  `(${is('t.credit_account')})::int - (${is('t.debit_account')})::int`;

const FIGURES: Readonly<Record<string, string>> = {
  count: 'count(*)',
  in_count: 'count(*) FILTER (WHERE bank < 0)',
  in_amount: 'coalesce(sum(amount) FILTER (WHERE bank < 0), 0)',
  out_count: 'count(*) FILTER (WHERE bank > 0)',
  out_amount: 'coalesce(sum(amount) FILTER (WHERE bank > 0), 0)',
  fees_amount: 'sum(fees * amount)',
  balance_amount: 'sum(customers * amount)',
  transit_count: 'sum(transit)',
  transit_amount: 'sum(transit * amount)',
};
const NAMES = Object.keys(FIGURES);
const listed = (of: string): string => `(${NAMES.map((name) => `${of}.${name}`).join(', ')})`;
const inWords = (of: string): string =>
  `CASE WHEN ${of}.count IS NULL THEN 'none' ELSE concat_ws(', ', ${NAMES.map((name) => `'${name} ' || ${of}.${name}`).join(', ')}) END`;

export const DAILY_SUM_CHECKS = checks('daily_sum', {
  'daily sums are those of all transfers up to the one that they have reached': `WITH reached AS (
        SELECT t.environment_id, (t.created_at AT TIME ZONE 'UTC')::date AS day, t.currency, t.amount, ${sign(isBank)} AS bank,
          ${sign((account) => `NOT ${outside(account)}`)} AS customers, ${sign((account) => isHouse(account, 'fees'))} AS fees,
          ${sign((account) => isHouse(account, 'in_transit'))} AS transit
        FROM transfers t JOIN summary_state s ON s.environment_id = t.environment_id AND t.id <= s.transfer_id),
      owed AS (SELECT environment_id, coalesce(day, '-infinity') AS day, currency, ${NAMES.map((name) => `${FIGURES[name]} AS ${name}`).join(', ')}
        FROM reached GROUP BY GROUPING SETS ((environment_id, day, currency), (environment_id, currency)))
      SELECT ${broken({
        environment: 'environment_id',
        prefix: "'daily_sum'",
        id: 'NULL::uuid',
        name: "day || ' ' || currency",
        expected: inWords('o'),
        found: inWords('d'),
      })}
      FROM owed o FULL JOIN daily_sums d USING (environment_id, day, currency) WHERE ${listed('o')} IS DISTINCT FROM ${listed('d')}`,
  'daily sums have reached a transfer that is there': `SELECT ${broken({
    ...rowOf('s', 'trf'),
    id: 's.transfer_id',
    expected: "'a transfer'",
    found: "'none with this id'",
  })}
      FROM summary_state s WHERE s.transfer_id <> '00000000-0000-0000-0000-000000000000'
        AND NOT EXISTS (SELECT FROM transfers t WHERE t.environment_id = s.environment_id AND t.id = s.transfer_id)`,
});
