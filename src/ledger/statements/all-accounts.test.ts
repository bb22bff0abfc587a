/**
 * The statements of all accounts in one document, over real HTTP: each says what the statement of its account says, and together they are of one
 * instant. As camt.053 it is valid, and read back by our own reader and by another library it says the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CashManagementEndOfDayReport } from 'iso20022.js';
import { validateXML } from 'xmllint-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { itemsOf, notesOf, ofType } from '../../../test/support/bank/read-documents.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { currencyOf } from '../../core/values/currencies.ts';

interface Account extends Json {
  readonly account: string;
  readonly currency: string;
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly lines: readonly Json[];
}

let application: Application;
let client: Client;
const accounts: string[] = [];
beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  for (const currency of ['EUR', 'EUR', 'JPY', 'KWD', 'USD']) {
    const id = idIn(await client.post('/v1/accounts', { currency }));
    accounts.push(id);
    if (currency !== 'USD') must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 1_000 }));
  }
  const [from, to] = accounts;
  must(await client.post('/v1/transfers', { from, to, amount: '1.50', description: 'Tom & <Jerry> "x"' }));
  const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: 'Æsop & Søn, Ægir' }));
  const order = { amount: '12.34', currency: 'EUR', recipient, account: from, reference: 'Rechnung 7/2026 – ü' };
  for (let n = 0; n < 3; n++) must(await client.post('/v1/payouts', order));
  must(await client.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'JPY', amount: 5 }));
  const link = idIn(await client.post('/v1/payment_links', { amount: 7, currency: 'EUR', account: to }));
  must(await client.post(`/v1/test_helpers/payment_links/${link}/pay`));
});
afterAll(() => application?.stop());

const document = async (query: string, from = client) => must(await from.get(`/v1/account_statements?${query}`));
const set = async (query = 'format=json', from = client) =>
  (await document(query, from)).json['statements'] as unknown as readonly Account[];

describe('the set', () => {
  it('has every account with what its own statement says, oldest first', async () => {
    const found = await set();
    expect(found.map(({ account }) => account)).toEqual(accounts);
    for (const each of found) expect(each).toEqual((await client.get(`/v1/accounts/${each.account}/statement`)).json);
    expect(found.map(({ lines }) => lines.length > 0)).toEqual([true, true, true, true, false]);
  });

  it('is the same in CSV, each account from its opening to its closing row', async () => {
    const reply = await document('format=csv');
    expect(reply.headers['content-disposition']).toMatch(/filename="statement_[\d-]+_[\d-]+\.csv"/);
    const rows = reply.text.trimEnd().split('\r\n').slice(1);
    const wanted = (await set()).flatMap(({ account, lines }) =>
      ['opening', ...lines.map(() => 'transfer'), 'closing'].map((type) => `${type},${account}`),
    );
    expect(rows.map((row) => row.split(',').slice(0, 2).join())).toEqual(wanted);
  });

  it('leaves out accounts that were not there, and shows a key only its own', async () => {
    expect(await set('format=json&from=2020-01-01&to=2020-01-31')).toEqual([]);
    const { client: narrow } = await application.key({ scopes: ['accounts:read'], accounts: accounts.slice(1, 3) });
    const found = await set('format=json', narrow);
    expect(found.map(({ account }) => account)).toEqual(accounts.slice(1, 3));
    expect(JSON.stringify(found)).not.toMatch(/Ægir|Rechnung|rcp_/);
    expect(JSON.stringify(await set())).toMatch(/Ægir/);
  });

  it('is of one instant while money moves; control: statements that are asked for one by one are not', async () => {
    const { client: busy } = await application.key({ merchant: 'statements while money moves' });
    const open = async () => idIn(await busy.post('/v1/accounts', { currency: 'EUR' }));
    // More than are read at once.
    const ids = (await Promise.all(Array.from({ length: 105 }, open))).toSorted();
    const [from, to] = [ids[0] as string, ids.at(-1) as string];
    must(await busy.post(`/v1/test_helpers/accounts/${from}/fund`, { amount: 1_000 }));
    let isMoving = true;
    const moving = (async () => {
      while (isMoving) must(await busy.post('/v1/transfers', { from, to, amount: '0.01' }));
    })();
    const closing = async (id: string) =>
      (await busy.get(`/v1/accounts/${id}/statement`)).json['closing_balance'] as number;
    const sums = new Set<number>();
    const apart = new Set<number>();
    for (let n = 0; n < 8; n++) {
      const found = await set('format=json', busy);
      sums.add(found.reduce((sum, each) => sum + each.closing_balance, 0));
      const first = await closing(from);
      must(await busy.get('/v1/accounts'));
      apart.add(first + (await closing(to)));
    }
    isMoving = false;
    await moving;
    expect([...sums]).toEqual([100_000]);
    expect([...apart].some((sum) => sum !== 100_000)).toBe(true);
  });
});

describe('as camt.053', () => {
  it('is read by our own reader as the JSON says it', async () => {
    const items = await itemsOf((await document('format=camt.053')).text);
    expect(notesOf(items)).toEqual([]);
    const wanted = await set();
    expect(ofType(items, 'statement').map(({ account }) => [account.other, account.currency])).toEqual(
      wanted.map(({ account, currency }) => [account, currency]),
    );
    expect(ofType(items, 'balance').map(({ code, amount }) => [code, Number(amount)])).toEqual(
      wanted.flatMap((each) => [
        ['OPBD', each.opening_balance],
        ['CLBD', each.closing_balance],
      ]),
    );
    expect(ofType(items, 'entry').map((entry) => [entry.servicerReference, Number(entry.amount), entry.sign])).toEqual(
      wanted.flatMap(({ lines }) =>
        lines.map((line) => {
          const minor = line['amount_minor'] as number;
          return [line['transfer'], Math.abs(minor), minor < 0 ? 'debit' : 'credit'];
        }),
      ),
    );
  });

  it('is read by another library as the JSON says it', async () => {
    const { statements } = CashManagementEndOfDayReport.fromXML((await document('format=camt.053')).text);
    const signed = (amount: number, sign: 'credit' | 'debit') => (sign === 'debit' ? -amount : amount);
    const read = statements.map((each) => ({
      account: (each.account as { readonly accountNumber: string }).accountNumber,
      balances: each.balances.map(({ amount, creditDebitIndicator: sign }) => signed(amount, sign)),
      lines: each.entries.map((entry) => ({
        transfer: entry.accountServicerReferenceId,
        amount_minor: signed(entry.amount, entry.creditDebitIndicator),
        date: entry.bookingDate.toISOString().slice(0, 10),
        cause: entry.proprietaryCode,
      })),
    }));
    // The library takes every currency for one with two digits.
    const hundredths = (currency: string) => 10 ** (2 - (currencyOf(currency)?.exponent ?? 2));
    const wanted = (await set()).map(({ account, currency, opening_balance, closing_balance, lines }) => ({
      account,
      balances: [opening_balance, closing_balance].map((minor) => minor * hundredths(currency)),
      lines: lines.map((line) => ({
        transfer: line['transfer'],
        amount_minor: (line['amount_minor'] as number) * hundredths(currency),
        date: line['date'],
        cause: line['cause'],
      })),
    }));
    expect(read).toEqual(wanted);
  });

  it.skipIf(ISO20022 === undefined)(
    'is valid in the schema of ISO 20022; control: without an account it is not',
    async () => {
      const schema = [readFileSync(join(ISO20022 as string, 'xsd/camt.053.001.08.xsd'), 'utf8')];
      const faultsIn = async (contents: string) =>
        (await validateXML({ xml: [{ fileName: 'statement.xml', contents }], schema })).errors;
      const { text } = await document('format=camt.053');
      expect(text.match(/<Stmt>/g)).toHaveLength(accounts.length);
      expect(await faultsIn(text)).toEqual([]);
      expect(await faultsIn(text.replace(/<Stmt>[^]*<\/Stmt>/, ''))).not.toEqual([]);
    },
  );

  it('is refused where there is no account to write about', async () => {
    const past = 'from=2020-01-01&to=2020-01-31';
    expect(outcome(await client.get(`/v1/account_statements?format=camt.053&${past}`))).toBe(
      '400 statement_empty format',
    );
    expect((await document(`format=csv&${past}`)).text).toMatch(/^type,account,[^\n]*\r\n$/);
  });
});

it('refusals come as JSON before anything of a file is sent', async () => {
  const of = async (query: string, as = client) => outcome(await as.get(`/v1/account_statements?${query}`));
  expect(await of('format=mt940')).toBe('400 parameter_invalid format');
  expect(await of('from=2026-02-02&to=2026-02-01')).toBe('400 parameter_invalid to');
  expect(await of('account=x')).toBe('400 parameter_unknown account');
  const { client: narrow } = await application.key({ scopes: ['payouts:read'] });
  expect(await of('format=csv', narrow)).toBe('403 scope_missing');
});
