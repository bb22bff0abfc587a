/**
 * The receivers of `webhooks/`, each as the process a reader of the guide would start, and sent what Bursar sends: a
 * genuine delivery is taken, a changed, old or forged one is not, and only what was taken is passed on. What is not
 * installed here is skipped; with BURSAR_REQUIRE_CLIENTS=1 that is a failure. Control: a receiver that believes everything does not pass. And the guide shows these files.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../src/core/values/ids.ts';
import { eventually } from '../test/support/harness/eventually.ts';
import { freePort } from '../test/support/harness/server-process.ts';
import { RETRY_DELAYS_MS } from '../src/events/webhooks/retry.ts';
import { signatureHeaders, newSecret } from '../src/events/webhooks/signature.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = 'examples/webhooks';
const START_WITHIN_MS = 30_000;
/** Go compiles its standard library the first time. */
const COMPILE_WITHIN_MS = 240_000;

const secret = newSecret();
const scratch = mkdtempSync(join(tmpdir(), 'bursar-receivers-'));
const running = new Set<ChildProcess>();
const killAll = () => {
  for (const child of running) child.kill('SIGKILL');
};
process.on('exit', killAll);
afterAll(() => {
  killAll();
  rmSync(scratch, { recursive: true, force: true });
});

/** The place of Next.js: hands the web's Requests to the route handler and its Responses back. */
const NEXT = `
  import { createServer } from 'node:http';
  import { POST } from './${FOLDER}/next-route.mjs';
  createServer(async (incoming, outgoing) => {
    const { method, headers } = incoming;
    const { status } = await POST(new Request('http://localhost/webhooks', { method, headers, body: incoming, duplex: 'half' }));
    outgoing.writeHead(status).end();
  }).listen(process.env.PORT, '127.0.0.1');`;

const TRUSTING = `
  import { createServer } from 'node:http';
  createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    const { type, id } = JSON.parse(body);
    console.log(type, id);
    outgoing.writeHead(204).end();
  }).listen(process.env.PORT, '127.0.0.1');`;

interface Receiver {
  readonly file: string;
  readonly program: string;
  readonly version: string;
  /** How it is started, given the port. */
  readonly command: (port: number) => readonly string[];
  /** What has to happen before the start. */
  readonly compile?: readonly string[];
}

const script = (text: string) => ['node', '--input-type=module', '--eval', text];
const goProgram = join(scratch, 'receiver');
const node = { program: 'node', version: '--version' };

const RECEIVERS: readonly Receiver[] = [
  { ...node, file: 'express.mjs', command: () => ['node', `${FOLDER}/express.mjs`] },
  { ...node, file: 'fastify.mjs', command: () => ['node', `${FOLDER}/fastify.mjs`] },
  { ...node, file: 'next-route.mjs', command: () => script(NEXT) },
  {
    file: 'receiver.py',
    program: 'python3',
    version: '--version',
    command: () => ['python3', `${FOLDER}/receiver.py`],
  },
  {
    file: 'receiver.go',
    program: 'go',
    version: 'version',
    compile: ['go', 'build', '-o', goProgram, `${FOLDER}/receiver.go`],
    command: () => [goProgram],
  },
  {
    file: 'receiver.php',
    program: 'php',
    version: '--version',
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, `${FOLDER}/receiver.php`],
  },
  { file: 'receiver.rb', program: 'ruby', version: '--version', command: () => ['ruby', `${FOLDER}/receiver.rb`] },
];

interface Started {
  readonly url: string;
  /** What it wrote to standard output and standard error. */
  readonly output: () => string;
  stop(): Promise<void>;
}

async function start(command: readonly string[], port: number): Promise<Started> {
  const [program, ...args] = command as [string, ...string[]];
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const end = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
    ended = true;
    running.delete(child);
  });
  const url = `http://127.0.0.1:${port}/webhooks`;
  const isUp = async () => ended || (await listens(url));
  await eventually(`${command.join(' ')} listens`, isUp, { patienceMs: START_WITHIN_MS, seen: () => output });
  if (ended) throw new Error(`${command.join(' ')} ended: ${output}`);
  const stop = () => {
    child.kill('SIGKILL');
    return end;
  };
  return { url, output: () => output, stop };
}

async function listens(url: string): Promise<boolean> {
  return fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }).then(
    () => true,
    () => false,
  );
}

interface Case {
  readonly secrets?: readonly string[];
  readonly ageSeconds?: number;
  /** What happens to it on the way. */
  readonly change?: (headers: Record<string, string>, body: string) => string;
  readonly status: 204 | 400;
}

const CASES: Readonly<Record<string, Case>> = {
  genuine: { status: 204 },
  'four minutes old': { ageSeconds: 240, status: 204 },
  'signed with a newer secret too': { secrets: [newSecret(), secret], status: 204 },
  'signed with an older secret too': { secrets: [secret, newSecret()], status: 204 },
  'one character of the body changed': { change: (_, body) => body.replace('25000', '25001'), status: 400 },
  'rendered anew': { change: (_, body) => JSON.stringify(JSON.parse(body), null, 1), status: 400 },
  'another id': { change: (headers, body) => set(headers, body, 'webhook-id', newId('evt')), status: 400 },
  'another time': {
    change: (headers, body) =>
      set(headers, body, 'webhook-timestamp', String(Number(headers['webhook-timestamp']) + 1)),
    status: 400,
  },
  'no time': { change: (headers, body) => set(headers, body, 'webhook-timestamp', 'now'), status: 400 },
  'no signature': { change: (headers, body) => set(headers, body, 'webhook-signature', ''), status: 400 },
  'nothing of ours': {
    change: (headers, body) => {
      for (const name of Object.keys(headers)) delete headers[name];
      return body;
    },
    status: 400,
  },
  'a signature of another version': {
    change: (headers, body) =>
      set(headers, body, 'webhook-signature', headers['webhook-signature']?.replace('v1,', 'v9,') ?? ''),
    status: 400,
  },
  'a signature beyond ASCII': {
    change: (headers, body) => set(headers, body, 'webhook-signature', 'v1,ä'),
    status: 400,
  },
  'ten minutes old': { ageSeconds: 600, status: 400 },
  'from the future': { ageSeconds: -600, status: 400 },
  'signed with another secret': { secrets: [newSecret()], status: 400 },
};

function set(headers: Record<string, string>, body: string, name: string, value: string): string {
  headers[name] = value;
  return body;
}

/** Sends every case; what was answered, and the ids of what the receiver should have passed on. */
async function sendAll(url: string): Promise<{ statuses: Record<string, number>; taken: string[] }> {
  const statuses: Record<string, number> = {};
  const taken: string[] = [];
  for (const [name, { secrets = [secret], ageSeconds = 0, change, status }] of Object.entries(CASES)) {
    const id = newId('evt');
    const genuine = JSON.stringify({
      id,
      type: 'payout.paid',
      data: { object: { name: 'Zoë 東京', amount_minor: 25000 } },
    });
    const headers = signatureHeaders(secrets, id, Math.floor(Date.now() / 1000) - ageSeconds, genuine);
    const body = change ? change(headers, genuine) : genuine;
    headers['content-type'] = 'application/json; charset=utf-8';
    const answer = await fetch(url, { method: 'POST', headers, body });
    statuses[name] = answer.status;
    if (status === 204) taken.push(`payout.paid ${id}`);
  }
  return { statuses, taken };
}

const EXPECTED = Object.fromEntries(Object.entries(CASES).map(([name, { status }]) => [name, status]));

describe('receivers', () => {
  it('are all tried', () => {
    expect(readdirSync(join(ROOT, FOLDER)).sort()).toEqual(RECEIVERS.map(({ file }) => file).sort());
  });

  for (const { file, program, version, command, compile } of RECEIVERS) {
    const missing = spawnSync(program, [version], { stdio: 'ignore' }).status !== 0;
    it.skipIf(missing && process.env['BURSAR_REQUIRE_CLIENTS'] !== '1')(
      missing ? `${file} is not tried: ${program} is not installed` : `${file} takes what is genuine and nothing else`,
      { timeout: COMPILE_WITHIN_MS },
      async () => {
        if (compile) {
          const [compiler, ...args] = compile as [string, ...string[]];
          const { status, stderr } = spawnSync(compiler, args, { cwd: ROOT, encoding: 'utf8' });
          expect(status, stderr).toBe(0);
        }
        const port = await freePort();
        const receiver = await start(command(port), port);
        const { statuses, taken } = await sendAll(receiver.url);
        await receiver.stop();
        expect(statuses).toEqual(EXPECTED);
        expect(receiver.output().match(/payout\.\w+ \w+/g)).toEqual(taken);
      },
    );
  }

  it('control: one that believes everything does not pass', async () => {
    const port = await freePort();
    const receiver = await start(script(TRUSTING), port);
    const { statuses } = await sendAll(receiver.url);
    await receiver.stop();
    const wrong = Object.keys(CASES).filter((name) => statuses[name] !== EXPECTED[name]);
    expect(wrong).toEqual(Object.keys(CASES).filter((name) => EXPECTED[name] === 400));
  });
});

describe('the guide', () => {
  const guide = readFileSync(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const files = new Map(
    readdirSync(join(ROOT, FOLDER)).map((file) => [file, readFileSync(join(ROOT, FOLDER, file), 'utf8')]),
  );

  it('leads to every receiver', () => {
    expect([...files.keys()].filter((file) => !guide.includes(`(../${FOLDER}/${file})`))).toEqual([]);
  });

  it('shows code that is one of the files, to the letter', () => {
    const blocks = [...guide.matchAll(/^```(?:js|ts|python|go|php|ruby)\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    expect(blocks.length).toBeGreaterThan(0);
    const texts = [...files.values()];
    expect(blocks.filter((code) => !texts.includes(code as string))).toEqual([]);
  });

  it('shows a delivery whose signatures are right', () => {
    const [, shown = ''] = /^```http\n([\s\S]*?)\n```$/m.exec(guide) ?? [];
    const [head = '', body = ''] = shown.split('\n\n');
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(': ')));
    const [shownSecret = ''] = /whsec_\w{20,}/.exec(guide) ?? [];
    const expected = signatureHeaders([shownSecret], headers['webhook-id'], Number(headers['webhook-timestamp']), body);
    expect(headers).toMatchObject(expected);
    expect(JSON.parse(body)).toMatchObject({ id: headers['webhook-id'], object: 'event' });
  });

  it('shows the schedule of attempts as it is', () => {
    const waits = RETRY_DELAYS_MS.map((ms) =>
      ms === 0
        ? 'none'
        : ms < 60_000
          ? `${ms / 1000} s`
          : ms < 3_600_000
            ? `${ms / 60_000} min`
            : `${ms / 3_600_000} h`,
    );
    expect(new Set(waits.slice(10))).toEqual(new Set(['24 h']));
    expect(guide).toContain(`| wait before it | ${waits.slice(0, 10).join(' | ')} | 24 h each |`);
  });
});
