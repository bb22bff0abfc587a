/**
 * Clients in other languages and on other runtimes, for `.ci/run` (node) and `npm run soak -- long` (all): the packed TypeScript client on Node 20, 22 and 24, Deno and Bun; a Python, a Go and a Java
 * client generated from docs/openapi.json, typed strictly. Each does a small tour of a real server: the programs on the pages in docs/clients. What a
 * generator stumbles over is mended in the document (`src/platform/http/openapi/plain.ts`). Then each does it again with answers of next year
 * (`next-year-server.ts`), and a client made from next year's document has to compile. A program that is missing is named; with
 * BURSAR_REQUIRE_CLIENTS=1 that is a failure. Run: node --import tsx scripts/clients.ts [node deno bun python go java]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../test/support/harness/cluster.ts';
import { createDatabase, useCluster } from '../test/support/harness/database.ts';
import { NEW, nextDocument } from '../test/support/generators/next-year.ts';
import { startServer } from '../test/support/harness/server-process.ts';

/** Pinned: a new generator is tried on purpose. */
const VERSIONS = {
  deno: 'deno@2.9.6',
  bun: 'bun@1.4.5',
  python: ['openapi-python-client==0.29.1', 'mypy==2.4.1'],
  java: 'openapi-generator-cli==7.26.0',
  go: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
} as const;

const [work, key, url] = [mkdtempSync(join(tmpdir(), 'bursar-clients-')), { text: '' }, { text: '' }];
const root = process.cwd();
const document = join(root, 'docs/openapi.json');
const nextYear = join(work, 'next-year.json');
writeFileSync(nextYear, JSON.stringify(nextDocument(JSON.parse(readFileSync(document, 'utf8')))));
const say = (line: string) => void process.stdout.write(`${line}\n`);

class Missing extends Error {}

/** Runs it, shows its output where it fails, and throws then. */
function run(program: string, args: readonly string[], cwd = work, env: Readonly<Record<string, string>> = {}): string {
  const all = { ...process.env, BURSAR_URL: url.text, BURSAR_KEY: key.text, ...env };
  const done = spawnSync(program, args, { cwd, encoding: 'utf8', env: all });
  if (done.error) throw new Missing(`there is no ${program}`);
  if (done.status === 0) return done.stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${done.status}:\n${done.stdout}${done.stderr}`);
}

const blockOf = (page: string, language: string): string => {
  const [, block] =
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(readFileSync(join(root, page), 'utf8')) ?? [];
  if (block === undefined) throw new Error(`${page} has no ${language}`);
  return block;
};

/** The client as it is published: what `npm pack` in client/ makes, in a folder. */
function publishable(): string {
  const [name = ''] = run('npm', ['pack', '--silent', '--pack-destination', work], join(root, 'client')).split('\n');
  const [file, folder] = [join(work, name), join(work, 'package')];
  run('tar', ['--extract', '--gzip', '--file', file]);
  run(process.execPath, [join(root, 'node_modules/publint/src/cli.js'), folder, '--strict'], root);
  const checker = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  run(process.execPath, [checker, file, '--profile', 'esm-only'], root);
  return folder;
}

const tour = (folder: string) => [join(root, 'client/test/tour.mjs'), folder, url.text, key.text];
/** By npm, which keeps what it has fetched. */
const npx = (name: string, args: readonly string[]) => run('npx', ['--yes', '--package', name, '--', ...args]);

/** Each makes its client, and gives back what does the tour with it. */
const CLIENTS: Readonly<Record<string, () => () => void>> = {
  node: () => {
    const folder = publishable();
    return () => {
      run(process.execPath, tour(folder));
      for (const version of ['node@22', 'node@24']) npx(version, ['node', ...tour(folder)]);
    };
  },
  deno: () => {
    const folder = publishable();
    return () => void npx(VERSIONS.deno, ['deno', 'run', '--allow-all', '--no-config', ...tour(folder)]);
  },
  bun: () => {
    const folder = publishable();
    return () => void npx(VERSIONS.bun, ['bun', 'run', ...tour(folder)]);
  },
  python: () => {
    const folder = join(work, 'python');
    mkdirSync(folder);
    run('python3', ['-m', 'venv', join(folder, 'venv')]);
    const bin = (name: string) => join(folder, 'venv/bin', name);
    const env = { PATH: `${join(folder, 'venv/bin')}:${process.env['PATH'] ?? ''}` }; // activated: the generator finds `ruff` there
    run(bin('pip'), ['install', '--quiet', '--disable-pip-version-check', ...VERSIONS.python]);
    writeFileSync(join(folder, 'generator.yaml'), 'post_hooks: []\n');
    const asIs = ['--meta', 'none', '--config', 'generator.yaml'];
    for (const [from, to] of [
      [document, 'bursar'],
      [nextYear, NEW],
    ] as const)
      run(bin('openapi-python-client'), ['generate', '--path', from, '--output-path', to, ...asIs], folder, env);
    writeFileSync(join(folder, 'tour.py'), blockOf('docs/clients/python.md', 'python'));
    run(bin('mypy'), ['--strict', 'tour.py', 'bursar', NEW], folder);
    return () => void run(bin('python'), ['tour.py'], folder);
  },
  go: () => {
    const folder = join(work, 'go');
    mkdirSync(join(folder, 'bursar'), { recursive: true });
    const env = { GOBIN: join(folder, 'bin'), GOFLAGS: '-mod=mod' };
    run('go', ['install', VERSIONS.go], folder, env);
    writeFileSync(join(folder, 'bursar.yaml'), blockOf('docs/clients/go.md', 'yaml'));
    writeFileSync(join(folder, 'main.go'), blockOf('docs/clients/go.md', 'go'));
    writeFileSync(join(folder, 'go.mod'), 'module example.com/tour\n\ngo 1.24\n');
    const generate = (from: string) => run(join(folder, 'bin/oapi-codegen'), ['-config', 'bursar.yaml', from], folder);
    generate(nextYear);
    run('go', ['mod', 'tidy'], folder, env);
    run('go', ['vet', './...'], folder, env);
    generate(document);
    run('go', ['vet', './...'], folder, env);
    return () => void run('go', ['run', '.'], folder, env);
  },
  java: () => {
    const folder = join(work, 'java');
    run('mvn', ['--version'], work);
    run('python3', ['-m', 'venv', join(folder, 'venv')]);
    const bin = (name: string) => join(folder, 'venv/bin', name);
    run(bin('pip'), ['install', '--quiet', '--disable-pip-version-check', VERSIONS.java]);
    const names =
      'invokerPackage=bursar,apiPackage=bursar.api,modelPackage=bursar.model,useSingleRequestParameter=true';
    const compiled = (from: string, to: string): string => {
      const options = ['-g', 'java', '--library', 'native', '--additional-properties', names];
      run(bin('openapi-generator-cli'), ['generate', '-i', from, '-o', to, ...options], folder);
      const made = join(folder, to);
      writeFileSync(join(made, 'src/main/java/Tour.java'), blockOf('docs/clients/java.md', 'java'));
      run('mvn', ['-q', '-B', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], made);
      return made;
    };
    compiled(nextYear, NEW);
    const made = compiled(document, 'bursar');
    const path = `${join(made, 'target/classes')}:${readFileSync(join(made, 'classpath'), 'utf8').trim()}`;
    return () => void run('java', ['-cp', path, 'Tour'], made);
  },
};

/** A server of next year in front of this one, in a process of its own: programs are waited for here. */
async function ofNextYear(target: string): Promise<{ readonly server: ChildProcess; readonly address: string }> {
  const server = spawn(process.execPath, ['--import', 'tsx', 'scripts/next-year-server.ts', target], { cwd: root });
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, address: /http:\S+/.exec(String(line))?.[0] ?? '' };
}

/** Each on a first start of its own, as somebody has it who read the page and nothing else. The names of those that failed. */
async function tours(names: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  for (const name of names) {
    const database = await createDatabase();
    const server = await startServer({ databaseUrl: database.url });
    [url.text, key.text] = [server.address, /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? ''];
    const startedMs = performance.now();
    try {
      const doTour = CLIENTS[name]?.();
      doTour?.();
      const later = await ofNextYear(url.text);
      url.text = later.address;
      try {
        doTour?.();
      } finally {
        later.server.kill();
      }
      say(`ok       ${name.padEnd(8)}${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
    } catch (error) {
      const isLeftOut = error instanceof Missing && process.env['BURSAR_REQUIRE_CLIENTS'] !== '1';
      say(`${isLeftOut ? 'left out' : 'FAILED  '} ${name}: ${(error as Error).message.slice(0, 4_000)}`);
      if (!isLeftOut) failed.push(name);
    }
    await server.stop();
    await database.drop();
  }
  return failed;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in CLIENTS));
if (unknown.length > 0)
  throw new Error(`No such client: ${unknown.join()}. There are ${Object.keys(CLIENTS).join(', ')}.`);
const cluster = await startCluster();
useCluster(cluster.url);
try {
  const failed = await tours(asked.length > 0 ? asked : Object.keys(CLIENTS));
  process.exitCode = failed.length > 0 ? 1 : 0;
} finally {
  await cluster.stop();
  rmSync(work, { recursive: true, force: true });
}
