/** The hash that stands for a signed report: SHA-256 of its canonical JSON, in hex. */
import { hash } from 'node:crypto';

export const sha256Of = (canonical: string): string => hash('sha256', canonical, 'hex');
