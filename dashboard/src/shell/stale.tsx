/** Said only when it is so: what is on the screen may be old, since the service does not answer. */
import { troubleOf } from '../api/errors.ts';
import { useMe } from '../api/me.ts';
import { shortOf } from '../ui/instants.ts';
import classes from './shell.module.css';

export function Stale() {
  // The next try forgets its failures at once, and the error only when it went well.
  const { failureReason, error, dataUpdatedAt } = useMe();
  const fault = failureReason ?? error;
  if (fault === null || troubleOf(fault) !== 'away') return null;
  const since = dataUpdatedAt === 0 ? '' : ` since ${shortOf(dataUpdatedAt, dataUpdatedAt).split(' ').at(-1)}`;
  return (
    <div role="status" className={classes['stale']}>
      Not updated{since}
    </div>
  );
}
