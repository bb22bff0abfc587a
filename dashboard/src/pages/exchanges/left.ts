/**
 * How long a quote is still good. The clock of the reader's machine may be wrong by hours, so it only measures how long ago something was asked
 * for: `created` of the quote and `now` of `GET /v1/me` are the environment's clock, each seen at a moment of this machine. That one counts
 * which leaves least: a quote is over on the page at the latest when it is over. Pure.
 */
import type { Seen } from '../../api/me.ts';

/** Whole seconds, rounded up; 0: it is over. `expiresAtS`: Unix seconds of the environment. `hereMs`: this machine's clock. */
export function secondsLeft(expiresAtS: number, seen: readonly Seen[], hereMs: number): number {
  const left = seen.map(({ nowS, askedMs }) => Math.ceil(expiresAtS - nowS - (hereMs - askedMs) / 1_000));
  return Math.max(0, Math.min(...left));
}

/** `29:41`; with hours `1:00:00`. */
export function clockText(seconds: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return `${hours === 0 ? minutes : `${hours}:${two(minutes)}`}:${two(seconds % 60)}`;
}
