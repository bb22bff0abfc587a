/**
 * Odd but legal files: old and new versions, other encodings, prefixes, comments, CDATA, accounts by national numbers, parts that are left
 * out. Each is valid in the schema of its version (where that is public), and books what the bank means.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialectStage, filled } from '../../../test/support/bank/dialect-stage.ts';
import { invalidOf } from '../../../test/support/bank/payment-files.ts';
import { ISO20022 } from '../../../test/support/bank/public-samples.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application?.stop();
});

const { bank, bookedOn, get, imported, list, post, proofsOf, sent, statusOf } = dialectStage(() => client);
const deposit = ({ account }: { readonly account: string }) => depositReference(account);
const GERMAN = 'DE02120300000000202051';
const only = { uses: ['collections'] };

it('Polish: ISO-8859-2, the number with its check digits, the closing balance first, our id as InstrId', async () => {
  const iban = 'PL61109010140000071219812874';
  const here = await bank('PL', 'PLN', { iban });
  const { payouts, said } = await sent(here, 'PLN', 'PL', 'PL10105000997603123456789123', 100);
  await imported('polish.camt053.02', { ...said, deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [100_000, 1000],
    [29_999, 0, here.account],
    [-10_000, 0, ...payouts],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
  const entries = await list(`/v1/bank_entries?bank_account=${here.id}&order=asc`);
  expect(entries[1]).toMatchObject({ counterparty: { name: 'Żółw i Gęś s.c.' } });
});

it('Czech: windows-1250, prefix-number/bank, two days with balances of each, a reversal', async () => {
  const here = await bank('CZ', 'CZK', { iban: 'CZ6508000000192000145399' }, only);
  await imported('czech.camt053.02', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [500_000, 5000],
    [50_000, 500], // the payer's own words name nothing; what the bank adds is not looked at then
    [-5_000, 50],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
  const [, entry] = await list(`/v1/bank_entries?bank_account=${here.id}&order=asc`);
  expect(entry).toMatchObject({ booked_on: '2026-11-21', counterparty: { name: 'Příliš žluťoučký kůň' } });
});

it('Dutch, version 13: prefixes, comments and CDATA within texts, batches with instructed amounts only', async () => {
  const here = await bank('NL', 'EUR', { iban: 'NL20INGB0001234567' });
  const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 10, 15);
  await imported('dutch.camt053.13', said);
  expect(await bookedOn(here)).toEqual([
    [100_000, 1000],
    [-2_500, 0, ...payouts],
    [2_500, 0, ...payouts],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
  expect(await Promise.all(payouts.map(statusOf))).toEqual(['returned', 'returned']);
  await post(`/v1/bank_accounts/${here.id}`, only);
});

it('Italian: ISO-8859-15, three accounts in a file, two of one number whose currency only their amounts say', async () => {
  const details = { iban: 'IT60X0542811101000000123456' };
  const euro = await bank('IT', 'EUR', details, only);
  const dollar = await bank('IT', 'USD', { ...details, bic: 'BPMOIT22XXX' }, only);
  const other = await bank('IT', 'EUR', { iban: 'IT41X0542811101000000999999' }, only);
  await imported('italian.camt053.06', { deposit: deposit(euro) });
  expect(await bookedOn(euro)).toEqual([[7_500, 0, euro.account]]);
  expect(await bookedOn(dollar)).toEqual([[-1_250, 0, 'fees']]);
  expect(await bookedOn(other)).toEqual([[-4_000, 40]]);
  expect([await proofsOf(euro), await proofsOf(dollar), await proofsOf(other)]).toEqual([['ok'], ['none'], ['ok']]);
  const [entry] = await list(`/v1/bank_entries?bank_account=${euro.id}`);
  expect(entry).toMatchObject({ counterparty: { name: 'Società Œuvre & Città' } });
  expect(JSON.stringify(entry)).toContain('75 €, perché');
});

it('Spanish: UTF-16 with a mark, no entries, zero below zero', async () => {
  const here = await bank('ES', 'EUR', { iban: 'ES9121000418450200051332' }, only);
  await imported('spanish.camt053.08');
  expect(await bookedOn(here)).toEqual([]);
  expect(await proofsOf(here)).toEqual(['ok']);
  const [statement] = await list(`/v1/bank_statements?bank_account=${here.id}`);
  expect(statement).toMatchObject({ reference: 'Extracto año 2026 nº 301', entries_count: 0 });
});

it('British: sort code and number for an IBAN, an envelope that declares the namespaces of header and message', async () => {
  const here = await bank('GB', 'GBP', { iban: 'GB29NWBK60161331926819' }, only);
  const document = await imported('british.camt053.08', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [1_000, 10],
    [500, 0, here.account],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
  expect(JSON.stringify(document['notes'])).not.toContain('namespace');
});

it('American, version 01: a number of the bank own shape, details in the entry, pending and informative entries', async () => {
  const details = { routing_number: '110000000', account_number: '000555666777' };
  const here = await bank('US', 'USD', details, { ...only, booked_by: 'camt.052' });
  await imported('american.camt052.01', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([[25_000, 0, here.account]]);
});

it('Japanese, version 01: UTF-16 without a mark, no decimals, no currency of the account', async () => {
  const here = await bank('JP', 'JPY', { account_number: '1234567', bic: 'BOTKJPJT' }, only);
  await imported('japanese.camt053.01');
  expect(await bookedOn(here)).toEqual([
    [100_000, 100_000],
    [-500, 500],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
  const [entry] = await list(`/v1/bank_entries?bank_account=${here.id}`);
  expect(JSON.stringify(entry)).toContain('振込手数料');
});

it('Norwegian: three payments in one credit, of which one is ours, and three equal credits', async () => {
  const here = await bank('NO', 'NOK', { iban: 'NO9386011117947' }, { ...only, booked_by: 'camt.054' });
  await imported('norwegian.camt054.03', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [60_000, 600], // 100 of it are ours: a person divides it
    [60_000, 600],
    [60_000, 600],
  ]);
});

it('Swiss: charges within a payment with our reference, and a QR reference of somebody else', async () => {
  const here = await bank('CH', 'CHF', { iban: 'CH9300762011623852957' }, { ...only, booked_by: 'camt.054' });
  await imported('swiss-qr.camt054.04', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [14_800, 0, here.account],
    [2_000, 20],
  ]);
});

it('Hungarian: an exchange with charges, a balance in another currency beside those of the account', async () => {
  const here = await bank('HU', 'HUF', { iban: 'HU42117730161111101800000000' }, only);
  await imported('hungarian-fx.camt053.04', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [50_000_000, 500_000],
    [3_500_000, 0, here.account],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
});

it('Danish, version 13: interim balances, a file of ours booked as one', async () => {
  const here = await bank('DK', 'DKK', { iban: 'DK5000400440116243' }, { booked_by: 'camt.052' });
  const { payouts, said } = await sent(here, 'DKK', 'DK', 'DK5000400440116243', 4, 6);
  await imported('danish.camt052.13', said);
  expect((await bookedOn(here)).map(([amount, left]) => [amount, left])).toEqual([
    [10_000, 100],
    [-1_000, 0],
  ]);
  expect(await Promise.all(payouts.map(statusOf))).toEqual(['paid', 'paid']);
});

it('Finnish, version 10: one detail with forty documents, an entry over minus zero, a reversal', async () => {
  const here = await bank('FI', 'EUR', { iban: 'FI2112345600000785' }, only);
  const document = await imported('finnish.camt053.10', { deposit: deposit(here) });
  expect(await bookedOn(here)).toEqual([
    [4_000, 0, here.account],
    [-100, 1],
  ]);
  expect(await proofsOf(here)).toEqual(['ok']);
  expect(JSON.stringify(document['notes'])).toContain('over zero');
});

it('pain.002: version 14 with a group of no name, and a Swiss one of version 03 that rejects a group', async () => {
  const here = await bank('AT', 'EUR', { iban: 'AT611904300234573201' });
  const mixed = await sent(here, 'EUR', 'DE', GERMAN, 10, 11);
  await imported('latest.pain002.14', mixed.said);
  expect(await Promise.all(mixed.payouts.map(statusOf))).toEqual(['failed', 'in_transit']);
  expect(await get(`/v1/payouts/${mixed.payouts[0]}`)).toMatchObject({ failure_code: 'account_frozen' });
  const whole = await sent(here, 'EUR', 'DE', GERMAN, 12, 13);
  await imported('swiss.pain002.03', whole.said);
  expect(await Promise.all(whole.payouts.map(statusOf))).toEqual(['failed', 'failed']);
});

const BROKEN = 'broken';
const SCHEMAS = [
  'polish.camt053.02',
  'czech.camt053.02',
  'dutch.camt053.13',
  'italian.camt053.06',
  'spanish.camt053.08',
  'american.camt052.01',
  'norwegian.camt054.03',
  'swiss-qr.camt054.04',
  'hungarian-fx.camt053.04',
  'danish.camt052.13',
  'finnish.camt053.10',
  'latest.pain002.14',
];
describe.skipIf(ISO20022 === undefined)('by the schema of its version', () => {
  let complaints: ReadonlyMap<string, readonly string[]>;
  beforeAll(async () => {
    const documents = SCHEMAS.map((name) => {
      const [, message = '', number = '', version = ''] = /(camt|pain)(\d{3})\.(\d{2})$/.exec(name) ?? [];
      const deposit = depositReference('acct_01jd3v9q4ne8v8k3w2m6r5t7xa');
      const said = { one: 'PO1', two: 'PO2', file: 'BF1', deposit };
      const xml = filled(name, said).replace(/^<\?xml[^>]*\?>/, '');
      return { name, schema: `${message}.${number}.001.${version}`, xml };
    });
    const [first] = documents as [(typeof documents)[number]];
    const broken = { ...first, name: BROKEN, xml: first.xml.replace('<Ntry>', '<Ntri/><Ntry>') };
    complaints = await invalidOf(ISO20022 as string, [...documents, broken]);
  });

  it.each(SCHEMAS)('%s is legal', (name) => expect(complaints.get(name)).toEqual([]));
  it('control: an element that the schema does not know is reported', () =>
    expect(complaints.get(BROKEN)?.join()).toContain('Ntri'));
});
