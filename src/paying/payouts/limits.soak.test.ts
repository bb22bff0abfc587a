/** Limits over HTTP and from two servers at once: what counts, what is given back, and what is told. Decisions: `limits-decide.test.ts`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { clearRules } from '../../../test/support/harness/clear-rules.ts';
import { Client, type Reply } from '../../../test/support/harness/http.ts';
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
afterEach(() => clearRules(application));

const limit = async (body: object): Promise<string> => idIn(must(await client.post('/v1/limits', body)));
const pay = (amount: number, more: object = {}) =>
  client.post('/v1/payouts', { amount, currency: 'EUR', recipient, account: euros, ...more });

/** What an approval of a held payout sends. */
const seenIn = ({ json }: Reply) => ({ fingerprint: (json['release'] as { fingerprint: string }).fingerprint });

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
    must(await client.post(`/v1/payout_batches/${idIn(batch)}/cancel`));
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

describe('the day', () => {
  const statusOf = async (id: string) => must(await client.get(`/v1/payouts/${id}`)).json['status'] as string;
  const tomorrow = async () => {
    const { at } = must(await client.get('/v1/balances')).json as { at: number };
    return new Date((at + 86_400) * 1_000).toISOString().slice(0, 10);
  };
  const advanceDay = async () => must(await client.post('/v1/test_helpers/clock/advance', { seconds: 86_400 }));

  it('of a planned payout is another than today', async () => {
    const planned = { scheduled_on: await tomorrow() };
    await limit({ currency: 'EUR', amount: 100 });
    const one = idIn(must(await pay(100, planned)));
    expect(outcome(await pay(0.01, planned))).toBe('400 limit_exceeded');
    const other = idIn(must(await pay(100)));
    expect(outcome(await client.post(`/v1/payouts/${one}`, { scheduled_on: null }))).toBe('400 limit_exceeded');
    must(await client.post(`/v1/payouts/${other}/cancel`));
    expect(outcome(await client.post(`/v1/payouts/${one}`, { scheduled_on: null }))).toBe('200');
    expect(outcome(await pay(0.01))).toBe('400 limit_exceeded');
    expect(outcome(await pay(100, planned))).toBe('200');
  });

  it('of a payout that waits for money is that on which the money comes; it goes on waiting until a day has room', async () => {
    await limit({ currency: 'EUR', amount: 600 });
    const account = idIn(must(await client.post('/v1/accounts', { currency: 'EUR' })));
    const wait = async () => idIn(must(await pay(500, { account, on_insufficient_funds: 'wait' })));
    const [first, second] = [await wait(), await wait()];
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000 }));
    await expect.poll(() => statusOf(first)).not.toBe('waiting');
    expect(outcome(await pay(101))).toBe('400 limit_exceeded');
    expect(await statusOf(second)).toBe('waiting');
    await advanceDay();
    await expect.poll(() => statusOf(second)).not.toBe('waiting');
  });

  it('of a held payout is that of its approval, also for the lines that its maker descends from', async () => {
    must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
    const root = await application.key();
    const child = new Client(
      application.address,
      must(await root.client.post('/v1/keys', { name: 'child' })).json['secret'] as string,
    );
    await limit({ count: 1, key: root.id });
    const order = { amount: 1, currency: 'EUR', recipient, account: euros };
    const held = [child, root.client, child].map(async (each) => must(await each.post('/v1/payouts', order)));
    const [one, two, three] = (await Promise.all(held)) as [Reply, Reply, Reply];
    const approve = async (payout: Reply) =>
      outcome(await approver.client.post(`/v1/payouts/${idIn(payout)}/approve`, seenIn(payout)));
    expect([await approve(one), await approve(two), await approve(three)]).toEqual([
      '200',
      '400 limit_exceeded',
      '400 limit_exceeded',
    ]);
    await advanceDay();
    expect([await approve(two), await approve(three)]).toEqual(['200', '400 limit_exceeded']);
    child.close();
  });

  it('has room for exactly as many approvals as race for it, from two servers (control: without a limit all pass)', async () => {
    must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
    const race = async () => {
      const held = await Promise.all(Array.from({ length: 40 }, async () => must(await pay(1))));
      const replies = await Promise.all(
        held.map((payout, i) =>
          approver.client.post(`/v1/payouts/${idIn(payout)}/approve`, seenIn(payout), {
            at: i % 2 === 0 ? application.address : second.address,
          }),
        ),
      );
      return replies.map(outcome).sort();
    };
    await limit({ currency: 'EUR', amount: 20 });
    const half = (what: string) => Array.from({ length: 20 }, () => what);
    expect(await race()).toEqual([...half('200'), ...half('400 limit_exceeded')]);
    await clearRules(application);
    must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
    expect(await race()).toEqual([...half('200'), ...half('200')]);
  });

  it('of a younger limit is that on which the payout leaves: it stays until a day has room', async () => {
    const made = idIn(must(await pay(100, { scheduled_on: await tomorrow() })));
    await limit({ currency: 'EUR', amount: 100 });
    await advanceDay();
    must(await pay(1));
    const leave = async () => outcome(await client.post(`/v1/test_helpers/payouts/${made}/pay`));
    expect(await leave()).toBe('400 limit_exceeded');
    expect(await statusOf(made)).toBe('pending');
    await advanceDay();
    expect(await leave()).toBe('200');
    expect(await statusOf(made)).toBe('paid');
  });
});

describe('a limit of a recipient', () => {
  const payee = async (more: object = {}) =>
    idIn(
      must(
        await client.post('/v1/recipients', { ...RECIPIENT, currency: 'EUR', iban: 'DE02120300000000202051', ...more }),
      ),
    );
  const to = (id: string, amount: number) => pay(amount, { recipient: id });

  it('is one of its account: however it is written, and whichever recipient names it', async () => {
    await limit({ currency: 'EUR', amount: 100, per: 'recipient' });
    const [one, two] = [await payee(), await payee({ name: 'Somebody Else', iban: 'de02 1203 0000 0000 2020 51' })];
    expect(outcome(await to(one, 60))).toBe('200');
    expect(outcome(await to(two, 41))).toBe('400 limit_exceeded');
    expect(outcome(await to(two, 40))).toBe('200');
    expect(outcome(await to(one, 0.01))).toBe('400 limit_exceeded');
    expect(outcome(await to(recipient, 100))).toBe('200'); // control: another account
  });

  it('follows the account to which a payout goes, also once the recipient has another', async () => {
    const [one, two] = [await payee(), await payee()];
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: 3 * 86_400 }));
    await limit({ currency: 'EUR', amount: 100, per: 'recipient' });
    await limit({ currency: 'EUR', amount: 50, action: 'hold' });
    const [held, second] = [idIn(must(await to(one, 60))), idIn(must(await to(two, 60)))];
    must(await client.post(`/v1/recipients/${one}`, { iban: 'DE75512108001245126199' }));
    const approval = async (id: string) =>
      approver.client.post(`/v1/payouts/${id}/approve`, seenIn(await client.get(`/v1/payouts/${id}`)));
    must(await approval(held));
    const approve = () => approval(second);
    expect(outcome(await approve())).toBe('400 limit_exceeded');
    must(await client.post(`/v1/payouts/${held}/cancel`));
    expect(outcome(await approve())).toBe('200');
  });

  it('of one recipient counts what goes to its account', async () => {
    const [one, two] = [await payee(), await payee()];
    const id = await limit({ currency: 'EUR', amount: 100, recipient: one });
    expect(outcome(await to(two, 60))).toBe('200');
    expect(outcome(await to(recipient, 60))).toBe('200');
    expect(must(await client.get(`/v1/limits/${id}`)).json).toMatchObject({ recipient: one, used: 60 });
    expect(outcome(await to(one, 41))).toBe('400 limit_exceeded');
    expect(outcome(await to(one, 40))).toBe('200');
  });

  it('keeps no account number', async () => {
    await limit({ currency: 'EUR', amount: 100, per: 'recipient' });
    must(await to(await payee(), 1));
    const rows = await application.sql('SELECT subject FROM limit_usages', []);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/202051/);
  });
});

describe('what is told of a limit', () => {
  const read = async (id: string) => {
    const { data } = must(await client.get('/v1/limits')).json as { data: { id: string }[] };
    const one = must(await client.get(`/v1/limits/${id}`)).json;
    expect(data.find((each) => each.id === id)).toEqual(one);
    return one;
  };
  const dayEnd = async () => {
    const { at } = must(await client.get('/v1/balances')).json as { at: number };
    return (Math.floor(at / 86_400) + 1) * 86_400;
  };

  it('is what leaves today, exactly, and when the day ends', async () => {
    const made = must(await client.post('/v1/limits', { currency: 'EUR', amount: 100, count: 9, account: euros })).json;
    expect(made).toMatchObject({ used: 0, used_minor: 0, used_count: 0, interval_ends_at: await dayEnd() });
    const id = made['id'] as string;
    const planned = new Date((await dayEnd()) * 1_000).toISOString().slice(0, 10);
    const one = idIn(must(await pay(10.07)));
    must(await pay(0.1));
    must(await pay(50, { scheduled_on: planned }));
    expect(await read(id)).toMatchObject({
      used: 10.17,
      used_minor: 1_017,
      used_count: 2,
      interval_ends_at: await dayEnd(),
    });
    must(await client.post(`/v1/payouts/${one}/cancel`));
    expect(await read(id)).toMatchObject({ used: 0.1, used_minor: 10, used_count: 1 });
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: 86_400 }));
    expect(await read(id)).toMatchObject({
      used: 50,
      used_minor: 5_000,
      used_count: 1,
      interval_ends_at: await dayEnd(),
    });
  });

  it('ends where the day ends in the time zone of the rules', async () => {
    const id = await limit({ count: 3 });
    const zone = (time_zone: string) => client.post('/v1/settings/payouts', { time_zone });
    for (const wrong of ['Europe/Nowhere', 'CET+1', ''])
      expect(outcome(await zone(wrong))).toMatch(/^400 parameter_\w+ time_zone$/);
    expect(must(await zone('Asia/Kathmandu')).json).toMatchObject({ time_zone: 'Asia/Kathmandu' });
    const { interval_ends_at: end } = (await read(id)) as { interval_ends_at: number };
    expect(end % 86_400).toBe((18 * 60 + 15) * 60);
    must(await zone('UTC'));
    expect(await read(id)).toMatchObject({ interval_ends_at: await dayEnd() });
  });

  it('is null where each has its own, and where no amount is limited', async () => {
    const each = await limit({ currency: 'EUR', amount: 100, per: 'recipient' });
    const counted = await limit({ count: 3 });
    must(await pay(1));
    expect(await read(each)).toMatchObject({ used: null, used_minor: null, used_count: null });
    expect(await read(counted)).toMatchObject({ used: null, used_minor: null, used_count: 1 });
  });
});
