/** Statements as camt.053: valid in the schema of ISO 20022, and read back by our own reader they say what the JSON says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateXML } from 'xmllint-wasm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { itemsOf, notesOf, ofType } from '../../../test/support/bank/read-documents.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';

let application: Application;
let client: Client;
const accounts: Record<string, string> = {};

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  for (const currency of ['EUR', 'JPY', 'KWD']) {
    const id = (accounts[currency] = idIn(await client.post('/v1/accounts', { currency })));
    must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 1_000 }));
  }
  const { EUR: account } = accounts;
  const other = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(
    await client.post('/v1/transfers', { from: account, to: other, amount: '1.50', description: 'Tom & <Jerry> "x"' }),
  );
  must(await client.post('/v1/fee_rules', { on: 'payout', amount: '0.30', currency: 'EUR' }));
  const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: 'Æsop & Søn, Ægir' }));
  const order = { amount: '12.34', currency: 'EUR', recipient, account, reference: `Rechnung ${'ü'.repeat(130)}` };
  must(await client.post('/v1/payouts', order));
  must(await client.post(`/v1/payouts/${idIn(await client.post('/v1/payouts', order))}/cancel`));
  const link = idIn(await client.post('/v1/payment_links', { amount: 7, currency: 'EUR', account }));
  must(await client.post(`/v1/test_helpers/payment_links/${link}/pay`));
  must(await client.post('/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'JPY', amount: 5 }));
});
afterAll(() => application?.stop());

const statement = async (currency: string, format: string) =>
  must(await client.get(`/v1/accounts/${accounts[currency]}/statement?format=${format}`));
const written = async (currency: string) => (await statement(currency, 'camt.053')).text;

it.each(['EUR', 'JPY', 'KWD'])('in %s says what the JSON says', async (currency) => {
  const json = (await statement(currency, 'json')).json as Json & { lines: Json[] };
  const reply = await statement(currency, 'camt.053');
  expect(reply.headers['content-type']).toBe('application/xml');
  expect(reply.headers['content-disposition']).toMatch(/filename="acct_.*\.xml"/);
  const items = await itemsOf(reply.text);
  expect(notesOf(items)).toEqual([]);
  const [head] = ofType(items, 'statement');
  expect(head?.account).toMatchObject({ other: accounts[currency], currency });
  const balances = ofType(items, 'balance').map(({ code, amount }) => [code, Number(amount)]);
  expect(balances).toEqual([
    ['OPBD', json['opening_balance']],
    ['CLBD', json['closing_balance']],
  ]);
  const entries = ofType(items, 'entry').map(
    ({ amount, sign, status, servicerReference, bookingDay, details: [only] }) => ({
      transfer: servicerReference,
      amount_minor: Number(sign === 'debit' ? -amount : amount),
      status,
      date: bookingDay,
      name: (sign === 'debit' ? only?.creditor : only?.debtor)?.name,
      reference: only?.remittance.texts[0] ?? only?.remittance.references[0]?.reference ?? null,
      description: only?.additionalText,
    }),
  );
  expect(entries).toEqual(
    json.lines.map((line) => ({
      transfer: line['transfer'],
      amount_minor: line['amount_minor'],
      status: 'BOOK',
      date: line['date'],
      name: line['recipient_name'] ?? line['counterparty_name'],
      reference: line['reference'],
      description: line['description'],
    })),
  );
  expect(entries.length).toBeGreaterThan(currency === 'EUR' ? 6 : 0);
});

it('names a payout as its payment file does', async () => {
  const { lines } = (await statement('EUR', 'json')).json as Json & { lines: Json[] };
  const payout = lines.find(({ cause }) => cause === 'payout')?.['cause_id'] as string;
  const items = ofType(await itemsOf(await written('EUR')), 'entry');
  const ids = items.flatMap(({ details }) => details.map(({ references }) => references.endToEndId));
  expect(ids).toContain(payout.replace('_', '').toUpperCase());
});

it.skipIf(ISO20022 === undefined)('is valid, in every currency; control: a wrong element is found', async () => {
  const schema = [readFileSync(join(ISO20022 as string, 'xsd/camt.053.001.08.xsd'), 'utf8')];
  const faultsIn = async (contents: string) =>
    (await validateXML({ xml: [{ fileName: 'statement.xml', contents }], schema })).errors;
  for (const currency of Object.keys(accounts)) expect(await faultsIn(await written(currency))).toEqual([]);
  const broken = (await written('EUR')).replaceAll('AcctSvcrRef', 'AcctSvcrReff');
  expect(await faultsIn(broken)).not.toEqual([]);
});
