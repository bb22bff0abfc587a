/**
 * Requests as the reference shows them, run as they stand there: a curl command by a shell, TypeScript by this process, with the typed client. The
 * answer is what came over the wire. Next: `site/reference/samples.ts`, which writes them.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BursarError, type ClientOptions, createClient } from '../../../client/src/bursar.ts';
import type { Answered } from './contract.ts';

const run = promisify(execFile);
const MOST_BYTES = 64 * 1024 * 1024;
export const hasCurl = spawnSync('bash', ['-c', 'command -v curl']).status === 0;

export type Environment = Readonly<Record<'BURSAR_URL' | 'BURSAR_KEY', string>>;

/** Rejects when curl fails; a refusal is an answer. */
export async function runCurl(command: string, env: Environment): Promise<Answered> {
  const shown = command.replace(/^curl /, 'curl -sS --max-time 10 -D - ');
  const options = { env: { ...process.env, ...env }, maxBuffer: MOST_BYTES };
  const { stdout } = await run('bash', ['-c', shown], options);
  const [head = '', ...rest] = stdout.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => [line.split(': ', 1)[0]?.toLowerCase(), line.slice(line.indexOf(': ') + 2)]);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: rest.join('\r\n\r\n'),
  };
}

const AsyncFunction = (async () => undefined).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>;

const IMPORT = "import { createClient } from '@bursar/client';\n";

/** What is answered to the first request that the code makes. A refusal is an answer. */
export async function runTypescript(code: string, env: Environment): Promise<Answered> {
  if (!code.startsWith(IMPORT)) throw new Error(`The code does not begin with the client: ${code}`);
  let answered: Promise<Answered> | undefined;
  const watched = async (url: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const copy = response.clone();
    answered ??= copy.text().then((text) => ({ status: copy.status, headers: Object.fromEntries(copy.headers), text }));
    return response;
  };
  const watching = (options: ClientOptions) => createClient({ ...options, fetch: watched, maxRetries: 0 });
  const silent = { log: () => undefined };
  try {
    await new AsyncFunction('process', 'console', 'createClient', code.slice(IMPORT.length))({ env }, silent, watching);
  } catch (error) {
    if (!(error instanceof BursarError)) throw error;
  }
  if (answered === undefined) throw new Error(`The code asks for nothing: ${code}`);
  return answered;
}

const FOLDER = 'client/test/.samples';

/** Compiles programs, each by its name. What the compiler complains about; '' where it does not. */
export function compileTypescript(programs: Readonly<Record<string, string>>): string {
  mkdirSync(FOLDER, { recursive: true });
  try {
    for (const [name, code] of Object.entries(programs))
      writeFileSync(join(FOLDER, `${name}.ts`), code.replace("'@bursar/client'", "'../../src/bursar.ts'"));
    const settings = { extends: '../../../tsconfig.json', include: ['*.ts'] };
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(settings));
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', FOLDER], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  } finally {
    rmSync(FOLDER, { recursive: true, force: true });
  }
}
