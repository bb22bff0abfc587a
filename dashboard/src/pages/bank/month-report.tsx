/** The figures of a month: what the bank had, what came, where it went, and what is left. A place without money has no row. */
import type { Reconciliation } from '../../../../client/src/generated/types.ts';
import { countOf } from '../../ui/digits.ts';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { Day } from '../../ui/time.tsx';
import classes from './month.module.css';
import { lastDayOf } from './month-words.ts';

const PLACES: Readonly<Record<keyof Reconciliation['places'], string>> = {
  accounts: 'Accounts',
  payments: 'Payments of links',
  expected_payments: 'Expected payments',
  payouts: 'Payouts',
  bank_accounts: 'Other bank accounts of yours',
  fees: 'Charges of the bank',
  fx: 'Exchanges',
};

interface RowProps {
  readonly word: string;
  readonly count?: number;
  readonly came?: number;
  readonly went?: number;
}

export function Figures({ report }: { readonly report: Reconciliation }) {
  const { currency, month, places, unmatched, in_transit: underWay } = report;
  const money = (minor: number | undefined, sign: 1 | -1 = 1) =>
    minor === undefined || minor === 0 ? null : <Money minor={minor * sign} currency={currency} />;
  const row = ({ word, count, came, went }: RowProps) => (
    <tr key={word}>
      <th scope="row">
        {word}
        {count !== undefined && count > 0 && <span className="muted"> {countOf(count)}</span>}
      </th>
      <td>{money(came)}</td>
      <td>{money(went, -1)}</td>
    </tr>
  );
  const moved = Object.entries(PLACES).flatMap(([place, word]) => {
    const { in_minor: came, out_minor: went } = places[place as keyof typeof places];
    return came === 0 && went === 0 ? [] : [{ word, came, went }];
  });
  const sides = (word: string, { in_minor: came, out_minor: went }: Reconciliation['unmatched']['opening']) =>
    came === 0 && went === 0 ? [] : [{ word, came, went }];
  const without = [...sides('When it began', unmatched.opening), ...sides('When it ended', unmatched.closing)];
  const ages = underWay.ages.filter(({ count }) => count > 0);
  const days = ({ from_days: from, to_days: to }: (typeof ages)[number]) =>
    to === null ? `${from} days and more` : `${from} to ${to} days`;
  return (
    <Card title="The report">
      <table className={classes['figures']}>
        <thead>
          <tr>
            <td />
            <th scope="col">In</th>
            <th scope="col">Out</th>
          </tr>
        </thead>
        <tbody>
          <tr className={classes['sum']}>
            <th scope="row">
              Balance of the bank, <Day on={`${month}-01`} />
            </th>
            <td colSpan={2}>
              <Money minor={report.opening_balance} currency={currency} />
            </td>
          </tr>
          {row({ word: 'Bookings in', count: report.in.count, came: report.in.amount_minor })}
          {row({ word: 'Bookings out', count: report.out.count, went: report.out.amount_minor })}
          <tr className={classes['sum']}>
            <th scope="row">
              Balance of the bank, <Day on={lastDayOf(month)} />
            </th>
            <td colSpan={2}>
              <Money minor={report.closing_balance} currency={currency} />
            </td>
          </tr>
        </tbody>
        {moved.length > 0 && (
          <tbody>
            <tr className={classes['head']}>
              <th scope="rowgroup" colSpan={3}>
                Where it came from and went to
              </th>
            </tr>
            {moved.map(row)}
          </tbody>
        )}
        {without.length > 0 && (
          <tbody>
            <tr className={classes['head']}>
              <th scope="rowgroup" colSpan={3}>
                Without a place
              </th>
            </tr>
            {without.map(row)}
          </tbody>
        )}
        {ages.length > 0 && (
          <tbody>
            <tr className={classes['head']}>
              <th scope="rowgroup" colSpan={3}>
                Payouts on their way, by whole days since they left
              </th>
            </tr>
            {ages.map((age) => row({ word: `${days(age)}:`, count: age.count, went: age.amount_minor }))}
          </tbody>
        )}
      </table>
    </Card>
  );
}
