/** Equal reads that arrive while one runs share the next run. No answer was read before its request arrived. */

interface Runs<T> {
  readonly running: Promise<T>;
  /** Begins when `running` has ended; shared by the reads that arrive before. */
  next: Promise<T> | null;
}

/** Shares runs by key. The key must hold everything that the answer depends on, above all the environment. */
export function singleFlight<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Runs<T>>();
  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const running = run();
    const runs: Runs<T> = { running, next: null };
    known.set(key, runs);
    const end = () => {
      if (runs.next === null) known.delete(key);
    };
    running.then(end, end);
    return running;
  };
  return (key, run) => {
    const runs = known.get(key);
    if (!runs) return start(key, run);
    const again = () => start(key, run);
    return (runs.next ??= runs.running.then(again, again));
  };
}
