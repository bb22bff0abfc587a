/** An instant: short and local, with the full instant and UTC behind it. "Ago" counts by the environment's clock. */
import { msOf, useClockAheadMs, useMinute } from '../api/me.ts';
import type { Instant } from '../api/shapes.ts';
import { agoOf, dayText, exactOf, shortOf } from './instants.ts';

interface Props {
  readonly at: Instant | null | undefined;
  /** `3 hours ago` instead of the day. */
  readonly ago?: boolean;
  /** Of the machine and not of the environment, whose clock may have been moved: a backup, the last use of a key. */
  readonly real?: boolean;
}

export function Time({ at, ago = false, real = false }: Props) {
  const movedMs = useClockAheadMs();
  useMinute();
  const aheadMs = real ? 0 : movedMs;
  if (at === null || at === undefined) return null;
  const ms = msOf(at);
  const nowMs = Date.now() + aheadMs;
  return (
    <time className="nowrap" dateTime={new Date(ms).toISOString()} title={exactOf(ms)}>
      {ago ? agoOf(ms, nowMs) : shortOf(ms, nowMs)}
    </time>
  );
}

/** A day without an hour, `2026-11-25`. */
export function Day({ on }: { readonly on: string | null | undefined }) {
  const aheadMs = useClockAheadMs();
  if (on === null || on === undefined) return null;
  return (
    <time className="nowrap" dateTime={on} title={on}>
      {dayText(on, Date.now() + aheadMs)}
    </time>
  );
}
