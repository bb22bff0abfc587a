/**
 * The OpenAPI document as the tests read it: every operation with its parameters and answers, and what is wrong with an
 * answer. Knows nothing of the code that made the document. Schemas are checked by `schema.ts`.
 */
import { type Schema, type Schemas, schemaFaults } from './schema.ts';
import { strict } from './strict.ts';

type Node = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  /** The name under which it takes one value. */
  readonly 'x-single'?: string;
}

export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` parameters. */
  readonly path: string;
  /** That of its resource. */
  readonly scope: string;
  /** All that it always needs. */
  readonly scopes: readonly string[];
  /** What some of its parameters need besides. */
  readonly maybeScopes: readonly string[];
  readonly sandboxOnly: boolean;
  /** Its success is a stream that does not end by itself. */
  readonly streams: boolean;
  readonly parameters: readonly Parameter[];
  /** Of a JSON body. */
  readonly body?: Schema;
  readonly bodyTypes: readonly string[];
  readonly exampleRequest?: Node;
  readonly exampleResponse?: unknown;
  /** By status: schemas by media type, and the error codes that its description names. */
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, Schema>>; readonly codes: readonly string[] }>
  >;
}

export interface Contract {
  readonly operations: readonly Operation[];
  readonly schemas: Schemas;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Answers are held against it strictly (`strict.ts`): what the document does not say is a fault. */
export function readContract(open: Node): Contract {
  const document = strict(open);
  const operations = Object.entries(document['paths'] as Readonly<Record<string, Node>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(document, path, method, operation as Node)),
  );
  return { operations, schemas: (document['components'] as { schemas: Schemas }).schemas };
}

/** The part itself, or what its reference leads to. */
export function resolved(document: Node, part: Node): Node {
  const reference = part['$ref'];
  if (typeof reference !== 'string') return part;
  const steps = reference.slice('#/'.length).split('/');
  return steps.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document) as Node;
}

/** A refusal: what an operation says of its own beside the reference, after what all refuse with. */
function refusing(document: Node, part: Node): Node {
  const whole = resolved(document, part);
  const own = part['$ref'] === undefined ? undefined : (part['description'] as string | undefined);
  return own === undefined ? whole : { ...whole, description: `${whole['description'] as string}\n\n${own}` };
}

/** A schema with every reference in it replaced by what it leads to. */
function inlined(document: Node, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => inlined(document, each));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref: _, ...beside } = part as Node;
  const whole: Node = { ...resolved(document, part as Node), ...beside };
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([name]) => name !== '$ref')
      .map(([name, each]) => [name, inlined(document, each)]),
  );
}

function readOperation(document: Node, path: string, method: string, operation: Node): Operation {
  const requestContent =
    ((operation['requestBody'] ?? {}) as { content?: Readonly<Record<string, Node>> }).content ?? {};
  const json = requestContent['application/json'];
  const all = operation['responses'] as Readonly<Record<string, Node>>;
  const responses = byStatus(Object.entries(all).map(([status, each]) => [status, refusing(document, each)] as const));
  const codes = (status: string) => codesIn((responses[status]?.['description'] ?? '') as string);
  const exampleOf = (media: Node | undefined): unknown => {
    const { usual } = (media?.['examples'] ?? {}) as { usual?: Node };
    return usual === undefined ? media?.['example'] : resolved(document, usual)['value'];
  };
  const success = (responses['200']?.['content'] ?? {}) as Readonly<Record<string, Node>>;
  const exampleRequest = exampleOf(json);
  return {
    operationId: operation['operationId'] as string,
    method: method.toUpperCase() as Operation['method'],
    path,
    scope: [operation['x-scope']].flat()[0] as string,
    scopes: [operation['x-scope'] ?? []].flat() as string[],
    maybeScopes: (operation['x-scope-maybe'] ?? []) as string[],
    sandboxOnly: path.startsWith('/v1/test_helpers/'), // as the document says in its beginning
    streams: 'text/event-stream' in success,
    parameters: (operation['parameters'] as readonly Node[]).map((each) => resolved(document, each)) as never,
    ...(json && { body: inlined(document, json['schema']) as Schema }),
    bodyTypes: Object.keys(requestContent),
    ...(exampleRequest !== undefined && { exampleRequest: exampleRequest as Node }),
    exampleResponse: exampleOf(Object.values(success)[0]),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const content = Object.entries(response['content'] as Readonly<Record<string, Node>>);
        const schemas = Object.fromEntries(content.map(([type, media]) => [type, media['schema'] as Schema]));
        return [status, { content: schemas, codes: codes(status) }];
      }),
    ),
  };
}

/** By status, with `default` taken apart: each line of its description says one status and codes of it, beside those of the status itself. */
function byStatus(responses: readonly (readonly [status: string, response: Node])[]): Readonly<Record<string, Node>> {
  const each = responses.flatMap(([status, response]) => {
    if (status !== 'default') return [[status, response] as const];
    const lines = [...(response['description'] as string).matchAll(/^(\d{3}): (.*)$/gm)];
    return lines.map(([, own = '', description]) => [own, { ...response, description }] as const);
  });
  const joined = new Map<string, Node>();
  for (const [status, response] of each) {
    const description = `${(joined.get(status)?.['description'] as string | undefined) ?? ''} ${response['description'] as string}`;
    joined.set(status, { ...response, description });
  }
  return Object.fromEntries(joined);
}

/** The codes that a refusal's description names. */
function codesIn(description: string): readonly string[] {
  return [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code as string);
}

/** Said in `info` for all operations: the members of RFC 9457 beside those of a refusal. */
const PROBLEM_JSON = 'application/problem+json';
const PROBLEM: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'error'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    error: { $ref: '#/components/schemas/ErrorDetail' },
  },
};

/** What an answer does that the document does not say: its status, its type, its body, its error code. */
export function answerFaults(contract: Contract, operation: Operation, answer: Answered): readonly string[] {
  const documented = operation.responses[answer.status];
  if (answer.status >= 500) return [`a ${answer.status}: ${answer.text}`];
  if (!documented) return [`the status ${answer.status} is not documented: ${answer.text}`];
  const type = String(answer.headers['content-type']).split(';', 1)[0] as string;
  const schema = answer.status >= 400 && type === PROBLEM_JSON ? PROBLEM : documented.content[type];
  if (!schema) return [`${type} is not documented for ${answer.status}`];
  const faults = type.endsWith('json')
    ? jsonFaults(contract, schema, answer.text)
    : type === 'text/event-stream'
      ? streamFaults(contract, answer.text)
      : [];
  const code = answer.status === 200 ? undefined : codeOf(answer.text);
  const unknown = code !== undefined && !documented.codes.includes(code) ? [`the code ${code} is not documented`] : [];
  const unnamed = answer.headers['request-id'] === undefined ? ['there is no Request-Id'] : [];
  return [...faults, ...unknown, ...unnamed];
}

function jsonFaults(contract: Contract, schema: Schema, text: string): readonly string[] {
  try {
    return schemaFaults(schema, JSON.parse(text), contract.schemas);
  } catch {
    return [`the body is not JSON: ${text.slice(0, 100)}`];
  }
}

/** What is wrong with server-sent events: their form, and each event by its schema. */
function streamFaults(contract: Contract, text: string): readonly string[] {
  const [first, ...blocks] = text.split('\n\n').slice(0, -1);
  return [
    ...(first === 'retry: 1000' ? [] : [`the stream begins with ${first ?? 'nothing'}`]),
    ...blocks.flatMap((block) => {
      const [, id, type, data = ''] = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(block) ?? [];
      if (block.startsWith(': ')) return [];
      const fits = data.startsWith(`{"id":"${id}","object":"event","type":"${type}",`);
      return fits ? jsonFaults(contract, contract.schemas['Event'] as Schema, data) : [`no event: ${block}`];
    }),
  ];
}

/** The code of a refusal, if the text is one. */
export function codeOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
}
