/**
 * The hosted payment page in its heaviest state, against bare Fastify that sends the same bytes. Every client in flight
 * asks for another page, so that no two requests are equal.
 */
import type { Request } from '../load/plan.ts';
import { perSecond, ratio } from '../measure/pass.ts';
import { waitingPages } from '../setup/pages.ts';
import { type Bench, compare, passesOf } from './scenario.ts';

const CLIENTS = 64;
const PAGES = 256;
const SHARE_OF_FASTIFY = 0.8;
const SHARE_FIRST_ASKED = 0.4;

export async function pages(bench: Bench): Promise<void> {
  const { world, report } = bench;
  const { exchanger, product, fastify } = world;
  report.progress(`opening ${PAGES} payment pages`);
  const paths = await waitingPages(product.program.port, exchanger, PAGES);
  const request = (path: string): Request => ({ method: 'GET', path, key: exchanger.key, body: null });
  const named = `GET /pay/…, ${CLIENTS} clients`;
  const results = await compare(bench, named, CLIENTS, {
    'bare Fastify': { contestant: fastify, requests: [request('/page')], adds: null },
    Bursar: { contestant: product, requests: paths.map(request), adds: null },
  });
  const share = ratio(passesOf(results, 'Bursar'), passesOf(results, 'bare Fastify'), perSecond);
  report.target(named, '×', share, { atLeast: SHARE_OF_FASTIFY }, 'bare Fastify');
  report.notMeasured(`${named}, first asked`, '×', { atLeast: SHARE_FIRST_ASKED }, 'bare Fastify');
}
