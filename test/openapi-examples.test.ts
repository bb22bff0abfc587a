/**
 * The examples of the OpenAPI document run: each request as the document shows it is sent to a real sandbox, with ids that exist in the
 * place of its own, and answered with 200. What is answered, and every event that follows, is what the document says.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from './support/harness/application.ts';
import { DOCUMENT, objectFaults } from './support/harness/all-routes.ts';
import { type Fixtures, furnish } from './support/harness/fixtures.ts';
import type { Client, Json } from './support/harness/http.ts';
import { idIn, must } from './support/harness/tenant-fixture.ts';
import { answerFaults, type Operation, readContract } from './support/generators/contract.ts';
import { exampleBody, pathOf } from './support/generators/places.ts';

const contract = readContract(DOCUMENT);
const examples = contract.operations.filter(({ exampleRequest }) => exampleRequest !== undefined);

let application: Application;

beforeAll(async () => {
  application = await startApplication();
  must(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR' }));
});
afterAll(() => application?.stop());

/** What has to be so before an example makes sense, and the ids that it is about then. */
type Before = (client: Client, fixtures: Fixtures) => Promise<Partial<Fixtures>>;

const held: Before = async (client, { rcp, acct }) => {
  must(await client.post('/v1/payout_rules', { hold_new_recipients_hours: 24 }));
  const order = { amount: 5, currency: 'EUR', recipient: rcp, account: acct };
  return {
    po: idIn(await client.post('/v1/payouts', order)),
    pob: idIn(await client.post('/v1/payouts/batch', { payouts: [order] })),
  };
};

const BEFORE: Readonly<Record<string, Before>> = {
  approvePayout: held,
  rejectPayout: held,
  rejectPayoutBatch: held,
  returnPayout: async (client, { po }) => {
    must(await client.post(`/v1/test_helpers/payouts/${po}/pay`));
    return { po };
  },
};

/** Sends the example in an environment of its own. */
async function send(operation: Operation, form: boolean) {
  const merchant = `${operation.operationId}${form ? '-form' : ''}`;
  const [holder, second] = [await application.key({ merchant }), await application.key({ merchant })];
  const fixtures = await furnish(application, holder, merchant);
  const all = { ...fixtures, ...(await BEFORE[operation.operationId]?.(second.client, fixtures)) };
  const body = exampleBody(operation, all);
  const answer = await holder.client.write(
    operation.method,
    pathOf(operation, (kind) => all[kind]),
    body,
    { form },
  );
  return { answer, client: holder.client };
}

it.each(examples.map((operation) => [operation.operationId, operation] as const))('%s', async (_, operation) => {
  for (const form of [false, true]) {
    const { answer, client } = await send(operation, form);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect(answerFaults(contract, operation, answer)).toEqual([]);
    const { data } = must(await client.get('/v1/events?limit=100')).json;
    for (const event of data as readonly Json[])
      expect([event['type'], objectFaults('Event', event)]).toEqual([event['type'], []]);
  }
});

it('control: an event with the data of another type is noticed', async () => {
  const [event] = must(await application.sandbox.client.get('/v1/events?type=account.*&limit=1')).json[
    'data'
  ] as readonly [Json];
  expect(objectFaults('Event', event)).toEqual([]);
  for (const change of [{ type: 'payout.paid' }, { type: 'payout.payed' }, { more: 1 }, { data: { object: 1 } }]) {
    expect(objectFaults('Event', { ...event, ...change })).not.toEqual([]);
  }
});
