/**
 * What an operation is called in the client: `POST /v1/payouts/{id}/cancel` is `payouts.cancel`. The names follow from path and operation id, so
 * that a new operation has one without anybody's doing. Pure. Decision: docs/decisions/0060. Next: `operations.ts`.
 */

export interface Name {
  /** `['payouts']`, `['testHelpers', 'payouts']`. */
  readonly resource: readonly string[];
  readonly method: string;
}

/** Paths that stand for a resource although they have two segments, or another word for it. */
const RESOURCES: readonly (readonly [path: string, resource: string])[] = [
  ['payouts/batch', 'payoutBatches'],
  ['settings/payouts', 'payoutRules'],
  ['settings/exchanges', 'exchangeSettings'],
];
/** Of many at once what there is of one, too. */
const OF_MANY: Readonly<Record<string, string>> = { 'payouts/approve': 'approveMany' };
const TEST_HELPERS = 'test_helpers/';

/** `operationId` begins with a verb: `createPayout`. `path` has a placeholder for each id: `/v1/payouts/{id}`. */
export function nameOf(method: string, path: string, operationId: string): Name {
  const [verb = '', ...nouns] = operationId.split(/(?=[A-Z])/);
  const whole = path.replace(/^\/v1\//, '');
  const isHelper = whole.startsWith(TEST_HELPERS);
  const below = isHelper ? whole.slice(TEST_HELPERS.length) : whole;
  const known = RESOURCES.find(([start]) => below === start || below.startsWith(`${start}/`));
  const [root = '', ...rest] = known ? [known[0], ...segments(below.slice(known[0].length))] : segments(below);
  const group = isHelper ? ['testHelpers'] : [];
  // A helper about nothing in particular: `testHelpers.reset`.
  if (isHelper && rest.length === 0 && method === 'POST') return { resource: group, method: camel(root) };
  const resource = [...group, known?.[1] ?? camel(root)];
  const ofMany = OF_MANY[whole];
  if (ofMany !== undefined) return { resource, method: ofMany };
  return { resource, method: methodOf(method, verb, nouns.join(''), rest, resource.at(-1) ?? '') };
}

function methodOf(method: string, verb: string, noun: string, rest: readonly string[], resource: string): string {
  const last = rest.at(-1) ?? '';
  const literals = rest.filter((each) => !each.startsWith('{'));
  const isOwn = [singular(resource), resource].includes(lowerFirst(noun));
  if (literals.length === 0) return verb; // the resource itself: create, list, retrieve, update, delete
  if (isOwn) return literals.length === 1 && method === 'POST' ? camel(last) : verb;
  if (literals.length > 1) return `${verb}${noun.replace(upperFirst(singular(resource)), '')}`; // recipients.matchBatch
  if (method !== 'GET') return camel(last); // exchanges.quote, events.resend
  if (verb !== 'list' && verb !== 'retrieve') return camel(last); // events.stream
  const part = camel(literals[0] ?? '');
  return `${verb}${upperFirst(last.startsWith('{') ? singular(part) : part)}`; // accounts.listTransfers, exchanges.retrieveQuote
}

const segments = (path: string): string[] => path.split('/').filter((each) => each !== '');
const camel = (word: string): string => word.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const upperFirst = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;
const lowerFirst = (word: string): string => `${word[0]?.toLowerCase()}${word.slice(1)}`;
const singular = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(/(ch|s)es$/, '$1')
    .replace(/([^s])s$/, '$1');
