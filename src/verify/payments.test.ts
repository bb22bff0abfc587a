/** Verify knows payments: it finds nothing in books that are in order, and every damage by the rule that is meant. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatePaymentLink } from '../collecting/payments/link-decide.ts';
import { createPaymentLink } from '../../test/support/harness/literals.ts';
import type { ReceivePayment } from '../collecting/payments/decide.ts';
import type { Command } from '../write/slices.ts';
import { audit, auditDatabase, withClient } from '../../test/support/model/audit.ts';
import { startWriting, type Writing } from '../../test/support/harness/writer.ts';

let writing: Writing;
let environmentId: string;
let named = 0;

beforeAll(async () => {
  writing = await startWriting();
  environmentId = await writing.environment();
  await someBusiness();
});
afterAll(() => writing?.stop());

async function answer(command: Command): Promise<Record<string, unknown>> {
  const { status, body } = await writing.send(environmentId, command);
  if (status !== 200) throw new Error(body);
  return JSON.parse(body) as Record<string, unknown>;
}
const send = async (command: Command) => (await answer(command))['id'] as string;

const link = (fields: Partial<CreatePaymentLink> = {}) =>
  send(createPaymentLink({ token: `link ${++named}`, ...fields }));
const start = (of: string) =>
  send({
    type: 'start_payment',
    link: of,
    method: 'bank_transfer',
    amount: null,
    token: `payment ${++named}`,
    reference: `RF${named}`,
  });
const receive = (payment: string, amount: bigint, by: Partial<ReceivePayment> = {}) =>
  send({
    type: 'receive_payment',
    payment,
    method: 'bank_transfer',
    session: null,
    amount,
    payerName: 'Grace Hopper',
    payerIban: 'DE89370400440532013000',
    ...by,
  });
const refundOf = (payment: string, amount: string | null): Command => {
  return { type: 'refund_payment', payment, amount, recipient: null, settlementDelayMs: null };
};

/** Payments in every state, links in every state. */
async function someBusiness(): Promise<void> {
  const card = { method: 'card', session: 'session 1', payerIban: null } as const;
  const paid = await start(await link());
  await receive(paid, 25_000n, card);
  await receive(paid, 25_000n);
  await receive(paid, 25_000n, card); // told again
  const many = await link({ reusable: true });
  await start(many);
  await receive(await start(many), 100n);
  await receive(await start(many), 30_000n);
  const back = await start(many);
  await receive(back, 25_000n);
  await send(refundOf(back, '100'));
  await send(refundOf(back, null));
  const failed = await start(many);
  await send({ type: 'fail_payment', payment: failed, reason: 'declined', session: null });
  const late = await start(await link());
  await send({ type: 'fail_payment', payment: late, reason: 'declined', session: null });
  await receive(late, 100n);
  const half = await start(await link());
  await receive(half, 10_000n);
  const { refund: payout } = await answer(refundOf(half, '50'));
  await send({ type: 'cancel_payout', payout: payout as string });
  await send({ type: 'deactivate_payment_link', link: await link() });
}

test('finds nothing in books that are in order', async () => {
  expect(writing.faults).toEqual([]);
  const states = await writing.sql('SELECT DISTINCT status FROM payments ORDER BY 1');
  expect(states.map(({ status }) => status)).toEqual([
    'failed',
    'overpaid',
    'partially_paid',
    'pending',
    'refunded',
    'succeeded',
  ]);
  expect(await auditDatabase(writing.url)).toEqual([]);
});

const one = (where: string) => `ctid = (SELECT min(ctid) FROM payments WHERE ${where})`;
test.each<[damage: string, rule: RegExp, sql: string]>([
  [
    'money without a transfer',
    /what its transfers brought/,
    `UPDATE payments SET received = received + 1 WHERE ${one("status = 'overpaid'")}`,
  ],
  [
    'a transfer to another account',
    /what its transfers brought/,
    `UPDATE payments SET account_id = gen_random_uuid() WHERE ${one("status = 'overpaid'")}`,
  ],
  ['a payment gone', /belongs to a payment/, `DELETE FROM payments WHERE ${one("status = 'succeeded'")}`],
  [
    'a payment that names another transfer',
    /names its newest/,
    `UPDATE payments SET transfer_id = gen_random_uuid() WHERE ${one("status = 'succeeded'")}`,
  ],
  [
    'a refund that is not counted',
    /refunded what its payouts/,
    `UPDATE payments SET refunded = 0 WHERE ${one("status = 'refunded'")}`,
  ],
  [
    'a refund that came back and is counted',
    /refunded what its payouts/,
    `UPDATE payouts SET status = 'canceled', reversal_id = transfer_id, ended_at = now()
      WHERE ctid = (SELECT min(ctid) FROM payouts WHERE refund_of IS NOT NULL)`,
  ],
  [
    'a refund of nothing',
    /a refund is of a payment/,
    'UPDATE payouts SET refund_of = gen_random_uuid() WHERE refund_of IS NOT NULL',
  ],
  [
    'an account that holds other than what came',
    /hold of them/,
    `DELETE FROM transfers WHERE ctid = (SELECT min(ctid) FROM transfers WHERE cause = 'payment')`,
  ],
  [
    'a status that is not that of the sums',
    /status of its sums/,
    `UPDATE payments SET status = 'succeeded' WHERE ${one("status = 'overpaid'")}`,
  ],
  [
    'a link that counts one too many',
    /link counts/,
    'UPDATE payment_links SET payments_count = payments_count + 1 WHERE reusable',
  ],
  ['a link that forgets who waits', /link counts/, 'UPDATE payment_links SET open_count = 0 WHERE reusable'],
  ['a link that received more', /link counts/, 'UPDATE payment_links SET received = received + 1 WHERE reusable'],
  [
    'a second payer of a link for one',
    /waits for one at the most/,
    `INSERT INTO payments SELECT environment_id, gen_random_uuid(), (SELECT id FROM payment_links WHERE status = 'canceled'), gen_random_uuid()::text,
      gen_random_uuid()::text, account_id, method, currency, amount, 0, 0, 'pending', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '{}', now(), NULL, now()
      FROM payments, generate_series(1, 2) WHERE ${one("status = 'pending'")}`,
  ],
  [
    'a link that is paid and goes on',
    /completed exactly when/,
    "UPDATE payment_links SET status = 'active', ended_at = NULL WHERE status = 'completed'",
  ],
  [
    'a link that ended early',
    /completed exactly when/,
    "UPDATE payment_links SET status = 'completed', ended_at = now() WHERE reusable",
  ],
  [
    'a payment of another amount',
    /is of its link/,
    `UPDATE payments SET amount = amount - 1 WHERE ${one("status = 'pending'")}`,
  ],
  [
    'a duplicate of nothing',
    /duplicate is of a payment/,
    'UPDATE payments SET duplicate_of = gen_random_uuid() WHERE duplicate_of IS NOT NULL',
  ],
  [
    'a duplicate of what was not paid',
    /duplicate is of a payment/,
    `UPDATE payments SET duplicate_of = (SELECT id FROM payments WHERE status = 'pending'), link_id = (SELECT id FROM payment_links WHERE reusable)
      WHERE duplicate_of IS NOT NULL`,
  ],
  [
    'a session booked twice',
    /session is booked once/,
    "UPDATE payments SET session = 'session 1', method = 'card' WHERE duplicate_of IS NOT NULL",
  ],
  [
    'a payment that nobody was told of',
    /one event for how it began/,
    `UPDATE events SET type = 'ping' WHERE type = 'payment.duplicate'`,
  ],
  [
    'a success told twice',
    /one event for how it began/,
    `UPDATE events SET type = 'payment.succeeded' WHERE type = 'payment.partially_paid'`,
  ],
  [
    'a refund told once of two',
    /one event for how it began/,
    `UPDATE events SET type = 'payment.updated' WHERE sequence = (SELECT min(sequence) FROM events WHERE type = 'payment.refunded')`,
  ],
  [
    'a newest event that says something else',
    /newest event/,
    `UPDATE events SET object = replace(object, '"status":"overpaid"', '"status":"succeeded"') WHERE object LIKE '%"status":"overpaid"%'`,
  ],
  [
    'a link that nobody was told of',
    /link has one event/,
    "UPDATE events SET type = 'payment_link.updated' WHERE type = 'payment_link.created'",
  ],
  [
    'an end that nobody was told of',
    /link has one event/,
    "UPDATE events SET type = 'payment_link.updated' WHERE type = 'payment_link.canceled'",
  ],
  ['a link gone', /says of links and payments/, "DELETE FROM payment_links WHERE status = 'canceled'"],
  [
    'a token gone',
    /token opens/,
    'DELETE FROM payment_tokens WHERE payment_id IS NULL AND ctid = (SELECT min(ctid) FROM payment_tokens)',
  ],
  [
    'a token of nothing',
    /token opens/,
    "UPDATE payment_tokens SET token = 'other' WHERE ctid = (SELECT min(ctid) FROM payment_tokens)",
  ],
])('control: notices %s', async (_, rule, damage) => {
  await withClient(writing.url, async (client) => {
    await client.query('BEGIN'); // never committed
    expect((await client.query(damage)).rowCount).toBeGreaterThan(0);
    expect((await audit(client)).filter((complaint) => rule.test(complaint))).toHaveLength(1);
  });
});
