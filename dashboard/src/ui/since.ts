/** How far back a list goes: `7d` in the address, an instant for the API. Pure. */
export const SINCE_CHOICES = [
  { value: '1d', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
];

const DAY_SECONDS = 86_400;

/** Unix seconds, or `''` for all of it. `now`: seconds of the environment's clock. */
export function sinceOf(value: string, now: number): number | '' {
  const days = /^(\d{1,4})d$/.exec(value)?.[1];
  return days === undefined ? '' : now - Number(days) * DAY_SECONDS;
}
