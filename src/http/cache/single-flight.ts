/**
 * Single flight: equal reads that arrive while one runs share the next run, so a dashboard that is open fifty times asks the
 * database once. No reader gets an answer that was read before its request arrived, so a client always sees its own writes.
 */

interface Runs<T> {
  readonly running: Promise<T>;
  /** The run that begins when `running` has ended; whoever arrives meanwhile joins it. */
  next: Promise<T> | null;
}

/** Shares runs by key. The key must hold everything that the answer depends on, the environment first of all. */
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
