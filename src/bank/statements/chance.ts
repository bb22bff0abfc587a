/** Chance for decisions, which have none: hashes of what no bank has ever said. */
import { randomBytes } from 'node:crypto';

/** In hex, as long as SHA-256. */
export const newIdentity = (): string => randomBytes(32).toString('hex');
