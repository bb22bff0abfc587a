/** Guessing: tries are counted by who is asked for, and whoever does not exist is refused as whoever does. Pure, and over HTTP. */
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { member } from '../../../test/support/dashboard/people.ts';
import { type TrustedProxies, trustedProxies } from '../../platform/http/client-address.ts';
import type { DoorCall } from '../../platform/http/door.ts';
import { newTotpSecret } from './codes.ts';
import { countTry, takesCode } from './factors.ts';
import type { SignInParts } from './parts.ts';
import { slowThrottle, throttle, type Throttle, TRIES } from './throttle.ts';

const SECRET = newTotpSecret();
const NOON = Date.UTC(2026, 10, 29, 12);
const DAY_MS = 86_400_000;
/** As often as somebody may try to sign in. */
const EVERY_MS = 12_000;

describe('a throttle', () => {
  it('lets five through, then waits a second, and twice as long after each more', () => {
    const tries = throttle(5);
    const waits = Array.from({ length: 6 }, () => tries.take('ada', 0));
    expect(waits).toEqual([0, 0, 0, 0, 0, 1_000]);
    expect(tries.take('ada', 999)).toBe(1);
    expect(tries.take('ada', 1_000)).toBe(0);
    expect(tries.take('ada', 1_000)).toBe(2_000);
    expect(tries.take('grace', 1_000)).toBe(0); // control: each is counted apart
  });
  it('waits five minutes at most, and forgets who was quiet', () => {
    const tries = throttle(1);
    let nowMs = 0;
    for (let tried = 0; tried < 40; tried++) nowMs += tries.take('ada', nowMs);
    expect(tries.take('ada', nowMs - 300_000)).toBe(300_000); // as long as the last wait
    expect(tries.take('ada', nowMs - 1)).toBe(1);
    expect(tries.take('ada', nowMs + 360_001)).toBe(0);
  });
  it('begins again for who was right', () => {
    const tries = throttle(1);
    tries.take('ada', 0);
    tries.forgive('ada');
    expect(tries.take('ada', 0)).toBe(0);
  });
  it('keeps 20,000 names', () => {
    const tries = throttle(1);
    tries.take('first', 0);
    for (let at = 0; at < 20_000; at++) tries.take(`name ${at}`, 0);
    expect(tries.take('first', 0)).toBe(0); // forgotten
    expect(tries.take('name 19999', 0)).toBeGreaterThan(0); // control
  });
});

describe('a try', () => {
  const parts = () => ({ person: throttle(5), network: throttle(2), questions: throttle(1), account: throttle(1) });
  const from = (network: string) => ({ network: () => network }) as DoorCall<unknown>;
  const isRefused = (tries: ReturnType<typeof parts>, network: string, name: string) => {
    try {
      countTry({ tries } as unknown as SignInParts, from(network), name);
      return false;
    } catch {
      return true;
    }
  };
  it('of a network that has to wait counts against nobody, and has nobody forgotten', () => {
    const tries = parts();
    expect([1, 2].map((at) => isRefused(tries, 'flood', `name ${at}`))).toEqual([false, false]);
    for (let at = 0; at < 10; at++) expect(isRefused(tries, 'flood', 'ada')).toBe(true);
    expect(isRefused(tries, 'of ada', 'ada')).toBe(false);
    for (let at = 0; at < 5; at++) tries.person.take('grace', Date.now());
    for (let at = 0; at < 20_001; at++) isRefused(tries, 'flood', `name ${at}`);
    expect(isRefused(tries, 'other', 'grace')).toBe(true); // still counted
  });
});

describe('a code of an app', () => {
  afterEach(() => void vi.useRealTimers());
  /** How many codes are looked at in a day of guessing as often as tries to sign in allow. */
  async function lookedAt(codes: Throttle): Promise<number> {
    vi.useFakeTimers({ now: NOON, toFake: ['Date'] });
    let looked = 0;
    const rows = async () => [{ totp_sealed: 'sealed' }];
    const open = () => ((looked += 1), SECRET);
    const parts = { tries: { codes }, rows, totp: { open } } as unknown as SignInParts;
    const wrong = new TOTP({ secret: newTotpSecret() });
    for (let tried = 0; tried < DAY_MS / EVERY_MS; tried++) {
      vi.setSystemTime(NOON + tried * EVERY_MS);
      await takesCode(parts, 'usr_1', wrong.generate()).catch(() => null);
    }
    return looked;
  }
  it('is not found by a patient guesser who knows the password: less than one in a thousand a day', async () => {
    // Three codes of a million are right at any time.
    expect((3 * (await lookedAt(slowThrottle(TRIES.codesAnHour)))) / 1e6).toBeLessThan(0.001);
  });
  it('control: counted by the minute alone, two in a hundred', async () => {
    expect((3 * (await lookedAt(throttle(TRIES.person + 1)))) / 1e6).toBeGreaterThan(0.02);
  });
  it('is counted from the beginning again behind one that was right', async () => {
    const codes = slowThrottle(1);
    const secret = newTotpSecret();
    const write = async () => [{}];
    const parts = {
      tries: { codes },
      rows: async () => [{ totp_sealed: 'sealed' }],
      totp: { open: () => secret },
      write,
    };
    const takes = (code: string) => takesCode(parts as unknown as SignInParts, 'usr_1', code);
    expect(await takes(new TOTP({ secret }).generate())).toBe('app');
    expect(await takes(new TOTP({ secret }).generate())).toBe('app'); // its step is compared by PostgreSQL
    codes.take('usr_1', Date.now());
    await expect(takes('000000')).rejects.toMatchObject({ code: 'rate_limited' }); // control
  });
});

describe('behind a proxy that is trusted', () => {
  let application: Application;
  beforeAll(async () => {
    application = await startApplication({ config: { trustedProxies: trustedProxies('127.0.0.1') as TrustedProxies } });
  });
  afterAll(() => application?.stop());
  const claims = (addressOf: (at: number) => string) =>
    Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const headers = { 'X-Forwarded-For': addressOf(at) };
        const token = 'x'.repeat(43);
        return (await new BrowserClient(application.address).post('/session/claim', { token }, { headers })).code;
      }),
    );
  it('fifty clients are fifty networks', async () => {
    expect(new Set(await claims((at) => `192.0.2.${at}`))).toEqual(new Set(['link_invalid']));
  });
  it('what a client writes itself in front of its own address makes it no other: control', async () => {
    expect(new Set(await claims((at) => `192.0.2.${at}, 198.51.100.7`))).toEqual(
      new Set(['link_invalid', 'rate_limited']),
    );
  });
  it('a network of IPv6 is one client', async () => {
    expect(new Set(await claims((at) => `2001:db8::${at}`))).toEqual(new Set(['link_invalid', 'rate_limited']));
  });
});

describe('over HTTP', () => {
  let application: Application;
  beforeAll(async () => {
    application = await startApplication();
  });
  afterAll(() => application?.stop());
  const password = 'nine lamps under water';
  const guess = (email: string, guessed = 'never this one, surely') =>
    new BrowserClient(application.address).post('/session/password', { email, password: guessed });

  it('unknown, suspended and wrong are refused in the same words', async () => {
    const { browser, user } = await member(application, [application.sandbox], ['viewer'], false);
    const named = await browser.post('/person', { name: 'Ada', password });
    const { email } = named.json['person'] as { email: string };
    const right = await guess(email, password);
    expect(right.status).toBe(200); // control
    const wrong = await guess(email);
    const unknown = await guess('nobody@example.com');
    await application.sandbox.client.post(`/v1/users/${user}/suspend`);
    const suspended = await guess(email, password);
    const shown = ({ status, text }: typeof wrong) => [status, text.replace(/req_\w+/g, 'req')];
    expect(shown(unknown)).toEqual(shown(wrong));
    expect(shown(suspended)).toEqual(shown(wrong));
  });
  it('more than five tries a minute wait, right or wrong', async () => {
    // At once: the tenth would be listened to only half a minute behind the fifth.
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async () => (await guess('guessed@example.com')).code),
    );
    const refused = outcomes.filter((code) => code === 'sign_in_refused').length;
    expect(new Set(outcomes)).toEqual(new Set(['sign_in_refused', 'rate_limited']));
    expect(refused).toBeGreaterThanOrEqual(5);
  });
});
