/** What there is in each currency, and what is on its way out of it. Never summed over currencies. */
import type { Summary } from '../../api/shapes.ts';
import { useRead } from '../../api/reads.ts';
import { countOf } from '../../ui/digits.ts';
import { Go } from '../../ui/go.tsx';
import { Money } from '../../ui/money.tsx';
import classes from './overview.module.css';

interface Props {
  readonly summary: Summary | undefined;
  /** The server has no summary: balances alone, then. */
  readonly isAbsent: boolean;
}

export function Balances({ summary, isAbsent }: Props) {
  const plain = useRead(['balances'], (client) => client.balances.retrieve(), { isOff: !isAbsent });
  const balances =
    summary?.currencies.map((each) => ({
      currency: each.currency,
      minor: each.balance_minor,
      onItsWay: each.in_flight.count > 0 ? each.in_flight : null,
    })) ?? plain.data?.currencies.map(({ currency, balance }) => ({ currency, minor: balance, onItsWay: null }));
  if (balances === undefined) return null;
  return (
    <div className={classes['balances']}>
      {balances.map(({ currency, minor, onItsWay }) => (
        <section key={currency} className="card">
          <h2 className={classes['balance-name']}>
            <Go to={`/accounts?currency=${currency}`}>{currency} balance</Go>
          </h2>
          <Money minor={minor} currency={currency} size="large" />
          {onItsWay !== null && (
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
