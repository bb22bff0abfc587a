/**
 * `npm run bench:peers` gives no figure to a peer that loses or refuses a payout, and says how to start one. The passes at one client, where it errs
 * never, are the control run.
 */
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../bench/setup/program.ts';
import { expectNoFigure, measure, stopPeers } from '../support/faults/erring-peer.ts';

afterAll(stopPeers);

it.concurrent('gives no figure to a peer that loses one', () =>
  expectNoFigure('loses one', /Formance v2: (\d+) minor units were answered, and \d+ left the account\./));

it.concurrent('says how to start a peer that does not listen, and which there are', async () => {
  const port = await freePort();
  const { code, said } = await measure('blnk', '--port', String(port));
  expect(said).toContain(`Nothing listens on 127.0.0.1:${port}. Start Blnk`);
  expect(code).toBe(1);
  expect((await measure('paypal')).said).toContain('There are: formance-v1, formance, blnk, tigerbeetle.');
});

it('gives no figure to a peer that refuses one', () =>
  expectNoFigure('refuses one', /Formance v2: 1 requests were refused; the first: 400 .*INSUFFICIENT_FUND/s));
