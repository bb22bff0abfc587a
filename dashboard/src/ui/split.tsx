/**
 * A list at the left, and at its right what is chosen in it; the address names both. On a narrow screen the chosen one takes the place of the list,
 * with a way back. `chosen` is null while nothing is.
 */
import type { ReactNode } from 'react';
import { Go } from './go.tsx';
import classes from './split.module.css';

interface Props {
  readonly list: ReactNode;
  readonly chosen: ReactNode | null;
  /** Of the chosen one, for those who hear the page. */
  readonly label: string;
  /** The list, with its filters. */
  readonly back: string;
}

export function Split({ list, chosen, label, back }: Props) {
  if (chosen === null) return list;
  return (
    <div className={classes['split']}>
      <div className={classes['list']}>{list}</div>
      <aside className={classes['chosen']} aria-label={label}>
        <div className={classes['close']}>
          <Go to={back}>Close</Go>
        </div>
        {chosen}
      </aside>
    </div>
  );
}
