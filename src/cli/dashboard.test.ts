/** Each verb of `bursar dashboard` on a database that a server works on: what it prints, what it does, and how it refuses. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import { BrowserClient } from '../../test/support/dashboard/browser-client.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import { ROLES } from '../core/roles.ts';
import { EXIT_CODES } from '../operator/exit.ts';
import { dashboardCommand } from './dashboard.ts';

let application: Application;
let out = '';
let err = '';
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', application.databaseUrl);
  vi.stubEnv('BURSAR_SECRET', SERVER_SECRET);
  const into = (add: (text: string) => void) => (text: string | Uint8Array) => {
    add(String(text));
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(into((text) => (out += text)));
  vi.spyOn(process.stderr, 'write').mockImplementation(into((text) => (err += text)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What it wrote to standard output, and beside it. */
async function run(...args: readonly string[]): Promise<{ out: string; err: string }> {
  out = '';
  err = '';
  const command = dashboardCommand();
  for (const each of [command, ...command.commands]) each.exitOverride();
  await command.parseAsync([...args], { from: 'user' });
  return { out, err };
}
const refusal = (...args: readonly string[]) =>
  run(...args).then(
    () => null,
    (error: unknown) => error as Error & { readonly code: unknown; readonly exitCode?: number },
  );
const usage = (message: RegExp) =>
  expect.objectContaining({ code: EXIT_CODES.usage, message: expect.stringMatching(message) });

const ADDRESS = /^http:\/\/localhost:\d+\/dashboard#(\w+)=([\w-]{43})\n$/;
/** The one line of standard output: a link, and where it leads. */
async function opened(link: string) {
  const [, kind, token] = ADDRESS.exec(link) ?? [];
  const browser = new BrowserClient(application.address);
  const claimed = await browser.post('/session/claim', { token });
  return { kind, browser, claimed };
}

let count = 0;
/** Somebody who was let in and has joined, with a passkey. */
async function ada(...options: readonly string[]) {
  const email = `ada${++count}@example.com`;
  const invited = await run('invite', '--email', email, ...options);
  const { browser, claimed } = await opened(invited.out);
  expect(claimed.status).toBe(200);
  await browser.enrol();
  const [, user = ''] = /as (usr_\w+):/.exec(invited.err) ?? [];
  return { email, browser, user };
}

describe('invite', () => {
  it('prints the link alone, once, and says beside it what it is', async () => {
    const said = await run('invite', '--email', 'grace@example.com', '--name', 'Grace', '--live', '--role', 'approver');
    expect(said.out).toMatch(ADDRESS);
    expect(said.err).toMatch(
      /^Invited grace@example.com as usr_\w+: approver\. The link opens once, within seven days\./,
    );
    expect(said.err).not.toContain('invite=');
    expect(await opened(said.out)).toMatchObject({ kind: 'invite', claimed: { status: 200 } });
  });
  it('--admin is everything, so that the first one can let in everybody else; --role admin is told what it cannot', async () => {
    const { browser, user } = await ada('--live', '--admin');
    const me = await browser.get('/v1/me', { environment: 'live' });
    expect(me.json).toMatchObject({ actor: { id: user }, roles: [...ROLES] });
    for (const role of ROLES) {
      const asked = { email: `${role}@example.com`, roles: [role] };
      const invited = await browser.post('/v1/users', asked, { environment: 'live' });
      expect([role, invited.status]).toEqual([role, 200]);
      // Four eyes: whom a person lets in approves nothing yet, and who let it in does not change that.
      expect(invited.json).toMatchObject({ confirmed_by: null });
      await opened(`${invited.json['invitation_url'] as string}\n`);
      const confirmed = await browser.post(
        `/v1/users/${invited.json['id'] as string}/confirm`,
        {},
        { environment: 'live' },
      );
      expect(confirmed.code).toBe('approval_by_creator');
    }
    const alone = await ada('--live', '--role', 'admin');
    const wider = await alone.browser.post(
      '/v1/users',
      { email: 'x@example.com', roles: ['operator'] },
      { environment: 'live' },
    );
    expect(wider.code).toBe('user_too_wide'); // control
    const said = await run('invite', '--email', 'only@example.com', '--live', '--role', 'admin');
    expect(said.err).toMatch(/lets in viewers and administrators.*--admin/);
  });
  it.each([
    [['--sandbox', '--live'], /--sandbox .* or --live/],
    [[], /--sandbox .* or --live/],
    [['--live'], /--role viewer/],
  ])('%j is refused', async (options, message) => {
    expect(await refusal('invite', '--email', 'a@example.com', ...options)).toEqual(usage(message));
  });
  it('names what is wrong with an option', async () => {
    expect((await refusal('invite', '--email', 'nobody', '--live', '--admin'))?.message).toMatch(/An e-mail address/);
    const role = await refusal('invite', '--email', 'a@example.com', '--live', '--role', 'boss');
    expect(role?.message).toMatch(/boss is no role\. Allowed: viewer, developer/);
  });
  it('a second time is refused, and says what to do', async () => {
    const { email } = await ada('--sandbox', '--role', 'viewer');
    const twice = await refusal('invite', '--email', email.toUpperCase(), '--sandbox', '--role', 'viewer');
    expect(twice).toEqual(usage(/is that person already/));
  });
});

describe('login and reset', () => {
  it('login signs in, and live wants a second factor all the same', async () => {
    const { email } = await ada('--live', '--role', 'viewer');
    const said = await run('login', '--email', email);
    expect(said.err).toMatch(/opens once, within 15 minutes/);
    const { kind, browser, claimed } = await opened(said.out);
    expect([kind, claimed.status]).toEqual(['login', 200]);
    expect((await browser.get('/v1/me', { environment: 'live' })).code).toBe('second_factor_required');
    expect((await opened(said.out)).claimed.code).toBe('link_invalid'); // opens once
  });
  it('reset clears what signed in before', async () => {
    const { email, browser } = await ada('--sandbox', '--role', 'viewer');
    expect((await browser.signIn()).status).toBe(200); // control
    const said = await run('reset', '--email', email);
    expect((await browser.get('/v1/me')).status).toBe(200); // not before it is opened
    expect(await opened(said.out)).toMatchObject({ kind: 'reset', claimed: { status: 200 } });
    expect((await browser.signIn()).code).toBe('sign_in_refused');
  });
  it.each(['login', 'reset'])('%s of nobody says who there is', async (verb) => {
    const refused = await refusal(verb, '--email', 'nobody@example.com');
    expect(refused).toEqual(usage(/Nobody has joined with the address nobody@example.com.*bursar dashboard list/));
  });
});

describe('confirm', () => {
  it('lets somebody approve whom another let in', async () => {
    const { json } = await application.live.client.post('/v1/users', { email: 'lin@example.com', roles: ['approver'] });
    const id = json['id'] as string;
    expect(await refusal('confirm', id)).toEqual(usage(/Nobody has joined/));
    await opened(`${json['invitation_url'] as string}\n`);
    const said = await run('confirm', id);
    expect(said.err).toBe(`Confirmed ${id}. It may approve, as far as its roles go.\n`);
    expect((await application.live.client.get(`/v1/users/${id}`)).json).toMatchObject({ confirmed_by: 'cli' });
  });
  it('refuses what is no user, or nobody', async () => {
    expect(await refusal('confirm', 'ada')).toEqual(usage(/ada is not the id of a user.*bursar dashboard list/));
    expect(await refusal('confirm', 'usr_01jd3v9q4ne8v8k3w2m6r5t7xa')).toEqual(usage(/No user usr_.*dashboard list/));
  });
});

describe('list', () => {
  it('shows everybody: as a table, and as JSON', async () => {
    const { email, user } = await ada('--live', '--role', 'approver');
    const row = JSON.parse((await run('list', '--json')).out) as { user: string }[];
    expect(row.find((each) => each.user === user)).toMatchObject({
      email,
      merchant: 'default',
      mode: 'live',
      roles: ['approver'],
      status: 'active',
      secondFactor: 'passkey',
      mayApprove: true,
      sessions: 1,
    });
    const { out: table } = await run('list');
    expect(table).toMatch(new RegExp(`${user}.*${email}.*live.*approver.*active.*passkey`));
  });
});

describe('end-sessions', () => {
  it('ends those of a person, or of everybody, at a server that runs', async () => {
    const one = await ada('--sandbox', '--role', 'viewer');
    const other = await ada('--sandbox', '--role', 'viewer');
    expect((await run('end-sessions', '--email', one.email)).err).toMatch(/^Ended 1 session\./);
    const isOut = async ({ browser }: typeof one) => (await browser.get('/v1/me')).code === 'session_required';
    await eventually('the first is signed out', () => isOut(one));
    expect((await other.browser.get('/v1/me')).status).toBe(200); // control
    expect((await run('end-sessions', '--all')).err).toMatch(/^Ended \d+ sessions?\./);
    await eventually('the other is signed out', () => isOut(other));
  });
  it.each([[[]], [['--all', '--email', 'a@example.com']]])('%j is refused', async (options) => {
    expect(await refusal('end-sessions', ...options)).toEqual(usage(/--email <address>, or --all/));
  });
  it('of nobody says who there is', async () => {
    expect(await refusal('end-sessions', '--email', 'nobody@example.com')).toEqual(usage(/bursar dashboard list/));
  });
});
