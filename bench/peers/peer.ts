/** What a peer is to the comparison: where it listens, how it is set up by its own API, and what it says it has paid. */
import type { Request } from '../load/plan.ts';

/** Minor units of one payout: 1.00. */
export const AMOUNT = 100n;
/** Minor units on the hot account, as on Bursar's: ten billion payouts. */
export const FUNDS = 1_000_000_000_000n;

export interface Peer {
  readonly title: string;
  /** The version its adapter is written for. */
  readonly version: string;
  /** Where it listens after its own documentation, on 127.0.0.1. */
  readonly port: number;
  /** One line: how to start it. */
  readonly start: string;
  /** Makes a new ledger with a funded account. `folder` is for logs. Rejects with what the peer answered. */
  open(port: number, folder: string): Promise<Opened>;
}

export interface Opened {
  /** Where `request` goes. */
  readonly port: number;
  /** Moves 1.00 out of the hot account. */
  readonly request: Request;
  /** Minor units that have left the hot account, by the peer's own balance. */
  paid(): Promise<bigint>;
  stop(): Promise<void>;
}

/** One request outside a load. Rejects unless it is answered with 2xx; an empty answer is `null`. */
export async function ask(port: number, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return text === '' ? null : JSON.parse(text);
}

/** A JSON POST to be repeated. */
export function post(path: string, body: object, success: number): Request {
  return { method: 'POST', path, key: 'none', body: JSON.stringify(body), contentType: 'application/json', success };
}
