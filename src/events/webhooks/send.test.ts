/** One delivery attempt over HTTP: what is sent, what is kept of the answer, and every way in which a receiver can be bad. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { CERTIFICATE } from '../../../test/support/webhooks/certificate.ts';
import {
  bodyOf,
  type Receiver,
  startReceiver,
  startTcpReceiver,
} from '../../../test/support/webhooks/raw-receivers.ts';
import { VERSION } from '../../core/values/version.ts';
import { type Attempt, createSender, type Sender, type SenderOptions } from './send.ts';

const NEVER_MS = 3_600_000;
const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ended.splice(0)) await end();
});

function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ privateTargets: () => 'loopback', keepsPrivateAnswers: () => true, ...options });
  ended.push(() => made.close());
  return made;
}

async function kept(starting: Promise<Receiver>): Promise<Receiver> {
  const receiver = await starting;
  ended.push(() => receiver.close());
  return receiver;
}

const answering = (listener: RequestListener) =>
  kept(
    startReceiver((request, response) => {
      request.resume().on('end', () => listener(request, response));
    }),
  );

const tcp = (onRequest: Parameters<typeof startTcpReceiver>[0]) =>
  kept(startTcpReceiver((socket) => void socket.once('data', () => onRequest(socket))));

const to = ({ port }: Receiver, path = '/in', scheme = 'http') => ({
  url: `${scheme}://127.0.0.1:${port}${path}`,
  livemode: false,
});

/** One attempt at a fresh receiver. */
async function attempt(listener: RequestListener, options: Partial<SenderOptions> = {}): Promise<Attempt> {
  return sender(options).send(to(await answering(listener)), {}, '{}');
}

const ok: RequestListener = (_request, response) => void response.end('ok');

describe('the request', () => {
  it('is a POST with the body, our headers and the given ones', async () => {
    const seen: unknown[] = [];
    const receiver = await kept(
      startReceiver((request, response) => {
        void bodyOf(request).then((body) => {
          seen.push(request.method, request.url, request.headers, body);
          response.writeHead(204).end();
        });
      }),
    );
    const body = '{"name":"Zoë ✓","n":1}';
    const sent = await sender().send(to(receiver, '/in?a=1&b=%C3%A4'), { 'webhook-id': 'evt_1' }, body);
    expect(sent).toMatchObject({ outcome: 'succeeded', httpStatus: 204, response: '', error: null, retryAfter: null });
    expect(seen).toEqual([
      'POST',
      '/in?a=1&b=%C3%A4',
      {
        host: `127.0.0.1:${receiver.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': `Bursar/${VERSION} (+webhooks)`,
        'webhook-id': 'evt_1',
      },
      body,
    ]);
  });

  it('reuses a connection, also after a refusal, and gives concurrent sends their own', async () => {
    let count = 0;
    const receiver = await answering((_request, response) => {
      response.statusCode = ++count % 2 === 0 ? 500 : 200;
      setTimeout(() => response.end('x'), 20);
    });
    const sending = sender();
    for (let i = 0; i < 10; i++) await sending.send(to(receiver), {}, '{}');
    expect(receiver.connections()).toBe(1);
    await Promise.all(Array.from({ length: 5 }, () => sending.send(to(receiver), {}, '{}')));
    expect(receiver.connections()).toBe(5);
  });

  it('with headers that are none is broken, not thrown', async () => {
    const sent = await sender().send(to(await answering(ok)), { 'not a header': 'x' }, '{}');
    expect(sent).toMatchObject({ outcome: 'broken', httpStatus: null, response: null });
  });
});

describe('the answer', () => {
  it.each([200, 201, 202, 204, 299])('%d is success', async (status) => {
    const sent = await attempt((_request, response) => response.writeHead(status).end());
    expect(sent).toMatchObject({ outcome: 'succeeded', httpStatus: status, error: null });
  });

  it.each([400, 404, 410, 429, 500, 503])('%d is not', async (status) => {
    const sent = await attempt((_request, response) => response.writeHead(status, { 'Retry-After': '7' }).end('no'));
    expect(sent).toMatchObject({ outcome: 'status', httpStatus: status, response: 'no', retryAfter: '7' });
    expect(sent.error).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}; only 2xx counts as received\\.$`));
  });

  it.each([301, 302, 303, 307, 308])('%d is not followed', async (status) => {
    const target = await answering(ok);
    const location = `http://127.0.0.1:${target.port}/`;
    const sent = await attempt((_request, response) => response.writeHead(status, { location }).end());
    expect(sent).toMatchObject({ outcome: 'status', httpStatus: status });
    expect(sent.error).toContain('Redirects are not followed');
    expect(target.connections()).toBe(0);
  });

  it('takes the time and the clock it is given', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const slow: RequestListener = (_request, response) => {
      vi.advanceTimersByTime(120);
      response.end();
    };
    const sent = await attempt(slow, { now: () => 1_700_000_000_123 });
    expect(sent).toMatchObject({ startedAtMs: 1_700_000_000_123, durationMs: 120 });
  });

  it('keeps the first 4 kB as whole characters', async () => {
    const sent = await attempt((_request, response) => response.end(`a${'é'.repeat(5000)}`));
    expect(sent.outcome).toBe('succeeded');
    expect(sent.response).toBe(`a${'é'.repeat(2047)}`);
  });

  it('keeps nothing that PostgreSQL refuses or that deceives a reader', async () => {
    const bytes = Buffer.concat([Buffer.from('a\r\nb\rc\td\u0000\u001b[31m\u202ee\u0085'), Buffer.from([0xff, 0xc3])]);
    const sent = await attempt((_request, response) => response.end(bytes));
    expect(sent.response).toBe('a\nb\nc\td\ufffd\ufffd[31m\ufffde\ufffd\ufffd\ufffd');
  });

  it('keeps 4 kB of what was no text, too', async () => {
    const sent = await attempt((_request, response) => response.end(Buffer.alloc(9000, 0xff)));
    expect(sent.response).toMatch(/^\ufffd+$/);
    expect(Buffer.byteLength(sent.response ?? '')).toBe(4095);
  });

  it('skips what comes before the final status', async () => {
    const receiver = await tcp((socket) =>
      socket.end('HTTP/1.1 103 Early Hints\r\nRetry-After: 1\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
    );
    const sent = await sender().send(to(receiver), {}, '{}');
    expect(sent).toMatchObject({ outcome: 'succeeded', httpStatus: 200, response: 'ok', retryAfter: null });
  });

  const INFORMATIONAL = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';

  it.each([
    ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['103', 'HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n'],
    ['several', INFORMATIONAL.repeat(3)],
    ['several, byte for byte', INFORMATIONAL, 1],
    ['several, torn in the head', INFORMATIONAL, 9],
  ])('is the one behind informational ones, every time on one connection: %s', async (_title, before, step = 1e6) => {
    const receiver = await kept(
      startTcpReceiver((socket) => {
        socket.setNoDelay(true);
        socket.on('data', async () => {
          const bytes = `${before}HTTP/1.1 204 No Content\r\n\r\n`;
          for (let at = 0; at < bytes.length; at += step) {
            await new Promise((written) => socket.write(bytes.slice(at, at + step), written));
            await new Promise(setImmediate);
          }
        });
      }),
    );
    const sending = sender();
    for (const _ of 'ab') {
      const sent = await sending.send(to(receiver), {}, '{}');
      expect(sent).toMatchObject({ outcome: 'succeeded', httpStatus: 204, response: '', error: null });
    }
    expect(receiver.connections()).toBe(1);
  });

  it('is not looked for in a body, and is missing where only an informational one came', async () => {
    const quoting = await tcp((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${INFORMATIONAL.length}\r\n\r\n`, () =>
        setTimeout(() => socket.write(INFORMATIONAL), 20),
      ),
    );
    const whole = await sender().send(to(quoting), {}, '{}');
    expect(whole.response).toBe(INFORMATIONAL.replaceAll('\r\n', '\n'));
    const onlyThat = await tcp((socket) => socket.end(INFORMATIONAL));
    expect(await sender().send(to(onlyThat), {}, '{}')).toMatchObject({ outcome: 'broken', httpStatus: null });
  });

  it.each([
    ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
    ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf'],
  ])('is a success by its status, whatever becomes of its body: %s', async (_title, answer) => {
    const receiver = await tcp((socket) => socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 20)));
    const sent = await sender().send(to(receiver), {}, '{}');
    expect(sent).toMatchObject({ outcome: 'succeeded', httpStatus: 200, response: 'half', error: null });
  });

  it('may end with the connection', async () => {
    const receiver = await tcp((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nbye'));
    expect(await sender().send(to(receiver), {}, '{}')).toMatchObject({ outcome: 'succeeded', response: 'bye' });
  });
});

describe('a bad receiver', () => {
  it('that never answers is left after the time-out', async () => {
    const sent = await attempt(() => undefined, { exchangeTimeoutMs: 200 });
    expect(sent).toMatchObject({ outcome: 'timeout', httpStatus: null, response: null });
    expect(sent.error).toMatch(/did not answer within 0\.2 s\.$/);
  });

  it.each([200, 500])('that dribbles its %d byte by byte is left after the same time', async (status) => {
    let closed: Promise<unknown> = Promise.resolve();
    // Each byte comes long before the time-out is over: counted from the last one it never would be.
    const dribble: RequestListener = (_request, response) => {
      response.writeHead(status);
      response.write('x');
      const timer = setInterval(() => response.write('x'), 50);
      closed = new Promise((resolve) => response.on('close', resolve)).finally(() => clearInterval(timer));
    };
    const sent = await attempt(dribble, { exchangeTimeoutMs: 1_000 });
    expect(sent).toMatchObject({ outcome: status === 200 ? 'timeout' : 'status', httpStatus: status });
    expect(sent.response).toMatch(/^x+$/);
    await closed; // the connection was cut
  });

  it('that dribbles its headers is left as well', async () => {
    const receiver = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x: y\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const sent = await sender({ exchangeTimeoutMs: 300 }).send(to(receiver), {}, '{}');
    expect(sent).toMatchObject({ outcome: 'timeout', httpStatus: null });
  });

  it('is not shown where the receiver is not public, and is where the operator is alone', async () => {
    const listener: RequestListener = (_request, response) => void response.writeHead(500).end('secret');
    const hidden = await attempt(listener, { keepsPrivateAnswers: () => false });
    expect(hidden).toMatchObject({ httpStatus: 500, response: null });
    expect(await attempt(listener)).toMatchObject({ httpStatus: 500, response: 'secret' }); // control
  });

  it.each([200, 500])('that answers %d and a gigabyte is cut after 64 kB', async (status) => {
    let written = 0;
    const flood: RequestListener = (_request, response) => {
      const chunk = Buffer.alloc(65_536, 0x61);
      response.writeHead(status);
      const push = () => {
        while (written < 2 ** 30 && !response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', push);
      push();
    };
    const sent = await attempt(flood);
    expect(sent).toMatchObject({ outcome: status === 200 ? 'succeeded' : 'status', httpStatus: status });
    expect(sent.response).toBe('a'.repeat(4096));
    if (status === 200) expect(sent.error).toBeNull();
    // What was written beyond stood in the buffers of the two sockets.
    expect(written).toBeLessThan(16 * 2 ** 20);
  });

  it('with 64 kB exactly is fine', async () => {
    const sent = await attempt((_request, response) => response.end(Buffer.alloc(65_536, 0x61)));
    expect(sent).toMatchObject({ outcome: 'succeeded', response: 'a'.repeat(4096) });
    const longer = await attempt((_request, response) => response.end(Buffer.alloc(65_537, 0x61)));
    expect(longer).toMatchObject({ outcome: 'succeeded', error: null });
  });

  it('with endless headers is cut', async () => {
    const receiver = await tcp((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(998)}\r\n`.repeat(40)}`),
    );
    expect(await sender().send(to(receiver), {}, '{}')).toMatchObject({ outcome: 'too_long', httpStatus: null });
  });

  it.each([
    ['nothing', '', 'broke before the answer was complete'],
    ['half a head', 'HTTP/1.1 200 OK\r\ncontent-le', 'broke before the answer was complete'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'not HTTP/1.1'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'not HTTP/1.1'],
  ])('that sends %s and resets is broken', async (_title, answer, error) => {
    const receiver = await tcp((socket) => socket.write(answer, () => setTimeout(() => socket.resetAndDestroy(), 20)));
    const sent = await sender().send(to(receiver), {}, '{}');
    expect(sent.outcome).toBe('broken');
    expect(sent.error).toContain(error);
  });

  it('that closes before a byte of the request is broken or refused', async () => {
    const receiver = await kept(startTcpReceiver((socket) => socket.resetAndDestroy()));
    expect(['broken', 'refused']).toContain((await sender().send(to(receiver), {}, '{}')).outcome);
  });

  it('does not spoil the next delivery', async () => {
    let count = 0;
    const receiver = await answering((request, response) => {
      if (++count % 2 === 0) response.end();
      else request.socket.resetAndDestroy();
    });
    const sending = sender();
    const outcomes: string[] = [];
    for (let i = 0; i < 6; i++) outcomes.push((await sending.send(to(receiver), {}, '{}')).outcome);
    expect(outcomes).toEqual(['broken', 'succeeded', 'broken', 'succeeded', 'broken', 'succeeded']);
  });

  it('that closed an idle connection gets a new one', async () => {
    let closed = 0;
    const receiver = await kept(
      startTcpReceiver((socket) => {
        socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
        socket.on('close', () => (closed += 1));
      }),
    );
    const sending = sender();
    for (let i = 0; i < 5; i++) {
      expect((await sending.send(to(receiver), {}, '{}')).outcome).toBe('succeeded');
      await eventually('both ends have closed', () => closed === i + 1);
    }
    expect(receiver.connections()).toBe(5);
  });
});

describe('no connection', () => {
  it('refused', async () => {
    const receiver = await startReceiver(ok);
    await receiver.close();
    const sent = await sender().send(to(receiver), {}, '{}');
    expect(sent).toMatchObject({ outcome: 'refused', httpStatus: null, response: null });
    expect(sent.error).toBe(`127.0.0.1:${receiver.port} refused the connection (ECONNREFUSED).`);
  });

  it('dns', async () => {
    const sent = await sender().send({ url: 'https://no-such-name.invalid/', livemode: true }, {}, '{}');
    expect(sent.outcome).toBe('dns');
    expect(sent.error).toMatch(/^The name no-such-name\.invalid could not be resolved \(E\w+\)\.$/);
  });

  it('a resolver that never answers ends with the connect time-out', async () => {
    const lookup = () => new Promise<never>(() => undefined);
    const sent = await sender({ lookup, connectTimeoutMs: 100 }).send(
      { url: 'https://a.example/', livemode: true },
      {},
      '',
    );
    expect(sent).toMatchObject({ outcome: 'timeout', error: 'No connection to a.example within 0.1 s.' });
  });

  /** A resolver that answers when it is told to. */
  function lateLookup() {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const lookup = async () => {
      await answered;
      return [{ address: '127.0.0.1', family: 4 }];
    };
    return { lookup, answer };
  }

  it('a resolver that answers after the connect time-out leads to no connection', async () => {
    const receiver = await answering(ok);
    const { lookup, answer } = lateLookup();
    const target = { url: `http://localhost:${receiver.port}/`, livemode: false };
    expect((await sender({ lookup, connectTimeoutMs: 100 }).send(target, {}, '{}')).outcome).toBe('timeout');
    answer();
    // A connection would have come before that of the next delivery.
    expect((await sender().send(to(receiver), {}, '{}')).outcome).toBe('succeeded');
    expect(receiver.connections()).toBe(1);
  });

  it('one that takes the connection and never greets ends with the connect time-out', async () => {
    const receiver = await kept(startTcpReceiver(() => undefined));
    const sent = await sender({ connectTimeoutMs: 100 }).send(to(receiver, '/', 'https'), {}, '{}');
    expect(sent.error).toMatch(/^No connection to 127\.0\.0\.1:\d+ within 0\.1 s\.$/);
  });

  it('sends nothing late when the exchange ended before the connection stood', async () => {
    let requests = 0;
    const receiver = await answering((_request, response) => {
      requests += 1;
      response.end();
    });
    const { lookup, answer } = lateLookup();
    const target = { url: `http://localhost:${receiver.port}/`, livemode: false };
    const sent = await sender({ lookup, exchangeTimeoutMs: 100 }).send(target, {}, '{}');
    expect(sent.outcome).toBe('timeout');
    answer();
    await eventually('the late connection stands', () => receiver.connections() === 1);
    // Its request would have come before that of the next delivery.
    expect((await sender().send(to(receiver), {}, '{}')).outcome).toBe('succeeded');
    expect([receiver.connections(), requests]).toEqual([2, 1]);
  });

  it('tries the next address when the first refuses', async () => {
    const receiver = await kept(startReceiver(ok, { host: '127.0.0.1' }));
    const lookup = () =>
      Promise.resolve([
        { address: '127.0.0.9', family: 4 },
        { address: '::1', family: 6 },
        { address: '127.0.0.1', family: 4 },
      ]);
    const target = { url: `http://localhost:${receiver.port}/`, livemode: false };
    expect((await sender({ lookup }).send(target, {}, '{}')).outcome).toBe('succeeded');
  });

  it('a certificate that nobody vouches for', async () => {
    const receiver = await kept(startReceiver(ok, { tls: true }));
    const sent = await sender().send(to(receiver, '/', 'https'), {}, '{}');
    expect(sent.outcome).toBe('tls');
    expect(sent.error).toMatch(/: the certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/);
  });

  it('no TLS at all', async () => {
    const receiver = await answering(ok);
    const sent = await sender().send(to(receiver, '/', 'https'), {}, '{}');
    expect(sent.outcome).toBe('tls');
    expect(sent.error).toMatch(/it does not speak TLS/);
  });

  it('a TLS greeting that is cut', async () => {
    const receiver = await tcp((socket) => socket.destroy());
    const sent = await sender().send(to(receiver, '/', 'https'), {}, '{}');
    expect(sent.outcome).toBe('tls');
    expect(sent.error).toMatch(/closed during the TLS handshake/);
  });
});

describe('the end', () => {
  it('close cuts what is under way, also while connecting, and refuses the rest', async () => {
    const hanging = await answering(() => undefined);
    let left: Promise<unknown> = Promise.resolve();
    const silent = await kept(
      startTcpReceiver((socket) => {
        left = new Promise((resolve) => socket.resume().on('close', resolve));
      }),
    );
    // Nothing ends by itself.
    const sending = sender({ exchangeTimeoutMs: NEVER_MS, connectTimeoutMs: NEVER_MS });
    const attempts = [
      sending.send(to(hanging), {}, '{}'),
      sending.send(to(silent, '/', 'https'), {}, '{}'),
      sending.send({ url: 'https://a.example/', livemode: true }, {}, '{}'),
    ];
    await eventually('both are connected', () => hanging.connections() + silent.connections() === 2);
    await sending.close();
    const cut = await Promise.all(attempts.slice(0, 2));
    expect(cut.map(({ outcome }) => outcome)).toEqual(['broken', 'broken']);
    expect(cut[0]?.error).toBe('The server was stopped before the answer arrived.');
    await left;
    expect((await sending.send(to(hanging), {}, '{}')).outcome).toBe('broken');
    await attempts[2];
  });

  /** A process of its own: it trusts our certificate by Node's own setting, and must end by itself. */
  it('idle connections do not keep the process; TLS works by name; live has connections of its own', async () => {
    const named: RequestListener = ({ socket }, response) =>
      void response.end(String((socket as TLSSocket).servername));
    const receiver = await kept(startReceiver(named, { tls: true }));
    const folder = mkdtempSync(join(tmpdir(), 'bursar-send-'));
    ended.push(() => Promise.resolve(rmSync(folder, { recursive: true })));
    writeFileSync(join(folder, 'ca.pem'), CERTIFICATE);
    const script = `
      import { createSender } from ${JSON.stringify(new URL('send.ts', import.meta.url).href)};
      const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
      const sender = createSender({ privateTargets: () => 'loopback', keepsPrivateAnswers: () => true, lookup });
      const send = async (host, livemode) =>
        console.log(JSON.stringify(await sender.send({ url: 'https://' + host + ':${receiver.port}/', livemode }, {}, '{}')));
      for (const host of ['receiver.example.com', 'localhost', '127.0.0.1', 'other.example.com']) await send(host, false);
      await send('receiver.example.com', false);
      await send('receiver.example.com', true);
      await new Promise((resolve) => setImmediate(resolve));
      console.log(JSON.stringify(process.getActiveResourcesInfo()));
    `;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    const lines = output.trim().split('\n');
    // What keeps the process: no connection, though the idle ones are there for 4 s.
    expect(JSON.parse(lines.pop() as string)).not.toContain('TCPSocketWrap');
    const attempts = lines.map((line) => JSON.parse(line) as Attempt);
    expect(attempts.slice(0, 3).map(({ response }) => response)).toEqual([
      'receiver.example.com',
      'localhost',
      'false',
    ]);
    expect(attempts[3]).toMatchObject({ outcome: 'tls' });
    expect(attempts[3]?.error).toMatch(/the certificate is for another name/);
    expect(attempts[4]).toMatchObject({ outcome: 'succeeded' }); // over the first connection
    expect(attempts[5]).toMatchObject({ outcome: 'blocked' }); // which is not for live
    expect(receiver.connections()).toBe(4);
  });
});
