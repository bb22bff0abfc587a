/** The packed file: what it must hold and nothing else, and a server started from an unpacked one. Used in `ci` and in the long form. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '../harness/database.ts';
import { eventually } from '../harness/eventually.ts';
import { Client, type Json } from '../harness/http.ts';
import { freePort } from '../harness/server-process.ts';
import { idIn, must } from '../harness/tenant-fixture.ts';

export const ROOT = join(import.meta.dirname, '../../..');
export const run = promisify(execFile);
export const has = (program: string) => spawnSync('bash', ['-c', `command -v ${program}`]).status === 0;
/** A file of `deploy/`. */
export const shipped = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8');

/** The built documentation and the built dashboard are not among them: only the long form builds them. */
const WANTED = [
  'bin/bursar.cjs',
  'dist/src/server/main.js',
  'dist/src/cli/bursar.js',
  'assets/fonts/NotoSans-Regular.ttf',
  'assets/fonts/OFL.txt',
  'migrations/0101_environments.sql',
  'migrations/before-1.0/0001_foundation.sql',
  'deploy/backup.sh',
  'deploy/bursar-backup.service',
  'deploy/bursar-backup.timer',
  'deploy/bursar-run.sh',
  'deploy/bursar.service',
  'deploy/grafana/bursar.json',
  'deploy/prometheus/rules.yaml',
  'LICENSE',
  'README.md',
];
const EXPECTED_PLACES =
  /^(?:assets|bin|dashboard\/dist|deploy|dist\/src|docs\/openapi\.json|migrations|site\/dist|(?:package\.json|LICENSE|[A-Z]+\.md)$)/;
const NEVER_SHIPPED = /\.(?:ts|map)$|\.test\.|\/\.sources$/;

/** Complaints about the files of a package. */
export function wrongFiles(files: readonly string[]): string[] {
  return [
    ...WANTED.filter((wanted) => !files.includes(wanted)).map((file) => `${file} is missing`),
    ...files.filter((file) => !EXPECTED_PLACES.test(file) || NEVER_SHIPPED.test(file)),
  ];
}

/** What the Dockerfile makes of a package that is installed in this folder: the answer to a payout, and its own check before and after the end. */
export async function runAsInDockerfile(
  installed: string,
): Promise<{ paid: Json; checks: readonly (number | null)[] }> {
  const words = (begins: string) => {
    const [, list = '[]'] = new RegExp(`^${begins} (\\[.*\\])$`, 'm').exec(shipped('Dockerfile')) ?? [];
    return (JSON.parse(list) as string[]).map((word) => word.replace('/opt/bursar/lib/node_modules/bursar', installed));
  };
  const database = await createDatabase();
  const [program = '', ...args] = words('CMD');
  const settings = {
    DATABASE_URL: database.url,
    BURSAR_SECRET: 's'.repeat(40),
    BURSAR_DATA: '/nonexistent',
    NODE_ENV: 'production',
  };
  const started = await start(program, args, '/', settings);
  const [check = '', ...checkArgs] = words(' +CMD');
  const probe = () =>
    spawnSync(check, checkArgs, { env: { ...process.env, PORT: new URL(started.address).port } }).status;
  const paid = await pay(started);
  const before = probe();
  started.client.close();
  await started.stop();
  const checks = [before, probe()];
  await database.drop();
  return { paid, checks };
}

const running = new Set<ChildProcess>();
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

export interface Started {
  readonly client: Client;
  readonly output: () => string;
  readonly address: string;
  /** The sandbox key that it printed. */
  readonly key: string;
  readonly recipient: string;
  stop(): Promise<number | null>;
}

/** The first start makes a database cluster. */
const START_WITHIN_MS = 60_000;

/** Resolves when it has printed its key. */
export async function start(
  program: string,
  args: readonly string[],
  cwd: string,
  own: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), ...own };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const isOut = () => output.includes('Stop: Ctrl-C') || child.exitCode !== null;
  await eventually(`${program} starts`, isOut, { patienceMs: START_WITHIN_MS, seen: () => output });
  const key = /Sandbox key: +(\S+)/.exec(output)?.[1] ?? '';
  const address = `http://127.0.0.1:${port}`;
  const stop = () => {
    child.kill('SIGTERM');
    return ended.finally(() => running.delete(child));
  };
  const recipient = /RECIPIENT=(\S+)/.exec(output)?.[1] ?? '';
  return { client: new Client(address, key), output: () => output, address, key, recipient, stop };
}

export async function pay({ client, recipient }: Started): Promise<Json> {
  const payout = idIn(await client.post('/v1/payouts', { amount: '250.00', currency: 'EUR', recipient }));
  return must(await client.post(`/v1/test_helpers/payouts/${payout}/pay`)).json;
}
