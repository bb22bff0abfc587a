/** A payout of which the bank never reports, ended by hand over HTTP: by whom, when, and what a late booking finds. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { dialectStage } from '../../../test/support/bank/dialect-stage.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';
let application: Application;
let second: Holder;
beforeAll(async () => {
  application = await startApplication();
  second = await application.key();
});
afterAll(() => application?.stop());

const { bank, bookedOn, get, list, post, sent, statusOf } = dialectStage(() => application.sandbox.client);

it('after five business days, with another key; a debit that is booked later is a conflict, or is the one that was waited for', async () => {
  const here = await bank('DE', 'EUR', { iban: IBAN });
  const { payouts, said } = await sent(here, 'EUR', 'DE', 'DE02120300000000202051', 10, 15, 20);
  const [failing = '', paying = '', silent = ''] = payouts;
  const resolve = (holder: Holder, payout: string, result: string) =>
    holder.client.post(`/v1/payouts/${payout}/resolve`, { outcome: result, reason: 'By phone' });
  expect(outcome(await resolve(second, failing, 'failed'))).toMatch(/^400 payout_not_overdue/);
  await post('/v1/test_helpers/clock/advance', { seconds: 14 * 86_400 });
  expect(outcome(await resolve(application.sandbox, failing, 'failed'))).toMatch(/^403 approval_by_creator/);

  const before = (await get(`/v1/accounts/${here.account}`))['balance'] as number;
  expect(must(await resolve(second, failing, 'failed')).json).toMatchObject({
    status: 'failed',
    failure_code: 'timeout',
  });
  expect(must(await resolve(second, paying, 'paid')).json).toMatchObject({ status: 'paid' });
  expect((await get(`/v1/accounts/${here.account}`))['balance']).toBe(before + 1_000);
  expect(outcome(await resolve(second, failing, 'failed'))).toMatch(/^400 payout_state_invalid/);
  const { files } = await post('/v1/payment_files', {}); // none of them leaves again
  expect(files).toEqual([]);
  expect(await list('/v1/audit_log?action=payout.resolved')).toHaveLength(2);

  const debit = (endToEndId: string, amount: string) => ({ amount, details: [{ endToEndId }] });
  const entries = [debit(said.one, '-10.00'), debit(said.two, '-15.00'), debit(said.three, '-20.00')];
  const file = camt([{ iban: IBAN, day: '2026-12-08', opening: '0.00', closing: '-45.00', entries }]);
  must(await handedIn(application.sandbox.client, file));
  expect(await Promise.all(payouts.map(statusOf))).toEqual(['failed', 'paid', 'paid']);
  expect(await bookedOn(here)).toEqual([
    [-1_000, 10],
    [-1_500, 0, paying],
    [-2_000, 0, silent],
  ]);
  const [conflict] = await list('/v1/bank_entries?status=unmatched');
  expect(conflict?.['conflict']).toContain(failing);
  expect((await get(`/v1/accounts/${here.account}`))['balance']).toBe(before + 1_000);
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

it('takes a key that approves payouts', async () => {
  const weak = await application.key({ scopes: ['bank_entries:write', 'payouts:write'] });
  const asked = await weak.client.post('/v1/payouts/po_01jd3v9q4ne8v8k3w2m6r5t7xa/resolve', {
    outcome: 'paid',
    reason: 'x',
  });
  expect(outcome(asked)).toMatch(/^403 scope_missing/);
});
