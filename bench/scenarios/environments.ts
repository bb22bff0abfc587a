/** 256 clients over a thousand environments: every batch of the write path locks hundreds of rows. */
import { perSecond, ratio } from '../measure/pass.ts';
import { payoutOf } from '../setup/requests.ts';
import { type Bench, compare, ONE_PAYOUT, passesOf } from './scenario.ts';

const SHARE_OF_HOT = 0.8;

export async function environments(bench: Bench): Promise<void> {
  const { world, report } = bench;
  const requests = world.many.map((tenant) => payoutOf(tenant));
  const named = 'payouts, 256 clients over 1,000 environments';
  const results = await compare(bench, named, 256, {
    'bare Fastify': { contestant: world.fastify, requests, adds: null },
    Bursar: { contestant: world.product, requests, adds: ONE_PAYOUT },
    'Bursar, hot account': { contestant: world.product, requests: [payoutOf(world.hot)], adds: ONE_PAYOUT },
  });
  const ours = passesOf(results, 'Bursar');
  const share = ratio(ours, passesOf(results, 'Bursar, hot account'), perSecond);
  report.target(named, '×', share, { atLeast: SHARE_OF_HOT }, 'one hot account');
  report.reported(named, ratio(ours, passesOf(results, 'bare Fastify'), perSecond), 'bare Fastify');
}
