/** Refusals as answers, and the errors page. No stack, key or body in an answer. The codes: `core/values/errors.ts`. */
import { WHAT_TO_DO } from '../../core/values/error-advice.ts';
import { type Code, ERRORS, RequestError, untrusted } from '../../core/values/errors.ts';
import { isConnectionLost } from '../db/wire/connection-lost.ts';

export const PROBLEM_JSON = 'application/problem+json';

/** Puts the members of RFC 9457 in front of `error`, whose bytes stay the same (in replayed answers too). */
export function asProblem(body: string, status: number): string {
  const { error } = JSON.parse(body) as {
    error: { code: string; message: string; doc_url: string; request_id: string };
  };
  const problem = {
    type: error.doc_url,
    title: Object.hasOwn(ERRORS, error.code) ? ERRORS[error.code as Code].meaning : error.code,
    status,
    detail: error.message,
    instance: `urn:bursar:request:${error.request_id}`,
  };
  return `${JSON.stringify(problem).slice(0, -1)},${body.slice(1)}`;
}

/** SQLSTATE query_canceled: PostgreSQL ended a statement that took longer than any may. */
const STATEMENT_TIMEOUT = '57014';

/** The refusal for a thrown value. An unknown error becomes `internal_error` and is not shown. */
export function faultOf(thrown: unknown): RequestError {
  if (thrown instanceof RequestError && Object.hasOwn(ERRORS, thrown.code)) return thrown;
  if (isConnectionLost(thrown)) {
    return new RequestError(
      'database_unavailable',
      'The database cannot be reached. Send the same request again with the same Idempotency-Key.',
    );
  }
  if ((thrown as { readonly code?: unknown } | null)?.code === STATEMENT_TIMEOUT) {
    return new RequestError('overloaded', 'The database took too long for this. Ask for less at a time, or try again.');
  }
  const unknown = 'The request failed on our side. The operator finds the cause in the log by the request id.';
  return untrusted(thrown) ?? new RequestError('internal_error', unknown);
}

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** The errors page: every code with its status, type, meaning and what to do, each under the anchor that `doc_url` names. */
export function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, type, meaning }]) =>
      `<tr id="${code}"><td><a href="#${code}"><code>${code}</code></a><td>${status}<td><code>${type}</code><td>${escaped(meaning)}<td>${escaped(WHAT_TO_DO[code as Code])}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Errors · Bursar</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
table{border-collapse:collapse}td,th{padding:.4rem .8rem;text-align:left;vertical-align:top;border-bottom:1px solid #8884}:target{background:#fd04}</style>
<h1>Errors</h1><p>Every refusal is <code>{"error":{"type","code","message",…}}</code>. Decide by <code>code</code>; the message is for people.
<table><thead><tr><th>Code<th>Status<th>Type<th>Meaning<th>What to do<tbody>
${rows.join('\n')}
</table></html>
`;
}

/** The members of an error that may be logged. Not `detail`, which quotes rows of the database. */
export function loggable(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { name, message, code, stack } = thrown as Error & { code?: unknown };
  return { name, message, code, stack };
}
