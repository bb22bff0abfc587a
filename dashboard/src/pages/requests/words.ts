/** Requests in words, and as the curl line that makes them again. Pure. */

export interface Requested {
  readonly method: string;
  readonly path: string;
  readonly request: unknown;
  readonly idempotency_key: string | null;
}

/** In place of a value that the log does not keep. */
const MASKED = '•';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** One pair a leaf, as a form has them: `bank_details[iban]`. */
function pairsIn(value: unknown, name: string): (readonly [string, string])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pairsIn(item, `${name}[${index}]`));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => pairsIn(item, name === '' ? key : `${name}[${key}]`));
  }
  if (name === '') return [];
  if (typeof value === 'string') return [[name, value]];
  return [[name, value === null || value === undefined ? '' : JSON.stringify(value)]];
}

/**
 * To paste into a terminal in which BURSAR_KEY is set. What the log does not keep, such as bank details, stands there as the log has it and has to
 * be filled in. With the idempotency key of then it is the same request once more, and is answered as then.
 */
export function curlOf({ method, path, request, idempotency_key: key }: Requested, origin: string): string {
  const isRead = method === 'GET';
  const pairs = pairsIn(request, '');
  const lines = [`curl ${quoted(`${origin}${path}`)}${method === 'GET' || method === 'POST' ? '' : ` -X ${method}`}`];
  lines.push(`-H "Authorization: Bearer $BURSAR_KEY"`);
  if (key !== null) lines.push(`-H ${quoted(`Idempotency-Key: ${key}`)}`);
  if (isRead && pairs.length > 0) lines.push('-G');
  for (const [name, value] of pairs) lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  if (method === 'POST' && pairs.length === 0) lines.push('-X POST');
  const isMasked = pairs.some(([, value]) => value.includes(MASKED));
  return `${isMasked ? `# What is ${MASKED} was not kept: fill it in.\n` : ''}${lines.join(' \\\n  ')}`;
}

/** Refusals and faults look alike in a list: both need somebody. */
export const markOf = (status: number): 'bad' | 'done' => (status >= 400 ? 'bad' : 'done');

const SOURCES: Readonly<Record<string, string>> = {
  api: 'The API',
  dashboard: 'The dashboard',
};
export const sourceInWords = (source: string): string => SOURCES[source] ?? source;

/** "4 ms", "1.2 s". */
export const tookInWords = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** The program's name and version, without the rest of the line. */
export const deviceInWords = (agent: string | null): string | null =>
  agent === null || agent === '' ? null : agent.length > 80 ? `${agent.slice(0, 79)}…` : agent;

interface Fault {
  readonly message?: string;
  readonly doc_url?: string;
}
const faultIn = (error: unknown): Fault | null => {
  if (typeof error !== 'object' || error === null) return null;
  return 'error' in error ? faultIn(error.error) : error;
};

/** Of the kept answer of a refusal; null where it succeeded. */
export const messageOf = (error: unknown): string | null => faultIn(error)?.message ?? null;

/** Where the code is explained: what the answer named if it is of this host, else the page of errors here. */
export function docsOf(error: unknown, code: string | null): string {
  const own = `/docs/errors${code === null ? '' : `#${encodeURIComponent(code)}`}`;
  const named = faultIn(error)?.doc_url ?? '';
  return named.startsWith('https://') ? named : own;
}

export const NOT_KEPT =
  'Kept for some days, 14 unless the operator says otherwise: refusals, and as many successes as there is room for. Of what was sent, amounts, currencies, days, known words and ids are shown; everything else is •. Answers of successes are not kept.';

export const NOT_THERE =
  'the id may be of another mode or mistyped, it may be older than the log keeps, or it was a success for which there was no room.';
