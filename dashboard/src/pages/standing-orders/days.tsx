/** The coming days of a standing order, each with the day on which the money leaves where banks are closed on it. */
import { Day } from '../../ui/time.tsx';
import { daysFrom, leavesLater, type Plan } from './calendar.ts';
import classes from './standing-orders.module.css';
import { weekdayShort } from './words.ts';

/** A year of months, and more than a year of quarters. */
const SHOWN = 12;

interface Props {
  readonly plan: Plan & { readonly currency: string; readonly speed: string };
  /** The first one that is shown. */
  readonly from: string;
}

export function Days({ plan, from }: Props) {
  const { days, hasMore } = daysFrom(plan, from, SHOWN);
  const { ends_on: last, count } = plan;
  return (
    <>
      <ol className={classes['days']}>
        {days.map((day) => {
          const later = leavesLater(day, plan.currency, plan.speed);
          return (
            <li key={day}>
              <span className="muted">{weekdayShort(day)}</span>
              <Day on={day} />
              {later !== null && (
                <span className="small muted">
                  banks closed, leaves{' '}
                  <span className="nowrap">
                    {weekdayShort(later)} <Day on={later} />
                  </span>
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p className="small muted">
        {hasMore ? 'And so on' : 'Then it is over'}
        {hasMore && last !== null && (
          <>
            {' '}
            until <Day on={last} />
          </>
        )}
        {hasMore && count !== null && `, ${count} days in all`}. The account is debited at 00:00 UTC of each day. Where
        banks are closed on it, the money leaves on the next day on which they move {plan.currency}.
      </p>
    </>
  );
}
