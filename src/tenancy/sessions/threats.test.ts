/**
 * The threats to the dashboard’s way in (docs/decisions/0105): what each comes to, and beside it what gets through where it is no attack. Over
 * HTTP, with real passkeys. Where each row is tried, and where its defence alone is taken out, so that the same attack gets through:
 *
 * | threat | tried | control |
 * |---|---|---|
 * | page of another site | here; `server/dashboard/origin.test.ts` | `controls.test.ts`: own page, environment |
 * | markup in data | `test/browser/`, `server/dashboard/site.test.ts` | the policy is compared word by word |
 * | pages for strangers | `server/dashboard/site.test.ts`: a host of its own | the same at the right host |
 * | DNS rebinding | here | `controls.test.ts`: host |
 * | framing | `server/dashboard/site.test.ts` | headers are compared word by word |
 * | fixation, theft | here | `controls.test.ts`: `raise_session`, step-up, idle, suspended |
 * | phishing, replay | here | `controls.test.ts`: origin, question, code, recovery code, link |
 * | guessing | `throttle.test.ts` | `controls.test.ts`: tries |
 * | enumeration | `passwords.test.ts` by counts of scrypt; `races.test.ts` by locks | `controls.test.ts`: same work |
 * | sandbox to live | here; `sign-in.test.ts`; `test/tenant-wall.soak.test.ts` | `controls.test.ts`: `session_by_hash` |
 * | reset beside a sign-in | `races.test.ts` | without the commit in between, the same opens |
 * | stolen database | `controls.test.ts` | what is stored is found in the same way |
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteRestores } from '../../operator/restored.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Answered, BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { invite, member, resetToken } from '../../../test/support/dashboard/people.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';

let application: Application;
let ada: BrowserClient;
beforeAll(async () => {
  application = await startApplication();
  ({ browser: ada } = await member(
    application,
    [application.sandbox, application.live],
    ['admin', 'developer', 'operator'],
  ));
});
afterAll(() => application?.stop());

const outcome = ({ status, code }: Answered) => `${status} ${code ?? ''}`.trim();
const ME = '/v1/me';
const browserHere = () => new BrowserClient(application.address);
const attested = (options: Answered) => options.json as { challenge: string };

describe('a page of another site', () => {
  it.each([
    ['same-origin', undefined, '200'],
    ['cross-site', undefined, '403 request_cross_site'],
    ['same-site', undefined, '403 request_cross_site'],
    ['none', undefined, '403 request_cross_site'],
    ['cross-site', 'own', '403 request_cross_site'], // the browser's own word counts
    [undefined, 'own', '200'],
    [undefined, 'https://evil.example', '403 request_cross_site'],
    [undefined, undefined, '403 request_cross_site'],
  ])('Sec-Fetch-Site %s, Origin %s: %s', async (site, origin, expected) => {
    const headers = { 'Sec-Fetch-Site': site, Origin: origin === 'own' ? ada.origin : origin };
    expect(outcome(await ada.get(ME, { headers }))).toBe(expected);
    expect(outcome(await ada.get('/session', { headers }))).toBe(expected);
  });
  it('cannot send the header of the environment, without which nothing opens', async () => {
    expect(outcome(await ada.get(ME, { environment: null }))).toBe('400 parameter_missing');
    expect(outcome(await ada.post('/v1/accounts', { currency: 'EUR' }, { environment: null }))).toBe(
      '400 parameter_missing',
    );
  });
  it('cannot send JSON by a form', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect(outcome(await ada.post('/session/end', {}, { headers }))).toBe('415 content_type_unsupported');
    expect(outcome(await ada.get(ME))).toBe('200');
  });
});

describe('a name that somebody else points here', () => {
  it.each(['evil.example', '192.168.1.5:4242', 'localhost.evil.example'])('%s opens nothing', async (Host) => {
    expect(outcome(await ada.get(ME, { headers: { Host } }))).toBe('421 host_unknown');
    expect(outcome(await ada.get('/session', { headers: { Host } }))).toBe('421 host_unknown');
  });
  it('control: this machine does', async () =>
    expect(outcome(await ada.get(ME, { headers: { Host: 'localhost:1' } }))).toBe('200'));
});

describe('cookies and keys', () => {
  it('a cookie opens nothing at /v1', async () =>
    expect(outcome(await ada.get('/v1/accounts', { below: '' }))).toBe('401 api_key_invalid'));
  it('a key opens nothing at the dashboard', async () => {
    const headers = { Authorization: `Bearer ${application.sandbox.key}` };
    expect(outcome(await ada.get(ME, { headers, cookie: null }))).toBe('401 session_required');
    expect(outcome(await ada.get('/v1/accounts', { headers, cookie: null, below: '' }))).toBe('200'); // control
  });
  it('no browser asks for a password there', async () => {
    const { headers } = await ada.get(ME, { cookie: null, headers: { Accept: 'text/html' } });
    expect(headers['www-authenticate']).not.toMatch(/basic/i);
  });
  it('two cookies of the name are none: one may be planted', async () => {
    const headers = { Cookie: `__Host-bursar=${ada.cookie}; __Host-bursar=${'a'.repeat(43)}` };
    expect(outcome(await ada.get(ME, { headers }))).toBe('401 session_required');
  });
  it('a retry through the other entry is the same request', async () => {
    const key = 'one account and no more';
    const made = await ada.post('/v1/accounts', { currency: 'CHF' }, { idempotencyKey: key });
    const again = await ada.post('/v1/accounts', { currency: 'CHF' }, { idempotencyKey: key });
    expect([again.json['id'], again.headers['idempotent-replayed']]).toEqual([made.json['id'], 'true']);
  });
});

describe('a token', () => {
  it('that was fixed before is none after signing in', async () => {
    const browser = browserHere();
    browser.authenticator = ada.authenticator;
    const asked = await browser.post('/session/passkey/options');
    const fixed = browser.cookie;
    await browser.post('/session/passkey/verify', { assertion: browser.authenticator.get(attested(asked)) });
    expect(browser.cookie).not.toBe(fixed);
    expect(outcome(await browser.get(ME, { cookie: fixed }))).toBe('401 session_required');
    expect(outcome(await browser.get(ME))).toBe('200'); // control
  });
  it('ends when a factor is shown again', async () => {
    const before = ada.cookie;
    expect((await ada.stepUp()).status).toBe(200);
    expect(outcome(await ada.get(ME, { cookie: before }))).toBe('401 session_required');
    expect(outcome(await ada.get(ME))).toBe('200');
  });
  it('stands in the database as a hash alone', async () => {
    const rows = await application.sql("SELECT encode(hash, 'hex') AS hash FROM sessions WHERE ended_at IS NULL");
    const hash = createHash('sha256')
      .update(ada.cookie ?? '')
      .digest('hex');
    expect(rows.map((row) => row['hash'])).toContain(hash);
  });
});

describe('an answer of a passkey', () => {
  it('counts once, in the browser that asked, for the question and the place', async () => {
    const asking = async () => {
      const browser = browserHere();
      browser.authenticator = ada.authenticator;
      return { browser, options: attested(await browser.post('/session/passkey/options')) };
    };
    const verify = (browser: BrowserClient, assertion: object, cookie?: string | null) =>
      browser.post('/session/passkey/verify', { assertion }, cookie === undefined ? {} : { cookie });
    const { browser, options } = await asking();
    const holder = browser.cookie;
    const assertion = ada.authenticator.get(options);
    expect(outcome(await verify(browser, assertion))).toBe('200'); // control
    expect(outcome(await verify(browser, assertion, holder))).toBe('400 passkey_invalid'); // replayed
    const copied = await asking();
    const stale = ada.authenticator.get(copied.options, { sameCount: true });
    expect(outcome(await verify(copied.browser, stale))).toBe('403 sign_in_refused');
    const other = await asking();
    const elsewhere = await asking();
    const stolen = ada.authenticator.get(other.options);
    expect(outcome(await verify(elsewhere.browser, stolen))).toBe('403 sign_in_refused'); // of another browser's question
    for (const faults of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { unverified: true }]) {
      const asked = await asking();
      expect(outcome(await verify(asked.browser, ada.authenticator.get(asked.options, faults)))).toBe(
        '403 sign_in_refused',
      );
    }
  });
});

describe('live', () => {
  it('wants a factor of the last minutes for what decides, and then goes on', async () => {
    await application.sql('UPDATE sessions SET stepped_up_at = NULL WHERE ended_at IS NULL');
    const make = () => ada.post('/v1/keys', { name: 'x' }, { environment: 'live', idempotencyKey: 'a key in live' });
    const inTime = async () => outcome(await make());
    await eventually('the session is looked up again', async () => (await inTime()) === '403 step_up_required');
    expect(outcome(await ada.post('/v1/keys', { name: 'x' }))).toBe('200'); // control: the sandbox does not ask
    expect(outcome(await ada.get('/v1/accounts', { environment: 'live' }))).toBe('200'); // control: to look is free
    await ada.stepUp();
    expect(await inTime()).toBe('200');
  });
  it('opens nothing to who comes by a link alone, or decides without a second factor', async () => {
    const { browser } = await member(application, [application.sandbox, application.live], ['operator'], false);
    expect(outcome(await browser.get(ME, { environment: 'live' }))).toBe('403 second_factor_required');
    expect(outcome(await browser.get(ME))).toBe('200'); // control
    await browser.enrol();
    expect(outcome(await browser.get(ME, { environment: 'live' }))).toBe('200');
  });
  it('is not open by a role in the sandbox', async () => {
    const { browser } = await member(application, [application.sandbox], ['admin', 'developer']);
    expect(outcome(await browser.get(ME, { environment: 'live' }))).toBe('403 environment_not_open');
    const { environmentId } = application.otherSandbox;
    expect(outcome(await browser.get(ME, { environment: environmentId }))).toBe('403 environment_not_open');
    expect(outcome(await browser.get(ME, { environment: 'prod' }))).toBe('400 parameter_invalid');
  });
  it('ends after half an hour without activity; the sandbox does not', async () => {
    const { browser } = await member(application, [application.sandbox, application.live], ['operator']);
    await application.sql("UPDATE sessions SET seen_at = seen_at - interval '31 minutes' WHERE ended_at IS NULL");
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(outcome(await browser.get(ME, { headers: { 'Bursar-Activity': 'none' } }))).toBe('200');
    expect(outcome(await browser.get(ME))).toBe('200'); // who sits down there now goes on in the sandbox, and wakes nothing else up
    expect(outcome(await browser.get(ME, { environment: 'live' }))).toBe('401 session_required');
    expect(outcome(await browser.get(ME))).toBe('401 session_required');
  });
});

describe('who is shut out', () => {
  it('opens nothing within a second', async () => {
    const { browser, user } = await member(application, [application.sandbox], ['viewer']);
    expect(outcome(await browser.get(ME))).toBe('200'); // control
    await application.sandbox.client.post(`/v1/users/${user}/suspend`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(outcome(await browser.get(ME))).toBe('403 environment_not_open');
  });
  it('loses what was there when a link resets it, and everybody when the database is restored', async () => {
    const { browser, user } = await member(application, [application.sandbox], ['viewer']);
    const token = await resetToken(application.sandbox, user);
    const reset = await browserHere().post('/session/claim', { token });
    expect(reset.json).toMatchObject({ kind: 'reset', person: { methods: [] } });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(outcome(await browser.get(ME))).toBe('401 session_required');
    expect(outcome(await browser.signIn())).toBe('403 sign_in_refused');

    const invited = await invite(application.sandbox, ['viewer']);
    expect(outcome(await ada.get(ME))).toBe('200'); // control
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    await noteRestores({ url: application.databaseUrl, log, ...LIMITS }, 1_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(outcome(await ada.get(ME))).toBe('401 session_required');
    expect(outcome(await browserHere().post('/session/claim', { token: invited.token }))).toBe('400 link_invalid');
  });
});

describe('a link', () => {
  it('lets in one of fifty that open it at once', async () => {
    const { token } = await invite(application.sandbox, ['viewer']);
    const claims = await Promise.all(Array.from({ length: 50 }, () => browserHere().post('/session/claim', { token })));
    const won = claims.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = new Set(claims.filter(({ status }) => status !== 200).map(outcome));
    // They come from one network, so some do not get as far.
    const known = ['400 link_invalid', '403 link_not_yours', '429 rate_limited'];
    expect([...lost].filter((each) => !known.includes(each))).toEqual([]);
  }, 60_000);
});

const LIMITS = {
  readPoolSize: 1,
  statementTimeoutMs: 10_000,
  lockTimeoutMs: 5_000,
  idleInTransactionTimeoutMs: 10_000,
  unsafeDurability: true,
};
