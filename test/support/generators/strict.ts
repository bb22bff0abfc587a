/**
 * The OpenAPI document as our own tests hold answers against it: closed. Clients have to live with members and values that the document does not know; an
 * answer of ours that has one is a fault, of the answer or of the document. Pure. `contract.ts` reads every document through this.
 */
import type { Schema, Schemas } from './schema.ts';

type Node = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Node>>;

const PREFIX = '#/components/schemas/';
/** What never changes, and so never stands in `previous_attributes`. */
const FIXED: ReadonlySet<string> = new Set(['id', 'object', 'created', 'livemode', 'created_by', 'currency']);
const METADATA: Node = { type: 'object', additionalProperties: { type: ['string', 'null'] } };

/** The same document: objects with members closed, known values the only ones, events by their types, dry runs with all members. */
export function strict(document: Node): Node {
  const components = (document['components'] ?? {}) as Node;
  const schemas = (components['schemas'] ?? {}) as Schemas;
  const whole = (part: Node): Node => {
    const named = schemas[String(part['$ref']).replace(PREFIX, '')];
    return named === undefined ? part : whole(named);
  };
  const known = schemas['KnownEvent'] === undefined ? {} : { Event: { $ref: `${PREFIX}KnownEvent` } };
  const closed = closing(whole);
  const all = Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
  const rest = Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'components'));
  return {
    ...(closed(rest) as Node),
    components: { ...(closed(components) as Node), schemas: { ...all, ...known } },
  };
}

const closing = (whole: (part: Node) => Node) =>
  function closed(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(closed);
    if (typeof part !== 'object' || part === null) return part;
    const node = joined(part as Node, whole);
    const words = Object.entries(node).map(([word, inner]) => [
      word,
      word === 'example' || word === 'examples' || word === 'value' ? inner : closed(inner),
    ]);
    const { 'x-extensible-enum': values, 'x-like': _, ...rest } = Object.fromEntries(words) as Node;
    const types = [node['type']].flat();
    const isObject = types.includes('object') && typeof node['properties'] === 'object';
    return {
      ...rest,
      ...(Array.isArray(values) && { enum: types.includes('null') ? [...values, null] : values }),
      ...(isObject && node['additionalProperties'] === undefined && { additionalProperties: false }),
    };
  };

/** One object with all members: of the parts of `allOf`, and of the object that a dry run is like. */
function joined(node: Node, whole: (part: Node) => Node): Node {
  const { allOf, ...rest } = node;
  const liked = node['x-like'] as string | undefined;
  const like = liked === undefined ? [] : [joined(whole({ $ref: `${PREFIX}${liked}` }), whole)];
  if (!Array.isArray(allOf) && like.length === 0) return previous(node, whole);
  const parts = [...like, ...((allOf ?? []) as Node[]).map((part) => joined(whole(part), whole)), rest];
  const members: Node = Object.assign({}, ...parts.map((part) => part['properties'] ?? {}));
  const required = [...new Set(parts.flatMap((part) => (part['required'] ?? []) as string[]))];
  return previous({ ...Object.assign({}, ...parts), properties: members, required }, whole);
}

/** `previous_attributes` as the object beside it has them: each may be missing. */
function previous(node: Node, whole: (part: Node) => Node): Node {
  const { object, previous_attributes: before } = (node['properties'] ?? {}) as Members;
  if (object?.['$ref'] === undefined || before?.['$ref'] !== `${PREFIX}PreviousAttributes`) return node;
  const { properties } = joined(whole(object), whole) as { readonly properties: Members };
  const may = Object.entries(properties).filter(([name]) => !FIXED.has(name));
  const members = may.map(([name, schema]) => [name, name === 'metadata' ? METADATA : schema]);
  const attributes: Schema = { type: 'object', properties: Object.fromEntries(members) };
  return { ...node, properties: { ...(node['properties'] as Members), previous_attributes: attributes } };
}
