import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERRORS } from '../../core/values/errors.ts';
import { listParams } from './lists.ts';
import { openapi } from './openapi.ts';
import {
  amount,
  boolean,
  country,
  currency,
  email,
  id,
  list,
  metadata,
  object,
  oneOf,
  optional,
  params,
  text,
  withDefault,
} from './request/params.ts';
import { date } from './request/date.ts';
import { answers, answersList, type Route, routesOf } from './route.ts';

const route = routesOf('Payouts', 'payouts');

const about = { description: 'Something.' };
const item = {
  amount: amount({ ...about, example: '250.00' }),
  currency: currency(about),
  recipient: id('rcp', about),
};
const handle = async () => ({ status: 200, body: '{}' });
const base = { errors: ['balance_insufficient'], handle } as const;
const routes: Route[] = [
  route('createPayout', 'POST /v1/payouts', {
    ...base,
    summary: 'Create a payout',
    body: params({
      ...item,
      ...optional({
        metadata: metadata(),
        scheduled_on: date(about),
        country: country(about),
        email: email({ ...about, clearable: true }),
      }),
      dry_run: withDefault(boolean(about), false),
      ...optional({ reference: text({ ...about, max: 140, pattern: /^[A-Z]+$/, clearable: true }) }),
    }),
    request: { amount: '250.00', currency: 'eur', recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa' },
    response: answers('Payout', { id: 'po_1' }),
  }),
  route('listPayouts', 'GET /v1/payouts', {
    ...base,
    summary: 'List payouts',
    query: listParams('po', { types: list(oneOf(['a', 'b'], about), { ...about, max: 5 }) }),
    response: answersList('Payout'),
  }),
  route('getPayout', 'GET /v1/payouts/:id', { ...base, summary: 'Get a payout', response: answers('Payout') }),
  route('cancelPayout', 'POST /v1/payouts/:id/cancel', {
    ...base,
    summary: 'Cancel a payout',
    response: answers('Payout'),
  }),
  {
    ...route('createBatch', 'POST /v1/payouts/batch', {
      ...base,
      summary: 'Create payouts',
      acceptsCsv: true,
      body: params({ payouts: list(object(item, about), { ...about, max: 1000 }) }),
      response: answersList('Payout'),
      responseContentTypes: ['application/json', 'text/csv'],
    }),
    sandboxOnly: true,
  },
];
const schemas = { Payout: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } };
const document = openapi(routes, schemas, { version: '1.0.0', publicUrl: 'https://pay.example.org' });

/** What a part says, or what its reference leads to. */
const resolved = (part: unknown): unknown => {
  const reference = (part as { $ref?: string } | undefined)?.$ref;
  return reference === undefined ? part : walk(...reference.slice('#/'.length).split('/'));
};
const walk = (...path: string[]): unknown =>
  path.reduce<unknown>((at, key) => resolved((at as Record<string, unknown>)?.[key]), document);

test('every route is an operation with its parameters, bodies, errors and scope', () => {
  const create = walk('paths', '/v1/payouts', 'post') as Record<string, unknown>;
  expect(create).toMatchObject({ operationId: 'createPayout', 'x-scope': 'payouts:write' });
  expect(Object.keys(walk('paths', '/v1/payouts', 'post', 'requestBody', 'content') as object)).toEqual([
    'application/json',
  ]);
  expect(Object.keys(walk('paths', '/v1/payouts/batch', 'post', 'requestBody', 'content') as object)).toContain(
    'text/csv',
  );
  expect(create['parameters']).toEqual([{ $ref: '#/components/parameters/Idempotency-Key' }]);
  expect(walk('components', 'parameters', 'Idempotency-Key')).toMatchObject({
    name: 'Idempotency-Key',
    in: 'header',
  });
  expect(JSON.stringify(walk('components', 'parameters', 'Idempotency-Key'))).not.toContain('example'); // copied ones would collide
  // What all refuse with stands once; what an operation refuses with besides stands beside the reference.
  expect(create['responses']).toMatchObject({
    200: {},
    default: {
      $ref: '#/components/responses/Refused',
      description: '400: `balance_insufficient`, `country_unsupported`',
    },
  });
  const refused = walk('components', 'responses', 'Refused', 'description');
  for (const [status, code] of [
    [429, 'rate_limited'],
    [404, 'resource_missing'],
    [403, 'sandbox_only'],
  ])
    expect(refused).toMatch(new RegExp(`^${status}: .*\`${code}\``, 'm'));
  expect((walk('paths', '/v1/payouts', 'get', 'parameters') as unknown[]).map(resolved)).toMatchObject([
    { name: 'limit', schema: { minimum: 1, maximum: 100, default: 10 } },
    { name: 'starting_after' },
    { name: 'ending_before' },
    { name: 'order', schema: { enum: ['asc', 'desc'], default: 'desc' } },
    { name: 'created', style: 'deepObject' },
    { name: 'types[]', schema: { type: 'array' } },
    { name: 'format', schema: { enum: ['json', 'csv'] } },
    { name: 'bom', schema: { type: 'boolean' } },
  ]);
  expect(walk('components', 'schemas', 'ErrorDetail', 'properties', 'code', 'x-extensible-enum')).toEqual(
    Object.keys(ERRORS),
  );
  expect(walk('components', 'schemas', 'Payout')).toEqual(schemas.Payout);
});

test('the linter has nothing to say', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const output = execFileSync(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--config', 'redocly.yaml', '--format', 'json'],
      {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    expect(JSON.parse(output).problems).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
