/** Limits in one batch with what changes whom they are about: what was used is known, whichever command came before. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditDatabase } from '../../test/support/model/audit.ts';
import { payoutOrder } from '../../test/support/harness/literals.ts';
import { type Sending, startWriting, statementsOf, type Writing } from '../../test/support/harness/writer.ts';
import type { Actor } from '../core/actor.ts';
import { newId, uuidOf } from '../core/values/ids.ts';
import { DAY_MS, isoDay } from '../core/values/time.ts';
import type { PayoutOrder } from '../paying/payouts/decide.ts';
import type { Command } from './slices.ts';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE02120300000000202051';

let writing: Writing;
let environmentId: string;
beforeAll(async () => {
  writing = await startWriting();
});
afterAll(async () => {
  expect(await auditDatabase(writing.url)).toEqual([]);
  await writing.stop();
});
beforeEach(async () => {
  environmentId = await writing.environment();
});

const outcomeOf = ({ status, body }: { readonly status: number; readonly body: string }) =>
  status === 200 ? '200' : `${status} ${(JSON.parse(body) as { error: { code: string } }).error.code}`;
/** All in one batch, which is decided once. */
const atOnce = (...commands: readonly Command[]) => atOnceBy(undefined, ...commands);
async function atOnceBy(by: Sending['by'], ...commands: readonly Command[]): Promise<readonly string[]> {
  let outcomes: readonly string[] = [];
  const names = await statementsOf(writing, async () => {
    const sent = commands.map((command) => writing.send(environmentId, command, by && { by }));
    outcomes = (await Promise.all(sent)).map(outcomeOf);
  });
  const ends = names.filter((name) => ['COMMIT', 'ROLLBACK'].includes(name));
  expect(ends).toHaveLength(1);
  return outcomes;
}
async function make(command: Command, sending: Sending = {}): Promise<string> {
  const { body } = await writing.send(environmentId, command, sending);
  return (JSON.parse(body) as { id: string }).id;
}

const recipientWith = (iban: string): Command => ({
  type: 'create_recipient',
  name: 'Ada',
  recipientType: 'individual',
  country: 'DE',
  currency: 'EUR',
  email: null,
  bankDetails: { iban },
  metadata: undefined,
});
/** In minor units. */
const pay = (recipient: string, amount: bigint, fields: Partial<PayoutOrder> = {}): Command => ({
  type: 'create_payout',
  order: payoutOrder({ recipient, amount, ...fields }),
  settlementDelayMs: null,
});
const LIMIT: Command & { readonly type: 'create_limit' } = {
  type: 'create_limit',
  per: 'recipient',
  of: null,
  currency: 'EUR',
  allCurrencies: false,
  amount: 10_000n,
  count: null,
  action: 'refuse',
};
const openAccount = () => make({ type: 'create_account', currency: 'EUR', name: null, metadata: undefined });
const fundAccount = (account: string): Command => ({ type: 'fund_account', account, amount: '1000' });
const fund = async () => make(fundAccount(await openAccount()));

const settlementDelayMs = null;
const move = (payout: string, scheduledOn: string | null): Command => {
  return { type: 'update_payout', payout, scheduledOn, reference: undefined, metadata: undefined, settlementDelayMs };
};
const leave = (payout: string): Command => {
  return { type: 'step_payout', payout, to: 'in_transit', failureCode: null, nextDelayMs: null };
};
const tomorrow = () => isoDay(Date.now() + DAY_MS);

/** Each makes a payout that nothing has counted, and answers what counts it. */
const COUNTED_LATER: readonly (readonly [string, (pay: PayLater) => Promise<readonly Command[]>])[] = [
  ['moved to today', async (pay) => [move(await pay({ scheduledOn: tomorrow() }), null)]],
  ['on its way', async (pay) => [leave(await pay({}))]],
  [
    'taken up when its money has come',
    async (pay) => {
      const account = await openAccount();
      const payout = await pay({ account, waiting: { until: null } });
      return [fundAccount(account), { type: 'fund_payout', payout, settlementDelayMs }];
    },
  ],
  [
    'approved',
    async (pay) => {
      const rules = { frozen: undefined, holdBankAccounts: undefined, approvalsRequired: undefined };
      const others = { ...rules, routes: undefined, waitingPayouts: undefined, timeZone: undefined };
      await make({ type: 'update_payout_rules', holdNewRecipientsHours: 1, ...others });
      const payout = await pay({});
      await make({ type: 'update_payout_rules', holdNewRecipientsHours: 0, ...others });
      await make({ type: 'approve_payout_rules', fingerprint: null, as: 'second_person' });
      return [{ type: 'approve_payout', payout, fingerprint: null, settlementDelayMs, as: 'second_person' }];
    },
  ],
];
type PayLater = (fields: Partial<PayoutOrder>) => Promise<string>;

describe('a limit per recipient', () => {
  it('knows what was used of an account that a recipient gets in the same batch, however it is written', async () => {
    await fund();
    await make(LIMIT);
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(OTHER_IBAN))];
    expect(await atOnce(pay(one, 6_000n))).toEqual(['200']);
    const moved: Command = {
      type: 'update_recipient',
      recipient: two,
      name: undefined,
      email: undefined,
      metadata: undefined,
      address: undefined,
      latinName: undefined,
      bankDetails: { iban: 'de89 3704 0044 0532 0130 00' },
    };
    const together = await atOnce(moved, pay(two, 4_001n), pay(two, 4_000n));
    expect(together).toEqual(['200', '400 limit_exceeded', '200']);
    expect(await atOnce(pay(one, 1n))).toEqual(['400 limit_exceeded']);
    expect(writing.faults).toEqual([]);
  });

  it('counts from the batch on in which it is made, as the first of its environment too', async () => {
    await fund();
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(IBAN))];
    expect(await atOnce(LIMIT, pay(one, 6_000n))).toEqual(['200', '200']);
    expect(await atOnce(pay(two, 4_001n), pay(two, 4_000n))).toEqual(['400 limit_exceeded', '200']);
    expect(writing.faults).toEqual([]);
  });

  it('counts a payout of its own batch that was made before it, when that leaves', async () => {
    await fund();
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(IBAN))];
    const outcomes: Promise<{ readonly body: string }>[] = [];
    for (const command of [pay(one, 6_000n), LIMIT]) outcomes.push(writing.send(environmentId, command));
    const [payout] = await Promise.all(outcomes);
    expect(await atOnce(pay(two, 10_000n))).toEqual(['200']);
    const { id } = JSON.parse((payout as { body: string }).body) as { id: string };
    expect(await atOnce(leave(id))).toEqual(['400 limit_exceeded']);
  });

  it.each(COUNTED_LATER)('made in the batch in which an older payout is %s, counts its account', async (_, later) => {
    await fund();
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(IBAN))];
    const counting = await later((fields) => make(pay(one, 6_000n, fields)));
    expect(new Set(await atOnce(LIMIT, ...counting))).toEqual(new Set(['200']));
    expect(await atOnce(pay(two, 4_001n), pay(two, 4_000n))).toEqual(['400 limit_exceeded', '200']);
    expect(writing.faults).toEqual([]);
  });
});

describe('a limit per key', () => {
  it('knows what was used of whoever made a payout and is no key, when a key moves it', async () => {
    await fund();
    const recipient = await make(recipientWith(IBAN));
    const later = () => make(pay(recipient, 6_000n, { scheduledOn: tomorrow() })); // by the service itself
    const payouts = [await later(), await later(), await later()];
    await make({ ...LIMIT, per: 'key', amount: 13_000n });
    const key = newId('key') as Actor;
    const outcomes: string[] = [];
    for (const payout of payouts) {
      outcomes.push(...(await atOnceBy({ actor: key, lineage: [key] }, move(payout, null))));
    }
    expect(outcomes).toEqual(['200', '200', '400 limit_exceeded']);
    expect(writing.faults).toEqual([]);
  });

  const isCounted = 'made in the batch in which an older payout is %s, counts for the parent of its key';
  it.each(COUNTED_LATER)(isCounted, async (_, later) => {
    const [parent, child] = [newId('key') as Actor, newId('key') as Actor];
    const PARENT = { actor: parent, lineage: [parent] };
    const CHILD = { actor: child, lineage: [parent, child] };
    for (const { actor, lineage } of [PARENT, CHILD]) {
      await writing.sql(
        `INSERT INTO api_keys (hash, id, environment_id, name, prefix, last4, lineage) VALUES ($1, $2, $3, 'x', 'sk_test_', 'abcd', $4)`,
        [Buffer.from(actor), uuidOf(actor), uuidOf(environmentId), lineage],
      );
    }
    await fund();
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(OTHER_IBAN))];
    const counting = await later((fields) => make(pay(one, 6_000n, fields), { by: CHILD }));
    expect(new Set(await atOnce({ ...LIMIT, per: 'key' }, ...counting))).toEqual(new Set(['200']));
    expect(await atOnceBy(PARENT, pay(two, 4_001n), pay(two, 4_000n))).toEqual(['400 limit_exceeded', '200']);
    expect(writing.faults).toEqual([]);
  });
});

describe('a limit in all currencies', () => {
  /** 100 USD a day of each account. */
  const ALL: Command = { ...LIMIT, per: 'account', currency: 'USD', allCurrencies: true };
  const sell = (amount: bigint): Command => ({
    type: 'create_exchange',
    quote: null,
    sellCurrency: 'EUR',
    buyCurrency: 'USD',
    rate: { midRate: '1.1', markupBps: 0, source: 'test', at: 0 },
    amount,
    fixedSide: 'sell',
    sellAccount: null,
    buyAccount: null,
    metadata: undefined,
  });
  const fix = (at: string, usd: string) =>
    writing.sql(
      `INSERT INTO fixings (environment_id, at, source, currency, base, rate, markup_bps) VALUES ($1, $2, 'test', 'USD', 'EUR', $3, 0)`,
      [uuidOf(environmentId), at, usd],
    );

  it('values by the table of the sandbox, from the batch on in which it is made', async () => {
    await fund();
    const [most, more] = [sell(8_635n), sell(1n)]; // 86.35 EUR are 99.9933 USD
    expect(await atOnce(ALL, most, more)).toEqual(['200', '200', '400 limit_exceeded']);
    expect(await atOnce(more)).toEqual(['400 limit_exceeded']);
    expect(writing.faults).toEqual([]);
  });

  it('values by the newest stored fixing in live, however old; without one it refuses', async () => {
    environmentId = await writing.environment(true);
    await fund();
    expect(await atOnce(ALL, sell(1n))).toEqual(['200', '503 rate_unavailable']);
    await fix('2020-01-02T12:00:00Z', '1.20');
    expect(await atOnce(sell(5_000n), sell(3_334n))).toEqual(['200', '400 limit_exceeded']);
    await fix('2020-01-03T12:00:00Z', '1.00');
    await fix('2120-01-03T12:00:00Z', '9.00'); // has not come yet
    expect(await atOnce(sell(4_001n), sell(4_000n))).toEqual(['400 limit_exceeded', '200']);
    expect(writing.faults).toEqual([]);
  });

  it('alone makes a batch read rates', async () => {
    environmentId = await writing.environment(true);
    await fund();
    const reads = async () => (await statementsOf(writing, () => atOnce(sell(1n)))).includes('fixing_at');
    expect(await reads()).toBe(false);
    await make({ ...LIMIT, per: 'account' });
    await make({ ...ALL, currency: null, amount: null, count: 100 });
    expect(await reads()).toBe(false);
    await make({ ...ALL, amount: 1_000_000n });
    await fix('2020-01-02T12:00:00Z', '1.20');
    expect(await reads()).toBe(true);
  });
});
