/**
 * The tour: one payout of 250.00 EUR through every stage of the service, as a program that runs. Read it from top to
 * bottom with the named files beside it; after it you know where everything is. The recipe of the path is in
 * `src/write/writer.ts`. Each stage stands alone: a request becomes a command becomes a decision becomes changes becomes
 * rows and events.
 */
import { NO_FX } from '../src/core/fx.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, State } from '../src/core/state.ts';
import { readBody } from '../src/platform/http/request/body.ts';
import { createPayoutParams, orderFrom } from '../src/paying/payouts/schema.ts';
import { type Application, startApplication } from './support/harness/application.ts';
import { auditDatabase } from './support/model/audit.ts';
import { movement } from './support/harness/given.ts';
import {
  ACCOUNT,
  AT,
  account,
  idAt,
  payoutOrder,
  RECIPIENT,
  recipient,
  seededIds,
} from './support/harness/literals.ts';
import { startWriting, statementsOf, type Writing } from './support/harness/writer.ts';
import { type Command, decide } from '../src/write/slices.ts';
import { renderReply } from '../src/write/render.ts';

const BODY = `amount=250.00&currency=eur&recipient=${RECIPIENT}&metadata[invoice]=4711`;

const COMMAND: Command = {
  type: 'create_payout',
  order: payoutOrder({ metadata: { invoice: '4711' } }),
  settlementDelayMs: 3000,
};

describe('1. the request becomes a command: nothing after this doubts it again', () => {
  it('bytes become a tree of untrusted texts (http/request/body.ts)', () => {
    const tree = { amount: '250.00', currency: 'eur', recipient: RECIPIENT, metadata: { invoice: '4711' } };
    expect(JSON.parse(JSON.stringify(readBody('form', Buffer.from(BODY))))).toEqual(tree);
    expect(JSON.parse(JSON.stringify(readBody('json', Buffer.from(JSON.stringify(tree)))))).toEqual(tree);
  });

  it('the tree is parsed, once, into the only value that can be made of it (paying/payouts/schema.ts)', () => {
    const parsed = createPayoutParams.parse(readBody('form', Buffer.from(BODY)));
    expect({ type: 'create_payout', order: orderFrom(parsed), settlementDelayMs: 3000 }).toMatchObject(COMMAND);
  });

  it('what cannot be parsed never becomes a command', () => {
    const tree = readBody('form', Buffer.from(BODY.replace('250.00', '2.5e2')));
    expect(() => orderFrom(createPayoutParams.parse(tree))).toThrow(/amount.*2\.5e2/);
  });
});

describe('2. the command becomes a decision: pure, in literals (paying/payouts/decide.ts)', () => {
  const environment = {
    id: idAt('env', 1),
    livemode: false,
    lastSequence: 41n,
    lastAtMs: AT - 1,
    clockOffsetMs: 0,
    endpointsVersion: 0n,
    payoutRules: null,
    payingBanks: [],
    fx: NO_FX,
    fees: [],
  };
  const loaded = () => {
    const state = new State(environment);
    for (const object of [account({ balance: 100_000n }), recipient()]) state.put(object); // what write/load.ts would have read
    return state;
  };
  const context = { atMs: AT, ids: seededIds(), actor: 'worker' as const };

  it('it is accepted with changes and a reply; the state is as it was', () => {
    const state = loaded();
    const decision = decide(COMMAND, state, context);
    if (!decision.accepted) throw new Error(decision.refusal.message);
    expect(decision.changes.map((change) => change.kind)).toEqual(['transfer', 'object', 'event', 'object', 'event']);
    expect(state.tables.account.get(ACCOUNT)?.balance).toBe(100_000n);

    const origin = { actor: 'worker' as const, requestId: null, idempotencyKey: null };
    apply(state, decision.changes, origin); // the only mutation (core/state.ts)
    expect(state.transfers.map(movement)).toEqual([[ACCOUNT, 'in_transit', 25_000n, 'payout']]);
    expect(state.tables.account.get(ACCOUNT)?.balance).toBe(75_000n); // what the next command of the batch sees
    expect(state.events.map(({ event }) => [event.sequence, event.type])).toEqual([
      [42n, 'balance.updated'],
      [43n, 'payout.created'],
    ]);
    expect(JSON.parse(renderReply(decision.reply, state, AT, { origin }))).toMatchObject({
      object: 'payout',
      amount: 250,
      amount_minor: 25_000,
      status: 'pending',
      metadata: { invoice: '4711' },
    });
  });

  it('or refused with a code: a value, not an exception', () => {
    const state = loaded();
    state.put(account({ balance: 24_999n }));
    expect(decide(COMMAND, state, context)).toMatchObject({
      accepted: false,
      refusal: { code: 'balance_insufficient', details: { available_minor: 24_999n } },
    });
  });
});

describe('3. the path: gather, load, decide, persist, reply (write/writer.ts)', () => {
  let writing: Writing;
  beforeAll(async () => {
    writing = await startWriting();
  });
  afterAll(() => writing?.stop());

  it('three payouts that arrive together share one flight to load and one to persist', async () => {
    const environmentId = await writing.environment();
    const send = async (command: Command) => {
      const { body } = await writing.send(environmentId, command);
      return (JSON.parse(body) as { id: string }).id;
    };
    const bank = { country: 'DE', email: null, bankDetails: { iban: 'DE89370400440532013000' } } as const;
    const eur = { currency: 'EUR', metadata: undefined } as const;
    const from = await send({ type: 'create_account', name: null, ...eur });
    const to = await send({ type: 'create_recipient', name: 'Ada', recipientType: 'individual', ...bank, ...eur });
    await send({ type: 'fund_account', account: from, amount: '1000' });

    const payout = { ...COMMAND, order: { ...COMMAND.order, recipient: to } } as Command;
    const statements = await statementsOf(writing, async () => {
      const sent = [1, 2, 3].map((n) => writing.send(environmentId, payout, { key: `key ${n}` }));
      expect((await Promise.all(sent)).map((answer) => answer.status)).toEqual([200, 200, 200]);
    });
    expect(statements).toEqual([
      'BEGIN',
      'lock_environments', // the unit of order: docs/decisions/0001
      'load_idempotency_records',
      'load_oldest_open_accounts',
      'load_recipients',
      // decided here, one after the other, without I/O
      'update_accounts',
      'insert_payouts',
      'insert_transfers',
      'insert_events',
      'update_environments',
      'insert_idempotency_records',
      'COMMIT',
    ]);
    const [row] = await writing.sql('SELECT balance FROM accounts');
    expect(row).toEqual({ balance: 25_000n });
  });
});

describe('4. and over HTTP, from the request to the event', () => {
  let application: Application;
  beforeAll(async () => {
    application = await startApplication();
  });
  afterAll(() => application?.stop());

  it('answers with the payout, debits the account and says so in events', async () => {
    const { client } = application.sandbox;
    const json = async (answer: ReturnType<typeof client.get>) => (await answer).json as Record<string, unknown>;
    const from = await json(client.post('/v1/accounts', { currency: 'EUR' }));
    await client.post(`/v1/test_helpers/accounts/${String(from['id'])}/fund`, { amount: '1000' });
    const ada = {
      name: 'Ada Lovelace',
      type: 'individual',
      currency: 'EUR',
      country: 'DE',
      iban: 'DE89370400440532013000',
    };
    const to = await json(client.post('/v1/recipients', ada));

    const body = BODY.replace(RECIPIENT, String(to['id']));
    const answer = await client.post('/v1/payouts', body, { form: true, idempotencyKey: 'tour' });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"amount":250.00,"amount_minor":25000,"currency":"EUR"');
    const payout = answer.json as Record<string, unknown>;
    expect(payout).toMatchObject({ status: 'pending', account: from['id'], recipient: to['id'] });

    const { data } = (await json(client.get('/v1/accounts'))) as { data: unknown[] };
    expect(data).toMatchObject([{ id: from['id'], currency: 'EUR', balance: 75_000 }]);
    const events = (await json(client.get('/v1/events?limit=2'))) as { data: unknown[] };
    expect(events.data).toMatchObject([
      { type: 'payout.created', data: { object: payout } },
      { type: 'balance.updated', data: { object: { balance: 75_000 }, previous_attributes: { balance: 100_000 } } },
    ]);

    const again = await client.post('/v1/payouts', body, { form: true, idempotencyKey: 'tour' });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([answer.text, 'true']); // one effect, same bytes
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  });

  it('says who asked, and can make a payout wait for a second person', async () => {
    const { client, id: payer } = application.sandbox;
    const json = async (answer: ReturnType<typeof client.get>) => (await answer).json as Record<string, unknown>;
    const [newest] = (await json(client.get('/v1/payouts?limit=1')))['data'] as [Record<string, unknown>];
    expect(newest['created_by']).toBe(payer); // core/actor.ts; events say it in request.actor

    const second = await application.key({ scopes: ['payout_approvals:write'] });
    await client.post('/v1/limits', { currency: 'EUR', amount: 300, action: 'hold' }); // paying/payouts/rules.ts
    const held = await json(
      client.post('/v1/payouts', { amount: 250, currency: 'EUR', recipient: newest['recipient'] }),
    );
    await client.post('/v1/payouts', { amount: 100, currency: 'EUR', recipient: newest['recipient'] });
    expect(held['release']).toBeNull(); // 250 of 300
    const [waiting] = (await json(client.get('/v1/payouts?limit=1')))['data'] as [Record<string, unknown>];
    expect(waiting).toMatchObject({ status: 'pending', release: { status: 'held' } });
    const path = `/v1/payouts/${String(waiting['id'])}/approve`;
    const { fingerprint } = waiting['release'] as { fingerprint: string }; // paying/payouts/fingerprints.ts: of what was seen
    expect((await client.post(path, { fingerprint })).status).toBe(403); // paying/payouts/approval-decide.ts: not by who asked
    expect((await second.client.post(path, { fingerprint })).json).toMatchObject({ release: { status: 'approved' } });

    const log = (await json(client.get('/v1/audit_log?limit=2')))['data']; // write/audit.ts: a chain of hashes
    expect(log).toMatchObject([
      { action: 'payout.approved', actor: second.id, sequence: 2 },
      { action: 'limit.created', actor: payer, sequence: 1 },
    ]);
  });

  it('pays from another currency with its fee, waits for money, and is counted in a statement', async () => {
    const { client } = application.sandbox;
    const json = async (answer: ReturnType<typeof client.get>) => (await answer).json as Record<string, unknown>;
    const [{ recipient }] = (await json(client.get('/v1/payouts?limit=1')))['data'] as [Record<string, unknown>];
    const pounds = await json(client.post('/v1/accounts', { currency: 'GBP' }));
    await client.post(`/v1/test_helpers/accounts/${String(pounds['id'])}/fund`, { amount: 1000 });
    await client.post('/v1/fee_rules', { on: 'payout', scheme: 'sepa', currency: 'EUR', amount: 0.25 }); // core/fee-rules.ts
    const order = { amount: 100, currency: 'EUR', recipient };
    const tried = await json(client.post('/v1/payouts', { ...order, source_account: pounds['id'], dry_run: true }));
    expect(tried).toMatchObject({ dry_run: true, id: null, fees: [{ amount: 0.25, transfer: null }] }); // write/render.ts
    const payout = await json(client.post('/v1/payouts', { ...order, source_account: pounds['id'] }));
    const exchange = await json(client.get(`/v1/exchanges/${String(payout['exchange'])}`)); // ledger/exchanges/conversion.ts
    expect(exchange).toMatchObject({ sell_account: pounds['id'], buy_amount: 100.25 });

    const more = { ...order, amount: 5000, on_insufficient_funds: 'wait' }; // paying/payouts/funding-decide.ts
    expect(await json(client.post('/v1/payouts', more))).toMatchObject({ status: 'waiting', transfer: null });

    const statement = await json(client.get(`/v1/accounts/${String(payout['account'])}/statement`)); // ledger/statements/document-routes.ts
    expect((statement['lines'] as { cause: string }[]).slice(-3).map(({ cause }) => cause)).toEqual([
      'exchange',
      'payout',
      'payout_fee',
    ]);
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  });
});
