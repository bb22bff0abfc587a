/** Passwords: that a check is the same work for everybody, and how many run and wait at once. By counts, never by time. */
import { createHook } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { member } from '../../../test/support/dashboard/people.ts';
import type { RequestError } from '../../core/values/errors.ts';
import { hashPassword, isPassword } from './passwords.ts';

/** How often scrypt began while `work` ran, as Node itself counts it. */
async function derivations(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_, type) => {
      if (type === 'SCRYPTREQUEST') count += 1;
    },
  }).enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

it('a check is right or wrong, and for nobody the same work', async () => {
  const stored = await hashPassword('nine lamps under water');
  expect(await derivations(async () => expect(await isPassword('nine lamps under water', stored)).toBe(true))).toBe(1);
  expect(await derivations(async () => expect(await isPassword('ten lamps under water', stored)).toBe(false))).toBe(1);
  expect(await derivations(async () => expect(await isPassword('nine lamps under water', null)).toBe(false))).toBe(1);
  expect(await derivations(() => Promise.resolve())).toBe(0); // control: nothing else is counted
});

it('a flood is refused at once behind two that run and 32 that wait', async () => {
  let refused = 0;
  const checks = Array.from({ length: 40 }, () =>
    isPassword('a guess', null).catch(({ code }: RequestError) => {
      if (code === 'rate_limited') refused += 1;
    }),
  );
  await new Promise(setImmediate);
  expect(refused).toBe(40 - 2 - 32); // before any has ended
  await Promise.all(checks);
  expect(await isPassword('a guess', null)).toBe(false); // and then goes on
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
  const somebody = async (sets: boolean) => {
    const { browser, user } = await member(application, [application.sandbox], ['viewer'], false);
    const named = await browser.post('/person', { name: 'Ada', ...(sets && { password }) });
    return { user, email: (named.json['person'] as { email: string }).email };
  };

  it('unknown, wrong, suspended and without a password cost one scrypt each, and are refused alike', async () => {
    const [known, suspended, without] = [await somebody(true), await somebody(true), await somebody(false)];
    await application.sandbox.client.post(`/v1/users/${suspended.user}/suspend`);
    const tries: Record<string, () => ReturnType<typeof guess>> = {
      unknown: () => guess('nobody@example.com'),
      wrong: () => guess(known.email),
      suspended: () => guess(suspended.email, password),
      'suspended and wrong': () => guess(suspended.email),
      without: () => guess(without.email),
    };
    for (const [who, one] of Object.entries(tries)) {
      let code: string | undefined;
      const count = await derivations(async () => void ({ code } = await one()));
      expect([who, code, count]).toEqual([who, 'sign_in_refused', 1]);
    }
  });
});
