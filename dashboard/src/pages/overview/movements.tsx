/** Out and in by day, in one currency at a time: bars, and the same figures as a table. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Summary } from '../../api/shapes.ts';
import { countOf } from '../../ui/digits.ts';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { Day } from '../../ui/time.tsx';
import { Bars } from './bars.tsx';
import { allDays } from './scale.ts';
import classes from './overview.module.css';

export function Movements({ summary }: { readonly summary: Summary }) {
  const moved = summary.currencies.filter(({ days }) => days.length > 0);
  const busiest = moved.toSorted((a, b) => countIn(b.days) - countIn(a.days))[0];
  const [chosen, choose] = useState('');
  const current = moved.find(({ currency }) => currency === chosen) ?? busiest;
  if (current === undefined)
    return (
      <Card title="Out and in, by day">
        <p className="muted">No money has moved in the last 30 days.</p>
      </Card>
    );
  const { currency } = current;
  const days = allDays(summary.from, summary.to, current.days);
  const sum = (name: 'in_minor' | 'out_minor') => days.reduce((total, day) => total + BigInt(day[name]), 0n);
  return (
    <Card
      title="Out and in, by day (UTC)"
      aside={
        moved.length > 1 && (
          <SegmentedControl
            aria-label="Currency"
            data={moved.map((each) => each.currency)}
            value={currency}
            onChange={choose}
            transitionDuration={0}
          />
        )
      }
    >
      <div className={classes['legend']}>
        <span className={classes['legend-out']}>
          Out <Money minor={sum('out_minor')} currency={currency} />
        </span>
        <span className={classes['legend-in']}>
          In <Money minor={sum('in_minor')} currency={currency} />
        </span>
      </div>
      <Bars days={days} currency={currency} />
      <details className={classes['figures']}>
        <summary>Figures as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Out</th>
              <th scope="col">In</th>
            </tr>
          </thead>
          <tbody>
            {current.days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">
                  <Day on={day.day} />
                </th>
                <td>
                  {day.out_count > 0 && <Amount minor={day.out_minor} count={day.out_count} currency={currency} />}
                </td>
                <td>{day.in_count > 0 && <Amount minor={day.in_minor} count={day.in_count} currency={currency} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Card>
  );
}

interface AmountProps {
  readonly minor: number;
  readonly count: number;
  readonly currency: string;
}

const Amount = ({ minor, count, currency }: AmountProps) => (
  <>
    <Money minor={minor} currency={currency} /> <span className="muted">in {countOf(count)}</span>
  </>
);

const countIn = (days: Summary['currencies'][number]['days']): number =>
  days.reduce((sum, { in_count, out_count }) => sum + in_count + out_count, 0);
