/**
 * The header `traceparent` (W3C Trace Context, level 2): which trace a request belongs to, and which span of it asks. It holds two random
 * numbers and a flag, and nothing about a person. Pure. Next: `tracing.ts`.
 */

/** Version, trace, span, flags. Later versions may append members, which are not passed on. */
const FORM = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const LONGEST = 512;

/**
 * The header in the form of version 00. `null` where it is missing, was sent twice, or is none: the standard says that such a header counts
 * as missing, so it is no reason to refuse a request.
 */
export function traceparentIn(header: string | readonly string[] | undefined): string | null {
  if (header === undefined || typeof header !== 'string' || header.length > LONGEST) return null;
  const [, version, trace, span, flags, more] = FORM.exec(header) ?? [];
  if (trace === undefined || (version === '00' && more !== undefined)) return null;
  return traceparent(trace, span as string, Number.parseInt(flags as string, 16));
}

/** `traceId` has 32 and `spanId` 16 digits (hexadecimal, small). Of the flags only "sampled" is passed on. */
export const traceparent = (traceId: string, spanId: string, flags: number): string =>
  `00-${traceId}-${spanId}-0${flags & 1}`;
