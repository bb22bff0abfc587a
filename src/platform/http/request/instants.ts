/** Instants in queries: Unix seconds, an ISO instant, or an ISO day (UTC). All become milliseconds. */
import { DAY_MS, dayStartMs } from '../../../core/values/time.ts';
import { type About, invalid, NumberText, type Param, param, type Tree } from './param.ts';
import { date } from './date.ts';

/** A span of time: what was named, from its first millisecond up to the first one behind it. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  readonly isDay: boolean;
}

const SECONDS = /^(?:0|[1-9]\d{0,11})$/;
const MAX_SECONDS = 253_402_300_799; // year 9999
const ISO_INSTANT =
  /^([1-9]\d{3}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,3})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A second, an instant (that second or millisecond), or a day in UTC. In a query a `+` is written `%2B`. */
export function span(about: About): Param<Span> {
  const allowed = 'Unix seconds, an instant such as 2026-11-21T10:00:00Z, or a day such as 2026-11-21';
  const day = date(about);
  return param({ example: '2026-11-21', ...about }, { type: ['string', 'integer'] }, (value: Tree, path, notation) => {
    const written = value instanceof NumberText ? value.text : value;
    if (typeof written !== 'string') throw invalid(path, value, allowed);
    if (SECONDS.test(written) && Number(written) <= MAX_SECONDS) {
      return { startMs: Number(written) * 1000, endMs: (Number(written) + 1) * 1000, isDay: false };
    }
    const [, dayOf, fraction] = ISO_INSTANT.exec(written) ?? [];
    if (dayOf !== undefined) {
      day.parse(dayOf, path, notation);
      const startMs = Date.parse(written);
      if (startMs >= 0) return { startMs, endMs: startMs + (fraction === undefined ? 1000 : 1), isDay: false };
    }
    if (!/^\d{4}-\d\d-\d\d$/.test(written)) throw invalid(path, value, allowed);
    const startMs = dayStartMs(day.parse(written, path, notation));
    if (startMs < 0) throw invalid(path, value, `${allowed}, not before 1970`);
    return { startMs, endMs: startMs + DAY_MS, isDay: true };
  });
}
