/** A server that answers as a test says, faults of the wire included: what stands before Bursar, or breaks between it and the client. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bursar, type ClientOptions, createClient } from '../src/bursar.ts';

export interface Taken {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RawServer {
  readonly address: string;
  /** Requests, in order. */
  readonly requests: readonly Taken[];
  /** A client with a key, of this server. */
  readonly bursar: Bursar;
  /** Another one. */
  client(options?: Partial<ClientOptions>): Bursar;
  stop(): Promise<void>;
}

/** Answers one request; `count` is how many came, this one included. */
type Answering = (response: ServerResponse, count: number, request: Taken) => void;

export async function rawServer(answer: Answering): Promise<RawServer> {
  const requests: Taken[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url: path = '', headers } = request;
    const one = { method, path, headers, body };
    answer(response, requests.push(one), one);
  };
  const server = createServer((request, response) => void take(request, response).catch(() => undefined)); // cut off
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: address, apiKey: 'sk_test_raw', ...options });
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => void server.close(() => resolve()));
  };
  return { address, requests, bursar: client(), client, stop };
}

/** An answer as Bursar has it. */
export function json(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_raw', ...headers });
  response.end(JSON.stringify(value));
}

/** A refusal as Bursar has it. */
export const refuse = (
  response: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
) =>
  json(
    response,
    status,
    { error: { type: 'api_error', code, message: code, doc_url: '', request_id: 'req_raw' } },
    headers,
  );
