/**
 * T7: payments over a wire that is cut before, in and after an answer, or in the request, each repeated with its key until
 * it is answered. The short form is `test/soak/cut-wire.test.ts`, the long one `npm run soak`. Next: `proxy.ts`.
 */
import { auditDatabase } from '../model/audit.ts';
import type { Chance } from '../generators/seeded.ts';
import { type Tenant, createTenant } from '../harness/tenant-fixture.ts';
import { createDatabase } from '../harness/database.ts';
import { insist } from '../harness/http.ts';
import { type Answered, isReplay, lostOrDoubled } from './load.ts';
import { type Cut, type Proxy, startProxy } from './proxy.ts';
import type { Fault } from './fault-injection.ts';
import { startServer } from '../harness/server-process.ts';

const CLIENTS = 4;

export interface CutWire {
  readonly cuts: number;
  readonly chance: Chance;
  readonly fault?: Fault;
}

export interface Cutting {
  readonly complaints: readonly string[];
  /** Cuts after which the client did not have its whole answer. */
  readonly felt: number;
}

/** Pays that many times through a wire that is cut somewhere else each time. */
export async function payOverCutWire(options: CutWire): Promise<Cutting> {
  const { fault } = options;
  const database = await createDatabase();
  const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
  const server = await startServer({ databaseUrl: database.url, env, ...(fault && { fault }) });
  try {
    return await pay(database.url, await createTenant(database.url, server.address), options);
  } finally {
    await server.kill();
    await database.drop();
  }
}

async function pay(url: string, tenant: Tenant, { cuts: count, chance }: CutWire): Promise<Cutting> {
  const { client } = tenant;
  const body = { amount: '1', currency: 'EUR', recipient: await tenant.recipient() };
  await tenant.account('EUR', '100000');

  // One whole exchange tells how long requests and answers are.
  const measured = await client.post('/v1/payouts', body, {
    idempotencyKey: 'load-measured',
    headers: { connection: 'close' },
  });
  const head = Object.entries(measured.headers).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length + 4,
    20,
  );
  const lengths = { answer: head + measured.text.length, request: 300 + JSON.stringify(body).length };
  let number = 0;
  const proxy: Proxy = await startProxy(client.address, (): Cut => {
    const reset = number % 2 === 0;
    const within = (length: number) => Math.floor(chance() * (length + 1));
    return number++ % 5 === 0
      ? { reset, afterRequestBytes: within(lengths.request) }
      : { reset, afterAnswerBytes: within(lengths.answer) };
  });

  const answers: Answered[] = [{ ...measured, key: 'load-measured', way: 'payout', failures: 0, isReplay: false }];
  let next = 0;
  let felt = 0;
  const payer = async () => {
    for (let i = next++; i < count; i = next++) {
      const key = `load-${i}`;
      const cut = await client
        .post('/v1/payouts', body, {
          idempotencyKey: key,
          at: proxy.address,
          headers: { connection: 'close' },
        })
        .then(
          () => false,
          () => true,
        );
      if (cut) felt += 1;
      const { status, text, failures, headers } = await insist(client, '/v1/payouts', body, { idempotencyKey: key });
      answers.push({ key, way: 'payout', status, text, failures, isReplay: isReplay(headers) });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, payer));
  const complaints = proxy.cuts() > count * 0.75 ? [] : [`only ${proxy.cuts()} of ${count} connections were cut`];
  client.close();
  await proxy.close();
  return { felt, complaints: [...complaints, ...(await lostOrDoubled(url, answers)), ...(await auditDatabase(url))] };
}
