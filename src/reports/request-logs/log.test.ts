/** The log beside the requests: what it leaves out, and that it neither grows nor stands still while the database is away. */
import type { FastifyRequest } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { callerWith } from '../../../test/support/harness/keys.ts';
import { newId } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { registry } from '../../platform/http/metrics.ts';
import type { Caller, Route, Session } from '../../platform/http/route.ts';
import type { Served } from '../../platform/http/served.ts';
import { type RequestLogs, startRequestLog } from './log.ts';

const ENVIRONMENT = newId('env');
const session: Session = {
  id: 's1',
  person: 'usr_1',
  method: 'passkey',
  steppedUpAt: null,
  steppedUpBy: null,
  secondFactor: true,
};
const OPERATIONS = {
  read: { method: 'GET', path: '/v1/payouts', operationId: 'listPayouts' },
  me: { method: 'GET', path: '/v1/me', operationId: 'retrieveMe' },
  search: { method: 'POST', path: '/v1/search', operationId: 'search', looksOnly: true },
  write: { method: 'POST', path: '/v1/payouts', operationId: 'createPayout' },
} as const;

const logs: RequestLogs[] = [];
afterEach(async () => {
  for (const log of logs.splice(0)) await log.stop();
});

/** A log whose statements are kept here; `fails`: with what they fail. */
function started() {
  const state: { fails: Error | null; rows: number; faults: string[]; written: string } = {
    fails: null,
    rows: 0,
    faults: [],
    written: '',
  };
  const run = async ({ values }: Statement) => {
    if (state.fails !== null) throw state.fails;
    state.written += (values as Buffer[]).map((each) => each.toString('latin1')).join('');
    state.rows += (values[0] as Buffer).readInt32BE(12); // the length of an array in binary form
  };
  const log = startRequestLog({ run, onFault: (message) => state.faults.push(message) });
  logs.push(log);
  const listener = log.listener(() => '127.0.0.1');
  const ask = (
    operation: keyof typeof OPERATIONS,
    status: number,
    caller: Partial<Caller> | null = {},
    body: Buffer | null = null,
    more: {
      readonly answer?: string;
      readonly query?: string;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) => {
    const { method, path } = OPERATIONS[operation];
    const headers = { 'content-type': 'application/json', ...more.headers };
    const request = {
      id: newId('req'),
      method,
      url: path + (more.query ?? ''),
      headers,
      body,
      refusedKey: null,
      routeOptions: { url: path },
    };
    const served = {
      caller: caller === null ? null : callerWith({ environmentId: ENVIRONMENT, actorId: newId('key'), ...caller }),
      request: request as unknown as FastifyRequest,
      operation: OPERATIONS[operation] as unknown as Route,
      page: null,
      uploads: false,
    } as Served;
    listener(served, { status, body: more.answer ?? '{}' }, 1);
  };
  return { ask, log, state };
}
const dropped = async () => {
  const metric = await registry.getSingleMetric('bursar_request_logs_dropped_total')?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels['reason'], value]));
};

describe('what is kept', () => {
  it.each([
    ['a refusal', 'write', 400, {}, 1],
    ['a refused read', 'read', 404, {}, 1],
    ['a success', 'write', 200, {}, 1],
    ['a read', 'read', 200, {}, 1],
    ['a poll', 'me', 200, {}, 0],
    ['a refused poll', 'me', 403, {}, 1],
    ['what the dashboard reads', 'read', 200, { session }, 0],
    ['what the dashboard looks for', 'search', 200, { session }, 0],
    ['what a key looks for', 'search', 200, {}, 1],
    ['what a person changes', 'write', 200, { session }, 1],
    ['what a person is refused', 'read', 403, { session }, 1],
    ['a request of nobody', 'write', 401, null, 0],
  ] as const)('%s', async (_, operation, status, caller, rows) => {
    const { ask, log, state } = started();
    ask(operation, status, caller);
    await log.flush();
    expect(state.rows).toBe(rows);
  });

  it('refusals, while successes and refusals by the rate limit are too many', async () => {
    const { ask, log, state } = started();
    for (let i = 0; i < 5_000; i++) ask('write', i % 2 === 0 ? 200 : 429);
    for (let i = 0; i < 500; i++) ask('write', 400);
    await log.flush();
    expect(state.rows).toBeGreaterThanOrEqual(1_000);
    expect(state.rows).toBeLessThan(1_600);
  });
});

it('of a payroll keeps neither whom it pays nor its key, of others both', async () => {
  const { ask, log, state } = started();
  const recipient = newId('rcp');
  const answer = JSON.stringify({ error: { code: 'recipient_archived', message: `${recipient} is archived.` } });
  const of = (category: string) =>
    Buffer.from(JSON.stringify({ recipient, amount: '5.00', category_purpose: category }));
  ask('write', 400, {}, of('SALA'), { answer, headers: { 'idempotency-key': 'salary-lovelace' } });
  await log.flush();
  expect(state.written).toContain('"amount":"5.00"');
  expect(state.written).not.toContain(recipient);
  expect(state.written).not.toContain('salary-lovelace');
  ask('write', 400, {}, of('SUPP'), { answer, headers: { 'idempotency-key': 'invoice-7' } });
  await log.flush();
  expect(state.written.split(recipient)).toHaveLength(3);
  expect(state.written).toContain('invoice-7');
});

describe('while the database is away', () => {
  const LOST = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });

  it('no request notices, what waits is bounded and counted, and is written when the database is back', async () => {
    const { ask, log, state } = started();
    state.fails = LOST;
    ask('write', 400);
    await expect(log.flush()).rejects.toBe(LOST);
    const before = await dropped();
    for (let i = 0; i < 20_000; i++) ask('write', 400);
    await expect(log.flush()).rejects.toBe(LOST); // a round counts what was left out
    const full = ((await dropped())['full'] ?? 0) - (before['full'] ?? 0);
    expect(full).toBeGreaterThan(15_000);
    state.fails = null;
    await log.flush(); // the row that failed
    await log.flush();
    expect(state.rows).toBe(1 + 20_000 - full);
    expect(state.faults).toEqual([]);
  });

  const LONG = 'x'.repeat(7_900);
  it.each([
    ['bodies', { body: Buffer.from(JSON.stringify({ type: 'shown', note: LONG })), mark: '"type":"shown"' }],
    [
      'refusals',
      { more: { answer: JSON.stringify({ error: { code: 'shown', message: LONG } }) }, mark: '"code":"shown"' },
    ],
    ['queries', { more: { query: `?type=shown&note=${LONG}` }, mark: '"type":"shown"' }],
  ] as const)('holds %s of 4 MiB at most', async (_, asked) => {
    const { body, more, mark } = { body: null, more: {}, ...asked };
    const { ask, log, state } = started();
    for (let i = 0; i < 2_000; i++) ask('write', 400, {}, body, more);
    await log.flush();
    expect(state.rows).toBe(2_000);
    const kept = state.written.split(mark).length - 1;
    expect(kept).toBeGreaterThan(400);
    expect(kept).toBeLessThanOrEqual(4_194_304 / LONG.length);
  });

  it('what the database refuses is left out and counted, and the next is kept', async () => {
    const { ask, log, state } = started();
    const before = await dropped();
    state.fails = Object.assign(new Error('no such table'), { code: '42P01' });
    ask('write', 400);
    await log.flush();
    expect(((await dropped())['database'] ?? 0) - (before['database'] ?? 0)).toBe(1);
    expect(state.faults).toHaveLength(1);
    state.fails = null;
    ask('write', 400);
    await log.flush();
    expect(state.rows).toBe(1);
  });
});

it('writes what waits when it stops', async () => {
  const { ask, log, state } = started();
  ask('write', 400);
  await log.stop();
  expect(state.rows).toBe(1);
});

it('who asks for a round during another gets one behind it', async () => {
  const { ask, log, state } = started();
  ask('write', 400);
  const first = log.flush();
  ask('write', 400);
  await log.flush();
  await first;
  expect(state.rows).toBe(2);
});
