/**
 * The same random commands, one after another through the write path on real PostgreSQL: every answer and, at the end,
 * every row is held against the model. Throws at the first difference. The pure form, with more checks: `model-check.ts`.
 */
import assert from 'node:assert/strict';
import type { Code } from '../../../src/core/values/errors.ts';
import { idOf, type Prefix, uuidOf } from '../../../src/core/values/ids.ts';
import type { Row } from '../../../src/platform/db/wire/statement.ts';
import { commandOf } from '../generators/arbitraries.ts';
import type { MoneyCommand, Throw } from '../generators/random-choices.ts';
import { createPaymentLink } from '../harness/literals.ts';
import { Model } from './model.ts';
import { batchCounts } from './model-batches.ts';
import type { Made } from './model-objects.ts';
import type { Writing } from '../harness/writer.ts';

const RECIPIENT = {
  type: 'create_recipient',
  name: 'Ada',
  recipientType: 'individual',
  country: 'DE',
  email: null,
  bankDetails: { iban: 'DE89370400440532013000' },
  metadata: undefined,
} as const;

/** Returns how many commands were accepted. `send` may be a broken one, for control runs. */
export async function checkModelOnDatabase(
  choices: readonly Throw[],
  writing: Writing,
  send: Writing['send'] = writing.send,
): Promise<number> {
  const environmentId = await writing.environment();
  const model = new Model(uuidOf(environmentId));
  const reported: string[] = [];
  let accepted = 0;
  const step = async (command: MoneyCommand, dryRun: boolean): Promise<void> => {
    const expectation = model.expect(command, Date.now() + model.clockOffsetMs);
    const { status, body } = await send(environmentId, command, { dryRun });
    const answer = JSON.parse(body) as { error?: { code: Code } } & Record<string, unknown>;
    const outcome = answer.error?.code ?? 'accepted';
    assert.equal(
      outcome,
      'refused' in expectation ? expectation.refused : 'accepted',
      `the outcome of ${command.type}`,
    );
    assert.equal(status === 200, outcome === 'accepted');
    if ('refused' in expectation || dryRun) return;
    expectation.accepted(await madeBy(answer, command, environmentId, writing));
    reported.push(...model.effects.events);
    accepted += 1;
  };
  for (const currency of ['EUR', 'USD'] as const) {
    await step({ type: 'create_account', currency, name: null, metadata: undefined }, false);
    await step({ type: 'fund_account', account: model.known.accounts.at(-1) as string, amount: '1000' }, false);
    await step({ ...RECIPIENT, currency }, false);
    const token = model.known.fresh();
    await step(createPaymentLink({ currency, token, url: token, reusable: currency === 'USD' }), false);
  }
  for (const each of choices) {
    await step(commandOf(each, model.known, Date.now() + model.clockOffsetMs), each.dryRun);
  }
  await compare(writing, environmentId, model, reported);
  return accepted;
}

async function madeBy(
  answer: Record<string, unknown>,
  command: MoneyCommand,
  environmentId: string,
  writing: Writing,
): Promise<Made> {
  const results = answer['results'] as { payout?: { id: string } }[] | undefined;
  const text = (name: string) => answer[name] as string;
  const id = text('id');
  if (command.type === 'create_exchange') return { id, buyAccount: text('buy_account') };
  if (command.type === 'create_payout' && answer['exchange'] !== null) {
    return { id, exchange: text('exchange'), buyAccount: text('account') };
  }
  if (command.type === 'create_payment_link') return { id, account: text('account') };
  if (command.type === 'refund_payment') {
    const sql = 'SELECT recipient_id FROM payouts WHERE environment_id = $1 AND id = $2';
    const [payout] = await writing.sql(sql, [uuidOf(environmentId), uuidOf(text('refund'))]);
    return { id, refund: text('refund'), recipient: idOf('rcp', payout?.['recipient_id'] as string) };
  }
  return { id, ...(results && { payouts: results.map((result) => result.payout?.id ?? null) }) };
}

/** Every account, payout, batch, link, payment and event of the environment is the model's, in order. */
async function compare(
  writing: Writing,
  environmentId: string,
  model: Model,
  reported: readonly string[],
): Promise<void> {
  const rows = (text: string) => writing.sql(text, [uuidOf(environmentId)]);
  const id = (prefix: Prefix, row: Row) => idOf(prefix, row['id'] as string);

  const accounts = await rows(
    'SELECT id, currency, balance, status FROM accounts WHERE environment_id = $1 ORDER BY id',
  );
  assert.deepEqual(
    accounts.map((row) => [id('acct', row), row['currency'], row['balance'], row['status'] === 'open']),
    [...model.accounts].map(([key, { currency, balance, open }]) => [key, currency, balance, open]),
    'the accounts are the model’s',
  );
  const payouts = await rows('SELECT id, status, amount FROM payouts WHERE environment_id = $1 ORDER BY id');
  assert.deepEqual(
    payouts.map((row) => [id('po', row), row['status'], row['amount']]),
    [...model.payouts].map(([key, { status, amount }]) => [key, status, amount]),
    'the payouts are the model’s',
  );
  const batches = await rows('SELECT * FROM payout_batches WHERE environment_id = $1 ORDER BY id');
  assert.deepEqual(
    batches.map((row) => [
      id('pob', row),
      row['open_count'],
      row['failed_count'],
      row['rejected_count'],
      row['status'],
    ]),
    [...model.batches.keys()].map((key) => {
      const { open, failed, rejected, status } = batchCounts(model, key);
      return [key, open, failed, rejected, status];
    }),
    'the batches are the model’s',
  );
  await compareLinks(rows, model);
  const events = await rows(
    'SELECT sequence, type, object_id AS id FROM events WHERE environment_id = $1 ORDER BY sequence',
  );
  const prefixOf = (type: unknown) => PREFIXES[(type as string).slice(0, (type as string).indexOf('.'))] as Prefix;
  assert.deepEqual(
    events.map((row) => `${row['type'] as string} ${id(prefixOf(row['type']), row)}`),
    reported,
    'the events are the model’s',
  );
  assert.deepEqual(
    events.map((row) => row['sequence']),
    reported.map((_, n) => BigInt(n + 1)),
    'the sequence has no gap',
  );
}

async function compareLinks(rows: (text: string) => Promise<Row[]>, { payments: model }: Model): Promise<void> {
  const links = await rows('SELECT * FROM payment_links WHERE environment_id = $1 ORDER BY id');
  assert.deepEqual(
    links.map((row) => [
      idOf('plink', row['id'] as string),
      row['status'],
      row['payments_count'],
      row['open_count'],
      row['received'],
      row['max_payments'],
      row['description'],
    ]),
    [...model.links].map(([id, { status, maxPayments, description }]) => {
      const { paid, open, received } = model.countsOf(id);
      return [id, status, paid, open, received, maxPayments, description];
    }),
    'the links are the model’s',
  );
  const payments = await rows('SELECT * FROM payments WHERE environment_id = $1 ORDER BY id');
  assert.deepEqual(
    payments.map((row) => [
      idOf('pay', row['id'] as string),
      idOf('plink', row['link_id'] as string),
      row['status'],
      row['amount'],
      row['received'],
      row['refunded'],
      row['method'],
      row['session'],
      row['failure_code'],
      row['duplicate_of'] === null ? null : idOf('pay', row['duplicate_of'] as string),
    ]),
    [...model.payments].map(([id, payment]) => {
      const { link, amount, method, session, failure, duplicateOf } = payment;
      const sums = [amount, model.received(payment), model.refunded(payment)];
      return [id, link, model.statusOf(payment), ...sums, method, session, failure, duplicateOf];
    }),
    'the payments are the model’s',
  );
}

const PREFIXES: Readonly<Record<string, Prefix>> = {
  account: 'acct',
  balance: 'acct',
  recipient: 'rcp',
  exchange: 'exc',
  fee_rule: 'fee',
  payout: 'po',
  payout_batch: 'pob',
  payment_link: 'plink',
  payment: 'pay',
};
