/** What a person does with its own account: what a browser may say, and how much of it. Over HTTP, with real passkeys. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../core/values/ids.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { member } from '../../../test/support/dashboard/people.ts';
import { MOST_PASSKEYS } from './passkeys.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const newcomer = async () => (await member(application, [application.sandbox], ['viewer'], false)).browser;

describe('what a browser says of a passkey', () => {
  it.each([
    [5, []],
    [null, []],
    [
      [5, null, '\u0000', 'x'.repeat(10_000), 'usb', 'internal'],
      ['internal', 'usb'],
    ],
    ['internal', []],
  ])('transports %j are kept as %j', async (transports, kept) => {
    const browser = await newcomer();
    const options = await browser.post('/passkeys/options');
    const made = browser.authenticator.create(options.json as { challenge: string }) as { response: object };
    const attestation = { ...made, response: { ...made.response, transports } };
    expect((await browser.post('/passkeys', { attestation, name: 'odd' })).status).toBe(200);
    const id = browser.authenticator.id.toString('base64url');
    expect(await application.sql('SELECT transports FROM passkeys WHERE id = $1', [id])).toEqual([
      { transports: kept },
    ]);
  });
  it.each([[{}], [{ id: 5 }], [{ id: '\u0000' }], [{ id: 'x'.repeat(2_000) }], [{ id: 'a', response: 'b' }]])(
    'an answer like %j opens nothing',
    async (assertion) => {
      const browser = new BrowserClient(application.address);
      await browser.post('/session/passkey/options');
      expect((await browser.post('/session/passkey/verify', { assertion })).code).toBe('sign_in_refused');
    },
  );
  it('is kept of twenty', async () => {
    const { browser, user } = await member(application, [application.sandbox], ['viewer']);
    await application.sql(
      `INSERT INTO passkeys (id, person_id, public_key, rp_id, name)
        SELECT 'more' || n, u.person_id, '', 'localhost', 'more' FROM users u, generate_series(2, $2::int4) n WHERE u.id = $1`,
      [uuidOf(user), MOST_PASSKEYS - 1],
    );
    expect((await browser.post('/passkeys/options')).status).toBe(200); // control: one fits
    await application.sql(
      `INSERT INTO passkeys (id, person_id, public_key, rp_id, name)
        SELECT 'last', u.person_id, '', 'localhost', 'last' FROM users u WHERE u.id = $1`,
      [uuidOf(user)],
    );
    expect((await browser.post('/passkeys/options')).code).toBe('passkey_invalid');
  });
});

it('whoever tries addresses one after the other is made to wait: they would tell who else is here', async () => {
  const browser = await newcomer();
  const outcomes = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, at) => (await browser.post('/person', { name: 'A', email: `${at}@example.com` })).code,
    ),
  );
  expect(outcomes.filter((code) => code === undefined).length).toBeGreaterThanOrEqual(5);
  expect(outcomes).toContain('rate_limited');
  expect((await browser.post('/person', { name: 'B' })).status).toBe(200); // control: a name is free
});

it('what changes how one signs in looks past what is cached', async () => {
  const browser = await newcomer();
  const other = new BrowserClient(application.address);
  other.cookie = browser.cookie;
  expect((await other.get('/session')).json).toMatchObject({ needs: 'enrol' }); // cached from here on
  await application.sql('UPDATE sessions SET ended_at = now() WHERE ended_at IS NULL');
  expect((await other.post('/passkeys/options')).code).toBe('session_required');
});
