/** Versions of environments: one query for many, never an old version, and a new one after every kind of change. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../core/values/ids.ts';
import type { Row, Statement } from '../../db/wire/statement.ts';
import { type Application, startApplication } from '../../../../test/support/harness/application.ts';
import { idIn, RECIPIENT } from '../../../../test/support/harness/tenant-fixture.ts';
import { environmentVersions } from './environment-version.ts';

describe('who asks together', () => {
  /** A database that answers when the test says so. */
  function database() {
    const questions: { count: number; answer(at: number): void; fail(): void }[] = [];
    const rows = (statement: Statement) =>
      new Promise<readonly Row[]>((resolve, reject) => {
        const [ids] = statement.values as unknown as readonly [Buffer];
        const count = ids.readInt32BE(12);
        const row = (place: number, at: number) => ({ place, last_at: at, endpoints_version: 0n });
        questions.push({
          count,
          answer: (at) => resolve(Array.from({ length: count }, (_, index) => row(index + 1, at + index))),
          fail: () => reject(new Error('away')),
        });
      });
    return { questions, versionOf: environmentVersions(rows) };
  }
  /** Until everything planned for the next turn has run. */
  const turn = async () => {
    for (let i = 0; i < 3; i++) await new Promise((resolve) => void setImmediate(resolve));
  };
  const A = 'env_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const B = 'env_01jd3v9q4ne8v8k3w2m6r5t7xb';

  it('shares one question, each environment once', async () => {
    const { questions, versionOf } = database();
    const asked = [versionOf(A), versionOf(B), versionOf(A)];
    await turn();
    expect(questions.map(({ count }) => count)).toEqual([2]);
    questions[0]?.answer(10);
    expect(await Promise.all(asked)).toEqual(['10 0', '11 0', '10 0']);
  });

  it('never gives a version that was read before the call', async () => {
    const { questions, versionOf } = database();
    const first = versionOf(A);
    await turn();
    const second = versionOf(A);
    questions[0]?.answer(10);
    expect(await first).toBe('10 0');
    await turn();
    expect(questions.length).toBe(2);
    questions[1]?.answer(20);
    expect(await second).toBe('20 0');
  });

  it('asks for hundreds at a time, all of them in the end', async () => {
    const { questions, versionOf } = database();
    const ids = Array.from({ length: 1_200 }, (_, n) => `env_01jd3v9q4ne8v8k3w2m6r5${String(n).padStart(4, '0')}`);
    const asked = Promise.all(ids.map((id) => versionOf(id)));
    for (let i = 0; i < 3; i++) {
      await turn();
      questions[i]?.answer(1_000 * i);
      await turn();
    }
    expect(questions.map(({ count }) => count)).toEqual([500, 500, 200]);
    expect(new Set(await asked).size).toBe(1_200);
  });

  it('rejects those who wait for a failed query, and no later call', async () => {
    const { questions, versionOf } = database();
    const lost = versionOf(A);
    await turn();
    const later = versionOf(A);
    questions[0]?.fail();
    await expect(lost).rejects.toThrow('away');
    await turn();
    questions[1]?.answer(7);
    expect(await later).toBe('7 0');
  });

  it('rejects for an environment that is not there', async () => {
    const versionOf = environmentVersions(async () => []);
    await expect(versionOf(A)).rejects.toThrow('does not exist');
  });
});

describe('what moves a version', () => {
  let application: Application;
  let versionOf: () => Promise<string>;
  beforeAll(async () => {
    application = await startApplication();
    const text = `SELECT 1 AS place, (extract(epoch FROM last_at) * 1000)::text AS last_at, endpoints_version
      FROM environments WHERE environment_id = $1`;
    const { environmentId } = application.sandbox;
    versionOf = () => environmentVersions(() => application.sql(text, [uuidOf(environmentId)]))(environmentId);
  });
  afterAll(() => application?.stop());

  it('each write, each step of the clock and each reset, to one that was never there', async () => {
    const { client } = application.sandbox;
    const seen = [await versionOf()];
    const then = async (change: () => Promise<{ status: number }>) => {
      expect((await change()).status).toBe(200);
      seen.push(await versionOf());
    };
    for (let round = 0; round < 2; round++) {
      await then(() => client.post('/v1/accounts', { currency: 'EUR' }));
      const rcp = await client.post('/v1/recipients', RECIPIENT);
      seen.push(await versionOf());
      await then(() => client.post(`/v1/recipients/${idIn(rcp)}`, { metadata: { round: String(round) } }));
      await then(() => client.post('/v1/exchanges/quote', { sell_currency: 'EUR', buy_currency: 'USD', amount: 1 }));
      await then(() => client.post('/v1/test_helpers/clock/advance', { seconds: 60 }));
      await then(() => client.post('/v1/test_helpers/reset'));
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('but no read and no refused write', async () => {
    const { client } = application.sandbox;
    const before = await versionOf();
    await client.get('/v1/accounts');
    expect((await client.post('/v1/payouts', { amount: 1 })).status).toBe(400);
    expect(await versionOf()).toBe(before);
  });
});
