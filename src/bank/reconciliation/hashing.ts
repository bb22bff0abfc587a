/** The hash that stands for a report when it is signed. */
import { hash } from 'node:crypto';

/** SHA-256 of the canonical JSON, in hex. */
export const sha256Of = (canonical: string): string => hash('sha256', canonical, 'hex');
