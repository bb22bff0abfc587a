/** Instants and days as text. `zone` is the reader's own but in tests. */

const parts = (ms: number, zone: string | undefined, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, ...(zone !== undefined && { timeZone: zone }) }).format(ms);

const yearOf = (ms: number, zone: string | undefined) => parts(ms, zone, { year: 'numeric' });

/** `25 Nov 10:42`; in another year `25 Nov 2025`. */
export function shortOf(ms: number, nowMs: number, zone?: string): string {
  const day = parts(ms, zone, { day: 'numeric', month: 'short' });
  if (yearOf(ms, zone) !== yearOf(nowMs, zone)) return `${day} ${yearOf(ms, zone)}`;
  return `${day} ${parts(ms, zone, { hour: '2-digit', minute: '2-digit', hour12: false })}`;
}

/** `Wednesday, 25 November 2026 at 10:42:07 CET · 2026-11-25T09:42:07.000Z`. */
export function exactOf(ms: number, zone?: string): string {
  const local = parts(ms, zone, { dateStyle: 'full', timeStyle: 'long' });
  return `${local} · ${new Date(ms).toISOString()}`;
}

/** `25 Nov`; in another year `25 Nov 2025`. */
export function dayText(day: string, nowMs: number): string {
  const ms = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(ms)) return day;
  const short = parts(ms, 'UTC', { day: 'numeric', month: 'short' });
  return yearOf(ms, 'UTC') === yearOf(nowMs, 'UTC') ? short : `${short} ${yearOf(ms, 'UTC')}`;
}

/** `25 Nov`, in any year. */
export const dayOfMonth = (day: string): string =>
  parts(Date.parse(`${day}T12:00:00Z`), 'UTC', { day: 'numeric', month: 'short' });

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
