/**
 * `expand[]=recipient`: answers carry the objects that they name by id, in a member `expanded` beside the ids, so that an id is
 * always an id (decision 0039). A key needs the read scope of each; what a key restricted to accounts may not see is left out. Who did
 * something is shown by name to everybody who may see what was done; of the key or user it says no more.
 */
import { isActorId } from '../../core/actor.ts';
import { exampleId, type Prefix } from '../../core/values/ids.ts';
import { RequestError } from '../../core/values/errors.ts';
import { type JsonSchema, strictObject } from '../../core/values/json-schema.ts';
import { covers } from '../../core/scopes.ts';
import type { Param } from './request/param.ts';
import { list, oneOf, optional, params, ref } from './request/params.ts';
import type { Caller, Scope } from './route.ts';

/** How objects with ids of one prefix are read. */
export interface Expansion {
  /** `null`: none beside that of what names it. */
  readonly scope: Scope | null;
  /** The JSON of those that exist and that the caller may see, by id. One statement. */
  find(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
export type Expansions = Readonly<Partial<Record<Prefix, Expansion>>>;
/** Who did something, as the one kind that keys and users are then: under this name among the expansions. */
export const ACTORS = 'actor';
/** What is known about an object beside what it says: found by its own id, in a member of this name. */
export const FLAGS = 'flags';
type Source = Prefix | typeof ACTORS | typeof FLAGS;
export type AllExpansions = Expansions & { readonly [ACTORS]: Expansion; readonly [FLAGS]: Expansion };

export const ACTOR_BRIEF: JsonSchema = strictObject('A key or a user, by its name.', {
  id: { type: 'string', examples: [exampleId('usr')] },
  name: { type: ['string', 'null'], examples: ['Ada Byron'] },
  kind: { type: 'string', enum: ['key', 'user'] },
});

/** The members of an object that can be expanded, each with the name of the schema of what it names. */
export type Expandable = Readonly<Record<string, string>>;

/** The scope that each kind of object needs; `server/expansions.ts` reads it by the ids. */
const SCOPES: Readonly<Record<string, Scope>> = {
  Account: 'accounts:read',
  Transfer: 'transfers:read',
  Recipient: 'recipients:read',
  Exchange: 'exchanges:read',
  PayoutBatch: 'payouts:read',
  PaymentLink: 'payment_links:read',
};

const expands = new WeakMap<object, readonly Scope[]>();
/** Scopes that a parameter `expand` may need; none of any other. */
export const scopesOfExpand = (parameter: Param<unknown> | undefined): readonly Scope[] =>
  (parameter && expands.get(parameter.schema)) ?? [];

/** `expand=recipient` is `expand[]=recipient`, as with filters that take several values. */
const oneOrMore = <T>(several: Param<readonly T[]>): Param<readonly T[]> => ({
  ...several,
  parse: (value, path, notation) => several.parse(typeof value === 'string' ? [value] : value, path, notation),
});

export function expandIn(expandable: Expandable) {
  const members = list(oneOf(Object.keys(expandable), { description: 'The member whose object to add.' }), {
    description: 'Adds these objects to the answer, in `expanded`.',
    max: Object.keys(expandable).length,
  });
  const expand = oneOrMore(members);
  const scopes = Object.values(expandable).map((name) => SCOPES[name]);
  expands.set(expand.schema, [...new Set(scopes.filter((scope) => scope !== undefined))]);
  return optional({ expand });
}
export const expandQuery = (expandable: Expandable) => params(expandIn(expandable));

export function expandedSchema(
  expandable: Expandable,
  description = 'The objects that `expand[]` asked for, by member. Present only with `expand[]`.',
): Readonly<Record<string, JsonSchema>> {
  const properties = Object.fromEntries(Object.entries(expandable).map(([member, schema]) => [member, ref(schema)]));
  return { expanded: { type: 'object', description, additionalProperties: false, properties } };
}

/** `texts` are objects as JSON; each gets its `expanded`. Refuses `scope_missing`. */
export async function withExpanded(
  expansions: AllExpansions,
  caller: Caller,
  texts: readonly string[],
  members: readonly string[],
): Promise<readonly string[]> {
  const wanted = new Map<Source, Set<string>>();
  const found = texts.map((text) => {
    // The members of the object itself: what a merchant writes into metadata names nothing.
    const object = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return members.flatMap((member) => {
      const id = member === FLAGS ? object['id'] : object[member];
      if (typeof id !== 'string') return [];
      const at = id.indexOf('_');
      if (at === -1) return []; // a part of the service
      const prefix = member === FLAGS ? FLAGS : isActorId(id) ? ACTORS : (id.slice(0, at) as Prefix);
      wanted.set(prefix, (wanted.get(prefix) ?? new Set()).add(id));
      return [{ member, id }];
    });
  });
  const objects = new Map<string, string>();
  for (const [prefix, ids] of wanted) {
    const expansion = expansions[prefix] as Expansion;
    const { scopes } = caller;
    if (scopes !== null && expansion.scope !== null && !covers(scopes, expansion.scope)) {
      const message = `This restricted key lacks the scope ${expansion.scope}, which expand needs. Use a key that has it.`;
      throw new RequestError('scope_missing', message, { param: 'expand', allowed: [...scopes] });
    }
    for (const [id, text] of await expansion.find(caller, [...ids])) objects.set(id, text);
  }
  return texts.map((text, index) => {
    const shown = (found[index] as { member: string; id: string }[])
      .filter(({ id }) => objects.has(id))
      .map(({ member, id }) => `"${member}":${objects.get(id)}`);
    return `${text.slice(0, -1)},"expanded":{${shown.join(',')}}}`;
  });
}
