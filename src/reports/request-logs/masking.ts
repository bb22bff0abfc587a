/**
 * What of a request may be kept, which is less than what was sent: nothing here may be a secret, and nothing has to be found when a person
 * is erased. Only values in the shape of a known parameter stay; all others become `•`, whatever they are. Pure. A new
 * parameter is masked until it has a line here. Next: `log.ts`.
 */
import { ibanOf } from '../../core/rails/iban.ts';
import { isPayroll } from '../../core/rails/purposes.ts';
import { isId, NAMES, type Prefix } from '../../core/values/ids.ts';
import { NumberText, type Tree, Unreadable } from '../../platform/http/request/param.ts';

export const MASK = '•';
export const MOST_PARAMETER_CHARACTERS = 4096;
const MOST_MESSAGE_CHARACTERS = 1000;
const MOST_AGENT_CHARACTERS = 200;
/** Of a list; the last line says how many there are more. */
const SHOWN_ITEMS = 20;
const SHOWN_FAULTS = 10;

/** Shapes in which nobody is named and nothing is opened. Each takes what is typed wrong too, as far as that is told from a name. */
const WORD = /^[a-z][a-z_.:*]{0,39}\d?$/;
const CODE = /^[A-Za-z]{2,4}$/;
const AMOUNT = /^[+-]?\d[\d.,'eE+-]{0,15}$/;
const COUNT = /^-?\d{1,10}$/;
const DAY = /^\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?(?:T[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d)?)?$/;
const TIME = /^\d{1,2}:\d{2}$/;

const SHAPES: readonly (readonly [shape: RegExp, names: string])[] = [
  [
    WORD,
    'account_type action amount_type booked_by calendar cause charges direction enabled_events encoding expand exports failure_code ' +
      'fixed_side format interval method mode on on_drift on_insufficient_funds only order outcome paid_by payee_check per profile ' +
      'reference_type release reversal_sign routes scheme scopes speed status type types uses waiting_payouts',
  ],
  [CODE, 'base_currency buy_currency country currency sell_currency source_currency'],
  [AMOUNT, 'amount max_amount maximum_amount min_amount minimum_amount position_limit source_amount'],
  [
    COUNT,
    'after after_sequence approvals_required basis_points count created expires_at expires_in gt gte hold_new_recipients_hours ' +
      'interval_count limit lt lte max_payments payment_reminder_days reading seconds skip until_sequence',
  ],
  [DAY, 'at day due_on ends_on from month scheduled_on starts_on to version wait_until_on'],
  [TIME, 'cut_off'],
];
const SHAPE_OF = new Map(SHAPES.flatMap(([shape, names]) => names.split(' ').map((name) => [name, shape] as const)));

/** Names that a client makes up, so whatever is in them is masked as a whole. */
const OWN_NAMES: ReadonlySet<string> = new Set(['metadata', 'headers']);
/** How parameters are called, and mistyped. A name of another form may be anything. */
const NAME = /^[a-z][a-z_]{0,39}\d?$/;

const isOurId = (text: string): boolean => {
  const prefix = text.slice(0, Math.max(0, text.indexOf('_')));
  return Object.hasOwn(NAMES, prefix) && isId(prefix as Prefix, text);
};

/** The parameters as JSON; what is longer than 4,096 characters is cut to its first items, then left out. */
export function maskedParameters(tree: Tree): string | null {
  const isSecret = isOfPayroll(tree);
  for (const items of [SHOWN_ITEMS, 2]) {
    const all = masked(tree, '', items);
    const text = isSecret ? withoutPayees(all) : all;
    if (text === '{}') return null;
    if (text.length <= MOST_PARAMETER_CHARACTERS) return text;
  }
  return null;
}

/** Whether the parameters make a salary or the like, whose payee not everybody may know who reads the log (decision 0090). */
export function isOfPayroll(tree: Tree): boolean {
  if (Array.isArray(tree)) return tree.some(isOfPayroll);
  if (typeof tree !== 'object' || tree === null || tree instanceof NumberText || tree instanceof Unreadable)
    return false;
  return Object.entries(tree as Readonly<Record<string, Tree>>).some(([name, each]) =>
    name === 'category_purpose' ? typeof each === 'string' && isPayroll(each) : isOfPayroll(each),
  );
}

/** A text of the log without ids of recipients. */
export const withoutPayees = (text: string): string => text.replaceAll(/rcp_[0-9a-z]{26}/g, MASK);

function masked(value: Tree, name: string, items: number): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(isShown(value, name) ? value : MASK);
  if (value instanceof NumberText) return isShown(value.text, name) ? value.text : `"${MASK}"`;
  if (value instanceof Unreadable || OWN_NAMES.has(name)) return `"${MASK}"`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, items).map((each: Tree) => masked(each, name, items));
    if (value.length > items) shown.push(`"… ${value.length - items} more"`);
    return `[${shown.join(',')}]`;
  }
  const members = new Map<string, string>();
  for (const [member, each] of Object.entries(value as Readonly<Record<string, Tree>>)) {
    const isIndex = COUNT.test(member); // of a list in a form
    const known = isIndex ? name : member;
    if (members.size >= items * 2) break;
    members.set(isIndex || NAME.test(member) ? member : MASK, masked(each, known, items));
  }
  return `{${Array.from(members, ([member, text]) => `"${member}":${text}`).join(',')}}`;
}

function isShown(text: string, name: string): boolean {
  if (text === 'true' || text === 'false' || text === '') return true;
  return SHAPE_OF.get(name)?.test(text) === true || isOurId(text);
}

/** A pattern with what stands in the path for each `:name`, masked unless it is an id or a day. Of the path nothing else is taken. */
export function maskedPath(pattern: string, path: string): string {
  const [, ...parts] = pattern.split('/');
  const own = path.split('/').slice(-parts.length);
  const isSafe = (part: string) => isOurId(part) || DAY.test(part);
  const shown = (part: string, at: number) => {
    if (part === '*') return MASK;
    return part.startsWith(':') ? (isSafe(own[at] ?? '') ? own[at] : MASK) : part;
  };
  return parts.length === 0 ? '' : `/${parts.map(shown).join('/')}`;
}

/** The first id of ours in a path. */
export const idIn = (path: string): string | null => path.split('/').find(isOurId) ?? null;

const QUOTED = /"(?:[^"\\]|\\.)*"?/g;
/**
 * Keys, signing secrets, addresses of e-mail, account numbers. No refusal should hold one without quotes; if one does, it ends here. An address
 * is looked for from the begin of its word alone: from each letter, a long word would take the square of its length.
 */
const PRIVATE =
  /\b(?:[sr]k_(?:live|test)_\w+|whsec_\S+|\d{9,}|[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){10,30})\b|(?<![^\s"<>])[^\s"<>@]+@[^\s"<>]+|eyJ\S+/g;

/** Text of ours without what it quotes. */
const maskedText = (text: string): string => text.replaceAll(QUOTED, `"${MASK}"`).replaceAll(PRIVATE, MASK);

/** Without the half of a pair that a cut leaves, which strict readers of JSON refuse. */
const whole = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '');

const maskedParam = (param: string): string =>
  param.replaceAll(/[^[\]]+/g, (part) => (NAME.test(part) || COUNT.test(part) ? part : MASK));

/** Numbers are not quoted: they stay where the parameter's own value would. */
function withoutNumbers(message: string, param: unknown): string {
  const [name = ''] = typeof param === 'string' ? (/[a-z_]+\d?(?=\]?$)/.exec(param) ?? []) : [];
  return message.replaceAll(/\bgot (-?\d[\d.eE+-]*\d|-?\d)/g, (all, number: string) =>
    SHAPE_OF.get(name)?.test(number) === true ? all : `got ${MASK}`,
  );
}

interface Fault {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly param?: unknown;
  readonly message?: unknown;
  readonly index?: unknown;
  readonly line?: unknown;
  readonly errors?: unknown;
}

/** A refusal as an answer has it → what is kept of it, as JSON; `null`: the text is no refusal. */
export function maskedError(body: string): string | null {
  try {
    const { error } = JSON.parse(body) as { readonly error?: Fault };
    return error === undefined || typeof error !== 'object' ? null : JSON.stringify(keptOf(error));
  } catch {
    return null;
  }
}

function keptOf({ type, code, param, message, index, line, errors }: Fault): object {
  const kept: Record<string, unknown> = { type, code, index, line };
  if (typeof param === 'string') kept['param'] = maskedParam(param);
  if (typeof message === 'string') {
    const nameless = typeof param === 'string' ? message.replaceAll(param, () => maskedParam(param)) : message;
    kept['message'] = whole(maskedText(withoutNumbers(nameless, param)).slice(0, MOST_MESSAGE_CHARACTERS));
  }
  if (Array.isArray(errors)) kept['errors'] = errors.slice(0, SHOWN_FAULTS).map((each) => keptOf(each as Fault));
  return kept;
}

const OF_MAIL_OR_SECRET = /[^\s@]+@[^\s@]+|[sr]k_(?:live|test)_|whsec_|eyJ/;
const LIKE_IBAN = /[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,30}/g;
const SHORTEST_IBAN = 15;

/** An idempotency key, which is a text of the client's own; `null`: it holds an account number, an address of e-mail or a secret. */
export function keptKey(key: string): string | null {
  if (OF_MAIL_OR_SECRET.test(key)) return null;
  const begins = (text: string) =>
    Array.from({ length: text.length - SHORTEST_IBAN + 1 }, (_, at) => text.slice(0, SHORTEST_IBAN + at));
  const isNamed = [...key.matchAll(LIKE_IBAN)].some(([like]) => begins(like).some((text) => ibanOf(text) !== null));
  return isNamed ? null : key;
}

/** How a client calls itself; `null`: it does not. */
export function maskedAgent(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  return maskedText(header.replaceAll(/[^\x20-\x7e]/g, '')).slice(0, MOST_AGENT_CHARACTERS);
}
