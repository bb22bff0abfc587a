/** The reference by which banks track a payment. Which profiles carry it: `profiles.ts`. */
import { createHash } from 'node:crypto';

/**
 * The unique reference by which banks track a payment from end to end (UETR), of the id as it goes out. It must be a UUID of version 4: its 122
 * free bits are the first of the SHA-256 of the id, so it is the same each time, and a payment that leaves in a second file is seen to be
 * the same one.
 */
export function uetrOf(outgoing: string): string {
  const bytes = createHash('sha256').update(`UETR ${outgoing}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
