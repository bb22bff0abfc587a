/** The daily verification: when it is due, that its result is kept for each environment and shown to that one only, and by the metrics. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import { outcome } from '../../test/support/harness/probe-client.ts';
import { uuidOf } from '../core/values/ids.ts';
import { registry } from '../platform/http/metrics.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { Lease } from '../platform/workers/lease.ts';
import { isDue, startVerification } from './verification.ts';

const at = (text: string) => Date.parse(`2026-11-${text}Z`) / 1000;

describe('isDue', () => {
  it.each([
    ['24T03:00', 0, true],
    ['24T02:59', 0, false],
    ['24T08:59', 0, true],
    ['24T09:00', 0, false],
    ['24T03:01', at('24T03:00:30'), false],
    ['24T03:01', at('23T03:05'), true],
    ['24T03:01', at('24T02:59'), true],
  ])('at %s', (now, last, due) => expect(isDue(3, { now: at(now), last })).toBe(due));

  it('over midnight', () => {
    expect(isDue(23, { now: at('24T01:00'), last: at('23T22:00') })).toBe(true);
    expect(isDue(23, { now: at('24T01:00'), last: at('23T23:10') })).toBe(false);
  });
});

describe('the worker', () => {
  let application: Application;
  beforeAll(async () => {
    application = await startApplication();
  });
  afterAll(() => application?.stop());

  const run = async ({ text, values }: Statement) => (await application.sql(text, values)) as readonly Row[];
  const shown = async (holder = application.sandbox) => (await holder.client.get('/v1/verification')).json;

  /** Until the worker has verified once more, at an hour that is now. */
  async function verified(): Promise<readonly string[]> {
    const errors: string[] = [];
    await application.sql('DELETE FROM verifications');
    const log = { info: () => {}, warn: () => {}, error: (line: string) => void errors.push(line) };
    const keep = async (statement: Statement) => ({ rows: await run(statement) });
    const worker = startVerification({
      openFile: () => '',
      config: { verifyHour: new Date().getUTCHours() },
      url: application.databaseUrl,
      rows: run,
      keep,
      log,
      leaseOf: (name) => new Lease({ worker: name, owner: randomUUID(), run: keep }),
      onFault: (message, error) => void errors.push(`${message}: ${String(error)}`),
    });
    await eventually('it has verified', async () => (await shown())['status'] !== 'none');
    const gauge = () => registry.getSingleMetricAsString('bursar_verification_last_timestamp_seconds');
    await eventually('the metrics tell when', async () => !/ 0$/m.test(await gauge()));
    await worker.stop();
    return errors;
  }

  it('says nothing before the first', async () => {
    expect(await shown()).toEqual({
      object: 'verification',
      livemode: false,
      status: 'none',
      started_at: null,
      finished_at: null,
      rules_count: 0,
      damages_count: 0,
      damages: [],
    });
  });

  it('keeps and shows that the books agree', async () => {
    expect(await verified()).toEqual([]);
    const { started_at, finished_at, rules_count, ...rest } = await shown();
    expect(rest).toEqual({ object: 'verification', livemode: false, status: 'clean', damages_count: 0, damages: [] });
    expect(rules_count).toBeGreaterThan(40);
    expect(finished_at).toEqual(expect.any(Number));
    expect((finished_at as number) >= (started_at as number)).toBe(true);
    expect((await shown(application.live))['livemode']).toBe(true);
  });

  it('keeps damage for the environment that has it, counts it, and logs it in words', async () => {
    const { client, environmentId } = application.otherSandbox;
    const account = (await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    await application.sql('UPDATE accounts SET balance = 5 WHERE environment_id = $1 AND id = $2', [
      uuidOf(environmentId),
      uuidOf(account),
    ]);
    const errors = await verified();
    expect((await shown())['status']).toBe('clean');
    const { status, damages_count, damages } = await shown(application.otherSandbox);
    expect([status, damages_count]).toEqual(['damaged', 2]);
    expect(damages).toMatchObject([
      { kind: 'balance', object: account, expected: '0 EUR, the sum of its transfers', found: '5 EUR' },
      { kind: 'balance', object: 'currency EUR' },
    ]);
    expect(errors.join('\n')).toContain(`balance: ${account} in ${environmentId}: expected 0 EUR`);
    expect(await registry.getSingleMetricAsString('bursar_verification_damages')).toMatch(/ 2$/m);
  });

  it('needs a scope of its own', async () => {
    const { client } = await application.key({ scopes: ['accounts:read'] });
    expect(outcome(await client.get('/v1/verification'))).toBe('403 scope_missing');
    const reader = await application.key({ scopes: ['verification:read'] });
    expect(outcome(await reader.client.get('/v1/verification'))).toBe('200');
  });
});
