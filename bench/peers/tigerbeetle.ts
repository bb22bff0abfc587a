/** TigerBeetle, which speaks no HTTP: a bare Fastify in front of it, `bench/limits/tigerbeetle.ts`, takes the payouts. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_VARIABLE, type LimitConfig } from '../limits/common.ts';
import { startProgram } from '../setup/program.ts';
import { ask, FUNDS, type Peer } from './peer.ts';

const PACKAGE = 'tigerbeetle-node';
const VERSION = '0.17.9';

export const tigerbeetle: Peer = {
  title: 'TigerBeetle behind a bare Fastify',
  version: VERSION,
  port: 3000,
  start:
    'tigerbeetle start --addresses=3000 0_0.tigerbeetle, after tigerbeetle format --cluster=0 --replica=0 --replica-count=1 0_0.tigerbeetle',
  async open(port, folder) {
    try {
      import.meta.resolve(PACKAGE);
    } catch {
      throw new Error(`The package ${PACKAGE} is missing: npm install --no-save ${PACKAGE}@${VERSION}`);
    }
    const key = `sk_test_${randomUUID()}`;
    const file = join(folder, 'tigerbeetle.json');
    const config: LimitConfig = { keys: [{ key, environmentId: '' }], answers: {}, account: '', databaseUrl: null };
    await writeFile(file, JSON.stringify(config));
    const env = { [CONFIG_VARIABLE]: file, BENCH_TIGERBEETLE: String(port), BENCH_FUNDS: String(FUNDS) };
    const program = await startProgram({ name: 'bench/limits/tigerbeetle', env, folder, readyPath: '/readyz' });
    return {
      port: program.port,
      request: { method: 'POST', path: '/v1/payouts', key, body: 'amount=1.00&currency=EUR&recipient=rcp_1' },
      paid: async () => BigInt(((await ask(program.port, 'GET', '/paid')) as { paid: string }).paid),
      stop: () => program.stop(),
    };
  },
};
