/**
 * The parameters of a payout batch, as JSON, form or CSV. A faulty item is read as far as it can be, and so are the others: all faults
 * are decided on together (`batch.ts`). Beside a CSV file the other parameters are in the query.
 */
import type { Replies } from '../../core/decision.ts';
import { newMetadata } from '../../core/metadata.ts';
import { assert } from '../../core/values/assert.ts';
import { listParams } from '../../platform/http/lists.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { fileHash, notePlaces, placesOf } from '../../platform/http/request/csv.ts';
import type { Call } from '../../platform/http/route.ts';
import { isNone, isObject, type Notation, partOf, pathOf } from '../../platform/http/request/param.ts';
import type { JsonSchema, Param, Parsed, Tree } from '../../platform/http/request/params.ts';
import { BOM_FIELD } from '../../platform/http/request/forms.ts';
import * as param from '../../platform/http/request/params.ts';
import { purposes } from '../../platform/http/request/purposes.ts';
import { referenceTypeFrom } from '../../platform/http/request/reference-type.ts';
import type { CreatePayoutBatch } from './batch.ts';
import { payeeFields, payeeIn } from '../recipients/match-parameters.ts';
import type { BatchItem, Fault, FaultyItem, Readable } from './batch-faults.ts';
import { type AskedItem, attempt, sourceFrom } from './source-parameters.ts';
import { BATCH_MODES, BATCH_STATUSES, PAYOUT_BATCH, type PayoutBatch } from './fields.ts';
import { orderFields, orderFrom, waitingFrom } from './schema.ts';

export const MAX_BATCH_ITEMS = 1000;
/** Of all items, beyond the first fault of each; then only first faults are named. A fault takes some µs, in which others wait. */
const MAX_FURTHER_FAULTS = 500;
/** More of one item are not named. */
const MAX_UNKNOWN_NAMES = 5;
/** Of a hash that stands for a file. */
const HASH_CHARACTERS = 32;

const { recipient } = param.optional(orderFields);
const itemFields = { ...orderFields, recipient, ...payeeFields };
const item = param.object(itemFields, { title: 'BatchPayoutSent', description: 'One payout.' });
/** Without a payee, as most are: it has fewer names to look at. */
const plainItem = param.object(orderFields, { description: 'One payout.' });

/** Never throws a `RequestError`: what cannot be read becomes faults of the item. `known`: those of items before it, beyond first ones. */
const batchItem = (known: { further: number }): Param<AskedItem | FaultyItem> => ({
  schema: item.schema,
  codes: item.codes,
  optional: false,
  description: item.description,
  parse(sent, path, notation) {
    const value = isObject(sent) ? withValues(sent, notation) : sent;
    const inDetail = isObject(value) && known.further < MAX_FURTHER_FAULTS;
    const note = (faulty: FaultyItem) => {
      known.further += faulty.faults.length - 1;
      return faulty;
    };
    if (inDetail && !hasAllNames(value)) return note(pieceByPiece(value, path, notation));
    const order = attempt(
      () =>
        isObject(value) && namesPayee(value)
          ? itemFrom(item.parse(value, path, notation), path)
          : orderFrom(plainItem.parse(value, path, notation), path),
      path,
    );
    if ('value' in order) return order.value;
    return note(inDetail ? pieceByPiece(value, path, notation) : { faults: [order.fault], read: {} });
  },
});

type Group = { readonly [name: string]: Tree };
const FIELDS = Object.entries(itemFields) as readonly [string, Param<unknown>][];
const NEEDED = FIELDS.flatMap(([name, { optional }]) => (optional ? [] : [name]));

/** Every required name and no unknown one. Exceptions cost most in a batch that is all wrong. */
const hasAllNames = (value: Group): boolean =>
  NEEDED.every((name) => value[name] !== undefined) &&
  (value['recipient'] !== undefined || namesPayee(value)) &&
  unknownIn(value).length === 0;

/** Without what says "no value", which is as if it were left out. */
function withValues(sent: Group, notation: Notation): Tree {
  const isSaid = (name: string) => !isNone(sent[name], notation) || !Object.hasOwn(itemFields, name);
  const names = Object.keys(sent);
  if (names.every(isSaid)) return sent;
  return partOf(sent, Object.fromEntries(names.filter(isSaid).map((name) => [name, sent[name] as Tree])));
}

const namesPayee = (value: Group): boolean => value['iban'] !== undefined || value['name'] !== undefined;

/** An item needs its recipient, unless it names a payee. */
const isMissing = (value: Group, name: string): boolean =>
  value[name] === undefined &&
  (name === 'recipient' ? Object.keys(payeeFields).every((each) => value[each] === undefined) : NEEDED.includes(name));

const unknownIn = (value: Group): readonly string[] =>
  Object.keys(value).filter((name) => !Object.hasOwn(itemFields, name));

function pieceByPiece(value: Group, path: string, notation: Notation): FaultyItem {
  const faults: Fault[] = [];
  const note = <T>(outcome: { readonly value: T } | { readonly fault: Fault }): T | undefined => {
    if ('value' in outcome) return outcome.value;
    faults.push(outcome.fault);
    return undefined;
  };
  for (const name of unknownIn(value).slice(0, MAX_UNKNOWN_NAMES)) {
    note(attempt(() => item.parse({ [name]: '' }, path, notation), path));
  }
  const parsed: Record<string, unknown> = {};
  for (const [name, field] of FIELDS) {
    const given = value[name];
    const at = `${path}[${name}]`;
    if (given !== undefined) parsed[name] = note(attempt(() => field.parse(given, at, notation), path));
    else if (!isMissing(value, name)) parsed[name] = field.absent;
    else faults.push({ param: name, code: 'parameter_missing', message: `${at} is required.` });
  }
  const { amount, currency, recipient, account, external_id, scheduled_on, bank_account } = parsed as Partial<Fields>;
  const minor =
    amount !== undefined && currency !== undefined
      ? note(attempt(() => param.amountIn(currency, amount, `${path}[amount]`), path))
      : undefined;
  // Which parameters stand together: of one that is faulty itself it counts that it is there.
  const present = Object.fromEntries(FIELDS.map(([name]) => [name, value[name] && (parsed[name] ?? '')])) as Fields;
  const source = note(attempt(() => sourceFrom(present, path), path));
  if (source !== undefined) note(attempt(() => waitingFrom(present, source, path), path));
  if (
    parsed['reference_type'] !== undefined &&
    (parsed['reference'] !== undefined || value['reference'] === undefined)
  ) {
    note(attempt(() => referenceTypeFrom(parsed as Fields, path), path));
  }
  const named = payeeIn(present, currency?.code);
  if (named !== null && 'faults' in named) faults.push(...named.faults);
  const isFaulty = (name: string) => faults.some((fault) => fault.param === name);
  const read: Readable = {
    ...(minor !== undefined && { amount: minor }),
    ...(currency !== undefined && { currency: currency.code }),
    ...(recipient !== undefined && { recipient }),
    ...(named !== null && 'payee' in named && { payee: named.payee }),
    ...(!isFaulty('account') && source === null && { account: account ?? null }),
    ...(bank_account !== undefined && { bankAccount: bank_account }),
    ...(!isFaulty('external_id') && { externalId: external_id ?? null }),
    ...(!isFaulty('scheduled_on') && { scheduledOn: scheduled_on ?? null }),
  };
  return { faults, read };
}

type Fields = Parsed<typeof itemFields>;

/** The order of an item that names a payee. Throws the first fault of the payee. */
function itemFrom(parsed: Fields, path: string): AskedItem {
  const named = payeeIn(parsed, parsed.currency.code);
  assert(named !== null, 'it names a payee');
  if ('payee' in named) {
    return { ...orderFrom({ ...parsed, recipient: parsed.recipient ?? null }, path), payee: named.payee };
  }
  const [{ code, message, param: name }] = named.faults as [Fault & { param: string }];
  throw param.paramError(code, pathOf(path, name), message);
}

const list = () =>
  param.list(batchItem({ further: 0 }), { max: MAX_BATCH_ITEMS, description: `1 to ${MAX_BATCH_ITEMS} payouts.` });
const payouts: ReturnType<typeof list> = {
  ...list(),
  parse(value, path, notation) {
    const items = list().parse(value, path, notation);
    const places = typeof value === 'object' && value !== null ? placesOf(value) : null;
    if (places !== null) notePlaces(items, places);
    return items;
  },
};

const about = {
  ...param.optional({
    mode: param.oneOf(BATCH_MODES, { description: '`atomic`, the default: all or nothing. `partial`: item by item.' }),
    external_id: param.text({
      kind: 'id',
      max: 100,
      description:
        'Your own id of the batch, unique for ever in this environment: a second guard against running a file twice. Of a CSV file without one, and without an `Idempotency-Key`, it is `csv-` and 32 hex digits made of the file, unless every row has an `external_id`.',
    }),
    ...purposes,
    batch_booking: param.boolean({
      description:
        'Whether your bank is asked to book all of its payouts as one entry. By default salaries, bonuses and pensions (`SALA`, `BONU`, `PENS`) are booked so, others one by one.',
    }),
    metadata: param.metadata(),
    create_recipients: param.boolean({
      description: 'Makes recipients of payees that are none, each in the commit of its payout. A dry run shows which.',
    }),
    allow_repeated: param.boolean({
      description: 'Pays the same amount twice to a payee with the same reference and day. Otherwise it is a fault.',
    }),
  }),
  dry_run: param.dryRun,
};

export const createPayoutBatchParams = param.params({ payouts, ...about }, undefined, ['batch_invalid']);
/** Beside a CSV file, which has the payouts only. */
/** Beside a CSV file. What each says stands at the body, and in the document once. */
const inQuery: typeof about = Object.fromEntries(
  Object.entries(about).map(([name, field]) => [name, { ...field, description: `\`${name}\` of the batch.` }]),
) as typeof about;
export const payoutBatchQuery = param.params(inQuery, undefined, ['parameter_conflict']);

type Body = ReturnType<typeof createPayoutBatchParams.parse>;
type Query = ReturnType<typeof payoutBatchQuery.parse>;

/** The call with its whole batch in the body, for one fingerprint. Throws `parameter_conflict` for what is sent twice. */
export function batchCall({ query, ...call }: Call<Body, Query | undefined>): Call<Body, undefined> {
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || call.body[name as keyof Query] === undefined) continue;
    throw param.paramError('parameter_conflict', name, `${name} is in the query and in the body. Send it once.`);
  }
  const given = Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== undefined));
  return { ...call, query: undefined, body: { ...call.body, ...given } };
}

/**
 * The external id of a CSV file that was sent without one, so that the same file twice pays once (decision 0091):
 * `csv-` and 32 hex digits of a SHA-256 over the bytes of the file and what the query says of its payouts: who pays, for what, metadata.
 * How the batch is made (`mode`, `create_recipients`, `allow_repeated`, `batch_booking`) is not in it: it does not change whom the file
 * pays what. `null` where something else says which request this is (an idempotency key, an external id of the batch or of every row),
 * for a dry run, and for JSON and forms.
 */
export function fileIdOf({
  body,
  idempotencyKey,
}: Pick<Call<Body, unknown>, 'body' | 'idempotencyKey'>): string | null {
  if (idempotencyKey !== null || body.dry_run === true) return null;
  if (body.external_id !== undefined || body.payouts.every(hasOwnId)) return null;
  const { category_purpose = null, purpose = null, bank_account = null } = body;
  const labels = Object.entries(newMetadata(body.metadata)).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = fileHash(body.payouts, [category_purpose, purpose, bank_account, labels]);
  return hash && `csv-${hash.slice(0, HASH_CHARACTERS)}`;
}

function hasOwnId(item: Body['payouts'][number]): boolean {
  const { externalId = null } = 'faults' in item ? item.read : item;
  return externalId !== null;
}

/** The command that a body asks for. `orders`: its items, priced. `fileId`: what {@link fileIdOf} says. `seesBalances`: in a dry run. */
export function batchFrom(
  body: Body,
  orders: readonly BatchItem[],
  fileId: string | null,
  settlementDelayMs: number | null,
  seesBalances: boolean,
): CreatePayoutBatch {
  const { payouts, mode = 'atomic', external_id: externalId = fileId, metadata } = body;
  const { category_purpose: categoryPurpose = null, purpose = null, batch_booking: batchBooking = null } = body;
  const { create_recipients: mayCreateRecipients = false, allow_repeated: mayRepeat = false } = body;
  const defaults = { categoryPurpose, purpose, bankAccount: body.bank_account ?? null };
  const hasDefaults = Object.values(defaults).some((each) => each !== null);
  return {
    type: 'create_payout_batch',
    orders: hasDefaults ? orders.map((item) => withDefaults(item, defaults)) : orders,
    places: placesOf(payouts),
    mode,
    mayCreateRecipients,
    mayRepeat,
    externalId,
    isFileId: fileId !== null,
    ...defaults,
    batchBooking,
    metadata,
    settlementDelayMs,
    tried: body.dry_run === true ? { seesBalances } : null,
  };
}

/** What an item says of itself goes before what the batch says of all. */
function withDefaults(
  item: BatchItem,
  of: Pick<PayoutBatch, 'categoryPurpose' | 'purpose' | 'bankAccount'>,
): BatchItem {
  if ('faults' in item)
    return { ...item, read: { ...item.read, bankAccount: item.read.bankAccount ?? of.bankAccount } };
  return {
    ...item,
    categoryPurpose: item.categoryPurpose ?? of.categoryPurpose,
    purpose: item.purpose ?? of.purpose,
    bankAccount: item.bankAccount ?? of.bankAccount,
  };
}

/** Filters of the list of batches, each with an index of its own (migrations/0105); `created` is a range of the primary key. */
export const listBatchesParams = listParams('pob', {
  status: param.oneOf(BATCH_STATUSES, { description: 'Only in this state.' }),
  mode: param.oneOf(BATCH_MODES, { description: 'Only batches of this mode.' }),
  external_id: param.text({ kind: 'code', max: 100, description: 'Only the batch with your own id.' }),
});

export const resultsQuery = param.params({
  format: param.withDefault(param.oneOf(['csv'], { description: 'The only format.' }), 'csv'),
  ...BOM_FIELD,
});

/** The answer to a cancel: the batch as it is now, and what became of its payouts. */
export function renderCancellation(
  { batch, canceledCount, keptCount }: Omit<Replies['payout_batch_cancellation'], 'object'>,
  livemode: boolean,
): string {
  return PAYOUT_BATCH.render(batch, livemode, `,"canceled_count":${canceledCount},"kept_count":${keptCount}`);
}

export const PAYOUT_BATCH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  PayoutBatchCancellation: schemaOf(PAYOUT_BATCH, 'A batch whose pending payouts were canceled.', {
    canceled_count: { type: 'integer', description: 'Payouts canceled by this request.' },
    kept_count: { type: 'integer', description: 'Payouts that were not pending: they had left or ended before.' },
  }),
};
