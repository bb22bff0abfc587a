/** Only in the sandbox: that nothing is real, and where its clock stands if it was moved. */
import { useHere } from '../api/environment.tsx';
import { useClockAheadMs } from '../api/me.ts';
import { shortOf } from '../ui/instants.ts';
import classes from './shell.module.css';

export function Band() {
  const { mode } = useHere();
  const aheadMs = useClockAheadMs();
  if (mode === 'live') return null;
  const now = Date.now();
  return (
    <aside className={classes['band']} aria-label="Sandbox">
      <span>
        <strong>Sandbox</strong> · nothing here is real money
        {aheadMs !== 0 && <> · its clock says {shortOf(now + aheadMs, now)}</>}
      </span>
    </aside>
  );
}
