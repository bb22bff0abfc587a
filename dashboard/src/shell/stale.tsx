/** Said only when it is so: what is on the screen may be old, since the service does not answer. */
import { troubleOf } from '../api/errors.ts';
import { useMe } from '../api/me.ts';
import { shortOf } from '../ui/instants.ts';
import classes from './shell.module.css';

export function Stale() {
  const { failureCount, failureReason, dataUpdatedAt } = useMe();
  if (failureCount === 0 || troubleOf(failureReason) !== 'away') return null;
  const since = dataUpdatedAt === 0 ? '' : ` since ${shortOf(dataUpdatedAt, dataUpdatedAt).split(' ').at(-1)}`;
  return (
    <div role="status" className={classes['stale']}>
      Not updated{since}
    </div>
  );
}
