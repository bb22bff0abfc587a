/**
 * A statement as a download: of one account, or of all accounts of an environment as they were at one instant. Refusals come before
 * the first byte. What is read: `reading.ts`; how it is written: `schema.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { isPayroll } from '../../core/rails/purposes.ts';
import { covers, seesPayroll } from '../../core/scopes.ts';
import type { Cause } from '../../core/transfer.ts';
import { isoDay } from '../../core/values/time.ts';
import { fileNamed } from '../../platform/http/csv.ts';
import { bomFor, formOf } from '../../platform/http/request/forms.ts';
import { download } from '../../platform/http/download.ts';
import type { Answer, Caller } from '../../platform/http/route.ts';
import { missing, type Service } from '../../platform/http/service.ts';
import type { Cover } from './lines.ts';
import { headingsOf, piecesOf, type Reading, type WordsOfEntry } from './reading.ts';
import { type FormatName, FORMATS } from './schema.ts';
import { type Heading, headingFrom, issuerFrom, issuerOf, statementHeading } from './sql.ts';

export interface Asked {
  readonly format: FormatName;
  /** What a CSV begins with: nothing, or a byte order mark. */
  readonly bom: string;
  period(this: void, nowMs: number): Pick<Cover, 'fromMs' | 'untilMs'>;
  readonly wordsOf: WordsOfEntry;
  /** Of a statement that was issued: its id, which names the document, and its instant; else the present. */
  readonly issued?: { readonly id: string; readonly atMs: number };
}

/** The form that a request asks for. Throws `parameter_conflict` for a mark that this form does not have. */
export function formAsked(
  call: Parameters<typeof formOf<FormatName>>[0] & { readonly query: { readonly bom?: boolean | undefined } },
) {
  const format = formOf<FormatName>(call);
  return { format, bom: bomFor(call.query.bom, format) };
}

/** Of one account. Throws `resource_missing`. */
export async function accountStatement(
  service: Service,
  caller: Caller,
  account: string,
  asked: Asked,
): Promise<Answer> {
  if (caller.accounts?.has(account) === false) throw missing('account', account);
  const { cover, reading } = await begin(service, caller, account, asked);
  const { fromMs, untilMs } = cover;
  const [row] = await service.rows(statementHeading(caller.environmentId, account, fromMs, untilMs));
  if (!row) throw missing('account', account);
  return file(asked, cover, reading, [headingFrom(row)]);
}

/**
 * Of all accounts that the key sees and that there were in the period, up to the newest write. Throws `statement_empty` where there
 * was none and the format cannot say so. Of `only` this one, if it is named: throws `resource_missing` where it was not there.
 */
export async function statementOfAll(
  service: Service,
  caller: Caller,
  asked: Asked,
  only: string | null = null,
): Promise<Answer> {
  if (only !== null && caller.accounts?.has(only) === false) throw missing('account', only, 'account');
  const { cover, reading, lastAtMs } = await begin(service, caller, null, asked);
  // What comes after the newest write has later instants: up to it all accounts are known, whenever they are read.
  const untilMs = Math.min(cover.untilMs, lastAtMs + 1);
  const upTo = { ...reading, fromMs: Math.min(cover.fromMs, untilMs) };
  const headings = headingsOf(upTo, untilMs, only === null ? caller.accounts : [only]);
  if (only !== null) return file(asked, cover, upTo, atLeastOne(headings, missing('account', only, 'account')));
  return file(asked, cover, upTo, asked.format === 'camt.053' ? atLeastOne(headings, noAccount()) : headings);
}

async function* atLeastOne(headings: AsyncGenerator<Heading>, otherwise: RequestError): AsyncGenerator<Heading> {
  let isEmpty = true;
  for await (const heading of headings) {
    isEmpty = false;
    yield heading;
  }
  if (isEmpty) throw otherwise;
}

function noAccount(): RequestError {
  const message =
    'There was no account in this period, and a camt.053 document cannot be without one. Ask for another period, or for format=json.';
  return new RequestError('statement_empty', message, { param: 'format' });
}

async function begin(service: Service, caller: Caller, account: string | null, asked: Asked) {
  const { environmentId, livemode, scopes } = caller;
  const [row] = await service.rows(issuerOf(environmentId));
  if (!row) throw missing('environment', environmentId);
  const { nowMs, lastAtMs, ...issuer } = issuerFrom(row);
  const period = asked.period(nowMs);
  const isOfAll = account === null;
  const id = account ?? asked.issued?.id ?? environmentId;
  const cover: Cover = { id, environmentId, livemode, issuer, ...period, atMs: asked.issued?.atMs ?? nowMs, isOfAll };
  const mayRead = (scope: string) => scopes === null || covers(scopes, scope);
  const reading: Reading = {
    rows: service.rows,
    environmentId,
    fromMs: period.fromMs,
    mayName: (cause, category) => mayRead(scopeOf(cause)) && (seesPayroll(scopes) || !isPayroll(category)),
    wordsOf: asked.wordsOf,
  };
  return { cover, reading, lastAtMs };
}

/** That shows what names a movement. */
function scopeOf(cause: Cause): string {
  if (cause.startsWith('bank_')) return 'bank_entries:read';
  return cause.startsWith('payment') ? 'payments:read' : 'payouts:read';
}

function file(
  { format, bom, issued }: Asked,
  cover: Cover,
  reading: Reading,
  headings: AsyncIterable<Heading> | Iterable<Heading>,
): Promise<Answer> {
  const { contentType, extension, write } = FORMATS[format];
  const days = `${isoDay(cover.fromMs)}_${isoDay(cover.untilMs - 1)}`;
  const of = cover.isOfAll ? (issued?.id ?? 'statement') : cover.id;
  const headers = extension === null ? {} : fileNamed(`${of}_${days}.${extension}`);
  const written = write(piecesOf(reading, headings), cover);
  const parts = bom === '' ? written : behind(bom, written);
  return download(cover.environmentId, { contentType, headers, parts });
}

async function* behind(bom: string, parts: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
  yield bom;
  yield* parts;
}
