/**
 * Without `payroll:read` nothing says whom a salary pays or for what: every read of the service as JSON and CSV, the event stream, filters,
 * answers to writes and files. The control is the same key with that scope: its answers do say it, in the places that are named here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../src/core/values/ids.ts';
import { SCOPES } from '../../src/platform/http/route.ts';
import { handedIn } from '../support/bank/hand-in.ts';
import { ROUTES } from '../support/harness/all-routes.ts';
import { type Application, type Holder, startApplication } from '../support/harness/application.ts';
import { openStream } from '../support/harness/event-stream.ts';
import { eventually } from '../support/harness/eventually.ts';
import type { Json } from '../support/harness/http.ts';
import { outcome } from '../support/harness/probe-client.ts';
import { BANK_ACCOUNT, must } from '../support/harness/tenant-fixture.ts';

/** Whoever may read recipients sees the first of them, but not that a salary is paid to them. */
const NAME = 'Zebedee Quill';
const WORDS = 'for-zebedee';
const IBAN = 'DE02120300000000202051';
/** By itself: ids may have it too. */
const LAST4 = /(?<![0-9a-z])2051(?![0-9a-z])/;

let application: Application;
let payroll: Holder;
let others: Holder;
let account: string;
let recipient: string;
let salary: string;
let file: string;

const get = async (path: string) => must(await application.sandbox.client.get(path)).json;
const post = async (path: string, body: object = {}) => must(await application.sandbox.client.post(path, body)).json;
const idOf = async (path: string, body: object) => (await post(path, body))['id'] as string;
const order = (amount: number, more: object = {}) => ({
  amount,
  currency: 'EUR',
  recipient,
  reference: WORDS,
  statement_descriptor: WORDS,
  metadata: { note: WORDS },
  ...more,
});

beforeAll(async () => {
  application = await startApplication();
  const all = SCOPES.filter((scope) => scope !== 'metrics:read' && scope !== 'payroll:read');
  others = await application.key({ scopes: all });
  payroll = await application.key({ scopes: [...all, 'payroll:read'] });
  account = await idOf('/v1/accounts', { currency: 'EUR' });
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000 });
  const bank = await idOf('/v1/bank_accounts', BANK_ACCOUNT);
  const payee = { name: NAME, type: 'individual', currency: 'EUR', country: 'DE', iban: IBAN };
  recipient = await idOf('/v1/recipients', payee);
  salary = await idOf('/v1/payouts', order(1, { category_purpose: 'SALA', external_id: `${WORDS}-1` }));
  const missing = order(3, { recipient: recipient.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')) });
  const items = [order(2, { external_id: `${WORDS}-2` }), { ...missing, external_id: `${WORDS}-3` }];
  const whole = { mode: 'partial', category_purpose: 'SALA', batch_booking: false, payouts: items };
  await post('/v1/payouts/batch', whole);
  await post(`/v1/payouts/${salary}`, { reference: `${WORDS}-again` });
  const monthly = { category_purpose: 'PENS', interval: 'month', starts_on: '2098-12-31' };
  const { id: pension } = await post('/v1/standing_orders', { ...order(6, monthly) });
  await post(`/v1/standing_orders/${pension as string}`, { statement_descriptor: `${WORDS} 2` });
  const failed = [uuidOf(application.sandbox.environmentId), uuidOf(pension as string), `No such recipient: ${WORDS}`];
  await application.sql(
    `INSERT INTO standing_order_runs (environment_id, id, standing_order_id, number, day, status, made_up, code, message, created_at)
      VALUES ($1, $2, $2, 1, '2026-01-31', 'failed', false, 'resource_missing', $3, now())`,
    failed,
  );
  const failure = `jsonb_build_object('planned_on', '2026-01-31', 'code', 'resource_missing', 'message', $3::text)`;
  const update = `UPDATE standing_orders SET last_failure = ${failure} WHERE environment_id = $1 AND id = $2`;
  await application.sql(update, failed);
  const { files } = (await post('/v1/payment_files')) as { files: readonly Json[] };
  file = files.find((each) => each['batch_booking'] === false)?.['id'] as string;
  for (const { id } of files)
    await eventually('sealed', async () => (await get(`/v1/payment_files/${id as string}`))['status'] === 'sealed');
  const statement = must(await application.sandbox.client.get(`/v1/test_helpers/bank_accounts/${bank}/statement`)).text;
  // The sandbox bank names nobody; banks do.
  const said = `<RltdPties><Cdtr><Pty><Nm>${NAME}</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>${WORDS}</Ustrd></RmtInf>`;
  const named = statement.replaceAll('</Refs>', `</Refs>${said}`);
  must(await handedIn(application.sandbox.client, named));
  await post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/', enabled_events: ['*'] });
}, 120_000);
afterAll(() => application?.stop());

const answerTo = async ({ key }: Holder, url: string, accept = 'application/json') =>
  application.inject({ method: 'GET', url, headers: { authorization: `Bearer ${key}`, accept } });
const says = (text: string) => LAST4.test(text) || [WORDS, NAME, IBAN, recipient].some((each) => text.includes(each));
/** A recipient as such may be seen, without a word of what is paid to it. */
const isRecipient = (text: string) => text.includes('"object":"recipient"') && !text.includes(WORDS);

/** The addresses of every read, with every id that the service shows, by operation. */
async function addresses(): Promise<readonly (readonly [string, string])[]> {
  const reads = ROUTES.filter(({ method, path }) => method === 'GET' && !path.endsWith('/stream'));
  const ids = new Map<string, Set<string>>();
  const found: [string, string][] = [];
  for (const { path, operationId } of reads.toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)) {
    const [before, after] = path.split(/:[a-z_]+/, 2) as [string, string | undefined];
    const urls =
      after === undefined ? [before] : [...ids.values()].flatMap((few) => [...few].map((id) => before + id + after));
    for (const url of urls.filter((each) => !each.includes(':'))) {
      const { status, text } = await answerTo(payroll, url);
      if (status !== 200) continue;
      found.push([operationId, url]);
      for (const [id, prefix] of text.matchAll(/\b([a-z]+)_[0-9a-z]{26}\b/g)) {
        const few = ids.get(prefix as string) ?? new Set();
        ids.set(prefix as string, few.size < 4 ? few.add(id) : few);
      }
    }
  }
  return found;
}

describe('every read', () => {
  it('as JSON and as CSV', async () => {
    const [shown, leaked] = [new Set<string>(), new Set<string>()];
    for (const [operation, url] of await addresses()) {
      if (['listRecipients', 'retrieveRecipient', 'listRecipientVersions'].includes(operation)) continue;
      const query =
        operation === 'listEvents' ? '?types[]=payout.*&types[]=bank_entry.*&types[]=standing_order.*&limit=100' : '';
      for (const accept of ['application/json', 'text/csv']) {
        const { text } = await answerTo(payroll, url + query, accept);
        if (says(text) && !isRecipient(text)) shown.add(operation);
        const other = (await answerTo(others, url + query, accept)).text;
        if (says(other) && !isRecipient(other)) leaked.add(`${operation} ${url}: ${other}`);
      }
    }
    expect([...leaked]).toEqual([]);
    expect([...shown].toSorted()).toEqual([
      'downloadPaymentFile',
      'listBankEntries',
      'listEvents',
      'listPayouts',
      'listStandingOrderRuns',
      'listStandingOrders',
      'retrieveAccountStatements',
      'retrieveBankEntry',
      'retrieveEvent',
      'retrievePayout',
      'retrievePayoutBatchResults',
      'retrievePayoutHistory',
      'retrieveStandingOrder',
      'retrieveStandingOrderRun',
      'retrieveStatement',
    ]);
  });

  it.each(['json', 'csv', 'camt.053'])('a statement as %s', async (format) => {
    const url = `/v1/accounts/${account}/statement?format=${format}`;
    const [whole, part] = [await answerTo(payroll, url), await answerTo(others, url)];
    expect([whole.status, part.status, says(whole.text), says(part.text)]).toEqual([200, 200, true, false]);
  });

  it('expanded: other objects alone', async () => {
    const url = `/v1/payouts/${salary}?expand[]=recipient&expand[]=account`;
    const expanded = async (holder: Holder) =>
      (JSON.parse((await answerTo(holder, url)).text) as Json)['expanded'] as Json;
    expect(Object.keys(await expanded(payroll))).toEqual(['recipient', 'account']);
    expect(Object.keys(await expanded(others))).toEqual(['account']);
  });

  it('a file of salaries is refused by name of the scope', async () => {
    const { status, text } = await answerTo(others, `/v1/payment_files/${file}/content`);
    expect([status, text]).toEqual([403, expect.stringContaining('lacks the scope payroll:read')]);
  });
});

it('amounts, states and codes stay, and each digit of them', async () => {
  const url = `/v1/payouts/${salary}`;
  const whole = (await answerTo(payroll, url)).text;
  const part = JSON.parse((await answerTo(others, url)).text) as Json;
  expect(part).toEqual({
    ...(JSON.parse(whole) as Json),
    recipient: null,
    destination: null,
    reference: null,
    reference_type: null,
    statement_descriptor: null,
    external_id: null,
    metadata: {},
  });
  expect(part).toMatchObject({ amount: 1, category_purpose: 'SALA', status: 'paid' });
});

it('filters by what is hidden find no salary', async () => {
  const found = async ({ client }: Holder, query: string) =>
    (must(await client.get(`/v1/payouts?${query}`)).json['data'] as readonly Json[]).map(({ id }) => id as string);
  const invoice = await idOf('/v1/payouts', order(4));
  expect(await found(payroll, `recipient=${recipient}`)).toContain(salary);
  expect(await found(others, `recipient=${recipient}`)).toEqual([invoice]);
  expect(await found(payroll, `reference=${WORDS}-again`)).toEqual([salary]);
  expect(await found(others, `reference=${WORDS}-again`)).toEqual([]);
  expect(await found(payroll, `external_id=${WORDS}-1`)).toEqual([salary]);
  expect(await found(others, `external_id=${WORDS}-1`)).toEqual([]);
  expect(await found(others, 'status=paid')).toContain(salary);
  const orders = async ({ client }: Holder) =>
    must(await client.get(`/v1/standing_orders?recipient=${recipient}`)).json['data'] as readonly Json[];
  expect([(await orders(payroll)).length, (await orders(others)).length]).toEqual([1, 0]);
});

it('answers to writes and their replays, and the stream', async () => {
  const body = order(5, { category_purpose: 'BONU' });
  const headers = { idempotencyKey: 'bonus' };
  const first = must(await others.client.post('/v1/payouts', body, headers));
  const again = must(await others.client.post('/v1/payouts', body, headers));
  const tried = must(await others.client.post('/v1/payouts', { ...body, dry_run: true }));
  const many = must(await others.client.post('/v1/payouts/batch', { payouts: [body], category_purpose: 'PENS' }));
  const canceled = must(await others.client.post(`/v1/payouts/${first.json['id'] as string}/cancel`));
  for (const { text } of [first, again, tried, many, canceled]) expect(says(text), text).toBe(false);
  for (const [holder, isWhole] of [
    [others, false],
    [payroll, true],
  ] as const) {
    const stream = await openStream(application.address, holder.key, '?after_sequence=0&types[]=payout.*');
    try {
      expect(await stream.until(({ events }) => events.some(({ type }) => type === 'payout.canceled'))).toBe(true);
      const salaries = stream.events.filter(({ text }) => /"category_purpose":"(?:SALA|BONU|PENS)"/.test(text));
      expect(salaries.length).toBeGreaterThan(5);
      expect(salaries.filter(({ text }) => says(text)).length).toBe(isWhole ? salaries.length : 0);
      expect(salaries.some(({ text }) => text.includes('"idempotency_key":"bonus"'))).toBe(isWhole);
    } finally {
      stream.cut();
      await stream.closed;
    }
  }
});

it('no key has events sent whole that it does not see whole', async () => {
  const made = { url: 'https://hooks.example.com/2', enabled_events: ['payout.paid'] };
  const refused = await others.client.post('/v1/webhook_endpoints', made);
  expect([outcome(refused), refused.text]).toEqual([
    '403 scope_missing enabled_events',
    expect.stringContaining('it lacks payroll:read.'),
  ]);
  must(await payroll.client.post('/v1/webhook_endpoints', made));
  must(await others.client.post('/v1/webhook_endpoints', { ...made, enabled_events: ['payout_batch.*'] }));
  const orders = await others.client.post('/v1/webhook_endpoints', { ...made, enabled_events: ['standing_order.*'] });
  expect(outcome(orders)).toBe('403 scope_missing enabled_events');
});
