/** Requests in words, and as the curl line that makes them again. Pure. */

export interface Requested {
  readonly method: string;
  readonly path: string;
  readonly request: unknown;
  readonly idempotency_key: string | null;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One pair a leaf, as a form has them: `bank_details[iban]`. */
function pairsIn(value: unknown, name: string): (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pairsIn(item, `${name}[${index}]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => pairsIn(item, name === '' ? key : `${name}[${key}]`));
  }
  return [[name, value === null ? '' : String(value)]];
}

/**
 * To paste into a terminal in which BURSAR_URL and BURSAR_KEY are set. What was not kept, such as bank details, has to be filled in: it stands
 * there as the log has it.
 */
export function curlOf({ method, path, request, idempotency_key: key }: Requested): string {
  const isRead = method === 'GET';
  const pairs = pairsIn(request ?? {}, '').filter(([name]) => name !== '');
  const lines = [`curl${isRead ? '' : ` -X ${method}`} "$BURSAR_URL${path}"`, `-H "Authorization: Bearer $BURSAR_KEY"`];
  if (key !== null) lines.push(`-H ${quoted(`Idempotency-Key: ${key}`)}`);
  if (isRead && pairs.length > 0) lines.push('-G');
  for (const [name, value] of pairs) lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  return lines.join(' \\\n  ');
}

/** Of a status: whether it was refused, and the mark that goes with it. */
export type Answered = 'good' | 'refused' | 'failed';
export const answered = (status: number): Answered => (status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'good');

const SOURCES: Readonly<Record<string, string>> = {
  api: 'API',
  dashboard: 'Dashboard',
  page: 'Payment page',
};
export const sourceInWords = (source: string): string => SOURCES[source] ?? source;

/** "4 ms", "1.2 s". */
export const tookInWords = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** How a body that was not kept is explained. */
export const NOT_KEPT =
  'Kept for 14 days: every refusal, and of the requests that succeeded as many as there is room for. Secrets, bank details and e-mail addresses are not kept, and neither is the answer of a success: the object and its event have it.';
