/** Bank accounts that payers see change only when a second person agrees, where the rules say so. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { clearRules } from '../../../test/support/harness/clear-rules.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';

let application: Application;
let approver: Holder;
const OWN = { account_holder: 'Rossum', iban: 'DE89370400440532013000' };
const THIEF = { account_holder: 'Rossum', iban: 'DE02120300000000202051' };
beforeAll(async () => {
  application = await startApplication();
  approver = await application.key({ scopes: ['bank_accounts:write'] });
  await post('/v1/settings', { bank_accounts: { EUR: OWN } });
  await post('/v1/payout_rules', { hold_bank_accounts: true });
});
afterAll(() => application?.stop());

const post = (path: string, body: object = {}, holder: Holder = application.sandbox) => holder.client.post(path, body);
const settings = async () => (await application.sandbox.client.get('/v1/settings')).json;
const approve = (holder: Holder = approver) => post('/v1/settings/bank_accounts/approve', {}, holder);

describe('a change of bank accounts', () => {
  it('waits; other settings do not; payers see the old account until somebody else agrees', async () => {
    const asked = await post('/v1/settings', { name: 'Rossum AG', bank_accounts: { EUR: THIEF } });
    expect(asked.json).toMatchObject({
      name: 'Rossum AG',
      bank_accounts: { EUR: OWN },
      pending_bank_accounts: { accounts: { EUR: THIEF }, by: application.sandbox.id, approvals: [] },
    });
    expect(outcome(await approve(application.sandbox))).toBe('403 approval_by_creator');
    expect((await settings())['bank_accounts']).toEqual({ EUR: OWN });
    expect((await approve()).json).toMatchObject({ bank_accounts: { EUR: THIEF }, pending_bank_accounts: null });
    expect(outcome(await approve())).toBe('400 bank_accounts_not_held');
    const log = (await application.sandbox.client.get('/v1/audit_log?limit=2')).json['data'];
    expect(log).toMatchObject([
      {
        action: 'bank_accounts.approved',
        actor: approver.id,
        details: { changed: ['pending_bank_accounts', 'bank_accounts.EUR: 3000 → 2051'] },
      },
      { action: 'settings.updated', details: { changed: ['name', 'pending_bank_accounts'] } },
    ]);
  });

  it('can be rejected, and then nothing has changed', async () => {
    await post('/v1/settings', { bank_accounts: { EUR: OWN } });
    expect((await post('/v1/settings/bank_accounts/reject', {}, approver)).json).toMatchObject({
      bank_accounts: { EUR: THIEF },
      pending_bank_accounts: null,
    });
    expect(outcome(await post('/v1/settings/bank_accounts/reject', {}, approver))).toBe('400 bank_accounts_not_held');
  });

  it('asks two where two are asked for', async () => {
    await post('/v1/payout_rules', { approvals_required: 2 });
    const second = await application.key({ scopes: ['bank_accounts:write'] });
    await post('/v1/settings', { bank_accounts: { EUR: OWN } });
    await application.sql("UPDATE api_keys SET created_at = created_at - interval '1 hour'");
    expect((await approve()).json).toMatchObject({
      bank_accounts: { EUR: THIEF },
      pending_bank_accounts: { approvals: [{ by: approver.id }] },
    });
    expect(outcome(await approve())).toBe('400 approval_repeated');
    expect((await approve(second)).json).toMatchObject({ bank_accounts: { EUR: OWN }, pending_bank_accounts: null });
  });

  it('control: without the rule it is there at once; and another key than that of the scope may not agree', async () => {
    await post('/v1/settings', { bank_accounts: { EUR: THIEF } });
    const other = await application.key({ scopes: ['settings:write'] });
    expect(outcome(await approve(other))).toBe('403 scope_missing');
    await clearRules(application);
    expect((await post('/v1/settings', { bank_accounts: { EUR: OWN } })).json).toMatchObject({
      bank_accounts: { EUR: OWN },
      pending_bank_accounts: null,
    });
  });
});
