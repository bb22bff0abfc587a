/** Entries of the request log, field by field. Nothing of an entry ever changes; it is dropped with its day. */
import * as field from '../../core/fields.ts';
import type { JsonSchema } from '../../core/values/json-schema.ts';

export const SOURCES = ['api', 'dashboard'] as const;

const parameters = {
  type: ['object', 'null'],
  description:
    'Parameters as sent, at most 4 kB. Only amounts, currencies, days, known words and ids are shown, of a payroll no recipient; every other value is `•`. `null`: there were none, or they are not kept (files, CSV, more than 8 kB, a body that could not be read).',
  additionalProperties: true,
} as const;
const refusal = {
  type: ['object', 'null'],
  description:
    'Of a refusal: `type`, `code`, `param`, `message` and the first ten of `errors`; what a message quotes is `•`. `null`: it was none.',
  additionalProperties: true,
} as const;

/** JSON as it was made when it was masked: numbers keep their text. */
const masked = (schema: JsonSchema, example: unknown): field.Field<string | null> => ({
  column: {
    type: 'text',
    name: null,
    mutable: false,
    encode: (value) => value,
    decode: (stored) => stored as string | null,
  },
  shown: (name) => ({
    schemas: { [name]: schema },
    examples: { [name]: example },
    json: (value) => `"${name}":${value}`,
  }),
});

export const REQUEST_LOG = field.objectType('request_log', 'req', {
  actor: field.actor(),
  source: field.oneOf(SOURCES, { description: '`api`: with a key. `dashboard`: by a person who is signed in.' }),
  method: field.code({ example: 'POST' }),
  path: field.text({
    description: 'Without the query. A part that is no id of ours is `•`.',
    example: '/v1/payouts',
  }),
  route: field.text({ description: 'The path with names for ids.', example: '/v1/payouts' }),
  operation: field.text({ hidden: true }),
  status: field.count({ description: 'Status of the answer.', example: 400 }),
  code: field.textOrNull({ description: 'Code of the refusal; `null`: it was none.', example: 'balance_insufficient' }),
  durationMs: field.count({ description: 'Milliseconds until the answer.', example: 4 }),
  idempotencyKey: field.textOrNull({
    description:
      'The `Idempotency-Key` as sent; `null`: none, of a payroll, or one that holds an account number, an address of e-mail or a secret.',
    example: 'salary-42',
  }),
  replayed: field.flag({
    description: 'The answer was that of an earlier request with the same `Idempotency-Key`.',
    example: false,
  }),
  resource: field.textOrNull({
    description: 'The first id in the path; of a path without one, the id of what was made.',
    example: 'po_01jd3v9q4ne8v8k3w2m6r5t7xa',
  }),
  ip: field.textOrNull({ description: 'The client’s address.', example: '192.0.2.7' }),
  userAgent: field.textOrNull({ description: 'How the client calls itself.', example: 'curl/8.5.0' }),
  request: masked(parameters, { amount: '250.00', currency: 'EUR', reference: '•' }),
  error: masked(refusal, {
    type: 'invalid_request_error',
    code: 'balance_insufficient',
    param: 'amount',
    message: 'The account holds 12.00 EUR; the payout needs 250.00 EUR.',
  }),
});
export type RequestLog = field.ObjectOf<typeof REQUEST_LOG>;
