/**
 * Blnk, synchronous: `skip_queue`, so that an answer means booked, as Bursar's does. Its idempotency is the `reference` of a
 * transaction, unique in the body. Secure mode must be off, as it is unless it is configured.
 */
import { KEY_IN_BODY } from '../load/plan.ts';
import { AMOUNT, ask, FUNDS, type Peer, post } from './peer.ts';

/** Minor units in one of the currency. */
const PRECISION = 100;

export const blnk: Peer = {
  title: 'Blnk, synchronous',
  version: '0.15',
  port: 5001,
  start: 'blnk start, after blnk migrate up, with PostgreSQL and Redis in blnk.json',
  async open(port) {
    const made = await ask(port, 'POST', '/ledgers', { name: `bench ${Date.now()}` });
    const { ledger_id } = made as { ledger_id: string };
    const balance = async () => {
      const answer = await ask(port, 'POST', '/balances', { ledger_id, currency: 'EUR' });
      return (answer as { balance_id: string }).balance_id;
    };
    const [hot, out] = [await balance(), await balance()];
    const transaction = (source: string, destination: string, amount: bigint, reference: string) => ({
      amount: Number(amount) / PRECISION,
      precision: PRECISION,
      currency: 'EUR',
      reference,
      description: 'bench',
      source,
      destination,
      skip_queue: true,
      allow_overdraft: source.startsWith('@'),
    });
    await ask(port, 'POST', '/transactions', transaction('@bench-world', hot, FUNDS, `fund ${hot}`));
    return {
      port,
      request: post('/transactions', transaction(hot, out, AMOUNT, KEY_IN_BODY), 201),
      async paid() {
        const answer = await ask(port, 'GET', `/balances/${hot}`);
        return FUNDS - BigInt((answer as { balance: number }).balance);
      },
      stop: () => Promise.resolve(),
    };
  },
};
