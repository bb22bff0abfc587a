/**
 * A stolen copy of the database opens no page and shows no account: every table is read whole, as text, and searched for tokens and
 * account numbers that the API has shown or was given. Controls: the same search finds them in the answers, and in a database as the version
 * before left it. That is converted at a start, in batches; answers, events and replays are the same bytes before and after.
 */
import { hash } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, uuidOf } from '../../src/core/values/ids.ts';
import type { Row } from '../../src/platform/db/wire/statement.ts';
import { sealStored } from '../../src/operator/seal-stored.ts';
import { paymentSeals } from '../../src/collecting/payments/sealing.ts';
import { recipientSeals } from '../../src/paying/recipients/sealing.ts';
import { PAYMENT_LINKS, PAYMENTS } from '../../src/collecting/payments/sql.ts';
import type { ServerSecrets } from '../../src/platform/vault/vault.ts';
import { fingerprint } from '../../src/write/fingerprint.ts';
import { loadConfig } from '../../src/config.ts';
import { startApp } from '../../src/server/app.ts';
import { eventually } from '../support/harness/eventually.ts';
import { unchangedBy } from '../support/harness/unchanged.ts';
import { asServer, createDatabase } from '../support/harness/database.ts';
import { type Application, type Holder, SERVER_SECRET, startApplication } from '../support/harness/application.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { startServer, TEST_SECRET } from '../support/harness/server-process.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

const SECRETS: ServerSecrets = { current: SERVER_SECRET, previous: [] };
/** Opens what the version before has left, too. */
const seals = paymentSeals(SECRETS, 'taken');
const QUIET = pino({ level: 'silent' });
const PAYER_IBAN = 'NL91ABNA0417164300';
const recipientsSeals = recipientSeals(SECRETS);
/** Accounts of recipients before and after a change, one with its blanks; that of the payer comes with a refund. */
const ACCOUNTS = ['DE68210501700012345678', 'DE12500105170648489890', '90817263544', '73519284'];

let application: Application;
let holder: Holder;
let links: readonly Json[];
let recipients: readonly string[];
let tokens: readonly string[];

beforeAll(async () => {
  application = await startApplication({ config: { webhookPrivateTargets: 'loopback' } });
  holder = application.sandbox;
  links = await payments(holder);
  recipients = await payees(holder);
  tokens = links.map(tokenOf);
});
afterAll(() => application?.stop());

const tokenOf = ({ url }: Json) => (url as string).split('/').at(-1) as string;

/** Links that were changed, paid, canceled and asked for twice; payments with pages of their own. */
async function payments({ client }: Holder): Promise<readonly Json[]> {
  must(await client.post('/v1/accounts', { currency: 'EUR' }));
  const create = async (fields: object, key: string) => {
    const order = { amount: 12, currency: 'EUR', ...fields };
    const { text, json } = must(await client.post('/v1/payment_links', order, { idempotencyKey: key }));
    expect(must(await client.post('/v1/payment_links', order, { idempotencyKey: key })).text).toBe(text);
    return json;
  };
  const one = await create({}, 'one');
  const shop = await create({ reusable: true, description: 'Say "url":"https://x/pay/abc"' }, 'shop');
  const gone = await create({}, 'gone');
  for (const [at, link] of [one, shop].entries()) {
    must(
      await client.post(
        `/v1/payment_links/${link['id'] as string}`,
        { reference: `Invoice ${at}` },
        { idempotencyKey: `change ${at}` },
      ),
    );
    // Changes nothing, so that no event holds the answer.
    must(
      await client.post(
        `/v1/payment_links/${link['id'] as string}`,
        { reference: `Invoice ${at}` },
        { idempotencyKey: `same ${at}` },
      ),
    );
  }
  for (const link of [one, shop, shop])
    must(await client.post(`/v1/test_helpers/payment_links/${link['id'] as string}/pay`));
  must(await client.post(`/v1/payment_links/${gone['id'] as string}/deactivate`));
  return [one, shop, gone];
}

/** Recipients that were changed and archived, and one that a refund has made. */
async function payees({ client }: Holder): Promise<readonly string[]> {
  const person = { name: 'Ada', type: 'individual' };
  const [one = '', two = ''] = ACCOUNTS;
  const euro = { ...person, currency: 'EUR', country: 'DE' };
  const dollar = {
    ...person,
    currency: 'USD',
    country: 'US',
    account_number: ACCOUNTS[2],
    routing_number: '110000000',
  };
  const pound = { ...person, currency: 'GBP', country: 'GB', account_number: ACCOUNTS[3], sort_code: '108800' };
  const create = async (fields: object, key: string) => {
    const { text, json } = must(await client.post('/v1/recipients', fields, { idempotencyKey: key }));
    expect(must(await client.post('/v1/recipients', fields, { idempotencyKey: key })).text).toBe(text);
    return json['id'] as string;
  };
  const made = [
    await create({ ...euro, iban: one.replaceAll(/(.{4})/g, '$1 ') }, 'euro'),
    await create({ ...euro, iban: one }, 'same account'),
    await create(dollar, 'dollar'),
    await create(pound, 'pound'),
  ];
  must(await client.post(`/v1/recipients/${made[0]}`, { iban: two }, { idempotencyKey: 'moved' }));
  must(await client.post(`/v1/recipients/${made[0]}`, { iban: two }, { idempotencyKey: 'not moved' }));
  must(await client.write('DELETE', `/v1/recipients/${made[2]}`, ''));
  const { data } = must(await client.get('/v1/payments?limit=1')).json as { data: readonly Json[] };
  must(await client.post(`/v1/payments/${data[0]?.['id'] as string}/refund`));
  return made;
}

/** Every column of every table, as text, by its name. */
async function tables(): Promise<Record<string, string>> {
  const names = await application.sql(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const rows = names.map(async ({ name }) => {
    const texts = await application.sql(`SELECT t::text FROM "${String(name)}" t ORDER BY 1`);
    return [String(name), JSON.stringify(texts)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}
const dump = async () => Object.values(await tables()).join('\n');

const found = (haystack: string, needles: readonly string[]) => needles.filter((needle) => haystack.includes(needle));

/** Everything that the API tells of links and payments, and what it says again. */
async function answers(): Promise<string> {
  const { client } = holder;
  const texts = [
    '/v1/payment_links?limit=100',
    '/v1/payments?limit=100',
    '/v1/events?limit=100',
    '/v1/recipients?limit=100',
    '/v1/recipients?limit=100&status=archived',
    ...links.map(({ id }) => `/v1/payment_links/${id as string}`),
  ].map(async (path) => must(await client.get(path)).text);
  const searched = [ACCOUNTS[0], PAYER_IBAN].map(
    async (iban) => must(await client.post('/v1/recipients/search', { iban })).text,
  );
  const again = [
    client.post('/v1/payment_links', { amount: 12, currency: 'EUR' }, { idempotencyKey: 'one' }),
    ...['moved', 'not moved'].map((idempotencyKey) =>
      client.post(`/v1/recipients/${recipients[0]}`, { iban: ACCOUNTS[1] }, { idempotencyKey }),
    ),
    ...[0, 1].flatMap((at) =>
      ['change', 'same'].map((what) =>
        client.post(
          `/v1/payment_links/${links[at]?.['id'] as string}`,
          { reference: `Invoice ${at}` },
          { idempotencyKey: `${what} ${at}` },
        ),
      ),
    ),
  ].map(async (sent) => must(await sent).text);
  return (await Promise.all([...texts, ...searched, ...again])).join('\n');
}

async function page(token: string): Promise<number> {
  return (await application.inject({ method: 'GET', url: `/pay/${token}` })).status;
}

/** The tokens of the payments' own pages, which no answer tells. */
async function paymentTokens(): Promise<readonly string[]> {
  const rows = await application.sql(`SELECT ${PAYMENTS.columns('t')} FROM payments t WHERE t.token IS NOT NULL`);
  return rows.map((row) => seals.payment.open(PAYMENTS.read(row)).token as string);
}

/** Puts the database into the state in which the version before left it: everything clear, and nothing noted as sealed. */
async function unseal(): Promise<void> {
  const { sql } = application;
  await sql('DELETE FROM sealings');
  for (const row of await sql(`SELECT ${PAYMENT_LINKS.columns('t')} FROM payment_links t`)) {
    const { token, url } = seals.link.open(PAYMENT_LINKS.read(row));
    await sql('UPDATE payment_links SET token = $2, url = $3 WHERE id = $1', [row['id'], token, url]);
    await sql('UPDATE payment_tokens SET token = $2 WHERE token = ANY ($1::text[])', [seals.lookUpsOf(token), token]);
  }
  for (const row of await sql(`SELECT ${PAYMENTS.columns('t')} FROM payments t`)) {
    const { token, payerIban } = seals.payment.open(PAYMENTS.read(row));
    await sql('UPDATE payments SET token = $2, payer_iban = $3 WHERE id = $1', [row['id'], token, payerIban]);
    if (token === null) continue;
    await sql('UPDATE payment_tokens SET token = $2 WHERE token = ANY ($1::text[])', [seals.lookUpsOf(token), token]);
  }
  for (const row of await sql('SELECT * FROM recipients')) {
    const clear = recipientsSeals.detailsOf(row['bank_details'] as string, idOf('rcp', row['id'] as string));
    const set = 'UPDATE recipients SET bank_details = $2, bank_fingerprint = NULL WHERE id = $1';
    await sql(set, [row['id'], JSON.stringify(clear)]);
  }
  for (const row of await sql('SELECT * FROM recipient_versions')) {
    const id = row['recipient_id'] as string;
    const clear = recipientsSeals.detailsOf(row['bank_details'] as string, idOf('rcp', id));
    const set = 'UPDATE recipient_versions SET bank_details = $3 WHERE recipient_id = $1 AND version = $2';
    await sql(set, [id, row['version'], JSON.stringify(clear)]);
  }
  for (const { environment_id: environment, sequence, object } of await sql('SELECT * FROM events')) {
    const clear = seals.json.open(object as string);
    await sql('UPDATE events SET object = $3 WHERE environment_id = $1 AND sequence = $2', [
      environment,
      sequence,
      clear,
    ]);
  }
  for (const { key, body } of await sql('SELECT key, body FROM idempotency_records WHERE body IS NOT NULL')) {
    await sql('UPDATE idempotency_records SET body = $2 WHERE key = $1', [key, seals.json.open(body as string)]);
  }
}

/** Another process has written: this one reads again. */
const unseen = () => application.sql('UPDATE environments SET last_at = last_at + interval $$1 ms$$');

/** As the start of a server does. */
const convert = (secrets = SECRETS) => sealStored(application.databaseUrl, QUIET, secrets);

describe('a database of this version', () => {
  it('holds no token and no account of a payer; the answers do', async () => {
    const [stored, shown] = [await dump(), await answers()];
    const all = [...tokens, ...(await paymentTokens())];
    expect(all).toHaveLength(6);
    expect(found(stored, [...all, PAYER_IBAN, ...ACCOUNTS])).toEqual([]);
    expect(found(shown, tokens)).toEqual(tokens);
  });

  it('confirms no account that is guessed: no plain hash of one is in it', async () => {
    const guesses = [PAYER_IBAN, ...ACCOUNTS].flatMap((account) =>
      (['hex', 'base64', 'base64url'] as const).map((form) => hash('sha256', account, form)),
    );
    expect(found(await dump(), guesses)).toEqual([]);
    const unkeyed = fingerprint('POST', '/v1/recipients', { iban: ACCOUNTS[0] }); // control: as it was recorded before
    expect(found(unkeyed, guesses)).toHaveLength(1);
  });

  it('streams and delivers events about links as they are listed', async () => {
    const receiver = await startReceiver();
    const { client } = holder;
    const url = `${receiver.url}/hook`;
    must(await client.post('/v1/webhook_endpoints', { url, enabled_events: ['payment_link.*'] }));
    const { text: answer, json: link } = must(await client.post('/v1/payment_links', { amount: 3, currency: 'EUR' }));
    await receiver.count(1);
    const body = receiver.received[0]?.body as string;
    expect(body).toContain(`"object":${answer}`);
    expect(must(await client.get('/v1/events?type=payment_link.created&limit=1')).text).toContain(body);
    const after = ((JSON.parse(body) as Json)['sequence'] as number) - 1;
    // Each look at the stream is short.
    const streamed = () =>
      application.inject({
        method: 'GET',
        url: `/v1/events/stream?after_sequence=${after}&type=payment_link.created`,
        headers: { authorization: `Bearer ${holder.key}` },
      });
    await eventually('the event is streamed', async () => (await streamed()).text.includes(`data: ${body}\n`));
    await receiver.stop();
    links = [...links, link];
    tokens = links.map(tokenOf);
  });

  it('opens every page by its token, and none by what is stored', async () => {
    for (const token of [...tokens, ...(await paymentTokens())])
      expect([token, await page(token)]).toEqual([token, 200]);
    const stored = await application.sql('SELECT token FROM payment_tokens UNION SELECT token FROM payment_links');
    expect(stored).toHaveLength(11);
    for (const { token } of stored) expect(await page(token as string)).toBe(404);
  });

  it('needs no conversion', async () => {
    const rows = () =>
      application.sql('SELECT token, url FROM payment_links UNION ALL SELECT token, NULL FROM payment_tokens');
    const before = await rows();
    await convert();
    expect(await rows()).toEqual(before);
    expect(await application.sql('SELECT name FROM sealings')).toHaveLength(6);
  });
});

describe('recipients', () => {
  const idsOf = async (iban: string, { client } = holder, more: object = {}) => {
    const { json } = must(await client.post('/v1/recipients/search', { iban, ...more }));
    return (json['data'] as readonly Json[]).map(({ id }) => id);
  };

  it('are found by their account as it is now, in their own environment, beside other filters', async () => {
    const [moved, stays] = recipients;
    expect(await idsOf(ACCOUNTS[0] as string)).toEqual([stays]);
    expect(await idsOf(ACCOUNTS[1] as string)).toEqual([moved]);
    expect(await idsOf((ACCOUNTS[0] as string).toLowerCase().replaceAll(/(.{4})/g, '$1 '))).toEqual([stays]);
    expect(await idsOf(PAYER_IBAN)).toHaveLength(1); // of the refund
    expect(await idsOf(ACCOUNTS[0] as string, holder, { status: 'archived' })).toEqual([]);
    expect(await idsOf(ACCOUNTS[0] as string, application.otherSandbox)).toEqual([]);
    const account = { name: 'Bea', type: 'individual', currency: 'EUR', country: 'DE', iban: ACCOUNTS[0] };
    must(await application.otherSandbox.client.post('/v1/recipients', account));
    expect(await idsOf(ACCOUNTS[0] as string, application.otherSandbox)).toHaveLength(1);
    const same = 'SELECT FROM recipients GROUP BY bank_fingerprint HAVING count(DISTINCT environment_id) > 1';
    expect(await application.sql(same)).toEqual([]);
  });

  it('are paid without their bank details being opened', async () => {
    const { client } = application.otherSandbox;
    const account = must(await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
    must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100 }));
    const fields = { name: 'Cyd', type: 'individual', currency: 'EUR', country: 'DE', iban: ACCOUNTS[1] };
    const recipient = must(await client.post('/v1/recipients', fields)).json['id'] as string;
    const shut = JSON.stringify({ sealed: `v1.00000000.${'A'.repeat(80)}` });
    await application.sql('UPDATE recipients SET bank_details = $2 WHERE id = $1', [uuidOf(recipient), shut]);
    // Another process has written, so that this one reads the recipient anew.
    await application.sql('UPDATE environments SET last_at = last_at + interval $$1 ms$$');
    must(await client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient }));
    const answer = await client.get(`/v1/recipients/${recipient}`);
    expect([answer.status, answer.json['error']]).toMatchObject([500, { code: 'stored_data_untrusted' }]); // control
    expect(answer.text).not.toMatch(/seal|v1\.|\.ts/);
    await application.sql('DELETE FROM recipients WHERE id = $1', [uuidOf(recipient)]);
  });
});

describe('a database of the version before', () => {
  let before: string;

  beforeAll(async () => {
    before = await answers();
    await unseal();
  });

  it('control: the same search finds every token and the account in it', async () => {
    const all = [...tokens, ...(await paymentTokens()), PAYER_IBAN, ...ACCOUNTS];
    expect(found(await dump(), all)).toEqual(all);
    for (const table of ['payment_tokens', 'payment_links', 'events', 'idempotency_records']) {
      const stored = JSON.stringify(await application.sql(`SELECT t::text FROM ${table} t`));
      expect([table, found(stored, tokens.slice(0, 2))]).toEqual([table, tokens.slice(0, 2)]);
    }
  });

  it('is not served as it is: clear text is an error, and no page is found by a clear token', async () => {
    await unseen();
    const { status, json } = await holder.client.get(`/v1/payment_links/${links[0]?.['id'] as string}`);
    expect([status, json['error']]).toMatchObject([500, { type: 'api_error', code: 'stored_data_untrusted' }]);
    await eventually('the cached page is a second old', async () => (await page(tokens[0] as string)) === 404);
  });

  it('is converted by a start that was killed and by the next', async () => {
    const all = [...tokens, ...(await paymentTokens())];
    await application.sql('ALTER TABLE events ADD CONSTRAINT stop CHECK (object IS NULL) NOT VALID');
    await expect(convert()).rejects.toThrow('stop');
    await application.sql('ALTER TABLE events DROP CONSTRAINT stop');
    await convert();
    await unseen();
    expect(found(await dump(), [...all, PAYER_IBAN, ...ACCOUNTS])).toEqual([]);
    expect(await answers()).toBe(before);
    for (const token of all) await eventually('it opens its page', async () => (await page(token)) === 200);
  });

  it('is looked at once: the next start walks nothing', async () => {
    await unsealOneLink();
    await convert();
    expect(found(await dump(), tokens)).toHaveLength(1); // control: the walk would have sealed it
    await application.sql('DELETE FROM sealings');
    await convert();
    expect(found(await dump(), tokens)).toEqual([]);
  });

  async function unsealOneLink(): Promise<void> {
    const [row] = await application.sql(`SELECT ${PAYMENT_LINKS.columns('t')} FROM payment_links t LIMIT 1`);
    const { url } = seals.link.open(PAYMENT_LINKS.read(row as Row));
    const set = 'UPDATE payment_links SET token = $2, url = $3 WHERE id = $1';
    await application.sql(set, [row?.['id'], url.split('/').at(-1), url]);
  }
});

describe('another server secret', () => {
  const NEXT = 'the-secret-after-the-rotation-0123456789abcdef';
  const both = { current: NEXT, previous: [SERVER_SECRET] };

  it('that does not fit is refused in one sentence, before anything is changed', async () => {
    const refused = () =>
      expect(convert({ current: NEXT, previous: [] })).rejects.toThrow(
        /^This database was sealed under another server secret \(key [0-9a-f]{8}; this one is [0-9a-f]{8}\)\. Start with the BURSAR_SECRET/,
      );
    await unchangedBy(tables, refused);
  });

  it('answers visitors as if the page were not there; a damaged row is a page without a word of it', async () => {
    const config = loadConfig({ BURSAR_SANDBOX_STEP_SECONDS: '0' });
    const { databaseUrl, sql } = application;
    const urls = { databaseUrl: asServer(databaseUrl), ownerUrl: databaseUrl };
    const app = await startApp({ config, ...urls, serverSecret: NEXT, log: QUIET });
    const url = `/pay/${tokens[0]}`;
    const unknown = await app.server.inject({ method: 'GET', url });
    await app.stop();
    expect([unknown.statusCode, unknown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);

    const { id, token } = (await sql('SELECT id, token FROM payment_links ORDER BY id LIMIT 1'))[0] ?? {};
    await sql('UPDATE payment_links SET token = $2 WHERE id = $1', [id, `v1.00000000.${'A'.repeat(80)}`]);
    await sql('UPDATE environments SET last_at = last_at + interval $$1 ms$$');
    const damaged = await eventually('the cached page is a second old', async () => {
      const answer = await application.inject({ method: 'GET', url });
      return answer.status !== 200 && answer;
    });
    await sql('UPDATE payment_links SET token = $2 WHERE id = $1', [id, token]);
    expect([damaged.status, damaged.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
    expect(damaged.text).not.toMatch(/v1\.|SealError|server secret|\.ts/);
  });

  it('that was lost for good lets a server start after a word of the operator, and changes nothing that is shut', async () => {
    const { sql, databaseUrl } = application;
    const rows = () => sql('SELECT token, url FROM payment_links ORDER BY id');
    const [before, keys] = [await rows(), await sql('SELECT * FROM sealings')];
    await sql('DELETE FROM sealings');
    const warned: string[] = [];
    const log = { info: () => undefined, warn: (text: string) => void warned.push(text), error: () => undefined };
    await sealStored(databaseUrl, log, { current: NEXT, previous: [] });
    expect(warned).toContain('4 rows of payment_links cannot be opened under this server secret and stay as they are.');
    expect(await rows()).toEqual(before);
    await sql('DELETE FROM sealings');
    for (const { name, key_id: keyId } of keys) await sql('INSERT INTO sealings VALUES ($1, $2)', [name, keyId]);
  });

  it('after a rotation everything is sealed anew, and the earlier secret can be dropped', async () => {
    const all = [...tokens, ...(await paymentTokens())];
    const found = (secrets: ServerSecrets, token: string) =>
      application.sql('SELECT FROM payment_tokens WHERE token = ANY ($1)', [paymentSeals(secrets).lookUpsOf(token)]);
    for (const token of all) expect(await found(both, token)).toHaveLength(1); // before, by the earlier secret
    await convert(both);
    const alone = { current: NEXT, previous: [] };
    await convert(alone);
    for (const token of all) expect(await found(alone, token)).toHaveLength(1);
    const rows = await application.sql(`SELECT ${PAYMENT_LINKS.columns('t')} FROM payment_links t`);
    expect(rows.map((row) => paymentSeals(alone).link.open(PAYMENT_LINKS.read(row)).token).toSorted()).toEqual(
      tokens.toSorted(),
    );
    await convert({ current: SERVER_SECRET, previous: [NEXT] });
    expect(await page(tokens[0] as string)).toBe(200);
  });
});

it('the program seals before it serves, and ends with a sentence under another secret', async () => {
  const database = await createDatabase();
  const client = new Client(database.url);
  await client.connect();
  const clear = JSON.stringify({ iban: ACCOUNTS[0] });
  const details = async () => JSON.stringify((await client.query('SELECT bank_details FROM recipients')).rows);
  const first = await startServer({ databaseUrl: database.url });
  await first.stop();
  await client.query('UPDATE recipients SET bank_details = $1', [clear]); // the one of the first start
  await client.query('DELETE FROM sealings');
  expect(await details()).toContain(ACCOUNTS[0]);
  const second = await startServer({ databaseUrl: database.url });
  expect(await details()).not.toContain(ACCOUNTS[0]);
  expect(second.output()).toContain('Sealed rows of recipients: 1.');
  await second.stop();
  const env = { BURSAR_SECRET: `another ${TEST_SECRET}` };
  await expect(startServer({ databaseUrl: database.url, env })).rejects.toThrow(
    /ended with 1: (?:.*\n)?This database was sealed under another server secret [^\n]*\n$/,
  );
  await client.end();
  await database.drop();
});
