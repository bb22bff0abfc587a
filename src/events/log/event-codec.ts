/**
 * Stores an event's JSON without the text that all objects of its kind share (about 75 %). Decoding gives the same bytes
 * back, whatever objects look like by then, because an encoding that was ever used stays as it is. Measured: docs/decisions/0018.
 */
import type { Actor } from '../../core/actor.ts';
import { assert } from '../../core/values/assert.ts';
import { GAP } from '../../core/rails/destination.ts';
import { idOf, instantOf, type Prefix } from '../../core/values/ids.ts';
import { unixSeconds } from '../../core/values/time.ts';

/** Between values. In JSON text control characters are escaped; a text that holds one all the same is kept whole. */
const NULL = 'null';
/** Stands for the actor of the event, who mostly is the creator of its object; no JSON value looks like it. */
const ACTOR = '=';
const ID = '{"id":"';

interface Encoding {
  readonly kind: string;
  readonly prefix: Prefix;
  /** What stands before each value; the first begins behind the id. */
  readonly before: readonly string[];
  readonly end: string;
}

/** `form`: a `*` for each value, the first that of `created`; without quotation marks where it is never null. */
function encoding(kind: string, prefix: Prefix, livemode: boolean, form: string): Encoding {
  const parts = form.replace('"livemode":?', `"livemode":${livemode}`).split('*');
  const [first, ...before] = parts.slice(0, -1) as [string, ...string[]];
  return { kind, prefix, before: [`","object":"${kind}"${first}`, ...before], end: parts.at(-1) as string };
}

const account = (livemode: boolean, form: string) => encoding('account', 'acct', livemode, form);
const ACCOUNT = ',"created":*,"livemode":?,"currency":"*","balance":*,"name":*,"status":"*","metadata":*}';
/** An account as most are: open, nothing noted. */
const PLAIN_ACCOUNT = ACCOUNT.replace('"status":"*","metadata":*', '"status":"open","metadata":{}');

const payout = (livemode: boolean, form: string) => encoding('payout', 'po', livemode, form);
const PAYOUT_ORDER =
  ',"created":*,"livemode":?,"amount":*,"amount_minor":*,"currency":"*","recipient":"rcp_*","account":"acct_*"';
const PAYOUT_WORDS =
  '"reference":*,"statement_descriptor":*,"external_id":*,"scheduled_for":*,"batch":*,"transfer":"trf_*"';
const PAYOUT = `${PAYOUT_ORDER},"status":"*",${PAYOUT_WORDS},"reversal":*,"refund_of":*,"failure_code":*,"failure_message":*,"in_transit_at":*,"ended_at":*,"metadata":*}`;
/** A payout to which nothing has happened yet, as every one is once. */
const NEW_PAYOUT = `${PAYOUT_ORDER},"status":"pending",${PAYOUT_WORDS},"reversal":null,"refund_of":null,"failure_code":null,"failure_message":null,"in_transit_at":null,"ended_at":null,"metadata":*}`;

/** The same as payouts are now. `of`: what an encoding says of a member; left out: the value is stored. */
const payoutNow = (
  form: string,
  of: { release?: string; wait?: string; fees?: string; speed?: string; day?: string; purposes?: string },
) =>
  form
    .replace(',"in_transit_at":', `,"release":${of.release ?? '*'},"in_transit_at":`)
    .replace(',"metadata":', ',"created_by":*,"metadata":')
    .replace(
      ',"batch":*',
      `,"speed":"${of.speed ?? '*'}"${of.purposes ?? ''},"wait_until":${of.wait ?? '*'},"destination":{"name":"*","scheme":"*","country":"*","bank":*,"last4":"*"},"expected_execution_date":${of.day ?? '*'},"expected_arrival":"*","batch":*,"standing_order":*,"exchange":*,"fees":${of.fees ?? '*'}`,
    );
/**
 * The same with what the reference is, what came back, and what the bank said. `said`: what an encoding says of these last three members;
 * `minor`: of what came back.
 */
const payoutAnswered = (form: string, of: Parameters<typeof payoutNow>[1], said = '*', minor = '0') =>
  payoutNow(form, of)
    .replace(',"statement_descriptor":', ',"reference_type":*,"statement_descriptor":')
    .replace(',"refund_of":', `,"amount_returned":*,"amount_returned_minor":${minor},"refund_of":`)
    .replace(',"release":', `,"bank_reason":${said},"accepted_at":${said},"payee_check":${said},"release":`);
/** The same since days end in `_on`. */
const payoutNamed: typeof payoutAnswered = (...of) =>
  payoutAnswered(...of)
    .replace('"scheduled_for":', '"scheduled_on":')
    .replace('"wait_until":', '"wait_until_on":')
    .replace('"expected_execution_date":', '"expected_execution_on":')
    .replace('"expected_arrival":', '"expected_arrival_on":');
const USUAL = { fees: '[]', speed: 'standard' };
const NEW = { ...USUAL, release: 'null', wait: 'null' };
/** Since payouts say what they are for, and which bank account pays. */
const PURPOSES = { purposes: ',"category_purpose":*,"purpose":*,"bank_account":*' };
const NO_PURPOSES = { purposes: ',"category_purpose":null,"purpose":null,"bank_account":null' };

/**
 * By number. Only ever append: events in databases name them. The last one of a kind that fits is used. An object that
 * has gained members is kept whole until an encoding with all of its members is appended. 1 to 8 are of the first build;
 * 9 to 22 were never released.
 */
export const ENCODINGS: ReadonlyMap<number, Encoding> = new Map([
  [1, account(true, ACCOUNT)],
  [2, account(false, ACCOUNT)],
  [3, payout(true, PAYOUT)],
  [4, payout(false, PAYOUT)],
  [5, account(false, PLAIN_ACCOUNT)],
  [6, account(true, PLAIN_ACCOUNT)],
  [7, payout(false, NEW_PAYOUT)],
  [8, payout(true, NEW_PAYOUT)],
  [23, payout(true, payoutNow(PAYOUT, {}))],
  [24, payout(false, payoutNow(PAYOUT, {}))],
  [25, payout(true, payoutNow(PAYOUT, USUAL))],
  [26, payout(false, payoutNow(PAYOUT, USUAL))],
  [27, payout(false, payoutNow(PAYOUT, { ...USUAL, day: 'null' }))],
  [28, payout(true, payoutNow(NEW_PAYOUT, NEW))],
  [29, payout(false, payoutNow(NEW_PAYOUT, NEW))],
  [30, payout(false, payoutNow(NEW_PAYOUT, { ...NEW, day: 'null' }))],
  [31, payout(true, payoutAnswered(PAYOUT, PURPOSES, '*', '*'))],
  [32, payout(false, payoutAnswered(PAYOUT, PURPOSES, '*', '*'))],
  [33, payout(true, payoutAnswered(PAYOUT, { ...USUAL, ...NO_PURPOSES }))],
  [34, payout(false, payoutAnswered(PAYOUT, { ...USUAL, ...NO_PURPOSES }))],
  [35, payout(false, payoutAnswered(PAYOUT, { ...USUAL, ...NO_PURPOSES, day: 'null' }))],
  [36, payout(true, payoutAnswered(NEW_PAYOUT, { ...NEW, ...NO_PURPOSES }, 'null'))],
  [37, payout(false, payoutAnswered(NEW_PAYOUT, { ...NEW, ...NO_PURPOSES }, 'null'))],
  [38, payout(false, payoutAnswered(NEW_PAYOUT, { ...NEW, ...NO_PURPOSES, day: 'null' }, 'null'))],
  [39, payout(true, payoutNamed(PAYOUT, PURPOSES, '*', '*'))],
  [40, payout(false, payoutNamed(PAYOUT, PURPOSES, '*', '*'))],
  [41, payout(true, payoutNamed(PAYOUT, { ...USUAL, ...NO_PURPOSES }))],
  [42, payout(false, payoutNamed(PAYOUT, { ...USUAL, ...NO_PURPOSES }))],
  [43, payout(false, payoutNamed(PAYOUT, { ...USUAL, ...NO_PURPOSES, day: 'null' }))],
  [44, payout(true, payoutNamed(NEW_PAYOUT, { ...NEW, ...NO_PURPOSES }, 'null'))],
  [45, payout(false, payoutNamed(NEW_PAYOUT, { ...NEW, ...NO_PURPOSES }, 'null'))],
  [46, payout(false, payoutNamed(NEW_PAYOUT, { ...NEW, ...NO_PURPOSES, day: 'null' }, 'null'))],
]);

const LAST_FIRST = [...ENCODINGS].toReversed();
const BY_KIND: ReadonlyMap<string, typeof LAST_FIRST> = new Map(
  LAST_FIRST.map(([, { kind }]) => [kind, LAST_FIRST.filter(([, each]) => each.kind === kind)]),
);

/** An object's JSON as it is stored. */
export interface Encoded {
  /** `null`: the JSON itself. */
  readonly encoding: number | null;
  readonly text: string;
}

/** `json` must be the rendered object with this id and kind, `actor` that of the event. What fits no encoding is kept whole. */
export function encode(
  { id, object }: { readonly id: string; readonly object: string },
  json: string,
  actor: Actor | null,
): Encoded {
  for (const [number, encoding] of BY_KIND.get(object) ?? []) {
    const text = valuesOf(encoding, id, json, actor);
    if (text !== null) return { encoding: number, text };
  }
  return { encoding: null, text: json };
}

/** `null` when the encoding does not fit. */
function valuesOf({ before, end }: Encoding, id: string, json: string, actor: Actor | null): string | null {
  let at = ID.length + id.length;
  const creator = `"${actor}"`;
  const begins = json.startsWith(ID) && json.startsWith(id, ID.length) && json.startsWith(before[0] as string, at);
  if (!begins || !json.endsWith(end) || json.includes(GAP)) return null;
  const values = new Array<string>(before.length);
  // What stands between two values is found there and not inside of a text, where its quotation marks would be escaped; only
  // metadata could hold the same, and comes last.
  for (let i = 0; i < before.length; i++) {
    const start = at + (before[i] as string).length;
    at = i + 1 < before.length ? json.indexOf(before[i + 1] as string, start) : json.length - end.length;
    if (at === -1) return null;
    if (at === start) return null; // would come back as null
    const isNull = at - start === NULL.length && json.startsWith(NULL, start);
    const isActor = at - start === creator.length && json.startsWith(creator, start);
    values[i] = isNull ? '' : isActor ? ACTOR : json.slice(start, at);
  }
  if (values[0] === createdOf(id)) values[0] = '';
  return values.join(GAP);
}

/** `created` is the instant inside the id, as a rule; then it is not stored either. */
const createdOf = (id: string): string => String(unixSeconds(instantOf(id)));

/** The JSON that was encoded. `uuid`: the object's. `actor`: the event's. */
export function decode({ encoding: number, text }: Encoded, uuid: string, actor: Actor | null): string {
  if (number === null) return text;
  const encoding = ENCODINGS.get(number);
  assert(encoding, `encoding ${number} is known`);
  const { prefix, before, end } = encoding;
  const values = text.split(GAP);
  assert(values.length === before.length, `an object of encoding ${number} has ${before.length} values`);
  const id = idOf(prefix, uuid);
  let json = ID + id;
  for (let i = 0; i < before.length; i++) {
    const value = values[i] === ACTOR ? `"${actor}"` : values[i];
    json += (before[i] as string) + (value || (i === 0 ? createdOf(id) : NULL));
  }
  return json + end;
}
