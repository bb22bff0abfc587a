/** `bursar bank import` of a file that lies about its encoding, and of what is no file, on a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleReaders } from '../../test/support/bank/bundled-reader.ts';
import { camt } from '../../test/support/bank/camt.ts';
import { type Application, startApplication } from '../../test/support/harness/application.ts';
import { BANK_ACCOUNT, must } from '../../test/support/harness/tenant-fixture.ts';
import { bankCommand } from './bank.ts';

bundleReaders();

let application: Application;
let folder: string;
let file: string;
beforeAll(async () => {
  application = await startApplication();
  const { iban } = must(await application.live.client.post('/v1/bank_accounts', BANK_ACCOUNT)).json['bank_details'] as {
    iban: string;
  };
  const details = [{ name: 'Jürgen Größe', text: 'Grüße' }];
  const entries = [{ amount: '2.00', details }];
  const xml = camt([{ iban, day: '2026-03-02', opening: '0.00', closing: '2.00', entries }]);
  folder = mkdtempSync(join(tmpdir(), 'bursar-import-'));
  file = join(folder, 'latin.xml');
  writeFileSync(file, Buffer.from(xml, 'latin1')); // it says UTF-8
});
afterAll(async () => {
  await application?.stop();
  rmSync(folder, { recursive: true });
});

const imported = (...options: string[]) => importedFrom(file, ...options);
const importedFrom = (path: string, ...options: string[]) => {
  const server = ['--url', application.address, '--key', application.live.key];
  return bankCommand().parseAsync(['import', path, ...server, ...options], { from: 'user' });
};

it('is refused as it is, and with an encoding that is not read', async () => {
  await expect(imported()).rejects.toThrow(/The file holds bytes that are not UTF-8/);
  await expect(imported('--encoding', 'ebcdic')).rejects.toThrow(/encoding must be one of utf-8, .* got "?ebcdic/);
});

it('is refused with a sentence where it is a folder, is not there, or cannot be read', async () => {
  await expect(importedFrom(folder)).rejects.toThrow(`${folder}: It is a folder. Name its files`);
  await expect(importedFrom(join(folder, 'gone.xml'))).rejects.toThrow('gone.xml: There is no such file.');
  await expect(importedFrom(join(file, 'a.xml'))).rejects.toThrow('a.xml: The file cannot be read (ENOTDIR).');
});

it('is imported with --encoding, in any case of its letters, and its document says so', async () => {
  await imported('--encoding', 'ISO-8859-1');
  const { client } = application.live;
  const [entry] = must(await client.get('/v1/bank_entries')).json['data'] as object[];
  expect(entry).toMatchObject({ counterparty: { name: 'Jürgen Größe' }, remittance: { text: 'Grüße' } });
  const [document] = must(await client.get('/v1/statement_files')).json['data'] as object[];
  expect(document).toMatchObject({ notes: [expect.stringContaining('encoding that was given')] });
});
