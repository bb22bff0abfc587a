/**
 * Checks values against JSON Schema 2020-12 as our OpenAPI document uses it. Ajv does the work, strictly: a keyword, a
 * format or a reference that it does not know is a fault, never passed over. Nothing here knows what makes the document
 * and the answers.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

export type Schema = Readonly<Record<string, unknown>>;
/** `components/schemas` of the document, by name. */
export type Schemas = Readonly<Record<string, Schema>>;

const FORMATS: Readonly<Record<string, RegExp | true>> = {
  double: true,
  int64: true,
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  'uri-reference': /^\S+$/,
};

const DOCUMENT = 'document';
const SHOWN_CHARACTERS = 80;

interface Checker {
  readonly ajv: Ajv2020;
  /** Compiled once, since a fuzz run checks thousands of answers. */
  readonly compiled: WeakMap<Schema, ValidateFunction>;
}

const checkers = new WeakMap<Schemas, Checker>();

/** What is wrong with the value, each with its place; empty when it is what the schema says. */
export function schemaFaults(schema: Schema, value: unknown, schemas: Schemas): readonly string[] {
  try {
    const validate = compiled(schema, schemas);
    return validate(value) ? [] : (validate.errors ?? []).map(worded);
  } catch (error) {
    return [(error as Error).message]; // the schema itself is at fault
  }
}

function compiled(schema: Schema, schemas: Schemas): ValidateFunction {
  const checker = checkers.get(schemas) ?? checkerOf(schemas);
  checkers.set(schemas, checker);
  const validate = checker.compiled.get(schema) ?? checker.ajv.compile(readable(schema));
  checker.compiled.set(schema, validate);
  return validate;
}

function checkerOf(schemas: Schemas): Checker {
  // A schema may leave its type or its properties unsaid; everything else that is doubtful is an error.
  const leave = { strictTypes: false, strictRequired: false } as const;
  const ajv = new Ajv2020({
    strict: true,
    ...leave,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    formats: FORMATS,
  });
  ajv.addVocabulary(['example', 'components', 'discriminator']);
  ajv.addSchema(readable({ components: { schemas } }), DOCUMENT);
  return { ajv, compiled: new WeakMap() };
}

/** References lead into the document; a whole number is one that JavaScript holds exactly. */
function readable(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    if (name === '$ref' && typeof value === 'string') return value.replace(/^#/, `${DOCUMENT}#`);
    const isWhole = [(value as Schema | null)?.['type']].flat().includes('integer');
    return isWhole
      ? { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...(value as Schema) }
      : value;
  }) as Schema;
}

function worded({ instancePath, data, keyword, params, schema }: ErrorObject): string {
  const by = params['missingProperty'] ?? params['additionalProperty'] ?? schema;
  return `${instancePath}: ${shown(data)} is against ${keyword} ${shown(by)}`;
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, SHOWN_CHARACTERS) ?? 'nothing';
