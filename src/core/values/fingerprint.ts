/** What an approval is bound to. */
import { hash } from 'node:crypto';

const CHARACTERS = 32;

/** Stands for a text that says all that an approval is about. The approver sends it back, so that nothing else is approved. */
export const fingerprint = (text: string): string => hash('sha256', text, 'hex').slice(0, CHARACTERS);
