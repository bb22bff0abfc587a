/** Guessing: tries are counted by who is asked for, and whoever does not exist is refused as whoever does. Pure, and over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { BrowserClient } from '../../../test/support/dashboard/browser-client.ts';
import { member } from '../../../test/support/dashboard/people.ts';
import { throttle } from './throttle.ts';

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
