/**
 * What may be added within a year (docs/additions.md), put into the document and into answers of today: clients of today must read both. Pure. The server
 * that answers so: `scripts/next-year-server.ts`.
 */
type Node = Readonly<Record<string, unknown>>;

/** The member and the value that nobody knows today. */
export const NEW = 'next_year';
const AS_IT_IS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'value', 'required']);

/** A member more in every object of an answer, a value more in every list of known values (event types and error codes are such), an operation more. */
export function nextDocument(document: Node): Node {
  const { '/v1/accounts': accounts, ...paths } = (document['paths'] ?? {}) as Readonly<Record<string, Node>>;
  const { get } = accounts ?? {};
  const one = { ...(get as Node), operationId: 'listNextYear' };
  const grown = grow({ ...document, paths: { '/v1/accounts': accounts, ...paths } }) as Node;
  return { ...grown, paths: { ...(grown['paths'] as Node), [`/v1/${NEW}`]: { get: one } } };
}

function grow(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(grow);
  if (typeof part !== 'object' || part === null) return part;
  const grown = Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [name, AS_IT_IS.has(name) ? inner : grow(inner)]),
  ) as Node;
  const { 'x-extensible-enum': known, properties, additionalProperties: more } = grown;
  // Requests are closed: nothing is added to them but optional parameters.
  const isAnswer = typeof properties === 'object' && grown['type'] === 'object' && more !== false;
  return {
    ...grown,
    ...(Array.isArray(known) && { 'x-extensible-enum': [...known, NEW] }),
    ...(isAnswer && { properties: { ...(properties as Node), [NEW]: { type: 'string' } } }),
  };
}

/** The known values of members, by name. An error keeps its code: programs decide by it. */
export function knownValues(document: Node): ReadonlyMap<string, ReadonlySet<unknown>> {
  const found = new Map<string, Set<unknown>>();
  const { schemas = {} } = document['components'] as { readonly schemas?: Readonly<Record<string, Node>> };
  const visit = (part: unknown, name: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const named =
      schemas[
        String((part as Node)['$ref'])
          .split('/')
          .at(-1) ?? ''
      ];
    const known = (named ?? (part as Node))['x-extensible-enum'];
    if (Array.isArray(known) && name !== 'code') found.set(name, new Set([...(found.get(name) ?? []), ...known]));
    for (const [inner, each] of Object.entries(part)) visit(each, inner);
  };
  visit(document, '');
  return found;
}

/** An answer with a member more in every object, and values that nobody knows wherever there may be such. */
export function nextAnswer(value: unknown, known: ReadonlyMap<string, ReadonlySet<unknown>>, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => nextAnswer(each, known, name));
  if (typeof value !== 'object' || value === null) return known.get(name)?.has(value) === true ? NEW : value;
  const members = Object.entries(value).map(([inner, each]) => [inner, nextAnswer(each, known, inner)]);
  return { ...Object.fromEntries(members), [NEW]: 'new' };
}
