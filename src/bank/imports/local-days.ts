/**
 * Instants of statement files as days. A bank's day ends at midnight where the bank is, so an instant with an offset is turned into the day
 * it has in the time zone of the bank account. Without an offset it is local already (ISO 8601-1:2019, 4.2.2: local time). Pure, but for a
 * cache. Why: docs/decisions/0080.
 */
import { localTime } from '../../core/rails/execution-day.ts';
import { isoDay } from '../../core/values/time.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Where a year has four digits on both sides of any time zone, and clocks are set by rules that are known. */
const KNOWN = { fromMs: 0, untilMs: Date.UTC(9999) };

/** `written`: a day, or an instant of `iso20022/read/values.ts`. */
export function localDay<Written extends string | null>(written: Written, timeZone: string): string | Written {
  if (written === null) return written;
  const day = written.slice(0, 10);
  if (written[10] !== 'T' || !/(?:Z|[+-]\d\d:\d\d)$/.test(written)) return day;
  // `24:00` is the end of the day before it.
  const atMs = Date.parse(written) - (written.startsWith('24', 11) ? 1 : 0);
  if (!(atMs >= KNOWN.fromMs && atMs < KNOWN.untilMs)) return day;
  return isoDay(atMs + offsetMs(atMs, timeZone));
}

/** Milliseconds since 1970 of an instant as `localDay` takes it; `null`: of a day, or of none. */
export function instantMs(written: string | null, timeZone: string): number | null {
  if (written?.[10] !== 'T') return null;
  const isSaid = /(?:Z|[+-]\d\d:\d\d)$/.test(written);
  const atMs = Date.parse(isSaid ? written : `${written}Z`);
  if (!(atMs >= KNOWN.fromMs && atMs < KNOWN.untilMs)) return null;
  return isSaid ? atMs : atMs - offsetMs(atMs - offsetMs(atMs, timeZone), timeZone);
}

/**
 * Offsets by time zone and hour, since formatting takes microseconds and a statement may have a million entries. `null`: the clocks are set
 * within the hour, as at 00:01 in Newfoundland.
 */
const offsets = new Map<string, Map<number, number | null>>();
/** More than a year has, of each zone. */
const MOST_HOURS = 10_000;

function offsetMs(atMs: number, timeZone: string): number {
  const hour = Math.floor(atMs / HOUR_MS);
  const known = offsets.get(timeZone) ?? new Map<number, number | null>();
  let offset = known.get(hour);
  if (offset === undefined) {
    const start = differenceMs(hour * HOUR_MS, timeZone);
    offset = start === differenceMs((hour + 1) * HOUR_MS, timeZone) ? start : null;
    if (known.size >= MOST_HOURS) known.clear();
    offsets.set(timeZone, known.set(hour, offset));
  }
  return offset ?? differenceMs(atMs, timeZone);
}

/** Local time less UTC. */
function differenceMs(atMs: number, timeZone: string): number {
  const { day, time } = localTime(atMs, timeZone);
  return Date.parse(`${day}T${time}Z`) - Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}
