/** Instants and days as text. `zone` is the reader's own but in tests. */

/** Made once each: to make one takes a browser as long as to write some hundred instants. */
const formats = new Map<string, Intl.DateTimeFormat>();

const DAY = { day: 'numeric', month: 'short' } as const;
const YEAR = { year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hour12: false } as const;
const FULL = { dateStyle: 'full', timeStyle: 'long' } as const;

function parts(ms: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): string {
  const name = `${Object.keys(options).join()} ${zone}`;
  const known = formats.get(name);
  if (known !== undefined) return known.format(ms);
  const made = new Intl.DateTimeFormat('en-GB', { ...options, ...(zone !== undefined && { timeZone: zone }) });
  formats.set(name, made);
  return made.format(ms);
}

const yearOf = (ms: number, zone: string | undefined) => parts(ms, zone, YEAR);

/** `25 Nov 10:42`; in another year `25 Nov 2025`. */
export function shortOf(ms: number, nowMs: number, zone?: string): string {
  const day = parts(ms, zone, DAY);
  if (yearOf(ms, zone) !== yearOf(nowMs, zone)) return `${day} ${yearOf(ms, zone)}`;
  return `${day} ${parts(ms, zone, TIME)}`;
}

/** `Wednesday, 25 November 2026 at 10:42:07 CET · 2026-11-25T09:42:07.000Z`. */
export function exactOf(ms: number, zone?: string): string {
  const local = parts(ms, zone, FULL);
  return `${local} · ${new Date(ms).toISOString()}`;
}

/** `25 Nov`; in another year `25 Nov 2025`. */
export function dayText(day: string, nowMs: number): string {
  const ms = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(ms)) return day;
  const short = parts(ms, 'UTC', DAY);
  return yearOf(ms, 'UTC') === yearOf(nowMs, 'UTC') ? short : `${short} ${yearOf(ms, 'UTC')}`;
}

/** `25 Nov`, in any year. */
export const dayOfMonth = (day: string): string => parts(Date.parse(`${day}T12:00:00Z`), 'UTC', DAY);

const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** `just now`, `3 minutes ago`, `2 days ago`, `in 5 minutes`: whole units, the largest that fits. */
export function agoOf(ms: number, nowMs: number): string {
  const past = nowMs - ms;
  for (const [size, unit] of UNITS) {
    const count = Math.floor(Math.abs(past) / size);
    if (count === 0) continue;
    const words = `${count} ${unit}${count === 1 ? '' : 's'}`;
    return past < 0 ? `in ${words}` : `${words} ago`;
  }
  return 'just now';
}
