/**
 * A peer of the benchmark that refuses a payout or loses one: a stand-in that speaks as much of Formance's API as the adapter does. It errs
 * only at 16 clients, so the passes at one client are the control run. Used by `test/long/bench-peers.test.ts` and
 * `test/long/bench-peers.test.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';

export type Fault = 'loses one' | 'refuses one';

const peers: Server[] = [];
/** Ends all. */
export function stopPeers(): void {
  for (const peer of peers) {
    peer.closeAllConnections();
    peer.close();
  }
}

/** Resolves to its port. Errs once, when two payouts are under way together. */
export async function startPeer(fault: Fault): Promise<number> {
  let out = 0;
  let underWay = 0;
  let erred = false;
  const keys = new Set<string>();
  const answer = (response: ServerResponse, status: number, body: object) => {
    response.statusCode = status;
    response.write('{"data":'); // so that the answer comes in chunks
    response.end(`${JSON.stringify(body)}}`);
  };
  const pay = async (request: IncomingMessage, response: ServerResponse) => {
    underWay += 1;
    const { postings } = JSON.parse(await text(request)) as { postings: [{ source: string; amount: number }] };
    await new Promise((resolve) => setTimeout(resolve, 2));
    const errs = underWay > 1 && !erred;
    if (errs) erred = true;
    underWay -= 1;
    if (errs && fault === 'refuses one') return answer(response, 400, { errorCode: 'INSUFFICIENT_FUND' });
    const [{ source, amount }] = postings;
    const key = String(request.headers['idempotency-key']);
    if (source !== 'world' && keys.has(key)) return answer(response, 409, { errorCode: 'CONFLICT' });
    if (source !== 'world') keys.add(key);
    if (source !== 'world' && !errs) out += amount;
    answer(response, 200, { id: keys.size });
  };
  const peer = createServer((request, response) => {
    if (request.url?.endsWith('/transactions') === true) return void pay(request, response);
    if (request.method === 'POST') return void response.writeHead(204).end();
    answer(response, 200, { volumes: { 'EUR/2': { output: out } } });
  }).listen(0, '127.0.0.1');
  peers.push(peer);
  await once(peer, 'listening');
  return (peer.address() as AddressInfo).port;
}

export async function measure(...args: readonly string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/peers/run.ts', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, said: await said };
}

/** What was right before has its figure; the scenario in which the peer errs has none, and why is said. */
export async function expectNoFigure(fault: Fault, message: RegExp): Promise<void> {
  const port = await startPeer(fault);
  const { code, said } = await measure('formance', '--port', String(port), '--quick');
  expect(said).toMatch(/payouts, 1 client: [\d.]+ × Formance v2/);
  expect(said).toMatch(message);
  expect(said).not.toMatch(/payouts, 16 clients: [\d.]+ ×/);
  expect(code).toBe(1);
}
