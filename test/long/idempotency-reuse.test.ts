/** T6: a key belongs to one request: whatever differs is refused by name, whatever means the same is the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BANK_FIELDS } from '../../src/paying/recipients/requirements.ts';
import { ROUTES } from '../support/harness/all-routes.ts';
import { type Case, casesWith } from '../support/generators/write-cases.ts';
import { readContract } from '../support/generators/contract.ts';
import { camt } from '../support/bank/camt.ts';
import { auditDatabase, withClient } from '../support/model/audit.ts';
import { forgetSecrets, forgottenSecrets } from '../../src/write/idempotency.ts';
import { type Tenant, createTenant, idIn, must, RECIPIENT } from '../support/harness/tenant-fixture.ts';
import { createDatabase, type Database, runSql } from '../support/harness/database.ts';
import { Client, type Json, type Reply } from '../support/harness/http.ts';
import { startSecondServer } from '../support/harness/second-server.ts';
import { makeKey, type ServerProcess, startServer, TEST_SECRET } from '../support/harness/server-process.ts';
import { rewriteStatements } from '../support/faults/rewrite.ts';

const env = { BURSAR_SANDBOX_STEP_SECONDS: '0' };
const SELLING = { sell_currency: 'EUR', buy_currency: 'USD', amount: '10' };

let database: Database;
let server: ServerProcess;
let tenant: Tenant;
let client: Client;
const ids = new Map<string, string>();
/** An id by the short name that `beforeAll` gave it. */
const id = (name: string) => ids.get(name) as string;
let keys = 0;
const newKey = () => `key ${++keys} !"$%~`;

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env });
  tenant = await createTenant(database.url, server.address);
  client = tenant.client;
  ids.set('eur', await tenant.account('EUR', '100000'));
  ids.set('eur2', await tenant.account('EUR', '100000'));
  ids.set('eur3', await tenant.account('EUR', '100000'));
  ids.set('usd', await tenant.account('USD', '1000'));
  ids.set('usd2', await tenant.account('USD'));
  ids.set('rcp', await tenant.recipient());
  ids.set('rcp2', await tenant.recipient());
  for (const name of ['quo', 'quo2']) {
    ids.set(name, idIn(await client.post('/v1/exchanges/quote', SELLING)));
  }
  const toEuros = { ...SELLING, sell_currency: 'USD', buy_currency: 'EUR' };
  for (const name of ['quo3', 'quo4']) ids.set(name, idIn(await client.post('/v1/exchanges/quote', toEuros)));
  ids.set('exc', idIn(await client.post('/v1/exchanges', SELLING)));
  for (const name of ['po', 'po2', 'po3', 'po4']) {
    ids.set(name, idIn(await client.post('/v1/payouts', { amount: '10', currency: 'EUR', recipient: id('rcp') })));
  }
  must(await client.post(`/v1/test_helpers/payouts/${id('po4')}/pay`));
  for (const name of ['we', 'we2']) {
    // Asks for what does not happen here, so that nothing is sent.
    const hook = { url: `https://hooks.example.com/${name}`, enabled_events: ['account.closed'] };
    ids.set(name, idIn(await client.post('/v1/webhook_endpoints', hook)));
  }
  ids.set('key', idIn(await client.post('/v1/keys', { name: 'one', scopes: ['payouts:read'] })));
  ids.set('usr', idIn(await client.post('/v1/users', { email: 'ada@example.com', roles: ['viewer'] })));
  const other = await makeKey(database.url); // of another family, so that what it pays can be approved
  must(await client.post('/v1/limits', { count: 0, key: other.id, action: 'hold' }));
  const payer = new Client(server.address, other.key);
  const held = { amount: '10', currency: 'EUR', recipient: id('rcp') };
  for (const name of ['held', 'held2', 'held3']) {
    const { json } = must(await payer.post('/v1/payouts', held));
    ids.set(name, json['id'] as string);
    ids.set(`seen payouts/${id(name)}`, (json['release'] as { fingerprint: string }).fingerprint);
  }
  for (const name of ['pob', 'pob2']) ids.set(name, idIn(await payer.post('/v1/payouts/batch', { payouts: [held] })));
  const release = must(await client.get(`/v1/payout_batches/${id('pob2')}/release`)).json;
  ids.set(`seen payout_batches/${id('pob2')}`, release['fingerprint'] as string);
  const bank = { currency: 'EUR', country: 'DE', holder: 'Rossum', cut_off: '14:30', time_zone: 'Europe/Berlin' };
  await askForLess(payer, { ...bank, bank_details: { iban: 'DE50100000000000000001' } });
  const monthly = { amount: '1', currency: 'EUR', recipient: id('rcp'), interval: 'month', starts_on: '2098-01-31' };
  ids.set('so', idIn(await client.post('/v1/standing_orders', monthly)));
  ids.set('plink', idIn(await client.post('/v1/payment_links', { amount: '10', currency: 'EUR', reusable: true })));
  const account = { ...bank, bank_details: { iban: 'DE44500105175407324931' } };
  ids.set('ba', idIn(await client.post('/v1/bank_accounts', account)));
  for (const [name, iban] of Object.entries({ gbp: 'DE02120300000000202051', gbp2: 'DE89370400440532013000' })) {
    const pounds = { ...bank, currency: 'GBP', bank_details: { iban, bic: 'BYLADEM1001' } };
    ids.set(`ba_${name}`, idIn(await client.post('/v1/bank_accounts', pounds)));
  }
  ids.set('pf', await dollarFile(bank));
  const file = camt([
    {
      iban: 'DE44500105175407324931',
      day: '2026-11-20',
      opening: '9.00',
      closing: '13.00',
      entries: Array.from({ length: 4 }, () => ({ amount: '1.00' })),
    },
  ]);
  must(await client.send('POST', '/v1/statement_files', file, { 'content-type': 'application/xml' }));
  const { data: entries } = must(await client.get('/v1/bank_entries')).json;
  for (const [index, name] of ['be2', 'be_right', 'be_voided', 'be_held', 'be'].entries())
    ids.set(name, (entries as readonly Json[])[index]?.['id'] as string);
  await askToVoid(payer);
  ids.set('bs', await waitingStatement());
  payer.close();
  const assignments = ['fees', 'fx'].map((to) => ({ to, amount: '1' }));
  const parts = must(await client.post(`/v1/bank_entries/${id('be')}/assign`, { assignments })).json;
  for (const { to, transfer } of parts['assignments'] as readonly Json[])
    ids.set(`trf_${to as string}`, transfer as string);
  ids.set('ba_stopped', await stoppedBank(bank));
  const august = `/v1/bank_accounts/${id('ba_gbp')}/reconciliation?month=2026-08`;
  ids.set('sha_august', must(await client.get(august)).json['sha256'] as string);
  ids.set('plink2', idIn(await client.post('/v1/payment_links', { amount: '10', currency: 'EUR' })));
  ids.set('pay', idIn(await client.post(`/v1/test_helpers/payment_links/${id('plink')}/pay`)));
  const [evt, evt2] = (await client.get('/v1/events?limit=2')).json['data'] as readonly Json[];
  ids.set('evt', evt!['id'] as string).set('evt2', evt2!['id'] as string);
});
afterAll(async () => {
  client?.close();
  await server?.kill();
  await database?.drop();
});

/** What another family asked for, so that this one can approve it: a bank account that payers see, looser rules, and a limit less. */
async function askForLess(other: Client, bankAccount: object): Promise<void> {
  ids.set('lim', idIn(await client.post('/v1/limits', { count: 1_000_000, action: 'hold' })));
  must(await client.post('/v1/settings/payouts', { hold_bank_accounts: true }));
  const { id: held, pending_changes: change } = must(await other.post('/v1/bank_accounts', bankAccount)).json;
  ids
    .set('ba_held', held as string)
    .set(`seen bank_accounts/${held as string}`, (change as Json)['fingerprint'] as string);
  const asked = must(await other.post('/v1/settings/payouts', { hold_bank_accounts: false })).json['pending_changes'];
  ids.set('seen settings/payouts', (asked as Json)['fingerprint'] as string);
  must(await other.send('DELETE', `/v1/limits/${id('lim')}`, '', {}));
  const { pending_deletion: deletion } = must(await client.get(`/v1/limits/${id('lim')}`)).json;
  ids.set(`seen limits/${id('lim')}`, (deletion as Json)['fingerprint'] as string);
}

/** What another family asked for of entries: one is voided, and one waits to be. */
async function askToVoid(other: Client): Promise<void> {
  for (const name of ['be_voided', 'be_held']) {
    const entry = `bank_entries/${id(name)}`;
    const asked = must(await other.post(`/v1/${entry}/void`, { reason: 'Wrong' })).json['pending_changes'] as Json;
    ids.set(`seen ${entry}`, asked['fingerprint'] as string);
  }
  const voided = `bank_entries/${id('be_voided')}`;
  must(await client.post(`/v1/${voided}/approve`, { fingerprint: id(`seen ${voided}`) }));
}

/** A statement that does not add up. */
async function waitingStatement(): Promise<string> {
  const said = { iban: 'DE44500105175407324931', id: 'W', day: '2026-11-21', opening: '13.00', closing: '15.00' };
  const file = camt([{ ...said, entries: [{ amount: '1.00' }] }]);
  must(await client.send('POST', '/v1/statement_files', file, { 'content-type': 'application/xml' }));
  const { data } = must(await client.get('/v1/bank_statements?status=needs_review')).json;
  return (data as readonly Json[])[0]?.['id'] as string;
}

/** A bank account whose exports are stopped: a statement is issued again without an entry. */
async function stoppedBank(bank: object): Promise<string> {
  const iban = 'DE75512108001245126199';
  const stopping = { ...bank, bank_details: { iban }, uses: ['collections'], on_drift: 'stop_exports' };
  const bankAccount = idIn(await client.post('/v1/bank_accounts', stopping));
  const [one, other] = ['7.00', '3.00'].map((closing) => {
    const amounts = closing === '7.00' ? ['3.00', '4.00'] : ['3.00'];
    const entries = amounts.map((amount) => ({ amount, reference: amount }));
    return { iban, id: 'S', day: '2026-11-20', opening: '0.00', closing, entries };
  });
  const file = camt([one, other] as Parameters<typeof camt>[0]);
  must(await client.send('POST', '/v1/statement_files', file, { 'content-type': 'application/xml' }));
  return bankAccount;
}

/** A file with the one payout in dollars. */
async function dollarFile(bank: object): Promise<string> {
  const details = { routing_number: '021000021', account_number: '987654321' };
  const dollars = { ...bank, currency: 'USD', country: 'US', bank_details: details };
  const bankAccount = idIn(await client.post('/v1/bank_accounts', dollars));
  const abroad = { ...RECIPIENT, iban: undefined, currency: 'USD', country: 'US', ...details };
  const recipient = idIn(await client.post('/v1/recipients', abroad));
  // By another family, so that the file can be abandoned.
  const payer = new Client(server.address, (await makeKey(database.url)).key);
  must(await payer.post('/v1/payouts', { amount: '1', currency: 'USD', recipient }));
  const exported = must(await payer.post('/v1/payment_files', { bank_account: bankAccount }));
  payer.close();
  const [{ id: file }] = exported.json['files'] as unknown as readonly [{ id: string }];
  return file;
}

const cases = (): Case[] => casesWith(id);

function expectReused(reply: Reply, param: string | undefined, first: Reply): void {
  expect(reply.status, reply.text).toBe(400);
  const { type, code, param: named, resource_id: resource } = reply.json['error'] as Json;
  expect({ type, code, param: named, resource }).toEqual({
    type: 'idempotency_error',
    code: 'idempotency_key_reused',
    param,
    resource: first.json['id'] ?? (first.json['data'] as readonly Json[] | undefined)?.[0]?.['id'],
  });
  expect(reply.headers['idempotent-replayed']).toBeUndefined();
}

/** Throws at the first request that is not refused although it differs, or not answered again although it is the same. */
async function everyDifference(at: string): Promise<void> {
  for (const { path, body, others, apart = {}, early = [], instead = {} } of cases()) {
    const idempotencyKey = newKey();
    const send = (changed: object) => client.post(path, changed, { idempotencyKey, at });
    const first = must(await send(body));
    const changed = Object.entries({ ...others, ...apart }).map(async ([name, value]) => {
      expect(value, `${path} ${name}`).not.toEqual(body[name]);
      const reply = await send({ ...body, [name]: value });
      if (!early.includes(name)) expectReused(reply, name, first);
      else
        expect((reply.json['error'] as Json)['code']).toMatch(/^(?:parameter_(?:missing|conflict)|version_unknown)$/);
    });
    const shortened = Object.keys(body).map(async (name) => {
      const { [name]: _, ...less } = body;
      const reply = await send(less);
      // A parameter that may not be missing is missed before the key is looked at; either way it is not the old answer.
      expect(reply.status, `${path} without ${name}`).toBe(400);
      if ((reply.json['error'] as Json)['code'] !== 'parameter_missing')
        expectReused(reply, instead[name] ?? name, first);
    });
    await Promise.all([...changed, ...shortened]);
    const again = await send(body);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
  }
}

test('another value of any parameter, or one more or less, is refused by name; the old answer stays', async () => {
  await everyDifference(server.address);
});

test('where several parameters differ, the first by name is named', async () => {
  const idempotencyKey = newKey();
  const first = must(await client.post('/v1/recipients', RECIPIENT, { idempotencyKey }));
  const abroad = { ...RECIPIENT, country: 'FR', iban: 'FR1420041010050500013M02606' };
  expectReused(await client.post('/v1/recipients', abroad, { idempotencyKey }), 'country', first);
});

test('the cases above know every parameter of every write', async () => {
  const writes = await bodies();
  const known = cases();
  const missing: string[] = [];
  for (const [path, properties] of writes) {
    if (/^\/v1\/recipients\/(?:validate|match|search)|^\/v1\/search/.test(path)) continue; // writes nothing
    const here = known.filter((each) => pathPattern(path).test(each.path));
    for (const name of Object.keys(properties)) {
      if (name === 'dry_run' || here.some(({ others, apart }) => name in others || (apart && name in apart))) continue;
      missing.push(`${path} ${name}`);
    }
  }
  expect(writes.size).toBeGreaterThan(20);
  const bankFields = [...Object.keys(BANK_FIELDS), 'bank_details']; // of the ways to name an account one is enough
  expect(missing.filter((each) => !bankFields.includes(each.split(' ')[1] as string))).toEqual([
    '/v1/recipients country',
    '/v1/bank_accounts country',
    '/v1/payouts/{id}/resolve outcome', // takes a payout of last week
    '/v1/payouts/{id}/resolve reason',
    '/v1/test_helpers/reset seed', // would erase what the other cases are about
    '/v1/test_helpers/reset offset_seconds',
  ]);
});
/** Of a path in the document, with ids for the names in braces. */
const pathPattern = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[a-z]+_\\w+')}$`);
/** The parameters of the body of every POST, by path. */
async function bodies(): Promise<ReadonlyMap<string, object>> {
  const document = (await client.get('/openapi.json')).json;
  const writes = readContract(document).operations.filter(
    ({ method, body }) => method === 'POST' && body !== undefined,
  );
  return new Map(writes.map(({ path, body }) => [path, body?.['properties'] as object]));
}

/**
 * Every parameter with a default, as `path name`, and the default. Those that depend on another parameter are not in the
 * document: `fixed_side` of an exchange without a quote, `only` of a replay without an event.
 */
async function defaults(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>([
    ['/v1/exchanges fixed_side', 'sell'],
    ['/v1/webhook_endpoints/{id}/replay only', 'failed'],
  ]);
  for (const [path, properties] of await bodies()) {
    for (const [name, schema] of Object.entries(properties)) {
      const { default: value } = schema as { default?: unknown };
      if (value !== undefined) found.set(`${path} ${name}`, value);
    }
  }
  return found;
}

test('a default that is named and one that is left out are one request', async () => {
  const known = await defaults();
  expect(known.size).toBeGreaterThanOrEqual(10);
  for (const [parameter, value] of known) {
    const [operation, name] = parameter.split(' ') as [string, string];
    if (operation === '/v1/recipients/search') continue; // writes nothing
    const here = cases().find(({ path, others }) => pathPattern(operation).test(path) && name in others);
    if (here === undefined) throw new Error(`there is no case with ${parameter}`);
    const { [name]: _, ...left } = here.body;
    for (const [first, second] of [
      [left, { ...left, [name]: value }],
      [{ ...left, [name]: value }, left],
    ] as const) {
      const idempotencyKey = newKey();
      const made = await client.post(here.path, first, { idempotencyKey });
      const again = await client.post(here.path, second, { idempotencyKey });
      expect(again.text, parameter).toBe(made.text);
      expect(again.headers['idempotent-replayed'], parameter).toBe('true');
    }
  }
});

test('beside a quote there is no default side: naming one asks for more', async () => {
  const quote = { quote: idIn(await client.post('/v1/exchanges/quote', SELLING)) };
  const idempotencyKey = newKey();
  const first = must(await client.post('/v1/exchanges', quote, { idempotencyKey }));
  const named = await client.post('/v1/exchanges', { ...quote, fixed_side: 'sell' }, { idempotencyKey });
  expectReused(named, 'fixed_side', first);
});

test('another route or method is refused', async () => {
  const idempotencyKey = newKey();
  const body = { amount: '1', currency: 'EUR', recipient: id('rcp') };
  const first = must(await client.post('/v1/payouts', body, { idempotencyKey }));
  const payout = first.json['id'] as string;
  const { from, to } = { from: id('eur'), to: id('eur2') };
  for (const [path, other] of [
    ['/v1/transfers', { from, to, amount: '1' }],
    [`/v1/payouts/${payout}/cancel`, {}],
    [`/v1/payouts/${id('po2')}/cancel`, {}],
    ['/v1/payouts/batch', { payouts: [body] }],
  ] as const) {
    expectReused(await client.post(path, other, { idempotencyKey }), undefined, first);
  }
  expectReused(await client.write('DELETE', `/v1/recipients/${id('rcp2')}`, '', { idempotencyKey }), undefined, first);
  expect((await client.get(`/v1/payouts/${payout}`)).json['status']).toBe('pending');
});

test('form and JSON, in any order and spelling of the same meaning, are one request', async () => {
  const idempotencyKey = newKey();
  const recipient = id('rcp');
  const rest = `"currency":"EUR","recipient":"${recipient}","metadata":{"a":"1","b":"2"}`;
  const first = must(await client.post('/v1/payouts', `{"amount":250,${rest}}`, { idempotencyKey }));
  const json = ['250.0', '250.00', '"250"', '"250.00"'].map((amount) => `{"amount":${amount},${rest}}`);
  json.push(`{"metadata":{"b":"2","a":"1"},"recipient":"${recipient}","currency":"eur","amount":250}`);
  const form = [`metadata[b]=2&amount=250.0&metadata[a]=1&currency=eur&recipient=${recipient}`];
  form.push(`amount=250&currency=EUR&recipient=${recipient}&metadata%5Ba%5D=1&metadata[b]=2`);
  for (const [text, isForm] of [
    ...json.map((each) => [each, false] as const),
    ...form.map((each) => [each, true] as const),
  ]) {
    const again = await client.post('/v1/payouts', text, { idempotencyKey, form: isForm });
    expect(again.text, text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
  }
  expectReused(await client.post('/v1/payouts', `{"amount":250.01,${rest}}`, { idempotencyKey }), 'amount', first);
});

test('another environment never sees it', async () => {
  const idempotencyKey = newKey();
  const first = must(await client.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey }));
  for (const [merchant, livemode] of [
    ['tests', true],
    ['others', false],
    ['others', true],
  ] as const) {
    const stranger = new Client(server.address, (await makeKey(database.url, merchant, livemode)).key);
    const same = must(await stranger.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey }));
    expect(same.json['id']).not.toBe(first.json['id']);
    expect(same.headers['idempotent-replayed']).toBeUndefined();
    const other = await stranger.post('/v1/accounts', { currency: 'USD' }, { idempotencyKey });
    expectReused(other, 'currency', same); // its own key, not ours
    stranger.close();
  }
});

/** A client with a key that another one makes. */
const madeBy = async (maker: Client, more: object = {}) =>
  new Client(server.address, must(await maker.post('/v1/keys', { name: 'x', ...more })).json['secret'] as string);
const SOMEBODY_ELSE = 'This Idempotency-Key was used before by somebody else. Use a new key.';

/** Refused without a word about the first request, and without doing anything. */
function expectNobodys(reply: Reply): void {
  const { request_id: _, doc_url: __, ...error } = reply.json['error'] as Json;
  const code = 'idempotency_key_reused';
  expect([reply.status, error]).toEqual([400, { type: 'idempotency_error', code, message: SOMEBODY_ELSE }]);
}

test('a record belongs to the line that made it: to what its key is rolled to, and to no other key', async () => {
  const idempotencyKey = newKey();
  const body = { name: 'wide' };
  const first = must(await client.post('/v1/keys', body, { idempotencyKey }));
  expect(first.json['secret']).toMatch(/^sk_test_/);
  const narrow = await madeBy(client, { scopes: ['keys:write'] });
  const sibling = new Client(server.address, (await makeKey(database.url)).key);
  for (const other of [narrow, sibling, await madeBy(sibling)]) {
    expectNobodys(await other.post('/v1/keys', body, { idempotencyKey }));
    expectNobodys(await other.post('/v1/keys', { name: 'other' }, { idempotencyKey }));
    other.close();
  }
  const key = await makeKey(database.url);
  const old = new Client(server.address, key.key);
  const paid = must(await old.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey: newKey() }));
  const again = `key ${keys}`;
  const rolled = must(await old.post(`/v1/keys/${key.id}/roll`, { expires_in: 3600 }));
  for (const each of [old, new Client(server.address, rolled.json['secret'] as string)]) {
    const reply = await each.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey: `${again} !"$%~` });
    expect([reply.text, reply.headers['idempotent-replayed']]).toEqual([paid.text, 'true']);
    each.close();
  }
});

test.each([
  ['a key', '/v1/keys', { name: 'payroll' }, () => '/v1/keys'],
  [
    'an endpoint',
    '/v1/webhook_endpoints',
    // What looks like a secret and is none stays.
    { url: 'https://hooks.example.com/x', enabled_events: ['account.closed'], metadata: { a: '1', secret: 'v1.mine' } },
    (we: string) => `/v1/webhook_endpoints/${we}/roll_secret`,
  ],
])('the secret of %s is given again for ten minutes, and then it is gone', async (_, path, body, rolls) => {
  const made = must(await client.post(path, body)).json['id'] as string;
  for (const [at, sent] of [
    [path, body],
    [rolls(made), path === '/v1/keys' ? { name: 'again' } : {}],
  ] as const) {
    const idempotencyKey = newKey();
    const first = must(await client.post(at, sent, { idempotencyKey }));
    expect((await client.post(at, sent, { idempotencyKey })).text).toBe(first.text);
    await runSql(
      database.url,
      `UPDATE idempotency_records SET created_at = now() - interval '11 minutes' WHERE key = '${idempotencyKey.replaceAll("'", "''")}'`,
    );
    const { secret, ...without } = first.json;
    expect(secret).toMatch(/^(?:sk_test_|whsec_)/);
    const later = must(await client.post(at, sent, { idempotencyKey }));
    expect([later.json, later.headers['idempotent-replayed']]).toEqual([without, 'true']);
    const held = (statement: typeof forgetSecrets) =>
      withClient(database.url, async (each) => (await each.query(statement.text)).rowCount);
    expect(await held(forgottenSecrets)).toBe(1);
    expect(await held(forgetSecrets)).toBe(1);
    expect([await held(forgottenSecrets), await held(forgetSecrets)]).toEqual([0, 0]);
    expect(must(await client.post(at, sent, { idempotencyKey })).json).toEqual(without);
  }
});

test('the id of a request is no key to what it was answered', async () => {
  const body = { name: 'wide' };
  const first = must(await client.post('/v1/keys', body));
  const asId = first.headers['request-id'] as string;
  const second = must(await client.post('/v1/keys', body, { idempotencyKey: asId }));
  expect(second.json['id']).not.toBe(first.json['id']);
  const stranger = await client.post('/v1/keys', body, { headers: { 'idempotency-key': `§${asId}` } });
  expect((stranger.json['error'] as Json)['code']).toBe('idempotency_key_invalid');
});

test('a second person who uses the key of another request is told', async () => {
  const idempotencyKey = newKey();
  const second = new Client(server.address, (await makeKey(database.url)).key);
  must(await client.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey }));
  const before = must(await client.get('/v1/events?limit=1')).text;
  expectNobodys(await second.post(`/v1/payouts/${id('held2')}/approve`, { fingerprint: 'x' }, { idempotencyKey }));
  expect(must(await client.get('/v1/events?limit=1')).text).toBe(before);
  second.close();
});

test('a refusal is an outcome: it is repeated, even when there is money now', async () => {
  const [idempotencyKey, account] = [newKey(), await tenant.account('EUR')];
  const body = { amount: '1', currency: 'EUR', recipient: id('rcp'), account };
  const first = await client.post('/v1/payouts', body, { idempotencyKey });
  expect((first.json['error'] as Json)['code']).toBe('balance_insufficient');
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: '10' }));
  const again = await client.post('/v1/payouts', body, { idempotencyKey });
  expect([again.status, again.text]).toEqual([first.status, first.text]);
  expect(again.headers['idempotent-replayed']).toBe('true');
});

test('the old answer stays although the object has moved on', async () => {
  const idempotencyKey = newKey();
  const body = { amount: '1', currency: 'EUR', recipient: id('rcp') };
  const first = must(await client.post('/v1/payouts', body, { idempotencyKey }));
  must(await client.post(`/v1/payouts/${first.json['id'] as string}/cancel`));
  expect((await client.post('/v1/payouts', body, { idempotencyKey })).text).toBe(first.text);
});

test('malformed requests, refused keys and dry runs do not bind the key', async () => {
  const idempotencyKey = newKey();
  const body = { amount: '1', currency: 'EUR', recipient: id('rcp') };
  const send = (sent: object | string, more: object = {}) =>
    client.post('/v1/payouts', sent, { idempotencyKey, ...more });
  expect((await send({ ...body, amount: '1e3' })).status).toBe(400);
  expect((await send({ ...body, amonut: '1' })).status).toBe(400);
  expect((await send('{"amount":')).status).toBe(400);
  expect((await send('a=1', { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  expect((await send(body, { headers: { authorization: 'Bearer sk_test_no' } })).status).toBe(401);
  must(await send({ ...body, dry_run: true }));
  const first = must(await send(body));
  expect(first.headers['idempotent-replayed']).toBeUndefined();
  const dry = must(await send({ ...body, amount: '2', dry_run: true }));
  expect(dry.text).not.toBe(first.text);
  expect((await send(body)).text).toBe(first.text);
  expect(await auditDatabase(database.url)).toEqual([]);
});

test.each(['', 'x'.repeat(256), 'a\tb'])('%j is no key', async (idempotencyKey) => {
  const reply = await client.post('/v1/accounts', { currency: 'EUR' }, { idempotencyKey });
  expect((reply.json['error'] as Json)['code']).toBe('idempotency_key_invalid');
});

test.each([
  ['Idempotency-Key', ['one', 'two']],
  ['idempotency-key', ['same', 'same']],
])('%s twice: every write is refused, and nothing is done', async (name, values) => {
  const before = must(await client.get('/v1/events?limit=1')).text;
  const writes = ROUTES.filter(({ method }) => method !== 'GET');
  expect(writes.length).toBeGreaterThan(60);
  for (const { method, path } of writes) {
    const { status, json } = await client.write(method, path, {}, { headers: { [name]: values } });
    expect([status, (json['error'] as Json)['code']], path).toEqual([400, 'idempotency_key_invalid']);
  }
  expect(must(await client.get('/v1/events?limit=1')).text).toBe(before);
});

test('a payment that was sent with two keys is made once: by the retry with one', async () => {
  const [account, first] = [await tenant.account('EUR', '100'), newKey()];
  const body = { amount: '10', currency: 'EUR', recipient: id('rcp'), account };
  const twice = { 'idempotency-key': [first, newKey()] };
  expect((await client.post('/v1/payouts', body, { headers: twice })).status).toBe(400);
  const made = must(await client.post('/v1/payouts', body, { idempotencyKey: first }));
  expect(made.headers['idempotent-replayed']).toBeUndefined();
  const [last, other] = must(await client.get('/v1/payouts?limit=2')).json['data'] as readonly Json[];
  expect([last?.['id'], last?.['account']]).toEqual([made.json['id'], account]);
  expect(other?.['account']).not.toBe(account);
});

test('a key may hold a comma', async () => {
  const body = { amount: '10', currency: 'EUR', recipient: id('rcp') };
  const idempotencyKey = `${newKey()}, ${newKey()}`;
  const made = must(await client.post('/v1/payouts', body, { idempotencyKey }));
  expect(must(await client.post('/v1/payouts', body, { idempotencyKey })).text).toBe(made.text);
});

test('control: where keys are not looked up, differences pass', async () => {
  const restore = rewriteStatements((statement) => {
    const { text = '', name } = statement;
    if (!text.includes('FROM idempotency_records r')) return statement;
    return {
      ...statement,
      name: name && `${name}_forgets`,
      text: text.replace('AND r.key = k.key', 'AND false AND r.key = k.key'),
    };
  });
  const forgetful = await startSecondServer({ databaseUrl: database.url }, TEST_SECRET);
  try {
    await expect(everyDifference(forgetful.address)).rejects.toThrow(/expected (200|500) to be 400/);
  } finally {
    await forgetful.stop();
    restore();
  }
});
