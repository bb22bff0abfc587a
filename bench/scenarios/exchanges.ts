/** POST /v1/exchanges without a quote: two transfers, two balances and four events each. */
import { perSecond, ratio } from '../measure/pass.ts';
import { exchangeOf } from '../setup/requests.ts';
import { type Bench, compare, passesOf } from './scenario.ts';

const SHARE_OF_INSERTED = 0.8;

export async function exchanges(bench: Bench): Promise<void> {
  const { world, report } = bench;
  const requests = [exchangeOf(world.exchanger)];
  const results = await compare(bench, 'exchanges, 256 clients', 256, {
    'bare Fastify': { contestant: world.fastify, requests, adds: null },
    Bursar: { contestant: world.product, requests, adds: { exchanges: 1, records: 1 } },
  });
  const share = ratio(passesOf(results, 'Bursar'), passesOf(results, 'bare Fastify'), perSecond);
  report.reported('exchanges, 256 clients', share, 'bare Fastify');
  report.notMeasured('exchanges, 256 clients', '×', { atLeast: SHARE_OF_INSERTED }, 'rows inserted');
}
