/** Files as banks of several countries write them, handed in over HTTP: what each books, and that each statement is proved. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../../test/support/bank/camt.ts';
import { type Bank, dialectStage } from '../../../test/support/bank/dialect-stage.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client } from '../../../test/support/harness/http.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { handedIn } from '../../../test/support/bank/hand-in.ts';

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
const GERMAN = 'DE02120300000000202051';

describe('camt', () => {
  it('of a German savings bank: texts in pieces, codes of its own, PRCD', async () => {
    const here = await bank('DE', 'EUR', { iban: 'DE89370400440532013000' });
    const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 30);
    await imported('german-savings.camt053.02', { ...said, deposit: depositReference(here.account) });
    expect(await bookedOn(here)).toEqual([
      [100_000, 1000],
      [11_115, 0, here.account],
      [25_000, 250],
      [-3_000, 0, ...payouts],
      [-1_000, 0, 'fees'], // by its transaction code
    ]);
    expect(await proofsOf(here)).toEqual(['ok']);
    await post(`/v1/bank_accounts/${here.id}`, { uses: ['collections'] });
  });

  it('of a Swiss bank: prefixes, charges within, another currency, a file booked as one', async () => {
    const here = await bank('CH', 'CHF', { iban: 'CH9300762011623852957' });
    const { payouts, said } = await sent(here, 'CHF', 'CH', 'CH9300762011623852957', 20, 30);
    await imported('swiss.camt053.08', { ...said, deposit: depositReference(here.account) });
    const file = `pf_${said.file.slice(2).toLowerCase()}`;
    expect(await bookedOn(here)).toEqual([
      [50_000, 500],
      [29_850, 298.5],
      [9_275, 0, here.account],
      [-5_000, 0, file],
    ]);
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['paid', 'paid']);
    expect(await proofsOf(here)).toEqual(['ok']);
  });

  it('of a Nordic bank: a number that is the end of the IBAN, no booking day, credit lines, .5', async () => {
    const here = await bank('SE', 'SEK', { iban: 'SE4550000000058398257466' });
    await imported('nordic.camt053.02');
    expect(await bookedOn(here)).toEqual([
      [-100_000, 1000],
      [125_000, 1250],
      [-50, 0, 'fees'],
    ]);
    expect(await proofsOf(here)).toEqual(['ok']);
  });

  it('of a Dutch bank: two days in a file, a collective debit, a reversal, below zero', async () => {
    const here = await bank('NL', 'EUR', { iban: 'NL20INGB0001234567' });
    const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 10, 15);
    await imported('dutch.camt053.02', { ...said, nl: 'NL20INGB0001234567' });
    expect(await bookedOn(here)).toEqual([
      [1_000, 10],
      [-2_500, 0, ...payouts],
      [710, 7.1],
    ]);
    expect(await proofsOf(here)).toEqual(['ok', 'ok']);
    await post(`/v1/bank_accounts/${here.id}`, { uses: ['collections'] });
  });

  it('of a Spanish bank: Latin letters, leading zeros, charges on top of the payout', async () => {
    const here = await bank('ES', 'EUR', { iban: 'ES9121000418450200051332' });
    const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 100);
    await imported('spanish.camt053.02', { ...said, es: 'ES9121000418450200051332' });
    expect(await bookedOn(here)).toEqual([
      [20_000, 200],
      [-10_150, 1.5, ...payouts], // 1.50 is for a person to assign, to fees
    ]);
    expect(await proofsOf(here)).toEqual(['ok']);
    const [, entry] = await list(`/v1/bank_entries?bank_account=${here.id}&order=asc`);
    expect(entry).toMatchObject({
      counterparty: { name: 'CAFÉ MUÑOZ SL' },
      remittance: { text: 'Factura 4711 año 2026' },
    });
    await post(`/v1/bank_accounts/${here.id}`, { uses: ['collections'] });
  });

  it('of a French bank: an IBAN under Othr, entries over zero, words only beside the entry', async () => {
    const here = await bank('FR', 'EUR', { iban: 'FR1420041010050500013M02606' }, { uses: ['collections'] });
    const document = await imported('french.camt053.02', {
      fr: 'FR1420041010050500013M02606',
      deposit: depositReference(here.account),
    });
    expect(await bookedOn(here)).toEqual([
      [4_000, 0, here.account],
      [4_000, 0, here.account],
    ]);
    expect(await proofsOf(here)).toEqual(['ok']);
    expect(document['notes']).toEqual(expect.arrayContaining([expect.stringContaining('over zero')]));
  });

  it('of an American bank: a number with zeros, charges taken off, codes of BAI, availability', async () => {
    const here = await bank('US', 'USD', { routing_number: '110000000', account_number: '123456789' });
    await imported('american.camt053.08', { deposit: depositReference(here.account) });
    expect(await bookedOn(here)).toEqual([
      [100_000, 1000],
      [97_500, 0, here.account],
      [-97_500, 975],
    ]);
    expect(await proofsOf(here)).toEqual(['ok']);
  });

  it('of a British bank: an intraday report in an envelope, an IBAN for sort code and number', async () => {
    const details = { sort_code: '601613', account_number: '31926819' };
    const here = await bank('GB', 'GBP', details, { booked_by: 'camt.052' });
    await imported('british.camt052.08', { deposit: depositReference(here.account) });
    expect(await bookedOn(here)).toEqual([[7_500, 0, here.account]]);
    expect(await get(`/v1/bank_accounts/${here.id}`)).toMatchObject({ balance: 7_500 });
  });
});

describe('reversals with the sign of what they undo', () => {
  it.each([
    ['DE75512108001245126199', 'own', undefined, 'failed'], // it waits for a person
    ['DE68210501700012345678', 'original', 710, 'ok'],
  ])('%s: read with %s sign, the proof is as it must be', async (iban, reversal_sign, amount, proof) => {
    const here = await bank('DE', 'EUR', { iban }, { uses: ['collections'], reversal_sign });
    await imported('reversal.camt053.02', { iban });
    expect((await bookedOn(here))[1]?.[0]).toBe(amount);
    expect(await proofsOf(here)).toEqual([proof]);
  });

  it('is read once more after the setting was changed, from the same file', async () => {
    const iban = 'DE12500105170648489890';
    const here = await bank('DE', 'EUR', { iban }, { uses: ['collections'], reversal_sign: 'own' });
    await imported('reversal.camt053.02', { iban });
    expect(await bookedOn(here)).toEqual([]);
    await client.post(`/v1/bank_accounts/${here.id}`, { reversal_sign: 'original' });
    await imported('reversal.camt053.02', { iban });
    expect((await bookedOn(here))[1]?.[0]).toBe(710);
    expect(new Set(await proofsOf(here))).toEqual(new Set(['failed', 'ok']));
  });
});

describe('pain.002', () => {
  let here: Bank;
  beforeAll(async () => {
    here = await bank('AT', 'EUR', { iban: 'AT611904300234573201' });
  });

  it('that rejects the whole file and names one payment rejects all of it', async () => {
    const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 10, 15);
    await imported('group-rejected.pain002.03', said);
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['failed', 'failed']);
    const codes = await Promise.all(payouts.map(async (id) => (await get(`/v1/payouts/${id}`))['failure_code']));
    expect(codes).toEqual(['invalid_account_number', 'could_not_process']);
  });

  it('that names the file by its group only, and each payment in another state', async () => {
    const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 10, 11, 12, 13);
    const document = await imported('mixed.pain002.10', said);
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['failed', 'in_transit', 'in_transit', 'failed']);
    expect(await get(`/v1/payouts/${payouts[0]}`)).toMatchObject({ failure_code: 'account_closed' });
    expect(document['notes']).toEqual([]);
  });

  it('that says executed pays where the bank account counts it, before the debit is booked', async () => {
    await post(`/v1/bank_accounts/${here.id}`, { paid_by: 'status' });
    const { payouts, said } = await sent(here, 'EUR', 'DE', GERMAN, 10, 11, 12, 13);
    await imported('mixed.pain002.10', said);
    expect(await Promise.all(payouts.map(statusOf))).toEqual(['failed', 'paid', 'in_transit', 'failed']);
    expect(await get(`/v1/bank_accounts/${here.id}`)).toMatchObject({ balance: 0 });
    const booked = camt([
      {
        iban: 'AT611904300234573201',
        day: '2026-11-24',
        opening: '0.00',
        closing: '-23.00',
        entries: [said.two, said.three].map((endToEndId, n) => ({
          amount: `-1${n + 1}.00`,
          details: [{ endToEndId }],
        })),
      },
    ]);
    must(await handedIn(client, booked));
    expect(await bookedOn(here)).toEqual([
      [-1_100, 0, payouts[1]],
      [-1_200, 0, payouts[2]],
    ]);
    expect(await proofsOf(here)).toEqual(['ok']);
  });
});
