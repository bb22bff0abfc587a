/**
 * T20, what is sent to break a parser: a hundred shapes of body at full size, slow clients, and requests that two servers
 * would read differently. A bomb is a 4xx and takes little more processor time than the largest honest body; good clients are
 * served meanwhile; a smuggled request is never answered. Control: JSON.parse and a quadratic reader do not pass the same
 * measure. In milliseconds: `test/long/parsers.test.ts`.
 */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../support/harness/application.ts';
import { type ProbeClient, probe, refusalIn } from '../support/harness/probe-client.ts';
import { HONEST_BATCH, HOSTILE_INPUTS, routeOf } from '../support/generators/hostile-inputs.ts';
import { comparedWith } from '../support/measure/spent.ts';

/** A bomb may take so many times as much work as an honest batch of the most items. */
const MOST_TIMES = 4;
const HEADERS_MS = 1_000;
const LIMIT = 1_048_576;

let application: Application;
let ask: ProbeClient;
let before: string;

beforeAll(async () => {
  const timeouts = { headersTimeoutMs: HEADERS_MS, requestTimeoutMs: 2 * HEADERS_MS, keepAliveTimeoutMs: HEADERS_MS };
  application = await startApplication({ config: timeouts });
  ask = probe(application);
  before = await ask.written();
});

afterAll(() => application?.stop());

describe('bombs', () => {
  let timesAsMuch: Awaited<ReturnType<typeof comparedWith>>;
  beforeAll(async () => {
    timesAsMuch = await comparedWith(async () => {
      const sent = await ask.send('POST', '/v1/payouts/batch', HONEST_BATCH);
      expect(refusalIn(sent)).toBe('batch_invalid');
    });
  });

  it('are a hundred, none larger than a body may be', () => {
    expect(new Set(HOSTILE_INPUTS.map(({ name }) => name)).size).toBe(HOSTILE_INPUTS.length);
    expect(HOSTILE_INPUTS.length).toBeGreaterThanOrEqual(100);
    expect(HOSTILE_INPUTS.filter(({ body }) => Buffer.byteLength(body) > LIMIT).map(({ name }) => name)).toEqual([]);
  });

  it.each(HOSTILE_INPUTS.map((hostile) => [hostile.name, hostile] as const))('%s', async (_, hostile) => {
    let code = '';
    const send = async () => {
      const sent = await ask.send('POST', routeOf(hostile), hostile.body, hostile.type);
      code = refusalIn(sent, sent.status === 413 ? 413 : 400);
    };
    await send(); // what is only slow the first time is not a way to hold up others
    expect(await timesAsMuch(send, MOST_TIMES)).toBeLessThanOrEqual(MOST_TIMES);
    expect(code).not.toBe('');
  });

  it('write nothing', async () => expect(await ask.written()).toBe(before));

  it('control: a reader without bounds fails the measure', async () => {
    const wide = `{${Array.from({ length: 30_000 }, (_, i) => `"amoun${i}":1`).join(',')}}`;
    const quadratic = (): unknown => {
      const names = Object.keys(JSON.parse(wide) as object);
      return names.filter((name, at) => names.indexOf(name) === at);
    };
    expect(await timesAsMuch(quadratic, Number.POSITIVE_INFINITY)).toBeGreaterThan(MOST_TIMES);
    expect(() => JSON.stringify(JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)))).toThrow(RangeError);
  });
});

describe('sizes and types', () => {
  const padded = (size: number) => `{"currency":"${'x'.repeat(size - '{"currency":""}'.length)}"}`;

  it.each(['application/json', 'application/x-www-form-urlencoded', 'text/csv', 'text/plain'])(
    'a byte too many of %s is a 413',
    async (type) => {
      expect(refusalIn(await ask.send('POST', '/v1/payouts/batch', padded(LIMIT + 1), type), 413)).toBe(
        'body_too_large',
      );
      const sent = await ask.send('POST', '/v1/payouts/batch', padded(LIMIT), type);
      expect(sent.status).toBe(type === 'text/plain' ? 415 : 400);
    },
  );

  it.each([
    'text/plain',
    'text/html',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded; charset=iso-8859-1',
    'application/jsonp',
    'application/json, text/plain',
    'json',
    '',
    '/',
    'application/vnd.api+json',
    'application/problem+json',
    'x'.repeat(5_000),
  ])('the type %j is a 415', async (type) => {
    expect(refusalIn(await ask.send('POST', '/v1/accounts', '{"currency":"EUR"}', type), 415)).toBe(
      'content_type_unsupported',
    );
  });

  it('CSV is for batches only', async () => {
    expect(refusalIn(await ask.send('POST', '/v1/payouts', 'amount\n5', 'text/csv'), 415)).toBe(
      'content_type_unsupported',
    );
  });

  it.each(['application/json;charset=UTF-8', 'APPLICATION/JSON', 'application/json ; charset="utf-8"'])(
    '%s is taken',
    async (type) => {
      expect(refusalIn(await ask.send('POST', '/v1/accounts', '{"curency":"EUR"}', type))).toBe('parameter_unknown');
    },
  );

  afterAll(async () => expect(await ask.written()).toBe(before));
});

/** Sends the bytes, and what came back until the server closed: after a refusal, or a second after its last answer. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(application.address).port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
}

describe('requests that two servers would read differently', () => {
  /** Every case carries this in what one server takes for the body and another for a second request. */
  const smuggled = () =>
    `POST /v1/accounts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${application.sandbox.key}\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n{"currency":"EUR"}`;
  const head = (...headers: string[]) =>
    `POST /v1/recipients HTTP/1.1\r\nHost: x\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
  const CASES: readonly (readonly [string, (inner: string) => string])[] = [
    ['both lengths', (inner) => `${head('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${inner}`],
    [
      'both lengths, the other order',
      (inner) => `${head('Transfer-Encoding: chunked', 'Content-Length: 5')}0\r\n\r\n${inner}`,
    ],
    ['two lengths', (inner) => head('Content-Length: 0', `Content-Length: ${inner.length}`) + inner],
    ['two equal lengths', (inner) => head('Content-Length: 0', 'Content-Length: 0') + inner],
    ['a list of lengths', (inner) => head(`Content-Length: 0, ${inner.length}`) + inner],
    ['a signed length', (inner) => head('Content-Length: +0') + inner],
    ['a negative length', (inner) => head('Content-Length: -1') + inner],
    ['a hexadecimal length', (inner) => head('Content-Length: 0x0') + inner],
    ['an empty length', (inner) => head('Content-Length:') + inner],
    ['a length with a blank before the colon', (inner) => head('Content-Length : 0') + inner],
    ['a huge length', (inner) => head('Content-Length: 99999999999999999999999') + inner],
    ['chunked, misspelled', (inner) => `${head('Transfer-Encoding: xchunked')}0\r\n\r\n${inner}`],
    ['chunked, but not last', (inner) => `${head('Transfer-Encoding: chunked, identity')}0\r\n\r\n${inner}`],
    ['chunked with a vertical tab', (inner) => `${head('Transfer-Encoding:\x0bchunked')}0\r\n\r\n${inner}`],
    [
      'chunked twice and a length',
      (inner) =>
        `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: cow', 'Content-Length: 4')}0\r\n\r\n${inner}`,
    ],
    ['chunked in HTTP/1.0', (inner) => `${head('Transfer-Encoding: chunked').replace('1.1', '1.0')}0\r\n\r\n${inner}`],
    ['a chunk size with a sign', (inner) => `${head('Transfer-Encoding: chunked')}+0\r\n\r\n${inner}`],
    ['a chunk size with a prefix', (inner) => `${head('Transfer-Encoding: chunked')}0x0\r\n\r\n${inner}`],
    [
      'a chunk size that overflows',
      (inner) => `${head('Transfer-Encoding: chunked')}10000000000000000\r\n\r\n${inner}`,
    ],
    ['a chunk that is too long', (inner) => `${head('Transfer-Encoding: chunked')}1\r\nab\r\n0\r\n\r\n${inner}`],
    ['line feeds alone', (inner) => `POST /v1/recipients HTTP/1.1\nHost: x\nContent-Length: 0\n\n${inner}`],
    ['a folded header', (inner) => head('X: a\r\n Content-Length: 5') + inner],
    ['a header name with a blank', (inner) => head('Content Length: 0') + inner],
    ['a NUL in a header', (inner) => head('X: a\0b') + inner],
    ['a carriage return in a header', (inner) => head('X: a\rContent-Length: 5') + inner],
    ['no header name', (inner) => head(': 5') + inner],
    ['an unknown version', (inner) => `POST /v1/recipients HTTP/2.7\r\nHost: x\r\n\r\n${inner}`],
    ['a request line with three blanks', (inner) => `POST /v1/recipients x HTTP/1.1\r\nHost: x\r\n\r\n${inner}`],
    ['headers of 20 KiB', (inner) => head(`X: ${'x'.repeat(20_000)}`) + inner],
    ['no HTTP at all', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ];

  it.concurrent.each(CASES)('%s: at most one refusal, and never the second request', async (name, build) => {
    const text = await exchange(build(smuggled()));
    expect(text).not.toContain('acct_');
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    // 401: the request that carries no key was read and refused, and the bytes behind it refused as well.
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    // HTTP/1.0 knows no chunks: the request is whole, and an answer to what follows would be taken for its own.
    if (name !== 'chunked in HTTP/1.0') expect(statuses.length).toBeGreaterThan(0);
  });

  it('control: the smuggled request alone is answered', async () => {
    expect(await exchange(smuggled().replace('EUR', 'CHF'))).toMatch(/^HTTP\/1\.1 200[\s\S]*acct_/);
  });
});

describe('slow clients', () => {
  /** Half send headers, half a body, neither to its end. `drips`: a byte now and then. Resolves to what came back. */
  function slowClient(port: number, isInBody: boolean, drips: boolean): { socket: Socket; answer: Promise<string> } {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('POST /v1/accounts HTTP/1.1\r\nHost: x\r\n');
    const key = `Authorization: Bearer ${application.sandbox.key}\r\n`;
    if (isInBody) socket.write(`${key}Content-Type: application/json\r\nContent-Length: 900\r\n\r\n{`);
    const drip = drips ? setInterval(() => socket.write(isInBody ? ' ' : 'X: y\r\n'), 100) : undefined;
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => {
        clearInterval(drip);
        resolve(text);
      });
    });
    return { socket, answer };
  }
  const each = (count: number, port: number, drips: boolean) =>
    Array.from({ length: count }, (_, i) => slowClient(port, i % 2 === 0, drips));

  it('are cut off, and one that only waits is told', async () => {
    const port = Number(new URL(application.address).port);
    const [dripping, waiting] = [each(50, port, true), each(10, port, false)];
    // Who still sends when the server closes may lose the answer.
    for (const { answer } of dripping) expect(await answer).toMatch(/^(?:HTTP\/1\.1 (?:400|408) |$)/);
    for (const { answer } of waiting) expect(await answer).toMatch(/^HTTP\/1\.1 (?:400|408) [^]*"code":"body_invalid"/);
  });

  it('do not keep the others waiting', async () => {
    const patient = await startApplication({ config: { headersTimeoutMs: 200_000, requestTimeoutMs: 200_000 } });
    const slow = each(300, Number(new URL(patient.address).port), true);
    let closed = 0;
    for (const { answer } of slow) void answer.then(() => (closed += 1));
    for (let i = 0; i < 20; i++) expect((await patient.sandbox.client.get('/v1/accounts')).status).toBe(200);
    expect(closed).toBe(0);
    for (const { socket } of slow) socket.destroy();
    await patient.stop();
  });
});
