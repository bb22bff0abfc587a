/**
 * Pages without a service behind them: what a function answers, over real HTTP and under the policy that real pages have.
 * Next: `browser.ts`, which looks at them.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { contentSecurityPolicy } from '../../../src/platform/http/page.ts';

export interface ServedPage {
  /** Default: 200. */
  readonly status?: number;
  /** Default: HTML. */
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** The answer goes on after the body, as a stream of events does, with what is written then. */
  readonly goesOn?: (write: (text: string) => void) => void;
}

export interface PageServer {
  /** `http://127.0.0.1:8080` */
  readonly address: string;
  stop(): Promise<void>;
}

/** `null` is answered 404. What a form sends is read before `answer` is asked. */
export async function servePages(
  answer: (url: URL, request: IncomingMessage, form: URLSearchParams) => ServedPage | null,
): Promise<PageServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const form = new URLSearchParams(await text(request));
    const page: ServedPage = answer(url, request, form) ?? { status: 404, body: 'Nothing is here.' };
    response.writeHead(page.status ?? 200, {
      'content-type': page.contentType ?? 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...page.headers,
    });
    response.write(page.body);
    if (page.goesOn) page.goesOn((text) => response.write(text));
    else response.end();
  };
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
