/** The bytes of a payment file: only ever added, and sent to nobody who would get others than were sealed. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOn } from '../../operator/database.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { inWords, verify } from '../../verify/verify.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../../test/support/harness/application.ts';
import { asServer } from '../../../test/support/harness/database.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { BANK_ACCOUNT, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { paymentFileVault } from './sealing.ts';

let application: Application;
let owner: pg.Client;
/** As the login of a server. */
let thief: pg.Client;
const logged: string[] = [];
/** Two sealed files. */
let files: readonly [string, string];

beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  application = await startApplication({ log });
  [owner, thief] = [new pg.Client(application.databaseUrl), new pg.Client(asServer(application.databaseUrl))];
  await Promise.all([owner.connect(), thief.connect()]);
  const account = await made('/v1/accounts', { currency: 'EUR' });
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100 });
  await made('/v1/bank_accounts', BANK_ACCOUNT);
  const recipient = await made('/v1/recipients', RECIPIENT);
  const exported = async () => {
    await made('/v1/payouts', { amount: 1, currency: 'EUR', recipient, account });
    const [file] = (await post('/v1/payment_files'))['files'] as Json[];
    const id = file?.['id'] as string;
    await eventually('it is sealed', async () => (await fileOf(id))['status'] === 'sealed');
    return id;
  };
  files = [await exported(), await exported()];
});
afterAll(async () => {
  await thief?.end();
  await owner?.end();
  await application?.stop();
});

const post = async (path: string, body: object = {}) => must(await application.sandbox.client.post(path, body)).json;
const made = async (path: string, body: object) => (await post(path, body))['id'] as string;
const fileOf = async (id: string) => must(await application.sandbox.client.get(`/v1/payment_files/${id}`)).json;
const download = (id: string) => application.sandbox.client.get(`/v1/payment_files/${id}/content`);

async function complaints(): Promise<readonly string[]> {
  const client = new pg.Client(application.databaseUrl);
  await client.connect();
  const openFile = paymentFileVault({ current: SERVER_SECRET, previous: [] }).open;
  const found: string[] = [];
  for await (const { damages } of verify(runOn(client), { openFile })) found.push(...damages.map(inWords));
  await client.end();
  return found;
}

/** Does it as the owner, for the time of the work. */
async function changed(change: string, undo: string, work: () => Promise<void>): Promise<void> {
  await owner.query(change);
  await work().finally(() => owner.query(undo));
}

describe('the bytes of a sealed file', () => {
  it.each([
    ['payment_file_contents', `content = 'x'`],
    ['payment_files', `sha256 = 'x'`],
    ['payment_files', 'sealed_at = now()'],
    ['payment_files', 'total = total + 1, payouts_count = payouts_count + 1'],
  ])('as the server: no UPDATE %s SET %s', async (table, set) => {
    await expect(thief.query(`UPDATE ${table} SET ${set}`)).rejects.toMatchObject({ code: '42501' });
  });

  it('as the server: no DELETE; control: its answer and its end it may write', async () => {
    await expect(thief.query('DELETE FROM payment_file_contents')).rejects.toMatchObject({ code: '42501' });
    await thief.query('BEGIN');
    await thief.query(
      `UPDATE payment_files SET answered_at = now(), status = 'abandoning', reason = 'x', sha256 = sha256`,
    );
    await thief.query('ROLLBACK');
  });

  it('are sent with the hash of the file; control of all below', async () => {
    const [{ text }, { sha256 }] = [must(await download(files[0])), await fileOf(files[0])];
    expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
    expect(await complaints()).toEqual([]);
  });

  it('are not sent when the hash is another; the log and verify name the file', async () => {
    const [id] = files;
    const { sha256 } = await fileOf(id);
    const set = (hash: string) => `UPDATE payment_files SET sha256 = '${hash}' WHERE id = '${uuidOf(id)}'`;
    await changed(set('0'.repeat(64)), set(sha256 as string), async () => {
      const reply = await download(id);
      expect(outcome(reply)).toBe('500 stored_data_untrusted');
      expect(reply.text).not.toContain('pain.001');
      expect(logged.some((line) => line.includes(`payment file ${id} do not have its SHA-256`))).toBe(true);
      const found = await complaints();
      expect(found.map((each) => each.split(':')[1]?.trim().split(' ')[0])).toEqual([id, id]);
      expect(found.join('\n')).toContain('the hash that the audit log names');
      expect(found.join('\n')).toContain(`${'0'.repeat(64)}, found ${sha256 as string}`);
    });
    expect((await download(id)).status).toBe(200);
  });

  it('are not sent for another file', async () => {
    const [one, other] = files.map(uuidOf) as [string, string];
    const [kept] = (await owner.query('SELECT content FROM payment_file_contents WHERE id = $1', [one])).rows;
    const taken = `UPDATE payment_file_contents SET content = (SELECT content FROM payment_file_contents WHERE id = '${other}') WHERE id = '${one}'`;
    await changed(
      taken,
      `UPDATE payment_file_contents SET content = '${kept.content as string}' WHERE id = '${one}'`,
      async () => {
        expect(outcome(await download(files[0]))).toBe('500 stored_data_untrusted');
        expect(await complaints()).toMatchObject([expect.stringContaining('found bytes that cannot be opened')]);
      },
    );
    expect(await complaints()).toEqual([]);
  });
});
