/**
 * The configurations in `deploy/` as they are shipped: accepted by nginx and Caddy, and in front of a real server over TLS. A file of
 * the largest size: `long/deploy.test.ts`.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, BlockList, createServer } from 'node:net';
import { Readable } from 'node:stream';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { clientAddresses } from '../src/platform/http/client-address.ts';
import { classify } from '../src/platform/outbound/addresses.ts';
import { ask, caddy, DASHBOARD_HOST, HOST, nginx, open, Proxies } from './support/deploy/proxies.ts';
import { type Application, startApplication } from './support/harness/application.ts';
import { eventually } from './support/harness/eventually.ts';
import { must } from './support/harness/tenant-fixture.ts';

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

it('says in every place how the package of an image is built, and the file that the image takes is what that makes', () => {
  const built = 'mkdir -p release && npm pack --pack-destination release';
  for (const path of ['deploy/Dockerfile', 'deploy/compose.yaml', 'docs/guides/installing.md'])
    expect([path, readFileSync(path, 'utf8').includes(built)]).toEqual([path, true]);
  expect(readFileSync('deploy/Dockerfile', 'utf8')).toMatch(/^COPY .*release\/bursar-/m);
});

it('trusts no whole network by default on Kubernetes, where every pod is in it', () => {
  const given = /^trustedProxies: "(.*)"$/m.exec(readFileSync('deploy/helm/bursar/values.yaml', 'utf8'))?.[1];
  expect(given).toBe('');
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };
  const clientOf = (BURSAR_TRUSTED_PROXIES: string) => {
    const clients = clientAddresses(loadConfig({ BURSAR_TRUSTED_PROXIES }).trustedProxies, () => undefined);
    return clients.addressOf({ headers: forwarded, socket: { remoteAddress: '10.1.2.3' } });
  };
  expect(clientOf('')).toBe('10.1.2.3');
  // control: who trusts the network of pods believes any of them
  expect(clientOf('10.0.0.0/8')).toBe('192.0.2.1');
});

it('bounds what is kept in /tmp', () => {
  const shipped = (path: string) => readFileSync(`deploy/${path}`, 'utf8');
  expect(shipped('helm/bursar/values.yaml')).toMatch(/^tmpSize: \d+Gi$/m);
  expect(shipped('helm/bursar/templates/deployment.yaml')).toMatch(
    /emptyDir:\n\s+sizeLimit: \{\{ \.Values\.tmpSize \}\}\n/,
  );
  const mounts = shipped('compose.yaml').match(/^ +- \/(?:tmp|config)\b.*$/gm);
  expect(mounts?.map((mount) => /:size=\d+[mg]$/.test(mount))).toEqual([true, true, true, true]);
});

it('takes every image that it does not make by digest', () => {
  const shipped = (path: string) => readFileSync(`deploy/${path}`, 'utf8');
  const fixed = (text: string) =>
    [...text.matchAll(/^(?:FROM| +image:) (\S+)/gm)]
      .map(([, image = '']) => image)
      .filter((each) => !/^"?[${]/.test(each));
  expect(fixed(shipped('Dockerfile'))).toEqual([]);
  expect(fixed(shipped('compose.yaml'))).toEqual(['bursar', 'bursar']); // built here, and never fetched
  expect(fixed(shipped('helm/bursar/templates/deployment.yaml'))).toEqual([]);
  // control
  expect(fixed('FROM node:24 AS package\n    image: postgres:18\n')).toEqual(['node:24', 'postgres:18']);
});

it('lets pods on Kubernetes reach no network that webhooks may not reach', () => {
  const [, list = ''] = /^ +except: \[(.*)\]$/m.exec(readFileSync('deploy/helm/bursar/values.yaml', 'utf8')) ?? [];
  const networks = list.split(', ').map((each) => each.split('/')[0] as string);
  expect(networks.map(classify)).not.toContain('public');
  const excepted = new BlockList();
  for (const each of list.split(', ')) excepted.addSubnet(each.split('/')[0] as string, Number(each.split('/')[1]));
  for (const inside of ['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.100.100.200', '127.0.0.53'])
    expect([inside, excepted.check(inside)]).toEqual([inside, true]);
  // control
  expect(['8.8.8.8', '172.32.0.1'].map((each) => [classify(each), excepted.check(each)])).toEqual([
    ['public', false],
    ['public', false],
  ]);
});

const proxies = new Proxies();
afterAll(() => proxies.stop());

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
    port = await proxies.startNginx(Number(new URL(application.address).port));
    untrustingPort = await proxies.startNginx(Number(new URL(untrusting.address).port));
  });
  afterAll(async () => {
    await application?.stop();
    await untrusting?.stop();
  });
  const key = () => ({ authorization: `Bearer ${application.sandbox.key}` });

  it('accepts the file as it is shipped', async () => {
    const { stderr } = await run(nginx, ['-t', '-c', proxies.nginxConf()]);
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
      ask(port, 'POST', '/v1/accounts', {
        headers: { ...key(), ...FORM, 'content-length': String(bytes), expect: '100-continue' },
        body: `name=${'x'.repeat(bytes - 5)}`,
      });
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
    const to = await proxies.startNginx((dead.address() as AddressInfo).port);
    for (const headers of [FORM, { ...FORM, 'idempotency-key': 'k' }]) {
      expect((await ask(to, 'POST', '/v1/payouts', { headers, body: 'amount=1' })).status).toBe(502);
    }
    dead.close();
    expect(requests).toBe(2);
  });
});

describe.skipIf(caddy === '')('Caddy', () => {
  it('accepts the file as it is shipped, in the layout of caddy fmt', async () => {
    const { file, env } = proxies.caddyfile();
    const { stdout, stderr } = await run(caddy, ['validate', '--adapter', 'caddyfile', '--config', file], { env });
    expect(stdout + stderr).toContain('Valid configuration');
    expect(stdout + stderr).not.toContain('not formatted');
  });
});

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('a statement file through %s', (name, found) => {
  let application: Application;
  let port = 0;
  beforeAll(async () => {
    if (found === '') return;
    application = await startApplication();
    const own = Number(new URL(application.address).port);
    port = await (name === 'nginx' ? proxies.startNginx(own) : proxies.startCaddy(own));
  });
  afterAll(() => application?.stop());
  const key = () => ({ authorization: `Bearer ${application.sandbox.key}` });

  it.skipIf(found === '')('may be larger than any other body', async () => {
    const body = 'x'.repeat(3_000_000);
    const file = await ask(port, 'POST', '/v1/statement_files', { headers: key(), body });
    expect([file.status, JSON.parse(file.text).error.code]).toEqual([400, 'statement_file_invalid']);
    // control: other bodies, and a path that only looks alike
    const headers = { ...key(), 'content-length': String(body.length), expect: '100-continue' };
    for (const path of ['/v1/accounts', '/v1/statement_files/x'])
      expect((await ask(port, 'POST', path, { headers, body })).status).toBe(413);
  });

  it.skipIf(found === '')('is refused by the proxy itself where it is too large', async () => {
    const headers = { ...key(), 'content-length': '1073741825', expect: '100-continue' };
    const { status, headers: answered } = await ask(port, 'POST', '/v1/statement_files', { headers, body: 'x' });
    expect([status, String(answered.server).toLowerCase()]).toEqual([413, name.toLowerCase()]);
  });

  it.skipIf(found === '')('is not read without a key', async () => {
    const body = new Readable({ read: () => undefined });
    body.push('x');
    const { status } = await ask(port, 'POST', '/v1/statement_files', {
      headers: { 'content-length': '1000000000' },
      body,
    });
    expect(status).toBe(401);
  });
});

describe.each([
  ['nginx', nginx],
  ['Caddy', caddy],
])('the dashboard through %s', (name, found) => {
  let application: Application;
  let port = 0;
  beforeAll(async () => {
    if (found === '') return;
    const config = { publicUrl: `https://${HOST}`, dashboardUrl: `https://${DASHBOARD_HOST}` };
    application = await startApplication({ config, dashboardFolder: '/nonexistent' });
    const own = Number(new URL(application.address).port);
    port = await (name === 'nginx' ? proxies.startNginx(own) : proxies.startCaddy(own));
  });
  afterAll(() => application?.stop());
  const at = (host: string, path: string) => ask(port, 'GET', path, { headers: { host } });

  it.skipIf(found === '')('is at a host of its own, with the headers of Bursar and HSTS once', async () => {
    for (const path of ['/dashboard', '/dashboard/live/payouts']) {
      const { status, text, headers } = await at(DASHBOARD_HOST, path);
      expect([path, status, text.includes('npm run dashboard')]).toEqual([path, 503, true]); // it is not built here
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    }
    const front = await at(DASHBOARD_HOST, '/');
    expect([front.status, String(front.headers.location).replace(`https://${DASHBOARD_HOST}`, '')]).toEqual([
      302,
      '/dashboard',
    ]);
  });
  it.skipIf(found === '')('shares it with nothing, and is nowhere else', async () => {
    for (const path of ['/v1/accounts', '/pay/x', '/docs/', '/openapi.json', '/metrics', '/dashboards']) {
      const { status, headers } = await at(DASHBOARD_HOST, path);
      expect([path, status, headers['request-id']]).toEqual([path, 404, undefined]); // Bursar was not asked
    }
    const elsewhere = await at(HOST, '/dashboard');
    expect([elsewhere.status, JSON.parse(elsewhere.text).error.code]).toEqual([404, 'path_unknown']);
    expect((await at(HOST, '/v1/accounts')).status).toBe(401); // control
    expect((await at(DASHBOARD_HOST, '/dashboard/api/nothing')).headers['request-id']).toBeDefined(); // control
  });
  it.skipIf(found === '')('takes a statement file of a person as it takes one of a key', async () => {
    const bytes = 1_048_577;
    const headers = { host: DASHBOARD_HOST, 'content-length': String(bytes), expect: '100-continue' };
    /** Who refuses may close before all has been sent, and then the answer can be lost on the way: it is asked for again. */
    const statusOf = async (path: string, triesLeft = 20): Promise<number | undefined> => {
      const reply = await open(port, 'POST', path, { headers, body: 'x'.repeat(bytes) }).catch((error: Error) => error);
      if (reply instanceof Error) {
        if (triesLeft === 0) throw reply;
        return statusOf(path, triesLeft - 1);
      }
      reply.on('error', () => {}).resume();
      return reply.statusCode;
    };
    expect(await statusOf('/dashboard/api/v1/statement_files')).not.toBe(413); // 403, or 502 where the service closed first
    expect(await statusOf('/dashboard/api/v1/accounts')).toBe(413);
  });
});
