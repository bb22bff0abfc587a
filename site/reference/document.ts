/**
 * The OpenAPI document as the reference pages read it: operations with their references followed. Pure. Knows nothing of the code
 * that made the document. Next: `operation.ts`, which writes one down.
 */

export type Node = Readonly<Record<string, unknown>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  /** Known values of a text that may have others some day. */
  readonly 'x-extensible-enum'?: readonly string[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly format?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly deprecated?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  /** Without its scopes. */
  readonly description: string;
  /** What a restricted key needs: all. */
  readonly scopes: readonly string[];
  readonly deprecated: boolean;
  readonly parameters: readonly Parameter[];
  /** Of a JSON body; `null`: it takes none. */
  readonly body: Schema | null;
  readonly bodyTypes: readonly string[];
  readonly exampleRequest: Node | null;
  /** By media type; the first is the usual one. */
  readonly success: readonly { readonly type: string; readonly schema: Schema; readonly example: unknown }[];
  /** Codes of refusals that are this operation's own, by status; what any operation can answer is not among them. */
  readonly refusals: readonly { readonly status: string; readonly codes: readonly string[] }[];
}

export interface Reference {
  readonly version: string;
  readonly tags: readonly string[];
  readonly operations: readonly Operation[];
  /** What a reference leads to, one step; anything else is itself. */
  readonly follow: (part: Schema) => Schema;
}

export function readReference(document: Node): Reference {
  const { info, tags, paths } = document as unknown as {
    readonly info: { readonly version: string };
    readonly tags: readonly { readonly name: string }[];
    readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  };
  const follow = <Part extends { readonly $ref?: string }>(part: Part): Part => {
    if (part.$ref === undefined) return part;
    const steps = part.$ref.slice('#/'.length).split('/');
    return steps.reduce<unknown>((node, name) => (node as Node)[name], document) as Part;
  };
  return {
    version: info.version,
    tags: tags.map(({ name }) => name),
    operations: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => readOperation({ path, method, operation }, follow)),
    ),
    follow,
  };
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Node>>;
}
interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly content: Readonly<Record<string, Media>>;
}

type Follow = <Part extends { readonly $ref?: string }>(part: Part) => Part;

function readOperation(
  { path, method, operation }: { readonly path: string; readonly method: string; readonly operation: Node },
  follow: Follow,
): Operation {
  const requests = ((operation['requestBody'] ?? { content: {} }) as { content: Readonly<Record<string, Media>> })
    .content;
  const json = requests['application/json'];
  const answers = Object.entries(operation['responses'] as Readonly<Record<string, Answer>>).map(
    // What an operation refuses with besides stands beside the reference.
    ([status, answer]) =>
      [status, { ...follow(answer), ...(status === 'default' && { description: answer.description ?? '' }) }] as const,
  );
  const exampleOf = ({ example, examples }: Media): unknown => {
    const [usual] = Object.values(examples ?? {});
    return usual === undefined ? (example ?? null) : follow(usual)['value'];
  };
  const some = (operation['x-scope-maybe'] ?? []) as readonly string[];
  const maybe = some.length === 0 ? '' : `Some parameters need ${some.map((each) => `\`${each}\``).join(', ')} too.`;
  const success = answers.find(([status]) => status === '200')?.[1].content ?? {};
  return {
    id: operation['operationId'] as string,
    tag: (operation['tags'] as readonly string[])[0] as string,
    method: method.toUpperCase() as Operation['method'],
    path,
    summary: operation['summary'] as string,
    description: [(operation['description'] as string | undefined) ?? '', maybe].join(' ').trim(),
    scopes: [(operation['x-scope'] ?? []) as string | readonly string[]].flat(),
    deprecated: operation['deprecated'] === true,
    parameters: (operation['parameters'] as readonly (Parameter & { $ref?: string })[]).map(follow),
    body: json?.schema ?? null,
    bodyTypes: Object.keys(requests),
    exampleRequest: json === undefined ? null : (exampleOf(json) as Node | null),
    success: Object.entries(success).map(([type, media]) => ({
      type,
      schema: media.schema,
      example: exampleOf(media),
    })),
    refusals: answers
      .flatMap(([, { description }]) => [...description.matchAll(/^(4\d\d): (.*)$/gm)])
      .map(([, status = '', codes = '']) => ({ status, codes: codesIn(codes) }))
      .filter(({ codes }) => codes.length > 0),
  };
}

function codesIn(description: string): readonly string[] {
  return [...description.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code as string);
}
