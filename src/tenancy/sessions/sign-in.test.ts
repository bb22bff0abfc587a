/** Signing in over HTTP: by link, passkey, password and code; what a session opens, and how it ends. Real passkeys, made in this process. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { invite, member } from '../../../test/support/dashboard/people.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const browserHere = () => new BrowserClient(application.address);

it('says that nobody is signed in, without an error', async () => {
  const answered = await browserHere().get('/session');
  expect([answered.status, answered.json['person']]).toEqual([200, null]);
});

it('a person joins by a link, adds a passkey, and signs in by it', async () => {
  const { user, token } = await invite(application.sandbox, ['operator']);
  const browser = browserHere();
  const claimed = await browser.post('/session/claim', { token });
  expect(claimed.json).toMatchObject({ kind: 'invite', needs: 'enrol', method: 'claim' });
  expect(claimed.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-bursar=[\w-]{43}; Secure; HttpOnly; SameSite=Strict; Path=\/$/),
  ]);
  const before = browser.cookie;
  expect((await browser.enrol()).json).toMatchObject({ needs: null, second_factor: true });
  expect(browser.cookie).not.toBe(before);
  expect((await browser.get('/v1/me')).json).toMatchObject({ actor: { id: user, kind: 'user' }, roles: ['operator'] });
  await browser.post('/session/end');
  expect((await browser.get('/v1/me')).code).toBe('session_required');
  expect((await browser.signIn()).json).toMatchObject({ method: 'passkey', second_factor: true });
  expect((await browser.get('/v1/me')).status).toBe(200);
});

it('a person signs in by password and code, and a code counts once', async () => {
  const { browser } = await member(application, [application.sandbox], ['viewer'], false);
  const password = 'nine lamps under water';
  const named = await browser.post('/person', { name: 'Ada Byron', password });
  expect(named.json).toMatchObject({ person: { name: 'Ada Byron', methods: ['password'] } });
  const { email } = named.json['person'] as { email: string };
  const { secret } = (await browser.post('/totp/start')).json as { secret: string };
  const totp = new TOTP({ secret });
  expect((await browser.post('/totp/confirm', { code: '000000' })).code).toBe('code_invalid');
  const confirmed = await browser.post('/totp/confirm', { code: totp.generate() });
  expect(confirmed.json['recovery_codes']).toHaveLength(10);
  const [recovery] = confirmed.json['recovery_codes'] as unknown as string[];

  const other = browserHere();
  expect((await other.post('/session/password', { email, password })).code).toBe('second_factor_required');
  const replayed = await other.post('/session/password', { email, password, code: totp.generate() });
  expect(replayed.code).toBe('sign_in_refused'); // the step was used to confirm
  const signedIn = await other.post('/session/password', { email, password, code: recovery });
  expect(signedIn.json).toMatchObject({ method: 'password', second_factor: true });
  const again = await browserHere().post('/session/password', { email, password, code: recovery });
  expect(again.code).toBe('sign_in_refused');
});

it('lists the sessions of a person, and ends one or all others', async () => {
  const { browser } = await member(application, [application.sandbox], ['viewer']);
  const others = [browserHere(), browserHere()];
  for (const other of others) {
    other.authenticator = browser.authenticator;
    expect((await other.signIn()).status).toBe(200);
  }
  const { data } = (await browser.get('/sessions')).json as {
    data: { id: string; current: boolean; user_agent: string }[];
  };
  expect(data.map(({ current }) => current).filter(Boolean)).toHaveLength(1);
  expect(data).toHaveLength(3);
  const one = data.find(({ current }) => !current)?.id ?? '';
  expect((await browser.post(`/sessions/${one}/end`)).status).toBe(200);
  expect((await browser.post(`/sessions/${one}/end`)).code).toBe('resource_missing');
  expect((await browser.post('/sessions/end_others')).json).toMatchObject({ count: 1 });
  for (const other of others) expect((await other.get('/v1/me')).code).toBe('session_required');
  expect((await browser.get('/v1/me')).status).toBe(200);
});

describe('what signs a person in', () => {
  it('does not go when it is the only one', async () => {
    const { browser } = await member(application, [application.sandbox], ['viewer']);
    const { data } = (await browser.get('/passkeys')).json as { data: { id: string; name: string }[] };
    const id = data[0]?.id ?? '';
    expect((await browser.post(`/passkeys/${id}/remove`)).code).toBe('credential_last');
    expect((await browser.post('/person', { name: 'Ada', password: 'nine lamps under water' })).status).toBe(200);
    expect((await browser.post(`/passkeys/${id}/remove`)).json).toMatchObject({ person: { methods: ['password'] } });
    expect((await browser.signIn()).code).toBe('sign_in_refused');
  });
  it.each([
    ['password1234', 'password_weak'],
    ['short', 'parameter_invalid'],
    ['aaaaaaaaaaaaaa', 'password_weak'],
    ['1234567890123', 'password_weak'],
    ['bursarBursar12', 'password_weak'],
  ])('is no password like %s', async (password, code) => {
    const { browser } = await member(application, [application.sandbox], ['viewer'], false);
    expect((await browser.post('/person', { name: 'Ada', password })).code).toBe(code);
  });
});

it('the audit log names person, session and way in', async () => {
  const { browser, user } = await member(application, [application.sandbox], ['developer']);
  await browser.post('/v1/keys', { name: 'made in a session' });
  const { json } = await application.sandbox.client.get('/v1/audit_log?limit=20');
  const entries = json['data'] as {
    action: string;
    actor: string;
    ip: string | null;
    details: Record<string, unknown>;
  }[];
  const session = expect.stringMatching(/^ses_/);
  for (const action of ['user.signed_in', 'user.passkey_added', 'key.created']) {
    const entry = entries.find((each) => each.action === action && each.actor === user);
    expect(entry, action).toMatchObject({ ip: '127.0.0.1', details: { session, signed_in_by: 'claim' } });
  }
});

it('an invitation for somebody who has signed in before opens only in a session', async () => {
  const { browser } = await member(application, [application.sandbox], ['viewer']);
  const { email } = (await browser.get('/session')).json['person'] as { email: string };
  const { token } = await invite(application.otherSandbox, ['viewer'], email);
  expect((await browserHere().post('/session/claim', { token })).code).toBe('link_not_yours');
  const joined = await browser.post('/session/claim', { token });
  expect(joined.json).toMatchObject({ kind: 'invite', environments: [{ mode: 'sandbox' }, { mode: 'sandbox' }] });
  expect((await browser.get('/v1/me')).code).toBe('parameter_invalid'); // two sandboxes: the id is needed
  const { environmentId } = application.otherSandbox;
  expect((await browser.get('/v1/me', { environment: environmentId })).status).toBe(200);
});

describe('an invitation for somebody who has joined and has nothing to sign in by yet', () => {
  it('from the sandbox opens no person of live: who made it could become that person', async () => {
    const { browser } = await member(application, [application.live], ['operator'], false);
    const { email } = (await browser.get('/session')).json['person'] as { email: string };
    const { token } = await invite(application.sandbox, ['viewer'], email);
    expect((await browserHere().post('/session/claim', { token })).code).toBe('link_not_yours');
    expect((await browser.post('/session/claim', { token })).status).toBe(200); // control: the person itself joins
  });
  it('from live opens a person of the sandbox of the same merchant', async () => {
    const { browser } = await member(application, [application.sandbox], ['viewer'], false);
    const { email } = (await browser.get('/session')).json['person'] as { email: string };
    const { token } = await invite(application.live, ['viewer'], email);
    expect((await browserHere().post('/session/claim', { token })).status).toBe(200);
    expect((await browser.get('/v1/me')).code).toBe('session_required'); // what was open before has ended
  });
});
