/** A request with several faults hears of all of them at once, over real HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { ROUTES } from '../../../test/support/harness/all-routes.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
}, 60_000);
afterAll(() => application?.stop());

type Fault = { readonly param?: string; readonly code: string; readonly message: string };
const errorIn = ({ json }: Reply) => json['error'] as unknown as Fault & { readonly errors?: readonly Fault[] };
const said = (faults: readonly Fault[] | undefined) => faults?.map(({ code, param }) => `${code} ${param}`);

describe('a write with several faults', () => {
  it.each([
    ['in a form', { form: true }],
    ['in JSON', {}],
  ])('names each by its parameter, %s', async (_, options) => {
    const reply = await client.post(
      '/v1/payouts',
      {
        amount: '-1',
        currency: 'EURO',
        account: 'rcp_1',
        recipeint: 'x',
        destination: 'x',
        statement_descriptor: 'x'.repeat(23),
        metadata: { ok: 'v', ['k'.repeat(41)]: 'v' },
      },
      options,
    );
    const { errors, ...error } = errorIn(reply);
    expect(reply.status).toBe(400);
    expect(said(errors)).toEqual([
      'parameter_unknown recipeint',
      'parameter_unknown destination',
      'amount_invalid amount',
      'currency_unsupported currency',
      'parameter_missing recipient',
      'parameter_invalid account',
      'text_too_long statement_descriptor',
      'metadata_invalid metadata',
    ]);
    for (const fault of errors ?? []) expect(Object.keys(fault)).toEqual(['param', 'code', 'message']);
    // The first is the refusal itself, as it always was.
    const { code, param, message } = error;
    expect({ code, param, message }).toEqual(errors?.[0]);
  });

  it('names the parts of objects and lists', async () => {
    const link = { currency: 'EUR', amount: 1, after_completion: { redirect: { url: 5, x: 1 }, message: 5 } };
    expect(said(errorIn(await client.post('/v1/payment_links', link)).errors)).toEqual([
      'parameter_unknown after_completion[redirect][x]',
      'parameter_invalid after_completion[redirect][url]',
      'parameter_invalid after_completion[message]',
    ]);
    const key = { name: 'x', scopes: ['payouts:read', 'payouts:raed', 'nothing'] };
    const [first, ...others] = said(errorIn(await client.post('/v1/keys', key)).errors) ?? [];
    expect([first, others]).toEqual(['parameter_invalid scopes[1]', ['parameter_invalid scopes[2]']]);
  });

  it('has no list where there is one fault', async () => {
    const { errors, ...error } = errorIn(await client.post('/v1/accounts', { currency: 'nothing' }));
    expect([error.param, errors]).toEqual(['currency', undefined]);
    const both = await client.post('/v1/standing_orders', { amount: 1, ends_on: '2099-01-01', count: 2 });
    expect(said(errorIn(both).errors)?.length).toBeGreaterThan(1);
  });

  it('is bounded, whatever is sent', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknown_${index}`, 'x']));
    const unknown = errorIn(await client.post('/v1/accounts', many));
    expect(said(unknown.errors)).toEqual([
      ...Array.from({ length: 5 }, (_, index) => `parameter_unknown unknown_${index}`),
      'parameter_missing currency',
    ]);
    const scopes = Array.from({ length: 60 }, (_, index) => `nothing ${index}`);
    const errors = errorIn(await client.post('/v1/keys', { name: '', scopes })).errors ?? [];
    expect(errors.length).toBeLessThanOrEqual(50);
  });

  it('leaves the idempotency key free', async () => {
    const idempotencyKey = 'several faults';
    const refused = await client.post('/v1/accounts', { currency: 'x', name: 5 }, { idempotencyKey });
    expect(errorIn(refused).errors).toHaveLength(2);
    expect((await client.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey })).status).toBe(200);
  });
});

it('so does a query', async () => {
  const { errors } = errorIn(await client.get('/v1/payouts?limit=0&status[]=paid&status[]=x&status[]=y&currency=x'));
  expect(said(errors)).toEqual([
    'parameter_invalid limit',
    'parameter_invalid status[1]',
    'parameter_invalid status[2]',
    'currency_unsupported currency',
  ]);
});

// A validation answers faults as its result, and so does a match.
const ABOUT_FAULTS = ['/v1/recipients/validate', '/v1/recipients/match'];
const writes = ROUTES.filter(({ path }) => !ABOUT_FAULTS.includes(path)).filter(
  ({ body }) => Object.values(body?.fields ?? {}).filter(({ optional }) => !optional).length > 1,
);
it.each(writes.map((route) => [route.operationId, route] as const))(
  '%s misses all that is required',
  async (_, { path, body }) => {
    const required = Object.entries(body?.fields ?? {}).flatMap(([name, { optional }]) => (optional ? [] : [name]));
    const errors = errorIn(await client.post(path.replace(/:[a-z]+/g, 'x'), {})).errors ?? [];
    expect(said(errors)).toEqual(required.map((name) => `parameter_missing ${name}`));
  },
);

it('the document describes the list', async () => {
  const { json } = await client.get('/openapi.json');
  const { ErrorDetail } = (json['components'] as Json)['schemas'] as { ErrorDetail: { properties: { errors: Json } } };
  expect(ErrorDetail.properties.errors).toMatchObject({
    items: { required: ['code', 'message'], properties: { param: { type: 'string' }, index: { type: 'integer' } } },
  });
});
