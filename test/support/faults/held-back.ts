/**
 * How long this process waits by `node:timers/promises`, without the wait: a server that holds answers back sends them at once, and a
 * test sees for how long they would have been held. Works on what Node exports, so also where another test file has used the server
 * before: a mocked module would come too late. Who uses it: tests of limits by address.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

export interface HeldBack {
  /** Milliseconds of each wait since `clear`, in order. */
  readonly ms: readonly number[];
  clear(): void;
  restore(): void;
}

/** From now on, until `restore`. */
export function holdNothing(): HeldBack {
  const { setTimeout: original } = timers;
  const ms: number[] = [];
  const use = (wait: typeof original) => {
    Object.assign(timers, { setTimeout: wait });
    syncBuiltinESMExports();
  };
  use(<T>(asked?: number, value?: T) => {
    ms.push(asked ?? 0);
    return original(0, value);
  });
  return { ms, clear: () => void (ms.length = 0), restore: () => use(original) };
}
