/**
 * nginx and Caddy with the configurations in `deploy/` as they are shipped, over TLS. Only ports, paths and the address of Bursar are
 * other ones. A program that is not installed is '' and says so, unless BURSAR_REQUIRE_NGINX=1 or BURSAR_REQUIRE_CADDY=1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Readable } from 'node:stream';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/server-process.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../webhooks/certificate.ts';

export const HOST = 'pay.example.com';
export const DASHBOARD_HOST = 'dashboard.example.com';

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
export const nginx = program('nginx');
export const caddy = program('caddy');

const shipped = (name: string) => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), 'utf8');

/** With each text replaced, which has to be there. */
function replaced(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`The configuration has no ${from}.`);
    return before.replaceAll(from, to);
  }, text);
}

/** The proxies of one file of tests. */
export class Proxies {
  readonly folder = mkdtempSync(join(tmpdir(), 'bursar-deploy-'));
  readonly #running: ChildProcess[] = [];
  #confs = 0;

  constructor() {
    chmodSync(this.folder, 0o755); // nginx gives its workers to another user
    writeFileSync(join(this.folder, 'fullchain.pem'), CERTIFICATE);
    writeFileSync(join(this.folder, 'privkey.pem'), CERTIFICATE_KEY);
  }

  nginxConf(changes: Readonly<Record<string, string>> = {}): string {
    const { folder } = this;
    const file = join(folder, `nginx-${(this.#confs += 1)}.conf`);
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

  caddyfile(changes: Readonly<Record<string, string>> = {}): {
    readonly file: string;
    readonly env: NodeJS.ProcessEnv;
  } {
    const { folder } = this;
    const file = join(folder, `Caddyfile-${(this.#confs += 1)}`);
    writeFileSync(file, replaced(shipped('Caddyfile'), changes));
    return { file, env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } };
  }

  /** In front of `port`; resolves with the port of its TLS when it accepts connections. */
  async startNginx(port: number): Promise<number> {
    const [http, https] = [await freePort(), await freePort()];
    const conf = this.nginxConf({
      '127.0.0.1:4242': `127.0.0.1:${port}`,
      'listen 80 default_server': `listen 127.0.0.1:${http} default_server`,
      'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
    });
    return this.#up(spawn(nginx, ['-c', conf, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] }), https);
  }

  async startCaddy(port: number): Promise<number> {
    const https = await freePort();
    const { folder } = this;
    const { file, env } = this.caddyfile({
      '127.0.0.1:4242': `127.0.0.1:${port}`,
      'pay.example.com}': `pay.example.com:${https}}`,
      'dashboard.example.com}': `dashboard.example.com:${https}}`,
      '\ttls {': `\ttls ${folder}/fullchain.pem ${folder}/privkey.pem {`,
      '\tservers {': '\tadmin off\n\tauto_https disable_redirects\n\tservers {',
    });
    const args = ['run', '--adapter', 'caddyfile', '--config', file];
    return this.#up(spawn(caddy, args, { stdio: ['ignore', 'ignore', 'pipe'], env }), https);
  }

  async #up(child: ChildProcess, https: number): Promise<number> {
    this.#running.push(child);
    let output = '';
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const accepts = () => ask(https, 'GET', '/livez').then(Boolean, () => false);
    const isUp = async () => child.exitCode !== null || (await accepts());
    await eventually('the proxy accepts connections', isUp, { seen: () => output });
    if (child.exitCode !== null) throw new Error(output);
    return https;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#running.map(async (child) => {
        if (child.exitCode !== null) return;
        const ended = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await ended;
      }),
    );
    rmSync(this.folder, { recursive: true });
  }
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer | Readable;
  /** The address of this machine that asks. */
  readonly from?: string;
}

/** With `expect: 100-continue` a body is sent only when it is asked for: whoever refuses it cannot cut the request off. */
export function open(port: number, method: string, path: string, sent: Sent = {}): Promise<IncomingMessage> {
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
    asked.on('error', reject);
    const send = () => {
      if (body instanceof Readable) body.pipe(asked);
      else asked.end(body);
    };
    if (headers?.['expect'] === undefined) send();
    else {
      asked.once('continue', send);
      asked.once('response', (reply) => reply.once('end', () => asked.destroy()));
      asked.flushHeaders();
    }
  });
}

export async function ask(...what: Parameters<typeof open>) {
  const reply = await open(...what);
  let text = '';
  for await (const chunk of reply) text += String(chunk);
  return { status: reply.statusCode ?? 0, headers: reply.headers, text };
}
