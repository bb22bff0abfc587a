/** `npm run bench:peers` gives no figure to a peer that refuses a payout. One that loses a payout: `test/soak/bench-peers.test.ts`. */
import { afterAll, it } from 'vitest';
import { expectNoFigure, stopPeers } from '../support/faults/erring-peer.ts';

afterAll(stopPeers);

it('gives no figure to a peer that refuses one', () =>
  expectNoFigure('refuses one', /Formance v2: 1 requests were refused; the first: 400 .*INSUFFICIENT_FUND/s));
