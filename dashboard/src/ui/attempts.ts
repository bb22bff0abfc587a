/** Attempts of a delivery in words. Pure. */

export interface Attempt {
  readonly started_at: number;
  readonly duration_ms: number;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly error: string | null;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  dns: 'The name of the host was not found',
  blocked: 'The address is not allowed',
  refused: 'The connection was refused',
  tls: 'The certificate or the TLS handshake was wrong',
  timeout: 'No answer in time',
  too_long: 'The answer was too long',
  broken: 'The connection broke',
};

/** "12 ms", "1.4 s", "15 s". */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  const seconds = ms / 1_000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds)} s`;
}

/** What came of it, in a few words; the server's own reason, where it has one, is shown beside. */
export function attemptInWords({ outcome, http_status: status, duration_ms: ms }: Attempt): string {
  if (outcome === 'succeeded') return `Answered ${status ?? 200} after ${duration(ms)}`;
  if (outcome === 'status') return `Answered ${status ?? 'an error'} after ${duration(ms)}`;
  const words = OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ');
  return `${words}, after ${duration(ms)}`;
}
