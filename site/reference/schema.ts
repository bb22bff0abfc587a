/**
 * Parameters and members of objects as lists a person can read: name, type, what is required, what it means; nested ones below.
 * Pure. Next: `operation.ts`.
 */
import type { Reference, Schema } from './document.ts';

export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Told in place of that of the schema. */
  readonly description?: string | undefined;
}

/** Deeper ones are left to the document itself. */
const DEEPEST = 3;

/** Its own members behind those of the objects that it extends. */
export function membersOf(schema: Schema, reference: Reference): readonly Member[] {
  const { follow } = reference;
  const { properties = {}, required = [], allOf = [] } = follow(schema);
  const extended = allOf.flatMap((part) => membersOf(part, reference));
  const own = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    required: required.includes(name),
  }));
  return [...extended, ...own];
}

export interface Telling {
  /** Whether what is not required is the exception, as in answers, or the rule, as in requests. */
  readonly of: 'request' | 'answer';
  /** Links the name of a shared object to where it is explained. */
  readonly link?: (name: string) => string | undefined;
}

/** An HTML list, for the middle of a Markdown page; text in it is Markdown's inline code and emphasis, already rendered. */
export function memberList(members: readonly Member[], reference: Reference, telling: Telling, depth = 1): string {
  if (members.length === 0) return '';
  const items = members.map((member) => {
    const { name, schema, required } = member;
    const whole = reference.follow(schema);
    const description = member.description ?? schema.description ?? whole.description ?? ofChoice(whole, reference);
    const inner = depth < DEEPEST ? nestedOf(schema, reference) : [];
    const mark = telling.of === 'request' && required ? '<span class="required">required</span>' : '';
    const more = [inline(description), inline(limitsOf(whole))].filter((part) => part !== '').join(' ');
    const nested = memberList(inner, reference, telling, depth + 1);
    return `<li><code class="name">${escaped(name)}</code> <span class="type">${escaped(typeOf(schema, reference))}</span> ${mark}<p>${more}</p>${nested}</li>`;
  });
  return `<ul class="members">\n${items.join('\n')}\n</ul>`;
}

/** An object that there may be: `anyOf` of it and `null`. */
const ofChoice = ({ anyOf = [] }: Schema, { follow }: Reference): string =>
  anyOf.map(follow).find(({ description }) => description !== undefined)?.description ?? '';

/** Members of an object, or of the objects in a list. */
function nestedOf(schema: Schema, reference: Reference): readonly Member[] {
  const whole = reference.follow(schema);
  const choices = whole.anyOf ?? whole.oneOf ?? [];
  const object = [whole, ...choices.map(reference.follow)].find(
    ({ properties, allOf }) => (properties ?? allOf) !== undefined,
  );
  if (object !== undefined) return membersOf(object, reference);
  return whole.items === undefined ? [] : nestedOf(whole.items, reference);
}

/** `string, null`, `one of …`, `list of …`: what JSON holds, in words. */
export function typeOf(schema: Schema, reference: Reference): string {
  const whole = reference.follow(schema);
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((each) => typeOf(each, reference)))].join(' or ');
  if (whole.items !== undefined) return `list of ${typeOf(whole.items, reference)}`;
  if (whole.allOf !== undefined) return 'object';
  const types = typeof whole.type === 'string' ? [whole.type] : (whole.type ?? ['any']);
  const named = types.map((type) => (type === 'string' && whole.format === 'date' ? 'date' : type));
  return named.join(' or ');
}

function limitsOf(schema: Schema): string {
  const said: string[] = [];
  const values = schema.enum?.filter((value) => value !== null) ?? [];
  if (values.length > 0) said.push(`One of ${values.map((value) => `\`${plain(value)}\``).join(', ')}.`);
  const known = schema['x-extensible-enum'] ?? [];
  if (known.length > 0) said.push(`So far ${known.map((value) => `\`${value}\``).join(', ')}.`);
  if (schema.maxLength !== undefined) said.push(`At most ${schema.maxLength} characters.`);
  if (schema.maxItems !== undefined) said.push(`At most ${schema.maxItems}.`);
  if (schema.default !== undefined) said.push(`Default: \`${plain(schema.default)}\`.`);
  return said.join(' ');
}

const plain = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Code and what HTML would take for its own; nothing else of Markdown is used in descriptions. */
export function inline(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.length > 1 && part.startsWith('`') ? `<code v-pre>${escaped(part.slice(1, -1))}</code>` : escaped(part),
    )
    .join('')
    .replaceAll('\n', ' ');
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('{{', '&#123;&#123;');
}
