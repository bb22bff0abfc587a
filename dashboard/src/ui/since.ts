/** How far back a list goes: a filter of the address, and what it means to the API. Pure. */

const DAY_SECONDS = 86_400;
export const SINCE_CHOICES = [
  { value: '1d', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
];

/** `7d` → Unix seconds; `''` for what is no such word. `now`: seconds of the environment's clock. */
export function sinceOf(since: string, now: number): number | '' {
  const days = /^(\d{1,4})d$/.exec(since)?.[1];
  return days === undefined ? '' : now - Number(days) * DAY_SECONDS;
}
