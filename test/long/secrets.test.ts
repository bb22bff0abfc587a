/**
 * Every key in every header of every operation, and every account number in every field of every form of a body: none is in the log, in an
 * answer, in the metrics or in the database. By turns, with everything else that must not be told: `test/secrets.soak.test.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptLog } from '../support/harness/kept-log.ts';
import { type Application, SERVER_SECRET, startApplication } from '../support/harness/application.ts';
import { readContract } from '../support/generators/contract.ts';
import {
  found,
  MISTYPED,
  NUMBERS,
  PASSWORD,
  secretOf,
  type Send,
  sendKeys,
  sendNumbers,
  storedIn,
} from '../support/generators/secret-places.ts';
import { type Fixtures, furnish } from '../support/harness/fixtures.ts';

let application: Application;
let fixtures: Fixtures;
const { log, logged } = keptLog();
let answered = '';

beforeAll(async () => {
  application = await startApplication({ log });
  fixtures = await furnish(application, application.sandbox);
});
afterAll(() => application?.stop());

const send: Send = async (method, url, payload, type = 'application/json', headers = {}) => {
  const authorization = `Bearer ${application.sandbox.key}`;
  const own = { authorization, ...(payload !== undefined && { 'content-type': type }), ...headers };
  const request = { method, url, headers: own, ...(payload !== undefined && { payload }) };
  const { status, text, headers: back } = await application.inject(request);
  answered += `${status} ${JSON.stringify(back)} ${text}\n`;
  return status;
};

it('no key is told', async () => {
  const contract = readContract((await application.sandbox.client.get('/openapi.json')).json);
  const revoked = await application.key();
  await application.revoke(revoked);
  const keys = [application.sandbox, application.live, application.otherSandbox, revoked].map(({ key }) => key);
  keys.push(`sk_test_${'z'.repeat(49)}`);
  await sendKeys(send, { contract, fixtures, keys, everyOne: true });
  await send('GET', '/metrics');
  const secrets = [...keys.map(secretOf), SERVER_SECRET, PASSWORD];
  expect([found(logged(), [...secrets, 'Bearer ']), found(answered, secrets)]).toEqual([[], []]);
  expect(found(await storedIn(application), [...keys.map(secretOf), SERVER_SECRET])).toEqual([]);
  expect(logged().split('\n').length).toBeGreaterThan(2_000); // control: there was something to be searched
});

it('no account number is told', async () => {
  const account = { name: 'Iban Canary', type: 'individual', currency: 'EUR', country: 'DE', iban: NUMBERS[0] };
  const { json } = await application.sandbox.client.post('/v1/recipients', account);
  await sendNumbers(send, { recipient: json['id'] as string, paid: fixtures.rcp, everyOne: true });
  await send('GET', '/metrics');
  const numbers = [...NUMBERS, ...MISTYPED];
  expect([found(logged(), numbers), found(answered, numbers), found(await storedIn(application), numbers)]).toEqual([
    [],
    [],
    [],
  ]);
});
