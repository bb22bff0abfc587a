/** Instants and days. Instants are milliseconds since 1970 in TypeScript, Unix seconds on the wire, days are ISO dates. */

export const DAY_MS = 86_400_000;

export function unixSeconds(atMs: number): number {
  return Math.floor(atMs / 1000);
}

/** A `Date` costs half a microsecond, and each payout asks for the day several times. */
const days = new Map<number, string>();
const MOST_DAYS = 1_000;

/** The UTC day an instant falls on, `2026-11-21`. */
export function isoDay(atMs: number): string {
  const number = Math.floor(atMs / DAY_MS);
  const known = days.get(number);
  if (known !== undefined) return known;
  const day = new Date(atMs).toISOString().slice(0, 10);
  if (days.size >= MOST_DAYS) days.clear();
  days.set(number, day);
  return day;
}

/** The first instant of a UTC day. */
export function dayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
