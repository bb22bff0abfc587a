/** The client has every operation of the OpenAPI document, under a name that reads well, and its package says the version of the service. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Document, operationsOf } from '../../scripts/client/operations.ts';
import { nameOf } from '../../scripts/client/names.ts';
import { VERSION } from '../../src/core/values/version.ts';
import { createClient } from '../src/bursar.ts';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;
const client = createClient({ url: 'http://127.0.0.1:9', apiKey: 'sk_test_x' });

const methodAt = (path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | undefined)?.[name], client);

it('has a method for every operation', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map((each) => each.operationId),
  );
  const operations = operationsOf(document);
  expect(operations.map(({ operationId }) => operationId)).toEqual(ids);
  expect(ids.length).toBeGreaterThan(100);
  const missing = operations.filter(({ resource, method }) => typeof methodAt([...resource, method]) !== 'function');
  expect(missing.map(({ operationId }) => operationId)).toEqual([]);
  expect(methodAt(['payouts', 'made_up'])).toBeUndefined();
});

it.each([
  ['POST', '/v1/payouts', 'createPayout', 'payouts.create'],
  ['POST', '/v1/payouts/{id}/cancel', 'cancelPayout', 'payouts.cancel'],
  ['POST', '/v1/payouts/batch', 'createPayoutBatch', 'payoutBatches.create'],
  ['GET', '/v1/payout_batches', 'listPayoutBatches', 'payoutBatches.list'],
  ['POST', '/v1/exchanges/quote', 'createQuote', 'exchanges.quote'],
  ['GET', '/v1/exchange_quotes/{id}', 'retrieveQuote', 'exchangeQuotes.retrieve'],
  ['GET', '/v1/events', 'listEvents', 'events.list'],
  ['GET', '/v1/accounts/{id}/transfers', 'listAccountTransfers', 'accounts.listTransfers'],
  ['GET', '/v1/deliveries/{id}', 'retrieveDelivery', 'deliveries.retrieve'],
  ['GET', '/v1/standing_order_runs/{id}', 'retrieveStandingOrderRun', 'standingOrderRuns.retrieve'],
  ['POST', '/v1/test_helpers/payouts/{id}/advance', 'advancePayout', 'testHelpers.payouts.advance'],
  ['POST', '/v1/test_helpers/reset', 'resetSandbox', 'testHelpers.reset'],
  ['GET', '/v1/verification', 'retrieveVerification', 'verification.retrieve'],
])('%s %s is %s: %s', (verb, path, operationId, name) => {
  const { resource, method } = nameOf(verb, path, operationId);
  expect([...resource, method].join('.')).toBe(name);
});

it('refuses an id that is none before anything is sent', () => {
  expect(() => client.payouts.retrieve(undefined as never)).toThrow(
    '/v1/payouts/{id} takes the id as text, not undefined',
  );
});

it('is packed under the version of the service', () => {
  const { version } = JSON.parse(readFileSync('client/package.json', 'utf8')) as { readonly version: string };
  expect(version).toBe(VERSION);
});
