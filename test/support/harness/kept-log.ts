/** A log of everything, kept in memory, for tests that search it. */
import { Writable } from 'node:stream';
import { type Logger, pino } from 'pino';

export function keptLog(): { readonly log: Logger; readonly logged: () => string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  return { log: pino({ level: 'trace' }, stream), logged: () => text };
}
