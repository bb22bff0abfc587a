/**
 * Formance Ledger: one posting a payout, `Idempotency-Key` as it offers it, a ledger made for each run. Authentication must be off, as it is
 * unless it is configured. Version 1 was published as Numary Ledger.
 */
import { AMOUNT, ask, FUNDS, type Opened, type Peer, post } from './peer.ts';

const ASSET = 'EUR/2';
const HOT = 'merchants:hot';
const PORT = 3068;

/** A ledger at `path`, with a funded account; `account` is where it tells of that account. */
async function opened(port: number, path: string, account: string): Promise<Opened> {
  const posting = (source: string, destination: string, amount: bigint) => ({
    postings: [{ source, destination, asset: ASSET, amount: Number(amount) }],
    metadata: {},
  });
  await ask(port, 'POST', `${path}/transactions`, posting('world', HOT, FUNDS));
  return {
    port,
    request: post(`${path}/transactions`, posting(HOT, 'payouts:out', AMOUNT), 200),
    async paid() {
      const { data } = (await ask(port, 'GET', `${path}/accounts/${account}`)) as {
        data: { volumes?: Record<string, { output: number } | undefined> };
      };
      const volumes = data.volumes?.[ASSET];
      if (volumes === undefined) throw new Error(`Formance tells no volumes: ${JSON.stringify(data)}`);
      return BigInt(volumes.output);
    },
    stop: () => Promise.resolve(),
  };
}

export const formance: Peer = {
  title: 'Formance v2',
  version: '2.2',
  port: PORT,
  start: 'ledger serve --postgres-uri postgres://… --auto-upgrade',
  async open(port) {
    const path = `/v2/bench-${Date.now()}`;
    await ask(port, 'POST', path, {});
    return opened(port, path, `${HOT}?expand=volumes`);
  },
};

/** Makes a ledger with the first request for it. */
export const formanceOne: Peer = {
  title: 'Formance v1',
  version: '1.9',
  port: PORT,
  start: 'ledger server start --storage.driver postgres --storage.postgres.conn_string postgresql://…',
  open: (port) => opened(port, `/bench-${Date.now()}`, HOT),
};
