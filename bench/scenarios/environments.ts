/** 256 clients over a thousand environments: every batch of the write path locks hundreds of rows. */
import { perSecond, ratio } from '../measure/pass.ts';
import { payoutOf } from '../setup/requests.ts';
import { type Bench, compare, ONE_PAYOUT, passesOf } from './scenario.ts';

const SHARE_OF_FASTIFY = 0.55;

export async function environments(bench: Bench): Promise<void> {
  const { world, report } = bench;
  const requests = world.many.map((tenant) => payoutOf(tenant));
  const named = 'payouts, 256 clients over 1,000 environments';
  const results = await compare(bench, named, 256, {
    'bare Fastify': { contestant: world.fastify, requests, adds: null },
    Bursar: { contestant: world.product, requests, adds: ONE_PAYOUT },
  });
  const share = ratio(passesOf(results, 'Bursar'), passesOf(results, 'bare Fastify'), perSecond);
  report.target(named, '×', share, { atLeast: SHARE_OF_FASTIFY }, 'bare Fastify');
}
