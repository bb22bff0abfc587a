/**
 * The log: a JSON line for each answer and fault, to standard output, many lines at a time. Lines are held for a second at most,
 * and written at the end of the process.
 */
import pino, { type Logger } from 'pino';

const HOLD_BYTES = 4_096;
const HOLD_MS = 1_000;

export function openLog(level: string): Logger {
  const destination = pino.destination({ dest: 1, sync: false, minLength: HOLD_BYTES });
  setInterval(() => destination.flush(), HOLD_MS).unref();
  return pino({ level }, destination);
}
