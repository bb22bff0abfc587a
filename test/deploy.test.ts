/**
 * The configurations in `deploy/` as they are shipped: accepted by nginx and Caddy, and with Debian's nginx in front of a real
 * server over TLS. Only ports, paths and the address of Bursar are other ones. Where a program is not installed its tests are
 * left out and say so, unless BURSAR_REQUIRE_NGINX=1 or BURSAR_REQUIRE_CADDY=1.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { type Application, startApplication } from './support/harness/application.ts';
import { eventually } from './support/harness/eventually.ts';
import { freePort } from './support/harness/server-process.ts';
import { must } from './support/harness/tenant-fixture.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './support/webhooks/certificate.ts';

const HOST = 'pay.example.com';
const run = promisify(execFile);

it('starts the service with the same switches of Node wherever it is started', () => {
  const places = ['package.json', 'bin/bursar.cjs', 'src/cli/server.ts', 'bench/setup/world.ts'];
  const switches = (path: string) => readFileSync(path, 'utf8').match(/--(?:max-semi|heap-grow|no-alloc)[\w=-]*/g);
  for (const path of [...places, 'deploy/Dockerfile', 'deploy/bursar.service'])
    expect([path, switches(path)]).toEqual([
      path,
      ['--max-semi-space-size=32', '--heap-growing-percent=80', '--no-allocation-site-pretenuring'],
    ]);
});

/** PATH, and what a PATH without the system's folders leaves out. '' where there is none. */
function program(name: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  const found = folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  const isRequired = process.env[`BURSAR_REQUIRE_${name.toUpperCase()}`] === '1';
  if (found === undefined && isRequired) throw new Error(`${name} is not installed: apt-get install ${name}`);
  if (found === undefined) console.error(`${name} was not found, so its tests were left out: apt-get install ${name}`);
  return found ?? '';
}
const nginx = program('nginx');
const caddy = program('caddy');

const folder = mkdtempSync(join(tmpdir(), 'bursar-deploy-'));
const running: ChildProcess[] = [];
beforeAll(() => {
  chmodSync(folder, 0o755); // nginx gives its workers to another user
  writeFileSync(join(folder, 'fullchain.pem'), CERTIFICATE);
  writeFileSync(join(folder, 'privkey.pem'), CERTIFICATE_KEY);
});
afterAll(async () => {
  await Promise.all(
    running.map(async (child) => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
    }),
  );
  rmSync(folder, { recursive: true });
});

const shipped = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), 'utf8');

/** With each text replaced, which has to be there. */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replaceAll(from, to);
  }, text);
}

let confs = 0;
function nginxConf(changes: Readonly<Record<string, string>> = {}): string {
  const file = join(folder, `nginx-${(confs += 1)}.conf`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((each) => `${each}_temp_path ${folder}/${each};`).join(' ');
  const own = {
    '/etc/ssl/bursar': folder,
    '/run/nginx.pid': `${file}.pid`,
    '/var/log/nginx/error.log': `${file}.log`,
    'http {': `http { ${paths}`,
  };
  writeFileSync(file, replaced(shipped('nginx.conf'), { ...own, ...changes }));
  return file;
}

/** In front of `port`; resolves with the port of its TLS when it accepts connections. */
async function startNginx(port: number): Promise<number> {
  const [http, https] = [await freePort(), await freePort()];
  const conf = nginxConf({
    '127.0.0.1:4242': `127.0.0.1:${port}`,
    'listen 80 default_server': `listen 127.0.0.1:${http} default_server`,
    'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
  });
  const child = spawn(nginx, ['-c', conf, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  running.push(child);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const accepts = () => ask(https, 'GET', '/livez').then(Boolean, () => false);
  const isUp = async () => child.exitCode !== null || (await accepts());
  await eventually('nginx accepts connections', isUp, { seen: () => output });
  expect(output).not.toContain('[emerg]');
  return https;
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
  /** The address of this machine that asks. */
  readonly from?: string;
}

function open(port: number, method: string, path: string, sent: Sent = {}): Promise<IncomingMessage> {
  const { headers, body, from = '127.0.0.1' } = sent;
  const options = {
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: CERTIFICATE,
    localAddress: from,
    agent: false,
  };
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, method, path, headers: { host: HOST, ...headers } }, resolve);
    asked.on('error', reject).end(body);
  });
}

async function ask(...what: Parameters<typeof open>) {
  const reply = await open(...what);
  let text = '';
  for await (const chunk of reply) text += String(chunk);
  return { status: reply.statusCode ?? 0, headers: reply.headers, text };
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

describe.skipIf(nginx === '')('nginx', () => {
  let application: Application;
  let untrusting: Application;
  let port = 0;
  let untrustingPort = 0;
  beforeAll(async () => {
    const config = { publicUrl: `https://${HOST}`, keylessRequestsPerSecond: 3 };
    const { trustedProxies } = loadConfig({ BURSAR_TRUSTED_PROXIES: '127.0.0.1' });
    application = await startApplication({ config: { ...config, trustedProxies } });
    untrusting = await startApplication({ config });
    port = await startNginx(Number(new URL(application.address).port));
    untrustingPort = await startNginx(Number(new URL(untrusting.address).port));
  });
  afterAll(async () => {
    await application?.stop();
    await untrusting?.stop();
  });
  const key = () => ({ authorization: `Bearer ${application.sandbox.key}` });

  it('accepts the file as it is shipped', async () => {
    const { stderr } = await run(nginx, ['-t', '-c', nginxConf()]);
    expect(stderr).toContain('test is successful');
    expect(stderr).not.toContain('[warn]');
  });

  it('passes on who asks: limits are apart for two clients, whatever a client says of itself', async () => {
    const statuses = async (to: number, count: number, addressOf: (number: number) => string) => {
      const asked = Array.from({ length: count }, async (_, number) => {
        const forged = { 'x-forwarded-for': `192.0.2.${number}`, forwarded: `for=192.0.2.${number}` };
        return (await ask(to, 'GET', '/v1/nothing', { from: addressOf(number), headers: forged })).status;
      });
      return Promise.all(asked);
    };
    const oneClient = () => '127.0.0.2';
    const twelveClients = (number: number) => `127.0.1.${number + 1}`;
    expect(await statuses(port, 12, oneClient)).toContain(429);
    expect(await statuses(port, 12, twelveClients)).toEqual(Array(12).fill(404));
    // control: where the proxy is not trusted, all are one
    expect(await statuses(untrustingPort, 12, twelveClients)).toContain(429);
  });

  it('lets event streams through as they come', async () => {
    const stream = await open(port, 'GET', '/v1/events/stream?after_sequence=0', { headers: key() });
    expect([stream.statusCode, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    let got = '';
    stream.on('data', (chunk: Buffer) => (got += chunk.toString()));
    for (const name of ['one', 'two']) {
      must(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR', name }));
      await eventually(`the event of ${name} comes`, () => got.includes(`"name":"${name}"`));
    }
    stream.destroy();
  });

  it('refuses a body over 1 MiB, and passes one of 1 MiB', async () => {
    const post = (bytes: number) =>
      ask(port, 'POST', '/v1/accounts', { headers: { ...key(), ...FORM }, body: `name=${'x'.repeat(bytes - 5)}` });
    const [fits, large] = [await post(1_048_576), await post(1_048_577)];
    expect([fits.status, JSON.parse(fits.text).error.type]).toEqual([400, 'invalid_request_error']);
    expect([large.status, large.headers.server]).toEqual([413, 'nginx']);
  });

  it('has HSTS on every answer, once', async () => {
    const body = { amount: 250, currency: 'EUR' };
    const link = must(await application.sandbox.client.post('/v1/payment_links', body)).json['url'] as string;
    const page = new URL(link).pathname;
    for (const path of ['/livez', '/v1/accounts', page, '/metrics']) {
      const { headers } = await ask(port, 'GET', path, { headers: key() });
      expect(headers['strict-transport-security'], path).toBe('max-age=31536000');
    }
    // control: Bursar alone sends it on pages
    const direct = await fetch(application.address + page);
    expect(direct.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  it('speaks TLS 1.2 and 1.3, and nothing older', async () => {
    const handshake = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise((resolve) => {
        const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
        const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
          resolve(socket.getProtocol());
          socket.destroy();
        });
        socket.on('error', () => resolve('refused'));
      });
    expect([await handshake('TLSv1.1'), await handshake('TLSv1.2'), await handshake('TLSv1.3')]).toEqual([
      'refused',
      'TLSv1.2',
      'TLSv1.3',
    ]);
  });

  it('shows no metrics, and answers to no other name', async () => {
    expect((await ask(port, 'GET', '/metrics')).status).toBe(404);
    await expect(ask(port, 'GET', '/livez', { headers: { host: 'evil.example' } })).rejects.toThrow('socket hang up');
    expect((await ask(port, 'GET', '/livez')).status).toBe(200);
  });

  it('sends a request once, even when the answer does not come', async () => {
    let requests = 0;
    const dead = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (chunk: Buffer) => {
        if (chunk.toString().startsWith('POST')) requests += 1;
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve));
    const to = await startNginx((dead.address() as AddressInfo).port);
    for (const headers of [FORM, { ...FORM, 'idempotency-key': 'k' }]) {
      expect((await ask(to, 'POST', '/v1/payouts', { headers, body: 'amount=1' })).status).toBe(502);
    }
    dead.close();
    expect(requests).toBe(2);
  });
});

describe.skipIf(caddy === '')('Caddy', () => {
  it('accepts the file as it is shipped, in the layout of caddy fmt', async () => {
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, shipped('Caddyfile'));
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const { stdout, stderr } = await run(caddy, ['validate', '--adapter', 'caddyfile', '--config', file], { env });
    expect(stdout + stderr).toContain('Valid configuration');
    expect(stdout + stderr).not.toContain('not formatted');
  });
});
