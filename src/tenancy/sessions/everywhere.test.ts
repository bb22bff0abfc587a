/** Who is shut out at one server is so at every other, whatever that one has cached, and its streams there are cut off. Two servers on one database. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { type Member, member, resetToken } from '../../../test/support/dashboard/people.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { type SecondServer, startSecondServer } from '../../../test/support/harness/second-server.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let second: SecondServer;
beforeAll(async () => {
  application = await startApplication();
  second = await startSecondServer(application);
});
afterAll(async () => {
  await second?.stop();
  await application?.stop();
});

/** A stream of events at the other server, once it has begun; says whether it has ended. */
function stream({ cookie }: BrowserClient): Promise<{ isOpen: boolean; leave(): void }> {
  const headers = {
    Cookie: `__Host-bursar=${cookie}`,
    'Sec-Fetch-Site': 'same-origin',
    'Bursar-Environment': 'sandbox',
    Host: 'localhost',
  };
  return new Promise((resolve, reject) => {
    const asking = request(`${second.address}/dashboard/api/v1/events/stream`, { headers }, (response) => {
      const state = { isOpen: true, leave: () => void asking.destroy() };
      const close = () => (state.isOpen = false);
      response.on('error', close).on('close', close).resume();
      if (response.statusCode === 200) resolve(state);
      else reject(new Error(`The stream was answered with ${response.statusCode}`));
    });
    asking.on('error', reject).end();
  });
}

const WAYS: Readonly<Record<string, (person: Member) => Promise<unknown>>> = {
  'signs out': ({ browser }) => browser.post('/session/end'),
  'ends it from another one': async ({ browser }) => {
    const other = new BrowserClient(application.address);
    other.authenticator = browser.authenticator;
    await other.signIn();
    await other.post('/sessions/end_others');
  },
  'is signed out': async ({ user }) => must(await application.sandbox.client.post(`/v1/users/${user}/end_sessions`)),
  'is suspended': async ({ user }) => must(await application.sandbox.client.post(`/v1/users/${user}/suspend`)),
  'is reset': async ({ user }) =>
    new BrowserClient(application.address).post('/session/claim', {
      token: await resetToken(application.sandbox, user),
    }),
};

describe('a person who', () => {
  it.each(Object.entries(WAYS))('%s', async (_, shutOut) => {
    const person = await member(application, [application.sandbox], ['viewer']);
    const stays = await member(application, [application.sandbox], ['viewer']);
    const there = new BrowserClient(second.address);
    there.cookie = person.browser.cookie;
    const [cut, kept] = [await stream(there), await stream(stays.browser)];
    expect((await there.get('/v1/me')).status).toBe(200); // cached there from here on
    await shutOut(person);
    await eventually('it opens nothing there', async () => (await there.get('/v1/me')).status >= 400);
    await eventually('its stream is cut off', () => Promise.resolve(!cut.isOpen));
    expect(kept.isOpen).toBe(true); // control
    kept.leave();
  });
  it('loses a role: what that opened is refused there', async () => {
    const { browser, user } = await member(application, [application.sandbox], ['developer', 'admin']);
    await member(application, [application.sandbox], ['admin']); // not the last one
    const there = new BrowserClient(second.address);
    there.cookie = browser.cookie;
    expect((await there.get('/v1/keys')).status).toBe(200);
    must(await application.sandbox.client.post(`/v1/users/${user}`, { roles: ['viewer'] }));
    await eventually('it is refused', async () => (await there.get('/v1/keys')).code === 'scope_missing');
  });
});
