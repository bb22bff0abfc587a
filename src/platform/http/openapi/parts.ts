/**
 * Parts of the OpenAPI document that stand in it more than once go to `components`, each once: parameters, refusals and examples. Pure. The
 * names follow from what a part is, then from where it is used first, so that a new operation renames nothing before it.
 */
type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
  readonly responses: Readonly<Record<string, Json>>;
}

const NAMES: Readonly<Record<string, string>> = {
  '2XX': 'Received',
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  default: 'Refused',
};

export function shareParts(document: Json): Json {
  const [parameters, responses, examples] = [new Parts('parameters'), new Parts('responses'), new Parts('examples')];
  const filters = new Parts('schemas');
  const known = new Set(Object.keys((document['components'] as Json)['schemas'] as Json).map(plainly));
  /** Parameters and schemas are both types in some languages, so none has the name of a schema. */
  const parameterName = (name: string) => (known.has(plainly(name)) ? `${name}_param` : name);
  const shared = (each: (operation: Operation) => Operation, tree: unknown) =>
    mapValues(tree as Readonly<Record<string, Readonly<Record<string, Operation>>>>, (methods) =>
      mapValues(methods, each),
    );
  const visit = (operation: Operation): Operation => {
    const id = operation.operationId ?? '';
    return {
      ...operation,
      ...(operation.parameters && {
        parameters: operation.parameters.map((each) =>
          parameters.use(choosing(filters, each, id), parameterName(nameOf(each)), id),
        ),
      }),
      ...(operation.requestBody && {
        requestBody: {
          ...operation.requestBody,
          content: mapValues(operation.requestBody.content, (media) => exampled(examples, media, `${id}_request`)),
        },
      }),
      responses: mapValues(operation.responses, (response, status) => {
        if (response['$ref'] !== undefined) return response;
        if (status !== '200') return responses.use(response, NAMES[status] ?? `Status${status}`, id);
        const content = response['content'] as Readonly<Record<string, Json>>;
        const isKnown = responses.has(response); // its example is in it, and counts once
        const media = isKnown ? content : mapValues(content, (each) => exampled(examples, each, id));
        return responses.use(response, successOf(media), id, { ...response, content: media });
      }),
    };
  };
  for (const tree of [document['paths'], document['webhooks'] ?? {}]) shared(visit, tree); // counts
  for (const parts of [parameters, responses, examples, filters]) parts.settle();
  const paths = shared(visit, document['paths']);
  const webhooks = document['webhooks'] === undefined ? {} : { webhooks: shared(visit, document['webhooks']) };
  const found = Object.assign({}, ...[parameters, responses, examples].map((parts) => parts.components())) as Json;
  const components = document['components'] as Json;
  const schemas = { ...(components['schemas'] as Json), ...(filters.components()['schemas'] as Json | undefined) };
  const own = components['responses'] as Json | undefined;
  const all = { ...found, responses: { ...own, ...(found['responses'] as Json | undefined) } };
  return { ...document, paths, ...webhooks, components: { ...components, schemas, ...all } };
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T, name: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

/** As languages write a name of a type. */
const plainly = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

/** `limit`; of a path's `{id}` what it is the id of: `payout_id`. */
function nameOf({ name, in: where, description }: Json): string {
  const plain = String(name).replaceAll(/[^\w-]/g, '');
  const what = /^The id of the ([\w ]+)\.$/.exec(String(description))?.[1];
  return where === 'path' && what !== undefined ? `${what.replaceAll(' ', '_')}_${plain}` : plain;
}

/** `PayoutSuccess`, of the schema that it answers with. */
function successOf(media: Readonly<Record<string, Json>>): string {
  const { $ref: reference = '' } = (media['application/json']?.['schema'] ?? {}) as { readonly $ref?: string };
  return `${reference.slice(reference.lastIndexOf('/') + 1)}Success`;
}

/** A filter of many words, whose list is that of the filter of several (`status` and `status[]`). */
function choosing(filters: Parts, parameter: Json, operation: string): Json {
  const schema = (parameter['schema'] ?? {}) as Json;
  const items = schema['items'] as Json | undefined;
  const words = items ?? schema;
  if (words['enum'] === undefined || JSON.stringify(words).length < SHORT) return parameter;
  const [start, filter] = [operation, nameOf(parameter)].map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`);
  const described = { description: `What \`${nameOf(parameter)}\` may be.`, ...words };
  const shared = filters.use(described, `${start}${filter}`, operation);
  if (!('$ref' in shared)) return parameter;
  return { ...parameter, schema: items === undefined ? shared : { ...schema, items: shared } };
}

/** Short examples stay where they are: a reference takes as much room. */
const SHORT = 120;

function exampled(examples: Parts, media: Json, name: string): Json {
  const { example, ...rest } = media;
  if (example === undefined || JSON.stringify(example).length < SHORT) return media;
  const used = examples.use({ value: example }, name, name);
  return '$ref' in used ? { ...rest, examples: { usual: used } } : media;
}

/** Parts of one kind. First all are counted, then those that occur twice or more are given out by reference. */
class Parts {
  private readonly kind: string;
  private readonly counts = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private readonly shared: Record<string, Json> = {};
  private isSettled = false;

  constructor(kind: string) {
    this.kind = kind;
  }

  settle(): void {
    this.isSettled = true;
  }

  /** Whether it was counted before, or given out. */
  has(part: Json): boolean {
    return (this.isSettled ? this.names : this.counts).has(JSON.stringify(part));
  }

  /** `shown`: the part as it stands in the document, where that differs from what tells it from others. */
  use(part: Json, name: string, operation: string, shown = part): Json {
    const text = JSON.stringify(part);
    if (!this.isSettled) this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
    if (!this.isSettled || this.counts.get(text) === 1) return shown;
    const known = this.names.get(text) ?? this.take(name, operation);
    this.names.set(text, known);
    this.shared[known] ??= shown;
    return { $ref: `#/components/${this.kind}/${known}` };
  }

  components(): Json {
    return Object.keys(this.shared).length > 0 ? { [this.kind]: this.shared } : {};
  }

  private take(name: string, operation: string): string {
    return this.shared[name] === undefined ? name : `${name}_${operation}`;
  }
}
