/** Months, newest first, as statements have them: whole ones, in UTC. */

export interface Month {
  /** Its first day. */
  readonly from: string;
  /** Its last day. */
  readonly to: string;
  readonly word: string;
}

const MOST = 36;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** From the month of `nowMs` back to that of `sinceMs`, at most 36. */
export function monthsUntil(nowMs: number, sinceMs: number): readonly Month[] {
  const now = new Date(nowMs);
  const months = Array.from({ length: MOST }, (_, back) => {
    const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);
    const to = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1, 0);
    const word = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(from);
    return { from: dayOf(from), to: dayOf(to), word };
  });
  return months.filter(({ to }, at) => at === 0 || to >= dayOf(sinceMs));
}
