/** Limits over HTTP and from two servers at once: what counts, what is given back, and what is told. Decisions: `limits-decide.test.ts`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { type SecondServer, startSecondServer } from '../../../test/support/harness/second-server.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let second: SecondServer;
let approver: Holder;
let client: Client;
let euros: string;
let pounds: string;
let recipient: string;
beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
  approver = await application.key({ scopes: ['payout_approvals:write', 'payouts:read'] });
  ({ client } = application.sandbox);
});
afterAll(async () => {
  await second?.stop();
  await application?.stop();
});
beforeEach(async () => {
  const funded = async (currency: string) => {
    const id = idIn(must(await client.post('/v1/accounts', { currency })));
    must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 1_000 }));
    return id;
  };
  [euros, pounds] = [await funded('EUR'), await funded('GBP')];
  recipient = idIn(must(await client.post('/v1/recipients', { ...RECIPIENT, currency: 'EUR' })));
});
afterEach(async () => {
  const { data } = must(await client.get('/v1/limits')).json as { data: { id: string }[] };
  for (const { id } of data) must(await client.send('DELETE', `/v1/limits/${id}`, '', {}));
});

const limit = async (body: object): Promise<string> => idIn(must(await client.post('/v1/limits', body)));
const pay = (amount: number, more: object = {}) =>
  client.post('/v1/payouts', { amount, currency: 'EUR', recipient, account: euros, ...more });

describe('what leaves', () => {
  it('an account is what exchanges and converted payouts sell of it', async () => {
    await limit({ currency: 'GBP', amount: 100, account: pounds });
    const exchange = (amount: number) =>
      client.post('/v1/exchanges', { sell_account: pounds, sell_currency: 'GBP', buy_currency: 'EUR', amount });
    expect(outcome(await exchange(60))).toBe('200');
    const converted = { recipient, currency: 'EUR', source_account: pounds };
    expect(outcome(await client.post('/v1/payouts', { ...converted, source_amount: 30 }))).toBe('200');
    const refused = await exchange(11);
    expect(outcome(refused)).toBe('400 limit_exceeded');
    expect(refused.json['error']).toMatchObject({ available_minor: 1_000 });
    expect(outcome(await client.post('/v1/payouts', { ...converted, source_amount: 11 }))).toBe('400 limit_exceeded');
    expect(outcome(await exchange(10))).toBe('200');
  });

  it('is given back where it does not leave: canceled, rejected, a whole batch; not what had left', async () => {
    await limit({ currency: 'EUR', amount: 100, action: 'hold' });
    const refusing = await limit({ currency: 'EUR', amount: 150 });
    const full = async () => expect(outcome(await pay(151))).toBe('400 limit_exceeded');
    await full();
    const canceled = idIn(must(await pay(100)));
    must(await client.post(`/v1/payouts/${canceled}/cancel`));
    const held = must(await pay(150)).json as { id: string; release: unknown };
    expect(held.release).toMatchObject({ status: 'held' });
    must(await approver.client.post(`/v1/payouts/${held.id}/reject`, {}));
    const batch = must(
      await client.post('/v1/payouts/batch', {
        payouts: [50, 50, 50].map((amount) => ({ amount, currency: 'EUR', recipient, account: euros })),
      }),
    );
    must(await client.post(`/v1/payouts/batch/${idIn(batch)}/cancel`));
    const left = idIn(must(await pay(100)));
    must(await client.post(`/v1/test_helpers/payouts/${left}/pay`));
    must(await client.post(`/v1/test_helpers/payouts/${left}/return`));
    const refused = await pay(51);
    expect(refused.json['error']).toMatchObject({
      code: 'limit_exceeded',
      resource_id: refusing,
      available_minor: 5_000,
    });
    await full();
  });
});
