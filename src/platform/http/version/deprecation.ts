/** The announcement that an operation goes away: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) on each of its answers. Declared in `platform/http/route.ts`, and of a version in `versions.ts`. */

export interface Deprecation {
  /** The day it was announced, `2026-11-21`. */
  readonly since: string;
  /** The day from which it may be gone; at least 12 months later. */
  readonly sunset: string;
  /** What to use instead, for the document: `POST /v1/payouts`. */
  readonly instead: string;
}

/** Notice that users are promised (docs/releasing.md). */
const NOTICE_MONTHS = 12;

/** Names and values in turn. Throws for a notice that is too short: a mistake of ours, seen when the server is built. */
export function deprecationHeaders({ since, sunset }: Deprecation): readonly string[] {
  const [from, until] = [new Date(`${since}T00:00:00Z`), new Date(`${sunset}T00:00:00Z`)];
  const earliest = new Date(from);
  earliest.setUTCMonth(earliest.getUTCMonth() + NOTICE_MONTHS);
  if (!(until >= earliest))
    throw new Error(`Announced on ${since}, it cannot end on ${sunset}: ${NOTICE_MONTHS} months`);
  return ['Deprecation', `@${from.getTime() / 1000}`, 'Sunset', until.toUTCString()];
}

export const deprecationText = ({ since, sunset, instead }: Deprecation): string =>
  ` Deprecated since ${since}; gone from ${sunset} at the earliest. Use \`${instead}\`.`;
