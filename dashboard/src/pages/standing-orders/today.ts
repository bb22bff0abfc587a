/** The day by the environment's clock, UTC, as standing orders count. */
import { isoDay } from '../../../../src/core/values/time.ts';
import { useClockAheadMs, useMinute } from '../../api/me.ts';

export function useToday(): string {
  const aheadMs = useClockAheadMs();
  useMinute();
  return isoDay(Date.now() + aheadMs);
}
