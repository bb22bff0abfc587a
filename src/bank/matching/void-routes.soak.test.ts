/** Over HTTP: two people void a wrong booking of a live bank account, and everything that shows entries follows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

const IBAN = 'DE89370400440532013000';

let application: Application;
let live: Holder;
/** Of another family: one approves payouts too, one does not. */
let approver: Holder;
let clerk: Holder;
let bank: string;

const get = async (path: string) => must(await live.client.get(path)).json;
const post = async (path: string, body: object = {}, holder = live) => holder.client.post(path, body);
const entriesIn = async (query: string) => (await get(`/v1/bank_entries?${query}`))['data'] as readonly Json[];
const statement = (id: string) =>
  handedIn(
    live.client,
    camt([{ iban: IBAN, day: '2026-11-02', id, opening: '0.00', closing: '5.00', entries: [{ amount: '5.00' }] }]),
  );
async function approve(entry: string, holder = approver) {
  const { pending_changes: waiting } = await get(`/v1/bank_entries/${entry}`);
  return post(`/v1/bank_entries/${entry}/approve`, { fingerprint: (waiting as Json)['fingerprint'] }, holder);
}

beforeAll(async () => {
  application = await startApplication();
  live = application.live;
  const scopes = ['bank_entries:write'];
  clerk = await application.key({ livemode: true, scopes });
  approver = await application.key({ livemode: true, scopes: [...scopes, 'payout_approvals:write'] });
  const details = { currency: 'EUR', country: 'DE', holder: 'Rossum GmbH', bank_details: { iban: IBAN } };
  bank = idIn(await post('/v1/bank_accounts', { ...details, cut_off: '14:30', time_zone: 'Europe/Berlin' }));
  must(await statement('A'));
});
afterAll(() => application?.stop());

it('an entry is voided, is booked anew when a person says that it was reported again, and counts in balance and month once', async () => {
  const [entry] = await entriesIn('status=unmatched');
  const id = entry?.['id'] as string;
  must(await post(`/v1/bank_entries/${id}/void`, { reason: 'Not ours' }));
  expect(outcome(await approve(id, live))).toBe('403 approval_by_creator');
  expect(outcome(await approve(id, clerk))).toBe('403 scope_missing');
  expect(must(await approve(id)).json).toMatchObject({ status: 'voided', amount_unassigned: 0, pending_changes: null });
  expect((await get(`/v1/bank_accounts/${bank}`))['balance']).toBe(0);
  expect((await entriesIn('status=voided')).map((each) => each['id'])).toEqual([id]);
  expect((await get('/v1/bank_entries?status=unmatched'))['data']).toEqual([]);
  const month = await get(`/v1/bank_accounts/${bank}/reconciliation?month=2026-11`);
  expect(month).toMatchObject({ closing_balance: 0, in: { count: 0, amount: 0 }, unmatched: { entries_count: 0 } });
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);

  // Another statement of the day says what two people have denied: a person decides.
  must(await statement('B'));
  const [waits] = (await get('/v1/bank_statements?status=needs_review'))['data'] as readonly Json[];
  const review = { new_entries: '1', reason: 'It is there after all' };
  must(await post(`/v1/bank_statements/${waits?.['id'] as string}/review`, review));
  expect((await entriesIn('')).map(({ status }) => status)).toEqual(['unmatched', 'voided']);
  const again = await get(`/v1/bank_accounts/${bank}/reconciliation?month=2026-11`);
  expect(again).toMatchObject({ closing_balance: 500, in: { count: 1, amount: 5 }, unmatched: { entries_count: 1 } });

  must(await post(`/v1/bank_entries/${id}/unvoid`, { reason: 'It came twice after all' }));
  expect(must(await approve(id)).json).toMatchObject({ status: 'unmatched', amount_unassigned: 5 });
  expect((await get(`/v1/bank_accounts/${bank}`))['balance']).toBe(1_000);
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});

it('the audit log has the reason and both people', async () => {
  const { data } = await get('/v1/audit_log?action=bank_entry.voided');
  const [voided] = data as readonly Json[];
  expect(voided).toMatchObject({
    actor: approver.id,
    details: { reason: 'Not ours', asked_by: [live.id], approved_by: [approver.id] },
  });
});

it('an empty reason, and another fingerprint, are named', async () => {
  const [entry] = await entriesIn('status=unmatched');
  const path = `/v1/bank_entries/${entry?.['id'] as string}`;
  expect((await post(`${path}/void`)).json['error']).toMatchObject({ code: 'parameter_missing', param: 'reason' });
  expect(outcome(await post(`${path}/approve`, { fingerprint: 'x' }, approver))).toBe('400 change_not_held');
  must(await post(`${path}/void`, { reason: 'Twice' }));
  expect(outcome(await post(`${path}/approve`, { fingerprint: 'x' }, approver))).toBe(
    '400 approval_outdated fingerprint',
  );
  expect(must(await post(`${path}/reject`, {}, clerk)).json['pending_changes']).toBeNull();
});
