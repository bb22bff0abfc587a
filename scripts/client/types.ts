/** A JSON schema of the OpenAPI document as a type of TypeScript. Pure. The compiler has no API any more, so text is made. Next: `operations.ts`. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** Known values of a text in an answer. The type has them and no others, since a check of one is what types are for. */
  readonly 'x-extensible-enum'?: readonly string[];
  /** Of an answer to a dry run: the object whose other members it has. */
  readonly 'x-like'?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** Members of requests may be `undefined`, which means that they are left out. */
export type Side = 'request' | 'answer';

export const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** A comment of one line, or `''`. */
export function comment(text: string | undefined, margin: string): string {
  return text === undefined || text === ''
    ? ''
    : `${margin}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
}

/** With what a member that may be `null` is about, beside the member: in the document its object alone says it. */
export function described(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const { description = schema.anyOf?.flatMap(({ $ref }) => ($ref && schemas[nameIn($ref)]?.description) ?? [])[0] } =
    schema;
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, inner]) => [name, described(inner, schemas)] as const,
  );
  return {
    ...schema,
    ...(description !== undefined && { description }),
    ...(schema.properties && { properties: Object.fromEntries(members) }),
  };
}

/** `margin` is that of the line in which the type begins. */
export function typeOf(schema: Schema, side: Side, margin = ''): string {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const known = schema['x-extensible-enum'];
  if (known !== undefined)
    return [...known.map(literal), ...namesOf(schema).filter((name) => name === 'null')].join(' | ');
  const parts: string[] = [];
  if (schema.properties !== undefined) {
    const names = Object.keys(schema.properties).map(literal).join(' | ');
    const rest = schema['x-like'] === undefined ? '' : `Omit<${schema['x-like']}, ${names}> & `;
    parts.push(`${rest}${objectOf(schema, side, margin)}`);
  }
  if (schema.allOf !== undefined) parts.push(schema.allOf.map((each) => typeOf(each, side, margin)).join(' & '));
  const all = schema.oneOf ?? schema.anyOf;
  // An amount is a number or text on the wire, and text here.
  const isAmount = all?.some((each) => namesOf(each).includes('number')) ?? false;
  const either = isAmount ? all?.filter((each) => !namesOf(each).includes('string')) : all;
  if (either !== undefined) parts.push(either.map((each) => typeOf(each, side, margin)).join(' | '));
  // Of an amount, the text may be what can be `null`.
  const isNullable = isAmount && all?.some((each) => namesOf(each).includes('null'));
  if (isNullable && !/\bnull\b/.test(parts.join())) parts.push('null');
  if (parts.length > 0) return [...parts, ...(namesOf(schema).includes('null') ? ['null'] : [])].join(' | ');
  const names = namesOf(schema);
  // Amounts are the only numbers that are not integers, and come and go as decimal text.
  const plain = names.includes('number') ? ['Decimal', ...names.filter((name) => name === 'null')] : names;
  return plain.length === 0 ? 'unknown' : plain.map((name) => simple(name, schema, side, margin)).join(' | ');
}

const namesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

function simple(name: string, schema: Schema, side: Side, margin: string): string {
  if (name === 'integer') return 'number';
  if (name === 'array') return `readonly ${bracketed(typeOf(schema.items ?? {}, side, margin))}[]`;
  if (name !== 'object') return name;
  const values = schema.additionalProperties;
  return `Readonly<Record<string, ${typeof values === 'object' ? typeOf(values, side, margin) : 'unknown'}>>`;
}

const bracketed = (type: string): string => (/^\w+$/.test(type) ? type : `(${type})`);

function objectOf({ properties = {}, required = [] }: Schema, side: Side, margin: string): string {
  const inner = `${margin}  `;
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = previousOf(schema, properties) ?? eventFilter(name, typeOf(schema, side, inner));
    const orUndefined = !isRequired && side === 'request' ? ' | undefined' : '';
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(schema.description, inner)}${inner}readonly ${key}${isRequired ? '' : '?'}: ${type}${orUndefined};\n`;
  });
  return members.length === 0 ? 'Readonly<Record<string, never>>' : `{\n${members.join('')}${margin}}`;
}

/** What chooses events: types, families and `*`. The document knows texts there, because a server of next year has more of these. */
export const eventFilter = (name: string, type: string): string =>
  ['enabled_events', 'types'].includes(name) ? type.replace('readonly string[]', 'readonly EventFilter[]') : type;
/** What the object beside it was before. */
function previousOf({ $ref }: Schema, { object }: Readonly<Record<string, Schema>>): string | null {
  const isPrevious = $ref !== undefined && nameIn($ref) === 'PreviousAttributes' && object?.$ref !== undefined;
  return isPrevious ? `PreviousAttributes<${nameIn(object.$ref)}>` : null;
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

/** Names of the members that are amounts, and so numbers of the wire that become text. Throws where an integer has the name of one. */
export function amountNames(schemas: Readonly<Record<string, Schema>>): string[] {
  const [amounts, integers] = [new Set<string>(), new Set<string>()];
  const visit = (schema: Schema): void => {
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (namesOf(inner).includes('number')) amounts.add(name);
      if (namesOf(inner).includes('integer')) integers.add(name);
      visit(inner);
    }
    for (const inner of [schema.items, ...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
      if (inner !== undefined) visit(inner);
  };
  for (const schema of Object.values(schemas)) visit(schema);
  const both = [...amounts].filter((name) => integers.has(name));
  if (both.length > 0) throw new Error(`${both.join()}: an amount in one schema and an integer in another`);
  return [...amounts].sort();
}
