/**
 * What happens at the same moment: a reset while somebody signs in or adds a credential, and two requests with one link. Decided by locks of
 * PostgreSQL, which the tests hold, and never by time. Over HTTP.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Answered, BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { invite, member } from '../../../test/support/dashboard/people.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const browserHere = () => new BrowserClient(application.address);
const PASSWORD = 'nine lamps under water';

/** Somebody with a password and nothing else. */
async function withPassword() {
  const { browser, user } = await member(application, [application.sandbox], ['viewer'], false);
  const named = await browser.post('/person', { name: 'Ada', password: PASSWORD });
  const { email, id } = named.json['person'] as { email: string; id: string };
  return { browser, user, email, person: id };
}

/** Does it while `change` is made and not committed, and commits once it waits for that or has been answered. */
async function during(change: string, person: string, ask: () => Promise<Answered>): Promise<Answered> {
  await application.sql('BEGIN');
  await application.sql(change, [uuidOf(person)]);
  let isAnswered = false;
  const asked = ask().finally(() => (isAnswered = true));
  await eventually('it waits for the change, or has not', async () => {
    const [row] = await application.sql(
      `SELECT count(*)::int4 AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return isAnswered || row?.['count'] !== 0;
  });
  await application.sql('COMMIT');
  return asked;
}

describe('a reset', () => {
  it('while a password is checked: it opens no session', async () => {
    const { email, person } = await withPassword();
    const signIn = () => browserHere().post('/session/password', { email, password: PASSWORD });
    expect((await signIn()).status).toBe(200); // control
    const cleared = 'UPDATE person_credentials SET password_hash = NULL WHERE person_id = $1';
    expect((await during(cleared, person, signIn)).code).toBe('sign_in_refused');
  });
  const END = 'UPDATE sessions SET ended_at = now() WHERE person_id = $1';
  it('while a passkey is added: the session that ends adds none', async () => {
    const { browser, person } = await withPassword();
    const options = await browser.post('/passkeys/options');
    const attestation = browser.authenticator.create(options.json as { challenge: string });
    const added = await during(END, person, () => browser.post('/passkeys', { attestation, name: 'late' }));
    expect(added.code).toBe('passkey_invalid');
    expect(await application.sql('SELECT id FROM passkeys WHERE person_id = $1', [uuidOf(person)])).toEqual([]);
  });
  it('while a password is set: the session that ends sets none', async () => {
    const { browser, person } = await withPassword();
    const stored = () =>
      application.sql('SELECT password_hash FROM person_credentials WHERE person_id = $1', [uuidOf(person)]);
    const before = await stored();
    const set = () => browser.post('/person', { name: 'Ada', password: 'another lamp under water' });
    expect((await during(END, person, set)).code).toBe('session_required');
    expect(await stored()).toEqual(before);
  });
});

it('a wrong password is refused before it is noted: the same for somebody and for nobody', async () => {
  const { email } = await withPassword();
  const guess = (address: string) => browserHere().post('/session/password', { email: address, password: 'a guess' });
  await application.sql('BEGIN');
  await application.sql('SELECT FROM environments FOR UPDATE'); // nothing can be noted
  try {
    expect((await guess(email)).code).toBe('sign_in_refused');
    expect((await guess('nobody@example.com')).code).toBe('sign_in_refused');
  } finally {
    await application.sql('COMMIT');
  }
  await eventually('it is noted all the same', async () => {
    const { json } = await application.sandbox.client.get('/v1/audit_log?action=user.sign_in_failed');
    return (json['data'] as unknown as unknown[]).length > 0;
  });
});

describe('a link that was opened', () => {
  it('goes on where its page is loaded again, in the browser that opened it alone', async () => {
    const { token } = await invite(application.sandbox, ['viewer']);
    const browser = browserHere();
    const claimed = await browser.post('/session/claim', { token });
    expect(claimed.status).toBe(200);
    const { person } = (await browser.get('/session')).json;
    expect(person).toEqual(claimed.json['person']); // a reload without the link
    const again = await browser.post('/session/claim', { token });
    expect(again.json).toMatchObject({ kind: 'invite', needs: 'enrol', person: { id: (person as { id: string }).id } });
    expect(again.headers['set-cookie']).toBeUndefined(); // no second session
    expect((await browserHere().post('/session/claim', { token })).code).toBe('link_invalid');
    const { browser: other } = await member(application, [application.sandbox], ['viewer'], false);
    expect((await other.post('/session/claim', { token })).code).toBe('link_invalid');
  });
});
