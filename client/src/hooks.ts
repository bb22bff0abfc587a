/** For logs and traces: what the client does, without keys, bodies and ids. Next: `request.ts`. */

export interface RequestReport {
  readonly method: string;
  /** The path with `{id}` for each id and without its query: `/v1/payouts/{id}`. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
}

export interface ResponseReport extends RequestReport {
  /** HTTP; 0 where nothing came. */
  readonly status: number;
  /** From sending to the end of the answer; of a download or a stream to its beginning. */
  readonly ms: number;
  /** Empty where no answer names it. */
  readonly requestId: string;
}

export interface RetryReport extends RequestReport {
  /** Of the attempt that failed. */
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  /** How long the client waits before the next attempt. */
  readonly pauseMs: number;
}

/** An error of a hook is printed, and changes nothing: no payout fails because of a log. */
export interface Hooks {
  /** Before each attempt. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** Once after each attempt, whatever came of it. */
  readonly onResponse?: ((report: ResponseReport) => void) | undefined;
  /** Before each pause. */
  readonly onRetry?: ((report: RetryReport) => void) | undefined;
}

export function observe<T>(hook: ((report: T) => void) | undefined, report: T): void {
  if (hook === undefined) return;
  const run = async () => hook(report);
  run().catch((error: unknown) => console.error('A hook of the Bursar client failed:', error));
}

const ID = /\/[a-z]+_[0-7][0-9a-z]{25}(?=\/|$)/g;

/** A path as a caller wrote it, without its query and ids. */
export const templateOf = (path: string): string => (path.split('?')[0] ?? '').replaceAll(ID, '/{id}');
