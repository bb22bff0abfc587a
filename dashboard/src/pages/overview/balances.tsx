/** What there is in each currency, and what is on its way out of it. Never summed over currencies. */
import type { Summary } from '../../api/shapes.ts';
import { countOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Money } from '../../ui/money.tsx';
import classes from './overview.module.css';

export function Balances({ summary }: { readonly summary: Summary }) {
  return (
    <div className={classes['balances']}>
      {summary.currencies.map(({ currency, balance_minor: minor, in_flight: onItsWay }) => (
        <section key={currency} className="card">
          <h2 className={classes['balance-name']}>
            <Go to={`/accounts?currency=${currency}`}>{currency} balance</Go>
          </h2>
          <Money minor={minor} currency={currency} size="large" />
          {onItsWay.count > 0 && (
            <div className="small muted">
              <Money minor={onItsWay.amount_minor} currency={currency} /> under way in {countOf(onItsWay.count)}{' '}
              {onItsWay.count === 1 ? 'payout' : 'payouts'}
            </div>
          )}
        </section>
      ))}
    </div>
  );
}
