/** The code on the pages about the client compiles, and each page runs on what a first start leaves: 10,000.00 of three currencies, and a recipient. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDatabase, type Database } from '../../test/support/harness/database.ts';
import { type ServerProcess, startServer } from '../../test/support/harness/server-process.ts';
import { createClient } from '../src/bursar.ts';

const FOLDER = 'client/test/.pages';
/** Blocks of a page stand one below the other in one program; what it declares and does not call is called here. */
const PAGES: Readonly<Record<string, string>> = {
  'docs/clients/typescript.md': '\nexport { receive };\n',
  'docs/clients/stripe.md': '',
  'client/README.md': '',
  'README.md': '',
};

let database: Database;
let server: ServerProcess;
let recipient: string;

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url });
  vi.stubEnv('BURSAR_URL', server.address);
  vi.stubEnv('BURSAR_KEY', /Sandbox key: +(\S+)/.exec(server.output())?.[1] ?? '');
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(FOLDER, { recursive: true, force: true });
  await server?.stop();
  await database?.drop();
});

/** As after a first start, whatever the page before has done (`examples/guides.test.ts` compares the two). */
async function startOver(): Promise<void> {
  const bursar = createClient({ url: server.address, apiKey: process.env['BURSAR_KEY'] ?? '' });
  await bursar.testHelpers.reset({ seed: true });
  for await (const { id } of bursar.recipients.list()) recipient = id;
  vi.stubEnv('RECIPIENT', recipient);
}

function programOf(page: string): string {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block);
  const text = `${blocks.join('\n')}${PAGES[page]}`;
  return text
    .replaceAll("'@bursar/client'", "'../../src/bursar.ts'")
    .replaceAll('http://127.0.0.1:4242', server.address)
    .replaceAll('rcp_…', recipient);
}

describe('the code of the pages', () => {
  it.each(Object.keys(PAGES))('runs: %s', async (page) => {
    await startOver();
    const program = programOf(page);
    expect(program.length).toBeGreaterThan(200);
    const file = join(FOLDER, `${page.replaceAll(/\W/g, '-')}.ts`);
    writeFileSync(file, program);
    const said: unknown[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => void said.push(words.join(' ')));
    try {
      await import(/* @vite-ignore */ pathToFileURL(file).href);
    } finally {
      log.mockRestore();
    }
    expect(said.length).toBeGreaterThan(0);
  });

  it('compiles', () => {
    writeFileSync(
      join(FOLDER, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../../tsconfig.json',
        include: ['*.ts'],
        compilerOptions: { noUnusedLocals: false },
      }),
    );
    const compile = () =>
      execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', FOLDER], { encoding: 'utf8' });
    expect(compile).not.toThrow();
    writeFileSync(join(FOLDER, 'control.ts'), "import { decimal } from '../../src/bursar.ts';\ndecimal(5);\n");
    expect(compile).toThrow();
  });
});
