/** The link that a start prints for the first person: until that person can come back, and for nobody else. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import { BrowserClient } from '../../test/support/dashboard/browser-client.ts';
import { invite } from '../../test/support/dashboard/people.ts';
import { FIRST_MERCHANT } from '../core/company.ts';
import type { Statement } from '../platform/db/wire/statement.ts';
import { firstLink } from './people.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
  await application.key({ merchant: FIRST_MERCHANT }); // as a first start makes it
});
afterAll(() => application?.stop());

const run = ({ text, values }: Statement) => application.sql(text, values);
const start = () => firstLink(run, { current: SERVER_SECRET, previous: [] }, 'http://localhost:4242');
async function open(link: string | null) {
  const [, kind, token] = /#(\w+)=([\w-]+)$/.exec(link ?? '') ?? [];
  const browser = new BrowserClient(application.address);
  return { kind, browser, claimed: await browser.post('/session/claim', { token }) };
}

it('is there until the first person has something to sign in by, also where its browser was closed before', async () => {
  const earlier = await start();
  const first = await open(await start());
  expect(first).toMatchObject({ kind: 'claim', claimed: { status: 200, json: { needs: 'enrol' } } });
  expect((await open(earlier)).claimed.code).toBe('link_invalid'); // taken back by the next start
  const again = await open(await start());
  expect(again).toMatchObject({ kind: 'reset', claimed: { json: { person: first.claimed.json['person'] } } });
  expect((await first.browser.get('/v1/me')).code).toBe('session_required');
  expect((await again.browser.get('/v1/me')).json).toMatchObject({ roles: ['developer', 'admin'], livemode: false });
  await again.browser.enrol();
  expect(await start()).toBeNull();
});

it('is for nobody where there are two', async () => {
  await application.sql('UPDATE passkeys SET removed_at = now()');
  expect(await start()).not.toBeNull(); // control: the only one again
  const { token } = await invite(application.sandbox, ['viewer']);
  expect((await new BrowserClient(application.address).post('/session/claim', { token })).status).toBe(200);
  expect(await start()).toBeNull();
});
