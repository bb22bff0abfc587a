/**
 * Spans of a real server with the real SDK, loaded as the guide shows: its file runs as it stands there, and its exporter sends to a collector
 * of this test. One payout gives the spans of each stage, each under its parent, and its webhook belongs to the same trace.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksRunBy } from '../support/docs/block-runners.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { Client } from '../support/harness/http.ts';
import { makeKey, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { idIn, must, RECIPIENT } from '../support/harness/tenant-fixture.ts';
import { type Receiver, startReceiver } from '../support/webhooks/receiver.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const blocks = blocksRunBy('test/soak/tracing.test.ts').map(({ block }) => block.text);

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly Span[] }[];
  }[];
}

const spans: Span[] = [];
const services = new Set<string>();
const collector = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '');
      spans.push(...scopeSpans.flatMap((each) => each.spans));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

let folder: string;
let database: Database;
let server: ServerProcess;
let plain: ServerProcess;
let receiver: Receiver;
beforeAll(async () => {
  // A folder beside Bursar, with packages of its own: two copies of the API meet, as they do where an operator installs one.
  folder = mkdtempSync(join(tmpdir(), 'bursar-tracing-'));
  cpSync('node_modules/@opentelemetry', join(folder, 'node_modules/@opentelemetry'), { recursive: true });
  const [file = '', settings = ''] = [/^import/, /^NODE_OPTIONS/].map((begins) =>
    blocks.find((each) => begins.test(each)),
  );
  writeFileSync(join(folder, 'tracing.mjs'), file);
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const shown = [...settings.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace('/opt/tracing', folder).replace('http://127.0.0.1:4318', address),
  ]);
  expect(shown.map(([name]) => name)).toEqual(['NODE_OPTIONS', 'OTEL_EXPORTER_OTLP_ENDPOINT']);
  const env = Object.fromEntries(shown) as Record<string, string>;
  database = await createDatabase();
  receiver = await startReceiver();
  server = await startServer({ databaseUrl: database.url, env });
  plain = await startServer({ databaseUrl: database.url });
});
afterAll(async () => {
  await server?.stop();
  await plain?.stop();
  await receiver?.stop();
  collector.close();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** A funded sandbox with a recipient, whose events go to the receiver. */
async function sandbox() {
  const { key } = await makeKey(database.url);
  const client = new Client(server.address, key);
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1000 }));
  const recipient = idIn(await client.post('/v1/recipients', RECIPIENT));
  must(await client.post('/v1/webhook_endpoints', { url: `${receiver.url}/hook`, enabled_events: ['payout.created'] }));
  return { key, client, recipient };
}

const attribute = ({ attributes }: Span, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];
const ofTrace = (trace: string) => spans.filter(({ traceId }) => traceId === trace);

describe('one payout', () => {
  let key: string;
  let of: ReadonlyMap<string, Span>;
  beforeAll(async () => {
    const { client, recipient, key: made } = await sandbox();
    key = made;
    const body = `amount=250.00&currency=EUR&recipient=${recipient}&reference=Invoice+4711`;
    const headers = { traceparent: `00-${TRACE}-${SPAN}-01`, 'content-type': 'application/x-www-form-urlencoded' };
    must(await client.send('POST', '/v1/payouts', body, headers));
    await receiver.count(1);
    await eventually('its spans are there', () => ofTrace(TRACE).length >= 6);
    of = new Map(ofTrace(TRACE).map((span) => [span.name, span]));
  });

  it('gives a span of the request, of each stage and of the delivery, and no other', () => {
    const names = ofTrace(TRACE).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['POST /v1/payouts', 'decide', 'delivery', 'load', 'persist', 'queue']);
    expect([...services]).toEqual(['bursar']);
  });

  it('each under its parent', () => {
    const request = of.get('POST /v1/payouts');
    expect(request?.parentSpanId).toBe(SPAN);
    for (const name of ['queue', 'load', 'decide', 'persist', 'delivery'])
      expect([name, of.get(name)?.parentSpanId]).toEqual([name, request?.spanId]);
  });

  it('stage behind stage', () => {
    const [queue, load, decide, persist] = ['queue', 'load', 'decide', 'persist'].map((name) => of.get(name) as Span);
    const pairs = [
      [queue, load],
      [load, decide],
      [decide, persist],
    ] as const;
    for (const [before, after] of pairs) expect(before?.endTimeUnixNano).toBe(after?.startTimeUnixNano);
    for (const each of of.values())
      expect(BigInt(each.endTimeUnixNano) >= BigInt(each.startTimeUnixNano), each.name).toBe(true);
  });

  it('the webhook carries the span of its delivery', () => {
    const [received] = receiver.received;
    expect(received?.headers['traceparent']).toBe(`00-${TRACE}-${of.get('delivery')?.spanId}-01`);
  });

  it('attributes say what happened, and hold no key, amount or person', () => {
    const request = of.get('POST /v1/payouts') as Span;
    expect([attribute(request, 'http.route'), attribute(request, 'http.response.status_code')]).toEqual([
      '/v1/payouts',
      200,
    ]);
    expect(attribute(of.get('persist') as Span, 'bursar.command')).toBe('create_payout');
    const values = spans.flatMap(({ attributes }) =>
      attributes.flatMap(({ value }) => Object.values(value).map(String)),
    );
    expect(values.length).toBeGreaterThan(20);
    const texts = [key, RECIPIENT.name, RECIPIENT.iban, 'Invoice 4711', new URL(receiver.url).host];
    expect(values.filter((value) => texts.some((text) => value.includes(text)))).toEqual([]);
    expect(values.filter((value) => /^(?:250(?:\.00)?|25000|1000(?:00)?)$/.test(value))).toEqual([]);
  });
});

it('a refusal names its code, and is no fault of the service', async () => {
  const { client } = await sandbox();
  const trace = TRACE.replace('4', '5');
  const headers = { traceparent: `00-${trace}-${SPAN}-01`, 'content-type': 'application/x-www-form-urlencoded' };
  await client.send('POST', '/v1/payouts', 'amount=x', headers);
  await eventually('the span is there', () => ofTrace(trace).length === 1);
  const [span] = ofTrace(trace) as [Span];
  expect([attribute(span, 'error.type'), span.status.code]).toEqual(['amount_invalid', 0]);
});

it('what is not sampled makes no spans, and its webhook says so', async () => {
  const { client, recipient } = await sandbox();
  const trace = TRACE.replace('4', '6');
  const headers = { traceparent: `00-${trace}-${SPAN}-00`, 'content-type': 'application/x-www-form-urlencoded' };
  const before = receiver.received.length;
  must(await client.send('POST', '/v1/payouts', `amount=1&currency=EUR&recipient=${recipient}`, headers));
  await receiver.count(before + 1);
  expect(receiver.received.at(-1)?.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
  expect(ofTrace(trace)).toEqual([]);
});

it('control: a server without an SDK makes no spans', async () => {
  const { key } = await sandbox();
  const trace = TRACE.replace('4', '7');
  const headers = { traceparent: `00-${trace}-${SPAN}-01`, 'content-type': 'application/x-www-form-urlencoded' };
  must(await new Client(plain.address, key).send('POST', '/v1/accounts', 'currency=USD', headers));
  must(await new Client(server.address, key).get('/v1/accounts'));
  await eventually('a later span is there', () => spans.some(({ name }) => name === 'GET /v1/accounts'));
  expect(ofTrace(trace)).toEqual([]);
});
