/**
 * The log: a JSON line for each answer and fault, to standard output. Lines are held for up to a second and joined
 * once, because the destination copies all it holds with every line (1.8 µs a line instead of 3.7).
 */
import pino, { type Logger } from 'pino';
import type { LogLevel } from '../config.ts';

const HOLD_CHARACTERS = 16_384;
/** More than is ever held, in UTF-8, so that the destination writes only when it is told to. */
const MIN_WRITE_BYTES = 65_536;
const HOLD_MS = 1_000;

/** `"level":"info"` instead of pino's number 30. It makes the text of each level once, so a line costs no more. */
const WORDS = { level: (label: string) => ({ level: label }) };

/** The level where none was asked for: a person at a terminal reads the banner and warnings, not a line for every request. */
export function levelOf(asked: LogLevel | null, isTerminal: boolean): LogLevel {
  return asked ?? (isTerminal ? 'warn' : 'info');
}

export function openLog(level: string): Logger {
  const [minLength, maxWrite] = [MIN_WRITE_BYTES, 2 * MIN_WRITE_BYTES];
  const destination = pino.destination({ dest: 1, sync: false, minLength, maxWrite });
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
    pass(); // not through the thread pool: what waits there when the process ends is lost
    destination.flushSync();
  });
  return pino({ level, formatters: WORDS }, { write });
}
