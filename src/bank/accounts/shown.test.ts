/**
 * What waits for a second person is shown to no payer: every place that shows a bank account, before and after somebody else agrees. Controls:
 * what is in force is shown in each place, and a statement that finds the account by itself is told from those that ask.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQr } from '../../../test/support/browser/qr.ts';
import { type Application, type Holder, startApplication } from '../../../test/support/harness/application.ts';
import { clearRules } from '../../../test/support/harness/clear-rules.ts';
import { Client, type Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must } from '../../../test/support/harness/tenant-fixture.ts';
import { sourcesIn } from '../../../test/tidy/source.ts';
import { newReference, newToken } from '../../collecting/payments/tokens.ts';

const [OWN, OTHER] = ['DE89370400440532013000', 'DE02120300000000202051'];
const BANK = { currency: 'EUR', country: 'DE', holder: 'Rossum GmbH', cut_off: '14:30', time_zone: 'Europe/Berlin' };
const APPROVES = 'bank_account_approvals:write';

let application: Application;
let live: Holder;
let approver: Holder;
let own: string;
/** What each place shows to somebody who is to pay, as text without spaces. */
const places = new Map<string, () => Promise<string>>();

const post = (path: string, body: object = {}, holder = live) => holder.client.post(path, body);
const get = async (path: string) => must(await live.client.get(path));
const change = async (id: string, changes: object) => must(await post(`/v1/bank_accounts/${id}`, changes)).json;
const approve = async (id: string, holder = approver, seen?: unknown) => {
  const { pending_changes: waiting } = (await get(`/v1/bank_accounts/${id}`)).json as { pending_changes: Json | null };
  const fingerprint = seen ?? waiting?.['fingerprint'] ?? 'nothing';
  return post(`/v1/bank_accounts/${id}/approve`, { fingerprint }, holder);
};
const plain = (text: string) => text.replaceAll(/<[^>]+>|&nbsp;|\s/g, '');

async function shown(): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, look] of places) texts[name] = await look();
  return texts;
}
/** The places that show it. */
const showing = async (what: string) =>
  Object.entries(await shown())
    .filter(([, text]) => text.includes(plain(what)))
    .map(([name]) => name);
const SHOW = ['hosted page', 'deposit instructions', 'code for banking apps'];

beforeAll(async () => {
  application = await startApplication();
  live = application.live;
  approver = await application.key({ livemode: true, scopes: [APPROVES] });
  own = idIn(await post('/v1/bank_accounts', { ...BANK, bank_details: { iban: OWN } }));
  const account = idIn(await post('/v1/accounts', { currency: 'EUR' }));
  const made = must(await post('/v1/payment_links', { amount: 5, currency: 'EUR', description: 'Cup', account })).json;
  const started = { link: made['id'] as string, token: newToken(), reference: newReference(), amount: null } as const;
  const payment = { type: 'start_payment', method: 'bank_transfer', ...started } as const;
  await application.submit(live.environmentId, payment);
  const expected = idIn(await post('/v1/expected_payments', { amount: 5, currency: 'EUR', account }));
  await post('/v1/settings', { daily_statements: true });
  places.set('hosted page', async () => plain((await get(new URL(made['url'] as string).pathname)).text));
  places.set('deposit instructions', async () =>
    plain((await get(`/v1/accounts/${account}/deposit_instructions`)).text),
  );
  places.set('code for banking apps', async () => {
    const response = await fetch(`${application.address}/v1/expected_payments/${expected}/code?format=png`, {
      headers: { authorization: `Bearer ${live.key}` },
    });
    const body = Buffer.from(await response.arrayBuffer());
    return response.ok ? plain(readQr(body).text) : body.toString();
  });
  for (const format of ['json', 'csv', 'camt.053'])
    places.set(`statement as ${format}`, async () =>
      plain((await get(`/v1/accounts/${account}/statement?format=${format}`)).text),
    );
  places.set('statement of all accounts', async () =>
    plain((await get('/v1/account_statements?format=camt.053')).text),
  );
  must(await post('/v1/settings/payouts', { hold_bank_accounts: true }));
});
afterAll(() => application?.stop());

describe('with hold_bank_accounts', () => {
  it('what was there is shown in every place', async () => {
    expect(await showing(OWN)).toEqual(SHOW);
  });

  it('another name of the holder waits', async () => {
    const asked = await change(own, { holder: 'Mallory Ltd', name: 'Main' });
    expect(asked).toMatchObject({
      holder: 'Rossum GmbH',
      name: 'Main',
      pending_changes: { changes: { holder: 'Mallory Ltd' }, actors: [live.id], approvals_required: 1, approvals: [] },
    });
    expect([await showing('Mallory Ltd'), await showing('Rossum GmbH')]).toEqual([[], SHOW]);
    expect(outcome(await approve(own, live))).toBe('403 approval_by_creator');
    expect(must(await approve(own)).json).toMatchObject({ holder: 'Mallory Ltd', pending_changes: null });
    expect(await showing('Mallory Ltd')).toEqual(SHOW);
    expect(outcome(await approve(own))).toBe('400 change_not_held');
  });

  it('a new account waits, also when no other one is left; then it is shown in every place', async () => {
    const made = must(await post('/v1/bank_accounts', { ...BANK, bank_details: { iban: OTHER } })).json;
    const other = made['id'] as string;
    expect(made).toMatchObject({
      uses: ['payouts'],
      pending_changes: { changes: { uses: ['payouts', 'collections'] }, actors: [live.id] },
    });
    expect(await change(own, { uses: ['payouts'] })).toMatchObject({ uses: ['payouts'], pending_changes: null });
    expect([await showing(OTHER), await showing(OWN)]).toEqual([[], []]);
    const control = 'control: a place that does not ask';
    places.set(control, async () =>
      JSON.stringify(await application.sql('SELECT bank_details FROM bank_accounts ORDER BY id DESC LIMIT 1')),
    );
    expect(await showing(OTHER)).toEqual([control]);
    places.delete(control);
    const link = { amount: 5, currency: 'EUR', description: 'Cup' };
    expect(outcome(await post('/v1/payment_links', link))).toBe('400 payment_method_not_configured currency');
    expect(must(await approve(other)).json).toMatchObject({
      uses: ['payouts', 'collections'],
      pending_changes: null,
    });
    expect(await showing(OTHER)).toEqual(SHOW);
    const event = (await get('/v1/events?limit=1&type=bank_account.updated')).json['data'];
    expect(event).toMatchObject([
      {
        data: {
          previous_attributes: {
            uses: ['payouts'],
            pending_changes: { changes: { uses: ['payouts', 'collections'] }, approvals: [] },
          },
        },
      },
    ]);
    const entries = (await get('/v1/audit_log?limit=1&action=bank_account.approved')).json['data'];
    expect(entries).toMatchObject([{ actor: approver.id, subject: other, details: { changed: ['uses'] } }]);
    await change(other, { uses: ['payouts'] });
  });

  it('collections that come back wait, can be rejected, and are withdrawn by asking for what is in force', async () => {
    const asked = { uses: ['collections'] };
    expect(await change(own, asked)).toMatchObject({ uses: [], pending_changes: { changes: asked } });
    const rejected = must(await post(`/v1/bank_accounts/${own}/reject`, {}, approver)).json;
    expect(rejected).toMatchObject({ uses: [], pending_changes: null });
    await change(own, { uses: ['payouts', 'collections'] });
    expect(await change(own, { uses: ['payouts'] })).toMatchObject({ uses: ['payouts'], pending_changes: null });
    expect(outcome(await post(`/v1/bank_accounts/${own}/reject`, {}, approver))).toBe('400 change_not_held');
    expect(await showing(OWN)).toEqual([]);
  });

  it('everybody who asked for a part of it is no second person, and a part that changes asks anew', async () => {
    must(await post('/v1/settings/payouts', { approvals_required: 2 }));
    const second = await application.key({ livemode: true, scopes: [APPROVES, 'bank_accounts:write'] });
    const third = await application.key({ livemode: true, scopes: [APPROVES] });
    await application.sql("UPDATE api_keys SET created_at = created_at - interval '1 hour'");
    await change(own, { uses: ['payouts', 'collections'] });
    expect(must(await approve(own)).json).toMatchObject({ pending_changes: { approvals: [{ actor: approver.id }] } });
    expect(outcome(await approve(own))).toBe('400 approval_repeated');
    // Asked for again, it keeps what it has.
    expect(await change(own, { uses: ['payouts', 'collections'] })).toMatchObject({
      pending_changes: { approvals: [{ actor: approver.id }] },
    });
    const renamed = must(await post(`/v1/bank_accounts/${own}`, { holder: 'Rossum AG' }, second)).json;
    expect(renamed).toMatchObject({
      pending_changes: {
        changes: { holder: 'Rossum AG', uses: ['payouts', 'collections'] },
        actors: [live.id, second.id],
        approvals: [],
      },
    });
    for (const one of [live, second]) expect(outcome(await approve(own, one))).toBe('403 approval_by_creator');
    must(await approve(own));
    expect(await showing(OWN)).toEqual([]);
    expect(must(await approve(own, third)).json).toMatchObject({ holder: 'Rossum AG', pending_changes: null });
    expect([await showing(OWN), await showing('Rossum AG')]).toEqual([SHOW, SHOW]);
  });

  it('what was seen is approved, and nothing that was asked for since', async () => {
    const seen = (await change(own, { holder: 'Rossum KG' }))['pending_changes'] as Json;
    await change(own, { holder: 'Mallory Ltd' });
    expect(outcome(await approve(own, approver, seen['fingerprint']))).toBe('400 approval_outdated fingerprint');
    expect(await showing('Mallory Ltd')).toEqual([]);
    expect(outcome(await approve(own, approver, ''))).toMatch(/^400 parameter_\w+ fingerprint$/);
    must(await post(`/v1/bank_accounts/${own}/reject`, {}, approver));
  });

  it('a key that made the asking one is no second person', async () => {
    const made = must(await post('/v1/keys', { name: 'made', scopes: ['bank_accounts:write'] })).json;
    const client = new Client(application.address, made['secret'] as string);
    must(await client.post(`/v1/bank_accounts/${own}`, { holder: 'Mallory Ltd' }));
    client.close();
    expect(outcome(await approve(own, live))).toBe('403 approval_by_creator');
    must(await post(`/v1/bank_accounts/${own}/reject`, {}, approver));
  });

  it('what waits ends with the account; and another scope than its own approves nothing', async () => {
    const bank = { ...BANK, currency: 'CHF', bank_details: { iban: OTHER, bic: 'BYLADEM1001' } };
    const id = idIn(await post('/v1/bank_accounts', bank));
    const setter = await application.key({ livemode: true, scopes: ['bank_accounts:write', 'settings:write'] });
    expect(outcome(await approve(id, setter))).toBe('403 scope_missing');
    const closed = must(await post(`/v1/bank_accounts/${id}/close`)).json;
    expect(closed).toMatchObject({ status: 'closed', pending_changes: null });
    expect(outcome(await approve(id))).toBe('400 change_not_held');
  });

  it('control: without the rule nothing waits', async () => {
    await clearRules(application, 'live');
    expect(await change(own, { holder: 'Rossum GmbH' })).toMatchObject({
      holder: 'Rossum GmbH',
      pending_changes: null,
    });
    expect(await showing('Rossum GmbH')).toEqual(SHOW);
  });
});

describe('which account payers are shown', () => {
  /** Whether it has a statement of its own that finds one. */
  const findsItself = (text: string) => /`[^`]*'collections' = ANY[^`]*`/.test(text);

  it('is asked for in one place', () => {
    const found = sourcesIn('src').filter(({ path, text }) => !path.endsWith('.test.ts') && findsItself(text));
    expect(found.map(({ path }) => path)).toEqual(['src/core/company.ts']);
  });

  it('control: a statement of its own is found', () => {
    expect(findsItself("`SELECT b.holder FROM bank_accounts b WHERE 'collections' = ANY (b.uses)`")).toBe(true);
    expect(
      findsItself("`SELECT 1 FROM links LEFT JOIN LATERAL (${collectingIn('$1', '$2')}) AS c ON true LIMIT 1`"),
    ).toBe(false);
  });
});
