/** Settings over real HTTP, grouped by status. What payers see of them: `collecting/checkout/routes.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import type { Client, Json, Reply } from '../../../test/support/harness/http.ts';
import { LOGO_MAX_BYTES } from './parameters.ts';

const PATH = '/v1/settings';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const JPEG = Buffer.from('ffd8ffe000104a46494600', 'hex');
const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');
const padded = (start: Buffer, size: number) => Buffer.concat([start, Buffer.alloc(size - start.length, 7)]);

let application: Application;
let client: Client;
let merchants = 0;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
afterAll(() => application?.stop());

const set = (body: object | string, from = client, options = {}): Promise<Reply> => from.post(PATH, body, options);
const get = async (from = client) => must(await from.get(PATH));
/** A sandbox where nothing was set yet. */
const fresh = async () => (await application.key({ merchant: `merchant ${merchants++}` })).client;
const eventsOf = async (from: Client) =>
  must(await from.get('/v1/events?type=settings.updated&order=asc')).json['data'] as readonly Json[];

const previousIn = (event: Json | undefined) => (event?.['data'] as Json | undefined)?.['previous_attributes'];

describe('200', () => {
  it('shows an environment where nothing was set, and each for itself', async () => {
    const own = await fresh();
    const { json } = await get(own);
    expect(json).toEqual({
      object: 'settings',
      livemode: false,
      name: null,
      has_logo: false,
      payment_reminder_days: null,
      daily_statements: false,
      accent_color: null,
      contact_email: null,
      contact_phone: null,
      address: null,
      legal_url: null,
      privacy_url: null,
      metadata: {},
    });
    const changed = must(await set({ name: 'Mine', metadata: { team: 'payroll' } }, own)).json;
    expect(changed).toMatchObject({ name: 'Mine', metadata: { team: 'payroll' } });
    expect((await get(own)).json).toMatchObject({ name: 'Mine', metadata: { team: 'payroll' } });
    expect((await get(application.otherSandbox.client)).json).toMatchObject({ name: null });
    expect((await get(application.live.client)).json).toMatchObject({ livemode: true, name: null });
  });

  it('keeps everything that was said, with a form, and says what was before', async () => {
    const own = await fresh();
    const form = new URLSearchParams({
      name: 'Müller & Söhne <GmbH>',
      logo: base64(PNG),
      accent_color: '#0A7C53',
    });
    const { json, text } = must(await set(form.toString(), own, { form: true }));
    expect(json).toMatchObject({
      name: 'Müller & Söhne <GmbH>',
      has_logo: true,
      accent_color: '#0a7c53',
    });
    expect((await get(own)).json).toEqual(json);
    expect(text, 'the picture itself is on the page alone').not.toContain(base64(PNG));
    const [event, ...more] = await eventsOf(own);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ data: { object: json } });
    const nothing = { name: null, has_logo: false, accent_color: null };
    expect(previousIn(event)).toEqual(nothing);
  });

  it('changes what was sent, leaves the rest, unsets by an empty text, says nothing where nothing changed', async () => {
    const own = await fresh();
    must(await set({ name: 'Rossum', logo: base64(JPEG), accent_color: '#000000' }, own));
    must(await set({ name: 'Rossum' }, own));
    expect(await eventsOf(own)).toHaveLength(1);
    const rest = must(await set({ logo: '' }, own)).json;
    expect(rest).toMatchObject({ name: 'Rossum', has_logo: false, accent_color: '#000000' });
    const [, event] = await eventsOf(own);
    expect(previousIn(event)).toEqual({ has_logo: true });
    const none = must(await set('name=&accent_color=', own, { form: true })).json;
    expect(none).toMatchObject({ name: null, accent_color: null });
  });

  it('keeps how payers reach the company, and says nothing where the same is said again', async () => {
    const own = await fresh();
    const reach = {
      contact_email: 'billing@shop.example',
      contact_phone: '+49 30 901820',
      address: { line1: 'Invalidenstraße 43', postal_code: '10115', city: 'Berlin', country: 'DE' },
      legal_url: 'https://shop.example/legal',
      privacy_url: 'https://shop.example/privacy',
    };
    const shown = { ...reach, address: { ...reach.address, line2: null, state: null } };
    expect(must(await set(reach, own)).json).toMatchObject(shown);
    must(await set(reach, own));
    const [event, ...more] = await eventsOf(own);
    expect(more).toEqual([]);
    const none = { contact_email: null, contact_phone: null, address: null, legal_url: null, privacy_url: null };
    expect(previousIn(event)).toEqual(none);
    expect((await get(own)).json).toMatchObject(shown);
    const form = 'contact_email=&contact_phone=&address=&legal_url=&privacy_url=';
    expect(must(await set(form, own, { form: true })).json).toMatchObject(none);
  });

  it('takes a logo of 64 kB and no more', async () => {
    const own = await fresh();
    expect(must(await set({ logo: base64(padded(PNG, LOGO_MAX_BYTES)) }, own)).json).toMatchObject({ has_logo: true });
    const larger = await set({ logo: base64(padded(PNG, LOGO_MAX_BYTES + 3)) }, own);
    expect(outcome(larger)).toBe('400 logo_invalid logo');
  });

  it('replays byte for byte', async () => {
    const own = await fresh();
    const once = { idempotencyKey: 'set once' };
    const first = await set({ name: 'Once' }, own, once);
    must(await set({ name: 'Twice' }, own));
    const again = await set({ name: 'Once' }, own, once);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect((await get(own)).json).toMatchObject({ name: 'Twice' });
  });

  it('is emptied by a reset', async () => {
    const own = await fresh();
    must(await set({ name: 'Gone', logo: base64(PNG) }, own));
    must(await own.post('/v1/test_helpers/reset'));
    expect((await get(own)).json).toMatchObject({ name: null, has_logo: false });
  });
});

describe('400', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  it.each<[string, object]>([
    ['logo_invalid logo', { logo: base64(svg) }],
    ['logo_invalid logo', { logo: base64(`<!doctype html><script>alert(1)</script>`) }],
    ['logo_invalid logo', { logo: base64('GIF89a') }],
    ['logo_invalid logo', { logo: base64(`\n${PNG.toString('latin1')}`) }],
    ['logo_invalid logo', { logo: svg }],
    ['logo_invalid logo', { logo: `data:image/png;base64,${base64(PNG)}` }],
    ['logo_invalid logo', { logo: base64(PNG).slice(0, -1) }],
    ['logo_invalid logo', { logo: `${base64(PNG)}\n` }],
    ['logo_invalid logo', { logo: PNG.toString('base64url').replace(/=*$/, '-_==') }],
    ['logo_invalid logo', { logo: 'A'.repeat(1_000_000) }],
    ['parameter_invalid logo', { logo: { a: 'b' } }],
    ['text_too_long name', { name: 'x'.repeat(71) }],
    ['text_invalid name', { name: 'a\u202eb' }],
    ['card_number_refused name', { name: '4111 1111 1111 1111' }],
    ['parameter_invalid accent_color', { accent_color: 'red' }],
    ['parameter_invalid accent_color', { accent_color: '#fff}*{' }],
    ['parameter_invalid legal_url', { legal_url: 'http://shop.example/legal' }],
    ['parameter_invalid privacy_url', { privacy_url: 'https://me:secret@shop.example/' }],
    ['parameter_invalid legal_url', { legal_url: 'javascript:alert(1)' }],
    ['parameter_invalid contact_phone', { contact_phone: 'call me' }],
    ['parameter_invalid contact_email', { contact_email: 'nobody' }],
    ['parameter_missing address[country]', { address: { city: 'Berlin' } }],
    ['parameter_unknown bank_accounts', { bank_accounts: { EUR: { iban: 'DE89370400440532013000' } } }],
    ['parameter_unknown colour', { colour: '#000000' }],
  ])('%s', async (what, body) => {
    const before = (await get()).text;
    const refused = await set(body);
    expect(outcome(refused)).toBe(`400 ${what}`);
    expect((await get()).text).toBe(before);
  });
});

describe('401, 403, 405', () => {
  it('keys that may not', async () => {
    expect(outcome(await client.send('GET', PATH, '', { authorization: 'Bearer x' }))).toBe('401 api_key_invalid');
    const reader = (await application.key({ scopes: ['settings:read'] })).client;
    expect(outcome(await reader.get(PATH))).toBe('200');
    expect(outcome(await set({ name: 'x' }, reader))).toBe('403 scope_missing');
    const other = (await application.key({ scopes: ['payment_links:write'] })).client;
    expect(outcome(await other.get(PATH))).toBe('403 scope_missing');
    expect(outcome(await client.send('DELETE', PATH, '', {}))).toBe('405 method_not_allowed');
  });
});
