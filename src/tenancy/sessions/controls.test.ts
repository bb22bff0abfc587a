/**
 * Each threat (docs/decisions/0105) against the way in as it is, and against one that lacks a single defence: there the same attack gets
 * through. So no test of threats passes because something else refuses it. Defences in statements are taken out on their way to PostgreSQL.
 */
import { createHook } from 'node:async_hooks';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Asked, BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { type Holder, invite, member, resetToken } from '../../../test/support/dashboard/people.ts';
import { rewriteStatements } from '../../../test/support/faults/rewrite.ts';
import { uuidOf } from '../../core/values/ids.ts';
import type { Door } from '../../platform/http/door.ts';
import { type DoorOptions, doorWith, signInParts } from '../../server/dashboard/door.ts';
import type { SignInParts } from './parts.ts';
import { isPassword } from './passwords.ts';
import type { Throttle } from './throttle.ts';

const ME = '/v1/me';
const EVIL = 'https://evil.example';
const PASSWORD = 'nine lamps under water';

/** In the way in itself. */
type Missing = 'own page' | 'environment' | 'host' | 'origin' | 'tries' | 'same work';
/** In the statements of these names: this text becomes that one. */
type Statement = readonly [names: string, text: string, instead: string];
let lacks: Missing | Statement | null = null;

function weakened(parts: SignInParts): SignInParts {
  const uncounted = (real: Throttle): Throttle => ({
    ...real,
    take: (name, nowMs) => (lacks === 'tries' ? 0 : real.take(name, nowMs)),
  });
  return {
    ...parts,
    tries: { ...parts.tries, person: uncounted(parts.tries.person), network: uncounted(parts.tries.network) },
    isPassword: (password, stored) =>
      lacks === 'same work' && stored === null ? Promise.resolve(false) : isPassword(password, stored),
  };
}

function opened(door: Door): Door {
  return {
    ...door,
    isOwnPage: (headers, place) => lacks === 'own page' || door.isOwnPage(headers, place),
    placeAt(host) {
      const place = door.placeAt(host);
      if (lacks === 'host' && typeof place === 'number') return { origin: `http://${host}`, rpId: 'localhost' };
      return lacks === 'origin' && typeof place !== 'number' ? { ...place, origin: EVIL } : place;
    },
    admit: (visit, environment, isQuiet) =>
      door.admit(visit, lacks === 'environment' ? (environment ?? 'sandbox') : environment, isQuiet),
  };
}

let application: Application;
let asTheyAre: () => void;
let rewritten = 0;
/** Who has a passkey. */
let ada: BrowserClient;
beforeAll(async () => {
  asTheyAre = rewriteStatements((statement) => {
    if (!Array.isArray(lacks) || !lacks[0].split(' ').includes(statement.name ?? '')) return statement;
    const text = statement.text?.replaceAll(lacks[1] as string, lacks[2] as string);
    if (text === undefined || text === statement.text) throw new Error(`${lacks[0]} does not have: ${lacks[1]}`);
    rewritten += 1;
    return { ...statement, text, name: `${statement.name}_weak${rewritten}` };
  });
  const doorOf = (options: DoorOptions) => {
    const made = doorWith(options, weakened(signInParts(options)));
    return { ...made, door: opened(made.door) };
  };
  application = await startApplication({ doorOf });
  ({ browser: ada } = await somebody([application.sandbox], ['viewer'], true));
  await somebody([application.otherSandbox]);
});
afterAll(async () => {
  asTheyAre?.();
  await application?.stop();
});

const browserHere = () => new BrowserClient(application.address);
/** Somebody new; without a passkey unless `enrols`. Nothing of it is cached from another try. */
const somebody = async (holders: readonly Holder[] = [application.sandbox], roles = ['viewer'], enrols = false) =>
  member(application, holders, roles, enrols);
const opensMe = async (browser: BrowserClient, asked: Asked) => (await browser.get(ME, asked)).status === 200;
/** A session is looked up anew. */
const untilForgotten = () => new Promise((resolve) => setTimeout(resolve, 900));

async function withApp() {
  const { browser } = await somebody();
  const named = await browser.post('/person', { name: 'Ada', password: PASSWORD });
  const { secret } = (await browser.post('/totp/start')).json as { secret: string };
  const code = new TOTP({ secret }).generate();
  const { json } = await browser.post('/totp/confirm', { code });
  const { email } = named.json['person'] as { email: string };
  const signIn = async (shown: string) =>
    (await browserHere().post('/session/password', { email, password: PASSWORD, code: shown })).status === 200;
  return { code, recovery: (json['recovery_codes'] as unknown as string[])[0] as string, signIn };
}

async function answeringPasskey() {
  const other = browserHere();
  other.authenticator = ada.authenticator;
  const options = (await other.post('/session/passkey/options')).json as { challenge: string };
  return { other, options, holder: other.cookie };
}

/** How often scrypt runs while somebody is guessed at. */
async function scrypts(email: string): Promise<number> {
  let count = 0;
  const hook = createHook({ init: (_, type) => void (type === 'SCRYPTREQUEST' && (count += 1)) }).enable();
  await browserHere().post('/session/password', { email, password: 'never this one' });
  hook.disable();
  return count;
}

const SESSION = 'session_by_hash';
let guessed = 0;

/** What is tried, the one defence against it, and whether it gets through. */
const THREATS: readonly (readonly [threat: string, defence: Missing | Statement, attack: () => Promise<boolean>])[] = [
  [
    'a page of another site asks in the name of who is signed in',
    'own page',
    async () => opensMe((await somebody()).browser, { headers: { 'Sec-Fetch-Site': 'cross-site', Origin: EVIL } }),
  ],
  [
    'a form, which can send no header',
    'environment',
    async () => opensMe((await somebody()).browser, { environment: null }),
  ],
  [
    'a name that somebody points at this machine (DNS rebinding)',
    'host',
    async () => opensMe((await somebody()).browser, { headers: { Host: 'evil.example' } }),
  ],
  [
    'a passkey answers at a page that looks the same (phishing)',
    'origin',
    async () => {
      const { other, options } = await answeringPasskey();
      const assertion = other.authenticator.get(options, { origin: EVIL });
      return (await other.post('/session/passkey/verify', { assertion })).status === 200;
    },
  ],
  [
    'a question to a passkey is answered twice',
    ['take_challenge', 'AND used_at IS NULL', ''],
    async () => {
      const { other, options, holder } = await answeringPasskey();
      const answer = (asked: Asked) =>
        other.post('/session/passkey/verify', { assertion: other.authenticator.get(options) }, asked);
      expect((await answer({})).status).toBe(200);
      return (await answer({ cookie: holder })).status === 200;
    },
  ],
  [
    'a code of an app that somebody has looked at is entered again',
    ['use_totp_step', 'COALESCE(totp_last_step, -1) < $2', '$2::bigint > 0'],
    async () => {
      const { code, signIn } = await withApp();
      return signIn(code); // it confirmed the app
    },
  ],
  [
    'a recovery code is entered again',
    ['use_recovery_code', 'array_remove(recovery_hashes, $2)', 'recovery_hashes'],
    async () => {
      const { recovery, signIn } = await withApp();
      expect(await signIn(recovery)).toBe(true);
      return signIn(recovery);
    },
  ],
  [
    'a link is opened again, by somebody else',
    ['look_at_one_time_link use_one_time_link', 'AND o.used_at IS NULL', ''],
    async () => {
      const { user } = await somebody();
      const token = await resetToken(application.sandbox, user);
      const open = () => browserHere().post('/session/claim', { token });
      expect((await open()).status).toBe(200);
      return (await open()).code !== 'link_invalid';
    },
  ],
  [
    'a token from before a factor was shown (fixation, theft)',
    ['raise_session', 'SET hash = $2,', 'SET hash = CASE WHEN $2::bytea IS NULL THEN $2 ELSE hash END,'],
    async () => {
      const { browser } = await somebody();
      const before = browser.cookie;
      await browser.enrol();
      return opensMe(browser, { cookie: before });
    },
  ],
  [
    'a person asks an environment that nobody let it into',
    [SESSION, 'WHERE u.person_id = p.id', 'WHERE u.person_id IS NOT NULL'],
    async () => {
      const { browser } = await somebody();
      return opensMe(browser, { environment: application.otherSandbox.environmentId });
    },
  ],
  [
    'a person without a second factor asks live',
    [SESSION, 's.second_factor', 'true AS second_factor'],
    async () => opensMe((await somebody([application.live], ['operator'])).browser, { environment: 'live' }),
  ],
  [
    'somebody decides in live at a machine that was left open (step-up)',
    [SESSION, 's.stepped_up_at', 'clock_timestamp() AS stepped_up_at'],
    async () => {
      const { browser } = await somebody([application.live], ['admin'], true);
      await application.sql('UPDATE sessions SET stepped_up_at = NULL WHERE ended_at IS NULL');
      await untilForgotten();
      return (
        (await browser.post('/v1/keys', { name: 'x', scopes: ['users:read'] }, { environment: 'live' })).status === 200
      );
    },
  ],
  [
    'somebody looks at live at a machine that was left alone (idle)',
    [SESSION, 's.seen_at', 'clock_timestamp() AS seen_at'],
    async () => {
      const { browser } = await somebody([application.live], ['viewer'], true);
      await application.sql("UPDATE sessions SET seen_at = now() - interval '31 minutes' WHERE ended_at IS NULL");
      await untilForgotten();
      return opensMe(browser, { environment: 'live' });
    },
  ],
  [
    'a person who was suspended goes on',
    [SESSION, 'u.suspended_at IS NOT NULL', 'false'],
    async () => {
      const { browser, user } = await somebody();
      await application.sandbox.client.post(`/v1/users/${user}/suspend`);
      await untilForgotten();
      return opensMe(browser, {});
    },
  ],
  [
    'somebody asks who exists, by how much work a wrong password is',
    'same work',
    async () => {
      const { browser } = await somebody();
      const named = await browser.post('/person', { name: 'Ada', password: PASSWORD });
      const { email } = named.json['person'] as { email: string };
      return (await scrypts(`nobody${++guessed}@example.com`)) !== (await scrypts(email));
    },
  ],
  [
    'passwords are guessed without pause',
    'tries',
    async () => {
      const email = `guessed${++guessed}@example.com`;
      const guess = () => browserHere().post('/session/password', { email, password: 'never this one' });
      const codes = await Promise.all(Array.from({ length: 10 }, async () => (await guess()).code));
      return !codes.includes('rate_limited');
    },
  ],
];

describe('a stolen database', () => {
  /** The tables in which this text stands, as itself or in hex. */
  async function tablesWith(text: string): Promise<readonly string[]> {
    const tables = await application.sql("SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'");
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await application.sql(
        `SELECT count(*)::int4 AS count FROM "${String(name)}" t WHERE strpos(t::text, $1) > 0 OR strpos(t::text, $2) > 0`,
        [text, Buffer.from(text).toString('hex')],
      );
      if (row?.['count'] !== 0) found.push(String(name));
    }
    return found;
  }
  it('has nothing that opens the dashboard', async () => {
    const { browser, user } = await somebody();
    const named = await browser.post('/person', { name: 'Ada', password: 'nine lamps under stolen water' });
    const { secret } = (await browser.post('/totp/start')).json as { secret: string };
    const confirmed = await browser.post('/totp/confirm', { code: new TOTP({ secret }).generate() });
    const { token } = await invite(application.sandbox, ['viewer']);
    const secrets = [
      'nine lamps under stolen water',
      secret,
      token,
      browser.cookie as string,
      Buffer.from(browser.cookie as string, 'base64url').toString('hex'),
      ...(confirmed.json['recovery_codes'] as unknown as string[]),
    ];
    for (const each of secrets) expect([each, await tablesWith(each)]).toEqual([each, []]);
    const { email } = named.json['person'] as { email: string };
    expect(await tablesWith(email)).toContain('people'); // control: what is stored is found
    expect(await tablesWith(uuidOf(user))).toContain('users');
  });
});

describe('each defence alone stops', () => {
  it.each(THREATS)('%s', async (_, defence, attack) => {
    lacks = null;
    expect(await attack()).toBe(false);
    lacks = defence;
    try {
      expect(await attack()).toBe(true); // control
    } finally {
      lacks = null;
    }
  });
});
