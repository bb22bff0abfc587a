/**
 * Clear text where the service stores sealed text, as somebody writes it who has the server's login or restores by hand:
 * a swapped account is refused wherever it is read, named by the log and by verify, and never sealed by a rotation.
 */
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../core/values/ids.ts';
import { TYPES } from '../platform/db/wire/types.ts';
import { atRest } from '../write/at-rest.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import { asServer } from '../../test/support/harness/database.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import { furnish } from '../../test/support/harness/fixtures.ts';
import { outcome } from '../../test/support/harness/probe-client.ts';
import { BANK_ACCOUNT, must } from '../../test/support/harness/tenant-fixture.ts';
import { audit } from '../../test/support/model/audit.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { sealStored } from './seal-stored.ts';

const MINE = 'DE02120300000000202051';
const THEIRS = 'DE12500105170648489890';
const SECRETS = { current: SERVER_SECRET, previous: [] };

let application: Application;
let owner: pg.Client;
/** As the login of a server. */
let thief: pg.Client;
const logged: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
  application = await startApplication({ log });
  await furnish(application, application.sandbox);
  [owner, thief] = [
    new pg.Client({ connectionString: application.databaseUrl, types: TYPES }),
    new pg.Client(asServer(application.databaseUrl)),
  ];
  await Promise.all([owner.connect(), thief.connect()]);
  await sealStored(application.databaseUrl, log, SECRETS, 'clear'); // as a start does
});
afterAll(async () => {
  await thief?.end();
  await owner?.end();
  await application?.stop();
});

const client = () => application.otherSandbox.client;
const post = async (path: string, body: object = {}) => must(await client().post(path, body)).json;
const made = async (path: string, body: object) => (await post(path, body))['id'] as string;
/** Another process has written: this one reads again. */
const unseen = () => owner.query(`UPDATE environments SET last_at = last_at + interval '1 ms'`);
const ada = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: MINE };

describe('a recipient whose account was swapped in clear text', () => {
  const swap = `UPDATE recipients SET bank_details = '{"iban": "${THEIRS}"}' WHERE id = $1`;

  it('is not shown and not changed; the answer says no more than that, and the log names it', async () => {
    const id = await made('/v1/recipients', ada);
    const { rowCount } = await thief.query(swap, [uuidOf(id)]);
    expect(rowCount).toBe(1); // the login may change it: nothing but the seal protects it
    await unseen();
    const before = (await owner.query('SELECT last_sequence FROM environments ORDER BY 1')).rows;
    for (const reply of [
      await client().get(`/v1/recipients/${id}`),
      await client().get('/v1/recipients'),
      await client().post(`/v1/recipients/${id}`, { name: 'Ada B.' }),
    ]) {
      expect([reply.status, reply.json['error']]).toMatchObject([
        500,
        { type: 'api_error', code: 'stored_data_untrusted' },
      ]);
      expect(reply.text).not.toContain(THEIRS.slice(-4));
    }
    expect((await owner.query('SELECT last_sequence FROM environments ORDER BY 1')).rows).toEqual(before);
    const said = logged.filter((line) => line.includes(id) && line.includes('is in clear text'));
    expect(said.length).toBeGreaterThan(0);
    expect(logged.join('\n')).not.toContain(THEIRS);
    await owner.query('DELETE FROM recipients WHERE id = $1', [uuidOf(id)]);
    expect((await client().get('/v1/recipients')).status).toBe(200); // control
  });

  it('is paid by no file: the export is refused whole, and pays the true account once that is back', async () => {
    const account = await made('/v1/accounts', { currency: 'EUR' });
    await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100 });
    await made('/v1/bank_accounts', BANK_ACCOUNT);
    const recipient = await made('/v1/recipients', ada);
    const payout = await made('/v1/payouts', { amount: 1, currency: 'EUR', recipient, account });
    const versions = 'FROM recipient_versions WHERE recipient_id = $1';
    const [stored] = (await owner.query(`SELECT bank_details ${versions}`, [uuidOf(recipient)])).rows;
    const put = (details: unknown) =>
      owner.query('UPDATE recipient_versions SET bank_details = $2 WHERE recipient_id = $1', [
        uuidOf(recipient),
        details,
      ]);
    await put(JSON.stringify({ iban: THEIRS })); // as a restore by hand
    expect(outcome(await client().post('/v1/payment_files', {}))).toBe('500 stored_data_untrusted');
    expect(
      await owner.query('SELECT FROM payment_files WHERE environment_id = $1', [
        uuidOf(application.otherSandbox.environmentId),
      ]),
    ).toMatchObject({ rowCount: 0 });
    expect(must(await client().get(`/v1/payouts/${payout}`)).json['status']).toBe('pending');
    await put(stored.bank_details);
    const [file] = (await post('/v1/payment_files'))['files'] as Json[];
    const path = `/v1/payment_files/${file?.['id'] as string}`;
    await eventually('it is sealed', async () => must(await client().get(path)).json['status'] === 'sealed');
    const { text } = must(await client().get(`${path}/content`));
    expect([text.includes(MINE), text.includes(THEIRS)]).toEqual([true, false]);
  });
});

describe('a payment page whose token stands in clear text', () => {
  it('is not shown, nor found by that token', async () => {
    await made('/v1/accounts', { currency: 'EUR' });
    const link = await post('/v1/payment_links', { amount: 12, currency: 'EUR' });
    const page = (path: string) => application.inject({ method: 'GET', url: path });
    const path = new URL(link['url'] as string).pathname;
    const uuid = uuidOf(link['id'] as string);
    expect((await page(path)).status).toBe(200); // control
    const token = 'a'.repeat(24);
    await thief.query(
      'INSERT INTO payment_tokens (token, environment_id, link_id) SELECT $2, environment_id, id FROM payment_links WHERE id = $1',
      [uuid, token],
    );
    expect((await page(`/pay/${token}`)).status).toBe(404);
    await owner.query('DELETE FROM payment_tokens WHERE token = $1', [token]);
    await thief.query(`UPDATE payment_links SET token = $2 WHERE id = $1`, [uuid, token]).catch(() => undefined);
    await owner.query(`UPDATE payment_links SET token = $2 WHERE id = $1`, [uuid, token]);
    await unseen();
    expect(outcome(await client().get(`/v1/payment_links/${link['id'] as string}`))).toBe('500 stored_data_untrusted');
    await owner.query('DELETE FROM payment_tokens WHERE link_id = $1', [uuid]);
    await owner.query('DELETE FROM payment_links WHERE id = $1', [uuid]);
  });
});

describe('verify', () => {
  /** By the column: what makes one row of it clear. */
  const CLEAR = {
    'recipients.bank_details': `UPDATE recipients SET bank_details = '{"iban": "${THEIRS}"}'`,
    'recipient_versions.bank_details': `UPDATE recipient_versions SET bank_details = '{}'`,
    'payment_links.token': `UPDATE payment_links SET token = 'x' || id`,
    'payments.token': `UPDATE payments SET token = 'x' || id WHERE token IS NOT NULL`,
    'payments.payer_iban': `UPDATE payments SET payer_iban = '${THEIRS}'`,
    'events.object': `UPDATE events SET object = regexp_replace(object, 'v1\\.[^"]*', repeat('a', 24)) WHERE type = 'payment_link.created'`,
    'idempotency_records.body': `INSERT INTO idempotency_records (environment_id, key, fingerprint, status, body, resource_id, resource_prefix, created_at)
      SELECT environment_id, 'clear', '', 200, '{"id":"plink_","url":"https://x/pay/${'a'.repeat(24)}"}', id, 'plink', now() FROM payment_links LIMIT 1`,
    'bank_entries.explanation': `UPDATE bank_entries SET explanation = '{"text": "Sorry"}'`,
    'bank_rules.iban': `UPDATE bank_rules SET iban = '${THEIRS}'`,
    'payment_file_contents.content': `UPDATE payment_file_contents SET content = 'H4sI'`,
    'webhook_endpoints.secrets': `UPDATE webhook_endpoints SET secrets = '[{"sealed": "whsec_abc", "expires_at": null}]'`,
    'webhook_endpoints.headers': `UPDATE webhook_endpoints SET headers = '[{"name": "Authorization", "sealed": "Bearer abc"}]'`,
  };
  const complaints = async (...statements: readonly string[]) => {
    await owner.query('BEGIN');
    try {
      for (const statement of statements) expect((await owner.query(statement)).rowCount).not.toBe(0);
      return (await audit(owner)).filter((complaint) => complaint.startsWith('sealed_text'));
    } finally {
      await owner.query('ROLLBACK');
    }
  };

  it('control: names nothing where nothing is clear', async () => expect(await complaints()).toEqual([]));

  it.each(Object.entries(CLEAR))('names %s', async (column, statement) => {
    const [complaint] = await complaints(statement);
    expect(complaint).toContain(`(${column})`);
    expect(complaint).toContain('expected a sealed text, found clear text');
  });

  it('waits for the first sealing where rows were clear once', async () => {
    const before = `DELETE FROM sealings WHERE name = 'recipients'`;
    expect(await complaints(before, CLEAR['recipients.bank_details'])).toEqual([]);
  });
});

describe('the sealing of what is stored', () => {
  const after = { current: 'the-secret-after-the-rotation-0123456789', previous: [SERVER_SECRET] };
  const details = async (id: string) =>
    JSON.stringify(
      (await owner.query('SELECT bank_details::text AS d FROM recipients WHERE id = $1', [uuidOf(id)])).rows[0].d,
    );

  it('takes the clear rows of an old database once, and no clear text that came later; control: sealed rows move on', async () => {
    const [swapped, honest] = [await made('/v1/recipients', ada), await made('/v1/recipients', ada)];
    const swap = `UPDATE recipients SET bank_details = '{"iban": "${THEIRS}"}' WHERE id = $1`;
    await owner.query(swap, [uuidOf(swapped)]);
    const warned: string[] = [];
    const log = { info: () => undefined, warn: (text: string) => void warned.push(text), error: () => undefined };
    await sealStored(application.databaseUrl, log, after);
    expect(await details(swapped)).toContain(THEIRS);
    expect(warned).toEqual(['1 rows of recipients cannot be opened under this server secret and stay as they are.']);
    const { recipients } = atRest({ ...after, previous: [] });
    expect(recipients.detailsOf(JSON.parse(await details(honest)) as string, honest)).toEqual({ iban: MINE });
    // As in a database of before sealing.
    await owner.query("DELETE FROM sealings WHERE name = 'recipients'");
    await sealStored(application.databaseUrl, log, after, 'clear');
    expect(recipients.detailsOf(JSON.parse(await details(swapped)) as string, swapped)).toEqual({ iban: THEIRS });
  });
});
