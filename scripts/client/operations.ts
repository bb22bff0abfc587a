/** The operations of the OpenAPI document as methods: the types that the compiler reads, and the table that the client makes them from. Pure. */
import { nameOf } from './names.ts';
import { comment, eventFilter, nameIn, type Schema, typeOf } from './types.ts';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  /** The name under which it takes one value. */
  readonly 'x-single'?: string;
}
interface Media {
  readonly schema?: Schema;
}
interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface OperationObject {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  /** The scopes that it always needs. */
  readonly 'x-scope': string | readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
  };
}

/**
 * How a method takes its parameters and gives its answer; `client/src/bursar.ts` acts on it. Parameters go into the body (`body`) or into the query.
 * `list` comes in pages, `whole` in one answer.
 */
export type Kind = 'plain' | 'body' | 'list' | 'whole' | 'upload' | 'download' | 'stream';

export interface Operation {
  readonly operationId: string;
  readonly resource: readonly string[];
  readonly method: string;
  readonly verb: string;
  readonly path: string;
  readonly kind: Kind;
  /** Signatures, one for each way to call it. */
  readonly signatures: readonly string[];
  readonly about: string;
  /** The type of its filters, where it has some. */
  readonly params: string | null;
}

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]) => operationOf(document, verb.toUpperCase(), path, operation)),
  );
}

function operationOf(document: Document, verb: string, path: string, operation: OperationObject): Operation {
  const { operationId, summary = '', description = '', requestBody, 'x-scope': scope } = operation;
  const scopes = [scope]
    .flat()
    .map((each) => `\`${each}\``)
    .join(' and ');
  const parameters = (operation.parameters ?? []).map((each) => resolved(each, document.components.parameters));
  const answer = resolved(operation.responses['200'] ?? {}, document.components.responses).content ?? {};
  const body = requestBody?.content['application/json']?.schema;
  // A format is asked for only where there is no JSON and a choice. What a JSON body says already is no filter.
  const isChoice = ({ schema }: Parameter) => !('application/json' in answer) && (schema?.enum?.length ?? 0) > 1;
  const isAsked = (each: Parameter) =>
    each.in === 'query' && each.name !== 'bom' && (each.name !== 'format' || isChoice(each)) && body === undefined;
  const filters = severally(parameters.filter(isAsked));
  const kind = kindOf(answer, body, requestBody !== undefined, filters);
  const paramsName = `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Params`;
  const name = nameOf(verb, path, operationId);
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${id}: string`);
  const signature = (params: string[], result: string) =>
    `${name.method}(${[...ids, ...params, `options?: ${kind === 'stream' ? 'StreamOptions' : 'RequestOptions'}`].join(', ')}): ${result};`;
  return {
    operationId,
    ...name,
    verb,
    path,
    kind,
    signatures: signaturesOf({ kind, answer, body, paramsName, filters, document, signature }),
    about: `${summary}. ${description} Scope: ${scopes}. \`${verb} ${path}\``.replaceAll(/\s+/g, ' '),
    params: filters.length > 0 ? `export interface ${paramsName} ${paramsType(filters)}\n` : null,
  };
}

function kindOf(
  answer: Readonly<Record<string, Media>>,
  body: Schema | undefined,
  hasBody: boolean,
  filters: readonly Parameter[],
): Kind {
  const json = answer['application/json']?.schema;
  if (answer['text/event-stream']) return 'stream';
  if (body !== undefined) return 'body';
  if (hasBody) return 'upload';
  if (json === undefined) return 'download';
  if (json.$ref?.endsWith('List') !== true) return 'plain';
  return filters.some(({ name }) => name === 'starting_after') ? 'list' : 'whole';
}

interface Shape {
  readonly kind: Kind;
  readonly answer: Readonly<Record<string, Media>>;
  readonly body: Schema | undefined;
  readonly paramsName: string;
  readonly filters: readonly Parameter[];
  readonly document: Document;
  readonly signature: (params: string[], result: string) => string;
}

function signaturesOf({ kind, answer, body, paramsName, filters, document, signature }: Shape): string[] {
  const json = answer['application/json']?.schema ?? {};
  const optional = filters.some(({ required = false }) => required) ? '' : '?';
  const query = [`params${optional}: ${filters.length > 0 ? paramsName : 'NoParams'}`];
  const answers = (type: string) => `Promise<Answer<${type}>>`;
  if (kind === 'stream') return [signature(query, 'AsyncIterableIterator<Event>')];
  if (kind === 'download') return [signature(query, 'Promise<Response>')];
  if (kind === 'upload')
    return [signature(['file: Uint8Array<ArrayBuffer> | Blob | string', ...query], answers(typeOf(json, 'answer')))];
  if (kind === 'list' || kind === 'whole') {
    const list = document.components.schemas[nameIn(json.$ref ?? '')];
    return [signature(query, `List<${typeOf(list?.properties?.['data']?.items ?? {}, 'answer')}>`)];
  }
  if (body === undefined) return [signature(query, answers(typeOf(json, 'answer')))];
  const named = document.components.schemas[nameIn(body.$ref ?? '')] ?? body;
  const given = typeOf(body, 'request');
  const mark = (named.required ?? []).length > 0 ? '' : '?';
  const [real, dry] = (json.anyOf ?? []).map((each) => typeOf(each, 'answer'));
  if (real === undefined || dry === undefined || !dry.endsWith('DryRun'))
    return [signature([`params${mark}: ${given}`], answers(typeOf(json, 'answer')))];
  return [
    signature([`params: ${given} & { readonly dry_run: true }`], answers(dry)),
    signature([`params${mark}: ${given} & { readonly dry_run?: false | undefined }`], answers(real)),
  ];
}

/** `status[]` is `status`, which takes one value or several; `types[]` is `types`, which takes a list. */
function severally(parameters: readonly Parameter[]): Parameter[] {
  return parameters.map((each) => {
    if (!each.name.endsWith('[]')) return each;
    const schema = each['x-single'] === undefined ? each.schema : { anyOf: [each.schema.items ?? {}, each.schema] };
    return { ...each, name: each.name.slice(0, -2), schema };
  });
}

function paramsType(filters: readonly Parameter[]): string {
  const members = filters.map(({ name, description, required = false, schema }) => {
    const type = eventFilter(name, typeOf(schema, 'request', '  '));
    return `${comment(description, '  ')}  readonly ${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'};\n`;
  });
  return `{\n${members.join('')}}`;
}

function resolved<T extends { readonly $ref?: string }>(part: T, parts: Readonly<Record<string, T>>): T {
  return part.$ref === undefined ? part : (parts[nameIn(part.$ref)] ?? part);
}
