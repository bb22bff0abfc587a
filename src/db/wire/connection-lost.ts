/** What a connection that is gone looks like, and the error that callers get when it does not come back. */

/** No connection for a while: answered with 503. The last failure is the `cause`. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** The connection is gone or never was; what was under way may or may not have happened. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as { code?: string };
  return (
    /^(08|57P0[1-5]$)/.test(code) ||
    /^(ECONN|EPIPE|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
    /^Connection terminated|not queryable|timeout expired|^Query read timeout/.test(error.message)
  );
}

/** The message of an error, also of several in one. */
export function words(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(words).join('; ');
  return error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
}
