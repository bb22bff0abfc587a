/** What commands take from a terminal and show on it. Those that ask a running server print by `remote/output.ts`. */

export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

/** Replaces the line of progress on a terminal. '' takes it away. */
export function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line.slice(0, (process.stderr.columns || 80) - 1)}`);
}

/** With one decimal. `startedMs` is of `performance.now()`. */
export const secondsSince = (startedMs: number): number => Number(((performance.now() - startedMs) / 1000).toFixed(1));
