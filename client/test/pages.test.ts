/** The code on the pages about the client compiles, and runs against the real service. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { createClient } from '../src/bursar.ts';

const FOLDER = 'client/test/.pages';
/** Blocks of a page stand one below the other in one program; what it declares and does not call is called here. */
const PAGES: Readonly<Record<string, string>> = {
  'docs/clients/typescript.md': '\nexport { receive };\n',
  'docs/clients/stripe.md': '',
  'client/README.md': '',
  'README.md': '',
};

let app: Application;
let recipient: string;

beforeAll(async () => {
  app = await startApplication();
  const bursar = createClient({ url: app.address, apiKey: app.sandbox.key });
  const { id } = await bursar.accounts.create({ currency: 'EUR' });
  await bursar.testHelpers.accounts.fund(id, { amount: '100000.00' });
  const details = { currency: 'EUR', country: 'DE', bank_details: { iban: 'DE89370400440532013000' } };
  recipient = (await bursar.recipients.create({ name: 'Ada Lovelace', type: 'individual', ...details })).id;
  vi.stubEnv('BURSAR_URL', app.address);
  vi.stubEnv('BURSAR_KEY', app.sandbox.key);
  vi.stubEnv('RECIPIENT', recipient);
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(FOLDER, { recursive: true, force: true });
  await app.stop();
});

function programOf(page: string): string {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, block]) => block);
  const text = `${blocks.join('\n')}${PAGES[page]}`;
  return text
    .replaceAll("'@bursar/client'", "'../../src/bursar.ts'")
    .replaceAll('http://127.0.0.1:4242', app.address)
    .replaceAll('rcp_…', recipient);
}

describe('the code of the pages', () => {
  it.each(Object.keys(PAGES))('runs: %s', async (page) => {
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
