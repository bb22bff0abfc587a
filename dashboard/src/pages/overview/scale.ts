/** Days without gaps, and the lines of a scale. Heights are floats; amounts never are. */
import type { SummaryDay } from '../../api/shapes.ts';

const DAY_MS = 86_400_000;

/** Every day from the first to the last, those on which nothing moved with zeros. At most 400. */
export function allDays(from: string, to: string, days: readonly SummaryDay[]): readonly SummaryDay[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const count = Math.min(Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1, 400);
  return Array.from({ length: Math.max(count, 0) }, (_, at) => {
    const day = new Date(Date.parse(from) + at * DAY_MS).toISOString().slice(0, 10);
    return known.get(day) ?? { day, in_minor: 0, in_count: 0, out_minor: 0, out_count: 0 };
  });
}

/** One to four round lines up to or just above the most: `(287_000)` → `[100_000, 200_000, 300_000]`. Minor units. */
export function linesOf(most: number): readonly number[] {
  if (most <= 0) return [1];
  const magnitude = 10 ** Math.floor(Math.log10(most));
  const step =
    [0.25, 0.5, 1, 2, 5].map((each) => Math.max(1, each * magnitude)).find((each) => most / each <= 4) ?? most;
  return Array.from({ length: Math.ceil(most / step) }, (_, at) => (at + 1) * step);
}

const SIZES = [
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const;

/** A round amount of major units, short: `200K`, `1.5M`, `50`. */
export function shortAmount(major: number): string {
  const [size, letter] = SIZES.find(([size]) => major >= size) ?? [1, ''];
  return `${Number((major / size).toFixed(2))}${letter}`;
}
