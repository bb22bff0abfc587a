/**
 * A bank may book a payment file as one debit: its payouts that are under way are settled, where they come to its amount. With two thousand
 * payouts: `test/long/whole-files.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Written } from '../../../test/support/bank/camt.ts';
import { pain002 } from '../../../test/support/bank/pain002.ts';
import { bookManyAtOnce, type Exported, wholeFiles } from '../../../test/support/bank/whole-files.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

let application: Application;
const stage = wholeFiles(() => application.sandbox.client);
const { booked, exported, get, imported, post, statesOf } = stage;

beforeAll(async () => {
  application = await startApplication();
  await stage.furnish();
});
afterAll(() => application?.stop());

const rejection = ({ messageId, payouts }: Exported, at: number) =>
  pain002({
    messageId,
    answers: [{ endToEndId: (payouts[at] as string).replace('_', '').toUpperCase(), status: 'RJCT', reason: 'AC04' }],
  });

describe('one debit for a file', () => {
  it.each([
    ['by its PmtInfId', (id: string): Written => ({ amount: '-60.00', batch: { paymentInformationId: id, count: 3 } })],
    ['by its MsgId', (id: string): Written => ({ amount: '-60.00', batch: { messageId: id } })],
    ['in a detail', (id: string): Written => ({ amount: '-60.00', details: [{ paymentInformationId: id }] })],
  ])('settles its payouts, named %s', async (_, entryOf) => {
    const { file, messageId, payouts } = await exported(10, 20, 30);
    const entry = await booked(entryOf(messageId));
    expect(await statesOf(payouts)).toEqual(['paid', 'paid', 'paid']);
    expect(entry).toMatchObject({ status: 'matched', conflict: null, payment_file: file });
    expect(entry['assignments']).toMatchObject([{ to: file, amount: 60 }]);
    const undone = await application.sandbox.client.post(`/v1/bank_entries/${entry['id'] as string}/unassign`, {});
    expect(undone.json['error']).toMatchObject({ code: 'bank_assignment_final' });
  });

  it('is voided: its payouts are under way again, and the next debit settles them', async () => {
    const { file, messageId, payouts } = await exported(11, 22);
    const debit = (reference: string): Written => ({
      amount: '-33.00',
      reference,
      batch: { paymentInformationId: messageId },
    });
    const entry = `/v1/bank_entries/${(await booked(debit('V1')))['id'] as string}`;
    await post(`${entry}/void`, { reason: 'Of another account' });
    const voided = await post(`${entry.replace('/v1/', '/v1/test_helpers/')}/approve`, {});
    expect(voided).toMatchObject({ status: 'voided', assignments: [{ to: file, undone_by: expect.any(String) }] });
    expect(await statesOf(payouts)).toEqual(['in_transit', 'in_transit']);
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
    expect(await booked(debit('V2'))).toMatchObject({ status: 'matched' });
    expect(await statesOf(payouts)).toEqual(['paid', 'paid']);
  });

  it('less what was rejected before', async () => {
    const one = await exported(10, 20, 30);
    await imported(rejection(one, 1));
    const entry = await booked({ amount: '-40.00', batch: { paymentInformationId: one.messageId } });
    expect(await statesOf(one.payouts)).toEqual(['paid', 'failed', 'paid']);
    expect(entry['status']).toBe('matched');
  });

  it('less what is rejected later: it waits for the message', async () => {
    const one = await exported(10, 20, 30);
    const entry = await booked({ amount: '-40.00', batch: { paymentInformationId: one.messageId } });
    expect(entry).toMatchObject({ status: 'unmatched', payment_file: one.file, assignments: [] });
    expect(await statesOf(one.payouts)).toEqual(['in_transit', 'in_transit', 'in_transit']);
    await imported(rejection(one, 1));
    expect(await statesOf(one.payouts)).toEqual(['paid', 'failed', 'paid']);
    expect(await get(`/v1/bank_entries/${entry['id'] as string}`)).toMatchObject({
      status: 'matched',
      assignments: [{ to: one.file, amount: 40 }],
    });
  });

  it('over another sum settles nothing: a person decides', async () => {
    const one = await exported(10, 20);
    const entry = await booked({ amount: '-31.00', batch: { paymentInformationId: one.messageId } });
    expect(entry).toMatchObject({ status: 'unmatched', payment_file: one.file });
    const path = `/v1/bank_entries/${entry['id'] as string}/assign`;
    const whole = await application.sandbox.client.post(path, { assignments: [{ to: one.file }] });
    expect(whole.json['error']).toMatchObject({
      code: 'payment_file_sum_mismatch',
      param: 'assignments[0][to]',
      message: expect.stringContaining('30.00'),
    });
    expect(await statesOf(one.payouts)).toEqual(['in_transit', 'in_transit']);
    const parts = [{ to: one.file, amount: 30 }, { to: 'fees' }];
    expect(await post(path, { assignments: parts, reason: 'A fee in it' })).toMatchObject({ status: 'matched' });
    expect(await statesOf(one.payouts)).toEqual(['paid', 'paid']);
  });

  it('reported again by another notification books nothing again', async () => {
    const one = await exported(10, 20);
    const entry: Written = { amount: '-30.00', day: '2026-11-28', batch: { paymentInformationId: one.messageId } };
    const first = await booked(entry);
    const again = await booked(entry);
    expect(again['id']).toBe(first['id']);
  });

  it('that comes a second time as a booking of its own waits for a person', async () => {
    const one = await exported(10, 20);
    const entry: Written = { amount: '-30.00', batch: { paymentInformationId: one.messageId } };
    await booked({ ...entry, reference: 'A' });
    expect(await booked({ ...entry, reference: 'B' })).toMatchObject({ status: 'unmatched', payment_file: one.file });
    expect(await statesOf(one.payouts)).toEqual(['paid', 'paid']);
  });

  it('with three hundred payouts is one commit', () => bookManyAtOnce(stage, 300));

  it('the books agree in the end', async () => expect(await auditDatabase(application.databaseUrl)).toEqual([]));
});
