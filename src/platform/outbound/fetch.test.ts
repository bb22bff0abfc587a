/** The `fetch` of commands: what it bears that Node's own does not, and when it leaves the work to that. */
import { globalAgent } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Receiver, startTcpReceiver } from '../../../test/support/webhooks/raw-receivers.ts';
import { fetch } from './fetch.ts';

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine';

let receiver: Receiver | undefined;
afterEach(() => receiver?.close());

/** A server that answers each request once it is whole. */
async function serverOf(answer: (socket: Socket) => void): Promise<string> {
  receiver = await startTcpReceiver((socket) => {
    let got = '';
    socket.on('data', (chunk: Buffer) => {
      const [head = '', body] = (got += chunk.toString()).split('\r\n\r\n');
      if (body?.length !== Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)) return;
      got = '';
      answer(socket);
    });
  });
  return `http://127.0.0.1:${receiver.port}/`;
}

describe('an informational answer that nobody asked for', () => {
  it.each([
    ['100', CONTINUE],
    ['103', HINTS],
    ['several', CONTINUE + HINTS + CONTINUE],
  ])('is no obstacle, to several requests on a connection: %s', async (_title, before) => {
    const url = await serverOf((socket) => void socket.write(before + OK));
    for (const method of ['GET', 'POST']) {
      const response = await fetch(url, method === 'POST' ? { method, body: new URLSearchParams({ a: 'b' }) } : {});
      expect([response.status, await response.text()]).toEqual([200, 'fine']);
      await new Promise(setImmediate); // undici takes the connection back a turn later
    }
    expect(receiver?.connections()).toBe(1);
  });

  it("control: Node's own breaks", async () => {
    const url = await serverOf((socket) => void socket.write(CONTINUE + OK));
    await expect(globalThis.fetch(url)).rejects.toThrow('fetch failed');
  });
});

it('otherwise it is as Node has it: redirects are followed or refused, a fault has its cause, a signal ends it', async () => {
  const url = await serverOf((socket) => {
    const moved = `HTTP/1.1 303 See Other\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n`;
    void socket.write(redirected++ === 0 ? moved : OK);
  });
  let redirected = 0;
  expect((await fetch(url, { method: 'POST', body: 'x' })).url).toBe(`${url}there`);
  redirected = 0;
  await expect(fetch(url, { redirect: 'error' })).rejects.toThrow('fetch failed');
  await expect(fetch(url, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
  const gone = await startTcpReceiver(() => undefined);
  await gone.close();
  await expect(fetch(`http://127.0.0.1:${gone.port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
});

describe('a process that was told to use a proxy', () => {
  const options = (globalAgent as unknown as { options: { proxyEnv?: object } }).options;
  afterEach(() => {
    delete options.proxyEnv;
    vi.restoreAllMocks();
  });
  it.each([
    ["uses Node's own", { HTTP_PROXY: 'http://proxy' }, 1],
    ['control: others do not', undefined, 0],
  ])('%s', async (_title, proxyEnv, calls) => {
    const url = await serverOf((socket) => void socket.write(OK));
    const own = vi.spyOn(globalThis, 'fetch');
    if (proxyEnv) options.proxyEnv = proxyEnv;
    vi.resetModules();
    const fresh = await import('./fetch.ts');
    expect(await (await fresh.fetch(url)).text()).toBe('fine');
    expect(own).toHaveBeenCalledTimes(calls);
  });
});
