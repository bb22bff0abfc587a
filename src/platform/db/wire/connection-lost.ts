/** How a lost connection is recognised, and the error for one that does not come back. */

/** No connection for a while: answered with 503. The last failure is the `cause`. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** Lost, never opened, or to a server that takes no writes (25006). What its last statements did is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as { code?: string; syscall?: string };
  if (code === 'ENOENT') return syscall === 'connect'; // the socket, and not some file
  return (
    /^(08|53300$|57P0[1-5]$|25006$)/.test(code) ||
    /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/.test(code) ||
    (code === 'EAGAIN' && syscall === 'connect') || // a full socket: PostgreSQL is busy taking others
    /^Connection terminated|not queryable|timeout expired|^Query read timeout/.test(error.message)
  );
}

export function words(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(words).join('; ');
  return error instanceof Error ? error.message || String((error as { code?: string }).code) : String(error);
}
