/**
 * One object of every kind, each the way a client would make it, so that a test has an id to try wherever an id can
 * stand. Live accounts cannot be funded over HTTP; their money comes down the write path.
 */
import { createHash, randomBytes } from 'node:crypto';
import { compressed } from '../../../src/bank/payment-files/content.ts';
import type { Actor } from '../../../src/core/actor.ts';
import { newId, uuidOf } from '../../../src/core/values/ids.ts';
import { insertRequestLogs } from '../../../src/reports/request-logs/sql.ts';
import { isoDay } from '../../../src/core/values/time.ts';
import { newReference, newToken } from '../../../src/collecting/payments/tokens.ts';
import type { Application, Holder } from './application.ts';
import { keptDetails, waitingStatement, wholeStatement } from './bank-literals.ts';
import { eventually } from './eventually.ts';
import { idIn, must, RECIPIENT } from './tenant-fixture.ts';
import type { Client, Json } from './http.ts';
import type { Kind } from '../generators/places.ts';

/** Ids by prefix: `{acct: 'acct_01h…', po: 'po_01h…'}`. */
export type Fixtures = Readonly<Record<Kind, string>> & {
  /** A second account of the currency of the first, for transfers. */
  readonly otherAccount: string;
  /** Number of the bank account. */
  readonly bankNumber: string;
  /** A quote that nobody used. */
  readonly quote: string;
};

let houses = 0;

/** An account of the merchant at a bank, another one each time. */
export const houseBank = () => ({
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum',
  bank_details: { iban: germanIban(String(10n ** 17n + BigInt(++houses))) },
  cut_off: '14:30',
  time_zone: 'Europe/Berlin',
});

/** `account`: bank and account, 18 digits. */
function germanIban(account: string): string {
  const check = 98n - (BigInt(`${account}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${account}`;
}

/** `mark` stands in every text that can be chosen, so that a leak is seen. Only a `limited` environment gets a limit: it has no state cache then. */
export async function furnish(
  application: Application,
  holder: Holder,
  mark = 'furniture',
  { limited = false } = {},
): Promise<Fixtures> {
  const { client, environmentId } = holder;
  const metadata = { mark };
  const post = async (path: string, body: object): Promise<Json> => {
    const { status, json, text } = await client.post(path, body);
    if (status !== 200) throw new Error(`${path}: ${text}`);
    return json;
  };
  const id = async (path: string, body: object) => (await post(path, body))['id'] as string;

  const acct = await id('/v1/accounts', { currency: 'EUR', name: mark, metadata });
  await application.submit(environmentId, { type: 'fund_account', account: acct, amount: '100000' });
  const otherAccount = await id('/v1/accounts', { currency: 'EUR', name: mark, metadata });
  const rcp = await id('/v1/recipients', { ...RECIPIENT, name: mark, metadata });
  const trf = await id('/v1/transfers', { from: acct, to: otherAccount, amount: 10, description: mark, metadata });
  const wanted = { sell_currency: 'EUR', buy_currency: 'USD', amount: 100, metadata };
  const quo = await id('/v1/exchanges/quote', wanted);
  const exc = await id('/v1/exchanges', { quote: quo, metadata });
  const quote = await id('/v1/exchanges/quote', wanted);
  const house = houseBank();
  const ba = await id('/v1/bank_accounts', { ...house, name: mark }); // in live, payouts need one
  const order = { amount: 5, currency: 'EUR', recipient: rcp, account: acct };
  const po = await id('/v1/payouts', { ...order, reference: mark, external_id: mark, metadata });
  const pob = await id('/v1/payouts/batch', { payouts: [order, order], metadata });
  const rhythm = { interval: 'month', starts_on: '2099-01-31' };
  const so = await id('/v1/standing_orders', {
    amount: 5,
    currency: 'EUR',
    recipient: rcp,
    ...rhythm,
    reference: mark,
  });
  // More than there is: its only day is due at once, and moves no money.
  const poor = { amount: 9_000_000, currency: 'EUR', recipient: rcp, account: acct, count: 1, reference: mark };
  const due = await id('/v1/standing_orders', { ...poor, interval: 'day', starts_on: isoDay(Date.now()) });
  const { we, dlv } = await delivered(client, mark);
  const rep = await replayed(client, we);
  const key = await id('/v1/keys', { name: mark, scopes: ['payouts:read'] });
  const invited = { email: `${mark.replaceAll(/[^a-z0-9]/gi, '-')}@example.com`, roles: ['viewer'], name: mark };
  const usr = await id('/v1/users', invited);
  const lim = limited ? await id('/v1/limits', { count: 1_000_000 }) : 'lim_01jd3v9q4ne8v8k3w2m6r5t7xa';
  const bank = await reported(application, holder, ba);
  const br = await id('/v1/bank_rules', { name: mark, text: mark, iban: RECIPIENT.iban, to: 'fees' });
  const xp = await id('/v1/expected_payments', {
    amount: 7,
    currency: 'EUR',
    account: acct,
    description: mark,
    metadata,
  });
  const pf = await sealedFile(application, holder, { bankAccount: ba, payout: await id('/v1/payouts', order) });
  const [entry] = (await client.get('/v1/audit_log?limit=1')).json['data'] as readonly [Json];
  await post('/v1/settings', { name: mark });
  const words = { description: mark, reference: mark, metadata };
  const plink = await id('/v1/payment_links', { amount: 7, currency: 'EUR', account: acct, ...words, reusable: true });
  const fee = await id('/v1/fee_rules', { on: 'payment', payment_link: plink, basis_points: 0 });
  const paid = { type: 'pay_payment_link', amount: null, payerName: mark, payerIban: RECIPIENT.iban } as const;
  const start = { link: plink, method: 'bank_transfer', token: newToken(), reference: newReference() } as const;
  const pay = JSON.parse(await application.submit(environmentId, { ...paid, start })) as Json;
  const events = (await client.get('/v1/events?limit=1')).json['data'] as readonly Json[];
  return {
    acct,
    otherAccount,
    rcp,
    trf,
    quo,
    quote,
    exc,
    po,
    pob,
    plink,
    pay: pay['id'] as string,
    evt: events[0]?.['id'] as string,
    we,
    dlv,
    rep,
    key,
    usr,
    lim,
    fee,
    ba,
    ...bank,
    br,
    xp,
    pf,
    so,
    sor: await ran(client, due),
    stm: await issued(application, holder),
    req: await asked(application, holder, { mark, acct }),
    aud: entry['id'] as string,
  };
}

/** A request that was kept. By a statement, since most servers of tests keep none. */
async function asked(
  { sql }: Application,
  { environmentId, id: actor }: Holder,
  { mark, acct }: { readonly mark: string; readonly acct: string },
): Promise<string> {
  const id = newId('req');
  const about = { method: 'GET', path: `/v1/accounts/${acct}`, route: '/v1/accounts/:id', resource: acct };
  const kept = { ...about, operation: 'retrieveAccount', status: 404, code: 'resource_missing', durationMs: 1 };
  const sent = { idempotencyKey: mark, replayed: false, ip: null, userAgent: mark, request: null, error: null };
  const object = {
    object: 'request_log',
    id,
    createdAt: Date.now(),
    actor: actor as Actor,
    source: 'api',
    ...kept,
    ...sent,
  } as const;
  const { text, values } = insertRequestLogs([{ environmentId, object }]);
  await sql(text, values);
  return id;
}

/** The run of a standing order that is due, once the worker has made it. */
async function ran(client: Client, order: string): Promise<string> {
  const runs = async () =>
    must(await client.get(`/v1/standing_order_runs?standing_order=${order}`)).json['data'] as readonly Json[];
  await eventually(`${order} has run`, async () => (await runs()).length > 0);
  return (await runs())[0]?.['id'] as string;
}

/** The statement of yesterday: there is one a day. No other follows: none are wanted any more. */
async function issued({ sql, submit }: Application, { client, environmentId }: Holder): Promise<string> {
  const newest = async () => {
    const { data } = must(await client.get('/v1/daily_statements?limit=1')).json;
    return (data as readonly Json[])[0]?.['id'] as string | undefined;
  };
  const known = await newest();
  if (known !== undefined) return known;
  must(await client.post('/v1/settings', { daily_statements: true }));
  const back =
    'UPDATE settings SET next_statement_day = next_statement_day - 1 WHERE environment_id = $1 RETURNING next_statement_day::text';
  const [{ next_statement_day: day }] = (await sql(back, [uuidOf(environmentId)])) as readonly [
    { next_statement_day: string },
  ];
  // The worker may be quicker: then it is as well.
  await submit(environmentId, { type: 'issue_statement', day });
  must(await client.post('/v1/settings', { daily_statements: false }));
  return (await newest()) as string;
}

/** A bank account whose exports a statement has stopped. */
export async function stoppedBank(application: Application, holder: Holder): Promise<string> {
  const bank = { ...houseBank(), uses: ['collections'], on_drift: 'stop_exports' };
  const { id } = must(await holder.client.post('/v1/bank_accounts', bank)).json;
  await reported(application, holder, id as string, 500n);
  return id as string;
}

/** What the bank of a bank account reports: a statement with an opening balance, which waits for a person. As commands: reading files takes time. `unknown`: minor units that it says came in, and the ledger never heard of. */
async function reported(
  { submit }: Application,
  { client, environmentId }: Holder,
  bankAccount: string,
  unknown = 0n,
): Promise<{ sf: string; bs: string; be: string; bankNumber: string }> {
  const { bank_details: details } = must(await client.get(`/v1/bank_accounts/${bankAccount}`)).json;
  const { iban } = details as { readonly iban: string };
  const [sha256, identity, series] = [32, 32, 32].map((length) => randomBytes(length).toString('hex')) as [
    string,
    string,
    string,
  ];
  const begun = await submit(environmentId, { type: 'begin_statement_file', sha256, sizeBytes: 1n });
  const { id: document } = JSON.parse(begun) as { readonly id: string };
  const day = '2026-11-20';
  const said = {
    message: 'camt.053',
    reference: 'S1',
    sequence: null,
    page: null,
    identity,
    series,
    entriesFrom: null,
    entriesUntil: null,
    periodFrom: null,
    periodUntil: null,
  } as const;
  const statement = {
    ...said,
    startsOn: day,
    openedOn: day,
    opening: 10_000n,
    closedOn: day,
    closing: 10_000n + unknown,
    entriesCount: 0,
    sum: unknown,
    messageInFile: 1,
  };
  // One that does not add up, whose entry waits.
  const unclear = { ...statement, opening: 0n, closing: 2n, sum: 1n, entriesCount: 1 };
  const waiting = { identity: randomBytes(32).toString('hex'), series: randomBytes(32).toString('hex') };
  await submit(environmentId, waitingStatement({ ...unclear, ...waiting }, { document, bankAccount }));
  await submit(environmentId, wholeStatement(statement, [], { document, bankAccount }));
  await submit(environmentId, keptDetails(document, bankAccount));
  const found = { statementsCount: 1, skippedCount: 0, notes: [] };
  await submit(environmentId, { type: 'finish_statement_file', document, ...found });
  const newest = async (path: string) => {
    const { data } = must(await client.get(`${path}?limit=1&bank_account=${bankAccount}`)).json;
    return (data as readonly [Json])[0]['id'] as string;
  };
  return {
    sf: document,
    bs: await newest('/v1/bank_statements'),
    be: await newest('/v1/bank_entries'),
    bankNumber: iban,
  };
}

/** A file for the bank with one payout in it. The worker that fills files may be quicker: then it is as well. */
async function sealedFile(
  { submit }: Application,
  { environmentId }: Holder,
  { bankAccount, payout }: { readonly bankAccount: string; readonly payout: string },
): Promise<string> {
  // By a route of no other payout here, so that the worker adds none.
  const plan = {
    bankAccount,
    route: 'swift',
    executionOn: isoDay(Date.now()), // not overdue on any day
    categoryPurpose: null,
    batchBooking: false,
    onlyNamed: false,
    currency: 'EUR',
    payoutsCount: 1,
    total: 500n,
  };
  const opened = JSON.parse(
    await submit(environmentId, { type: 'open_payment_files', planned: [plan], held: [], shortfalls: [] }),
  ) as Json;
  const [{ id }] = opened['files'] as unknown as readonly [{ id: string }];
  const quicker = (error: Error) => {
    if (!error.message.includes('payment_file_state_invalid')) throw error;
  };
  await submit(environmentId, { type: 'claim_payouts', file: id, payouts: [payout] }).catch(quicker);
  const bytes = Buffer.from('<Document/>');
  await submit(environmentId, {
    type: 'seal_payment_file',
    file: id,
    payoutsCount: 1,
    total: 500n,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
    content: await compressed(bytes),
  }).catch(quicker);
  return id;
}

/**
 * An enabled endpoint, and a delivery to it that nobody will ever send: it was held while the endpoint was disabled. So
 * nothing of the furniture moves by itself.
 */
async function delivered(client: Client, mark: string): Promise<{ we: string; dlv: string }> {
  const endpoint = { url: `https://hooks.example.com/${mark}`, enabled_events: ['recipient.archived'] };
  const more = { description: mark, headers: { Authorization: `Bearer ${mark}` }, metadata: { mark } };
  const we = idIn(await client.post('/v1/webhook_endpoints', { ...endpoint, ...more }));
  must(await client.post(`/v1/webhook_endpoints/${we}/disable`));
  const gone = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: mark }));
  must(await client.write('DELETE', `/v1/recipients/${gone}`, ''));
  must(await client.post(`/v1/webhook_endpoints/${we}/enable`));
  const { data } = must(await client.get(`/v1/deliveries?webhook_endpoint=${we}`)).json;
  return { we, dlv: (data as readonly Json[])[0]?.['id'] as string };
}

/** A replay of nothing, once it is done. */
async function replayed(client: Client, we: string): Promise<string> {
  const path = `/v1/webhook_endpoints/${we}`;
  const rep = idIn(await client.post(`${path}/replay`, { after_sequence: Number.MAX_SAFE_INTEGER }));
  const isDone = async () => must(await client.get(`/v1/webhook_replays/${rep}`)).json['status'] === 'completed';
  await eventually(`${rep} is completed`, isDone);
  return rep;
}
