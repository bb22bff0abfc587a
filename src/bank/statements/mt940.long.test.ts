/** An MT940 over HTTP, in a live environment: what it books, where it goes, that it is proved, and what a camt.053 of the same days adds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { dialectStage } from '../../../test/support/bank/dialect-stage.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';
import { bareMessage, messageInBlocks } from '../../../test/support/bank/messages.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.live.client;
});
afterAll(async () => {
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
  await application?.stop();
});

const { bookedOn, get, list, post, proofsOf, sent, statusOf } = dialectStage(() => client);
const PAYEE = 'DE02120300000000202051';
const send = async (file: string) => must(await handedIn(client, file, 'text/plain')).json;

/** A live bank account, and a customer account that a first statement gave 1,000 to. */
async function bank(country: string, currency: string, iban: string, account25: string, more: object = {}) {
  const asked = { country, currency, bank_details: { iban }, holder: 'Rossum', cut_off: '14:30', time_zone: 'UTC' };
  const id = (await post('/v1/bank_accounts', { ...asked, ...more }))['id'] as string;
  const account = (await post('/v1/accounts', { currency }))['id'] as string;
  const heading = [':20:STARTUMS', `:25:${account25}`];
  const first = bareMessage(
    ...heading,
    ':28C:1/1',
    `:60F:C261101${currency}0,`,
    ':61:2611021102C1000,00NTRFNONREF//R1',
    `:86:${depositReference(account)}`,
    `:62F:C261102${currency}1000,`,
  );
  expect(await send(first)).toMatchObject({ statements_count: 1, skipped_count: 0, notes: [] });
  return { id, account, heading };
}
const balanceOf = async (account: string) => (await get(`/v1/accounts/${account}`))['balance'];

/** In pieces of 27 characters, as German banks cut them. */
const subfields = (...texts: readonly string[]): string =>
  texts
    .flatMap((text) => text.match(/.{1,27}/g) ?? [])
    .map((piece, at) => `?${20 + at}${piece}`)
    .join('');
const wrapped = (text: string): string => (text.match(/.{1,65}/g) ?? []).join('\r\n');

describe('of a German bank', () => {
  it('pays a payout, finds a payment by its reference, returns what came back; again it changes nothing', async () => {
    const here = await bank('DE', 'EUR', 'DE89370400440532013000', '37040044/532013000');
    expect(await balanceOf(here.account)).toBe(100_000);
    const { payouts, said } = await sent(here, 'EUR', 'DE', PAYEE, 100, 30);
    const expected = await post('/v1/expected_payments', { account: here.account, amount: 250.5, currency: 'EUR' });
    const reference = expected['reference'] as string;
    const file = bareMessage(
      ...here.heading,
      ':28C:2/1',
      ':60F:C261102EUR1000,00',
      ':61:2611261126DR100,00NTRFKREF+//R2',
      wrapped(
        `:86:177?00UEBERWEISUNG?109310${subfields(`EREF+${said.one}`, 'SVWZ+Lohn')}?30COBADEFFXXX?31${PAYEE}?32Ada`,
      ),
      ':61:2611261126CR250,50NTRFNONREF//R3',
      wrapped(
        `:86:166?00GUTSCHRIFT${subfields(`SVWZ+Rechnung 4711 ${reference} danke`)}?31DE68210501700012345678?32Jan`,
      ),
      ':61:2611261126DR30,00NTRFNONREF//R4',
      wrapped(`:86:177?00UEBERWEISUNG${subfields(`EREF+${said.two}`)}`),
      ':61:2611271127CR30,00NRTINONREF//R5',
      wrapped(`:86:159?00RETOURE${subfields(`EREF+${said.two}`, 'SVWZ+Konto erloschen')}?31${PAYEE}?32Ada?34902`),
      ':61:2611271127DR1,50NCHGNONREF//R6',
      ':86:808?00ENTGELT',
      ':62F:C261127EUR1149,00',
    );
    const document = await send(file);
    expect(document).toMatchObject({ status: 'imported', statements_count: 1, skipped_count: 0, notes: [] });
    const payment = (await get(`/v1/expected_payments/${expected['id'] as string}`))['status'];
    expect([payment, ...(await Promise.all(payouts.map(statusOf)))]).toEqual(['paid', 'paid', 'returned']);
    const booked = await bookedOn(here);
    expect(booked).toEqual([
      [100_000, 0, here.account],
      [-10_000, 0, payouts[0]],
      [25_050, 0, expected['id']],
      [-3_000, 0, payouts[1]],
      [3_000, 0, payouts[1]],
      [-150, 0, 'fees'],
    ]);
    expect(await proofsOf(here)).toEqual(['ok', 'ok']);
    const [, statement] = await list(`/v1/bank_statements?bank_account=${here.id}&order=asc`);
    expect(statement).toMatchObject({
      message: 'mt940',
      reference: 'STARTUMS',
      sequence: '2',
      starts_on: '2026-11-03',
      closed_on: '2026-11-27',
      closing_balance: 114_900,
      new_count: 5,
    });
    const [, entry] = await list(`/v1/bank_entries?bank_account=${here.id}&order=asc`);
    expect(entry).toMatchObject({
      counterparty: { name: 'Ada', account_last4: '2051' },
      remittance: { text: 'Lohn', end_to_end_id: said.one, bank_reference: 'R2', transaction_code: 'NTRF+177+9310' },
    });

    const balances = () => Promise.all([get(`/v1/bank_accounts/${here.id}`), balanceOf(here.account)]);
    const before = await balances();
    expect((await send(file))['id']).toBe(document['id']);
    await send(file.replaceAll('\r\n', '\n')); // other bytes that say the same
    expect([await bookedOn(here), await balances()]).toEqual([booked, before]);
    expect(await list('/v1/bank_statements?message=mt940')).toHaveLength(2);
  });

  it.each([
    ['with the references of the bank', 'DE68210501700012345678', true, 'mt940 first'],
    ['without any, by day, EndToEndId and account', 'DE75512108001245126199', false, 'mt940 first'],
    ['with the references of the bank', 'DE12500105170648489890', true, 'camt.053 first'],
  ])('and a camt.053 of the same days %s (%s) books nothing again', async (_, iban, hasReferences, order) => {
    const here = await bank('DE', 'EUR', iban, `${iban}EUR`);
    const reference = (text: string) => (hasReferences ? text : '');
    const message = bareMessage(
      ...here.heading,
      ':28C:2/1',
      ':60F:C261102EUR1000,',
      `:61:2611261126C5,00NTRFNONREF${reference('//B1')}`,
      `:86:166?20EREF+A1?21SVWZ+Hi?31${PAYEE}?32Jan`,
      `:61:2611261126C5,00NTRFNONREF${reference('//B2')}`,
      `:86:166?20EREF+A2?21SVWZ+Hi?31${PAYEE}?32Jan`,
      `:61:2611261126D2,NCHGNONREF${reference('//B3')}`,
      ':62F:C261126EUR1008,',
    );
    const bankReference = (text: string) => (hasReferences ? { reference: text } : {});
    const details = (endToEndId: string) => [{ endToEndId, text: 'Hi', name: 'Jan', iban: PAYEE }];
    const entries = [
      { amount: '5.00', ...bankReference('B1'), details: details('A1') },
      { amount: '5.00', ...bankReference('B2'), details: details('A2') },
      { amount: '-2.00', ...bankReference('B3'), details: [{}] },
    ];
    const xml = camt([{ iban, day: '2026-11-26', opening: '1000.00', closing: '1008.00', entries }]);
    const files = [() => send(message), async () => must(await handedIn(client, xml)).json];
    const [first, second] = order === 'mt940 first' ? files : files.toReversed();
    await first?.();
    const booked = await bookedOn(here);
    expect(booked).toHaveLength(4);
    expect(await second?.()).toMatchObject({ statements_count: 1 });
    expect(await bookedOn(here)).toEqual(booked);
    expect(await proofsOf(here)).toEqual(['ok', 'ok', 'ok']);
  });
});

describe('of other banks', () => {
  it('Dutch: a file of payouts that is booked as one, by its slashes', async () => {
    const here = await bank('NL', 'EUR', 'NL20INGB0001234567', 'NL20INGB0001234567EUR');
    const { payouts, said } = await sent(here, 'EUR', 'DE', PAYEE, 10, 15);
    await send(
      messageInBlocks(
        '940',
        ':20:P261126000000001',
        ':25:NL20INGB0001234567EUR',
        ':28C:00000',
        ':60F:C261102EUR1000,00',
        ':61:2611261126D25,00NTRFPREF//26330123456790',
        '/TRCD/00200/',
        `:86:/PREF/${said.file}//REMI/USTD//TOTAL 2 PAYMENTS/`,
        ':62F:C261126EUR975,00',
      ),
    );
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['paid', 'paid']);
    expect(await proofsOf(here)).toEqual(['ok', 'ok']);
  });

  it('Swiss: two pages of one statement, each with an equal booking, in any order of marks', async () => {
    const here = await bank('CH', 'CHF', 'CH9300762011623852957', 'CH9300762011623852957', {
      reversal_sign: 'original',
    });
    const equal = [':61:2611261126D10,00FMSC01916//NONREF', ':86:EINZAHLUNGSSCHEIN'];
    const page = (number: number, ...fields: readonly string[]) =>
      messageInBlocks(
        '940',
        `:20:2026112608285${number}`,
        ':25:CH9300762011623852957',
        `:28C:331/${number}`,
        ...fields,
      );
    await send(
      page(1, ':60F:C261102CHF1000,', ...equal, ':61:2611261126RC5,NTRF', ':62M:C261126CHF985,') +
        page(2, ':60M:C261126CHF985,', ...equal, ':61:2611261126RD2,NTRF', ':62F:C261126CHF977,'),
    );
    expect(await bookedOn(here)).toEqual([
      [100_000, 0, here.account],
      [-1_000, 1_000 / 100],
      [-500, 5],
      [-1_000, 10],
      [200, 2],
    ]);
    expect(await proofsOf(here)).toEqual(['ok', 'ok', 'ok']);
  });

  it('an MT942 books where a camt.052 does, and nothing where the statement of the day books', async () => {
    const iban = 'PL61109010140000071219812874';
    const details = { country: 'PL', currency: 'PLN', bank_details: { iban }, holder: 'Rossum', cut_off: '14:30' };
    const asked = { ...details, time_zone: 'UTC', booked_by: 'camt.052' };
    const id = (await post('/v1/bank_accounts', asked))['id'] as string;
    const report = (number: number) =>
      bareMessage(
        ':20:ST1',
        `:25:${iban}`,
        `:28C:${number}/1`,
        ':34F:PLN0,',
        ':13D:2611261815+0100',
        ':61:2611261126CN7,50NTRFNONREF//MB1',
        ':86:020~00WPLATA~20Faktura 17~32JAN',
        ':61:2611261126ECN9,00NTRFNONREF',
        ':90C:2PLN16,50',
      );
    expect(await send(report(1))).toMatchObject({ statements_count: 1 });
    expect(await bookedOn({ id, account: '' })).toEqual([[750, 7.5]]);
    await post(`/v1/bank_accounts/${id}`, { booked_by: 'camt.053' });
    expect(await send(report(2))).toMatchObject({ statements_count: 0, skipped_count: 1 });
    expect(await bookedOn({ id, account: '' })).toEqual([[750, 7.5]]);
  });
});

describe('a file that is refused', () => {
  it.each([
    ['of an account that is not known', ':25:DE02120300000000202051', 'bank_account_unknown'],
    ['with a wrong amount', ':61:2611261126C1,005NTRF', 'statement_file_invalid'],
    ['that was cut off', ':86:x', 'statement_file_invalid'],
  ])('%s', async (_, field, code) => {
    const before = await list('/v1/bank_entries');
    const file = `:20:A\r\n:25:37040044/532013000\r\n:28C:3/1\r\n:60F:C261127EUR1149,\r\n${field}\r\n`;
    const whole = field.startsWith(':25:') ? `:20:A\r\n${field}\r\n:60F:C261127EUR1,\r\n:62F:C261127EUR1,` : file;
    const { status, json } = await handedIn(client, whole, 'text/plain');
    expect([status, json['error']]).toMatchObject([400, { code }]);
    expect(await list('/v1/bank_entries')).toEqual(before);
  });
});
