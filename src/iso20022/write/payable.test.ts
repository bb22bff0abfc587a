/** Routes, and what keeps a payment from being written. */
import { describe, expect, it } from 'vitest';
import { isQrIban } from '../../core/rails/structured-references.ts';
import { judgePayment } from './payable.ts';
import type { Profile } from './profiles.ts';

const GERMAN = { country: 'DE', details: { iban: 'DE89370400440532013000' } };
const SWISS = { country: 'CH', details: { iban: 'CH9300762011623852957' } };
const AMERICAN = { country: 'US', details: { routing_number: '021000021', account_number: '123' } };
const BRITISH = { country: 'GB', details: { sort_code: '200000', account_number: '12345678' } };
const SINGAPORE = { country: 'SG', details: { account_number: '123', bic: 'DBSSSGSG' } };
type Place = {
  readonly country: string;
  readonly details: Readonly<Record<string, string>>;
  readonly hasName?: boolean;
  readonly hasAddress?: boolean;
};

const judged = (profile: Profile, debtor: Place, creditor: Place, currency: string, more: object = {}) =>
  judgePayment(
    profile,
    { hasName: true, hasAddress: true, ...debtor },
    { name: 'Jan', latinName: null, ...creditor, ...more },
    { amount: 100n, currency, speed: 'standard', ...more },
  );

describe('the route', () => {
  it.each([
    ['de_dk', GERMAN, GERMAN, 'EUR', 'sepa'],
    ['de_dk', GERMAN, SWISS, 'EUR', 'sepa'],
    ['de_dk', GERMAN, { country: 'DE', details: { ...GERMAN.details, bic: 'COBADEFFXXX' } }, 'USD', 'swift'],
    ['de_dk', GERMAN, AMERICAN, 'USD', 'swift'],
    ['ch_sps', SWISS, SWISS, 'CHF', 'domestic'],
    ['ch_sps', SWISS, { country: 'LI', details: { iban: 'LI21088100002324013AA' } }, 'CHF', 'domestic'],
    ['ch_sps', SWISS, GERMAN, 'EUR', 'sepa'],
    ['ch_sps', SWISS, SINGAPORE, 'SGD', 'swift'],
    ['generic', AMERICAN, AMERICAN, 'USD', 'domestic'],
    ['generic', BRITISH, BRITISH, 'GBP', 'domestic'],
    ['generic', BRITISH, AMERICAN, 'USD', 'swift'],
    ['epc', GERMAN, GERMAN, 'EUR', 'sepa'],
  ] as const)('of %s from %j to %j in %s is %s', (profile, debtor, creditor, currency, route) => {
    expect(judged(profile, debtor, creditor, currency)).toEqual({ route, complaints: [] });
  });
});

const GERMAN_WITH_BIC = { country: 'DE', details: { ...GERMAN.details, bic: 'COBADEFFXXX' } };

describe('the route of another speed', () => {
  it.each([
    ['instant', 'de_dk', GERMAN, SWISS, 'EUR', 'sepa_instant'],
    ['instant', 'epc', GERMAN, GERMAN, 'EUR', 'sepa_instant'],
    ['urgent', 'de_dk', GERMAN, GERMAN_WITH_BIC, 'EUR', 'urgent'],
    ['urgent', 'de_dk', GERMAN, AMERICAN, 'USD', 'urgent'],
    ['urgent', 'ch_sps', SWISS, SWISS, 'CHF', 'urgent'],
    ['urgent', 'generic', AMERICAN, AMERICAN, 'USD', 'urgent'],
  ] as const)('%s, of %s from %j to %j in %s, is %s', (speed, profile, debtor, creditor, currency, route) => {
    expect(judged(profile, debtor, creditor, currency, { speed })).toEqual({ route, complaints: [] });
  });

  it.each([
    ['instant', 'ch_sps', SWISS, GERMAN, 'EUR', 'speed', 'take no sepa_instant payments'],
    ['instant', 'de_dk', GERMAN, AMERICAN, 'USD', 'speed', 'euro between IBANs within SEPA'],
    ['instant', 'ch_sps', SWISS, SWISS, 'CHF', 'speed', 'euro between IBANs within SEPA'],
    ['urgent', 'de_dk', GERMAN, GERMAN, 'EUR', 'speed', 'need the BIC'],
    ['urgent', 'epc', GERMAN, GERMAN_WITH_BIC, 'EUR', 'speed', 'take no urgent payments'],
    ['urgent', 'de_dk', GERMAN, GERMAN, 'USD', 'bank_details', 'There is no route'],
  ] as const)(
    '%s, of %s from %j to %j in %s, is refused: %s',
    (speed, profile, debtor, creditor, currency, field, words) => {
      const { route, complaints } = judged(profile, debtor, creditor, currency, { speed });
      expect([route, complaints.length, complaints[0]?.field]).toEqual([null, 1, field]);
      expect(complaints[0]?.message).toContain(words);
    },
  );
});

describe('by SEPA out of the EEA or into it, the payer’s address', () => {
  const OUTSIDE = 'AD AL CH GB GG GI IM JE MC MD ME MK RS SM VA'.split(' ');
  const WITHIN = 'AT BG CY DE ES FI FR GP HR IE IS IT LI LU MT NO PL SE SI YT'.split(' ');
  const place = (country: string) => ({ country, details: { iban: `${country}00` }, hasAddress: false });
  const wanted = (profile: Profile, from: string, to: string, more: object = {}) => {
    const { complaints } = judged(profile, { ...place(from), ...more }, place(to), 'EUR');
    return complaints.map(({ field }) => field);
  };
  it.each(OUTSIDE)('is wanted of %s', (country) => {
    expect(wanted('epc', 'DE', country)).toEqual(['holder_address']);
    expect(wanted('generic', country, 'DE')).toEqual(['holder_address']);
    expect(wanted('epc', 'DE', country, { hasAddress: true })).toEqual([]);
  });
  it.each(WITHIN)('is not wanted of %s', (country) => expect(wanted('epc', 'DE', country)).toEqual([]));
  it('is known to Swiss banks', () => expect(wanted('ch_sps', 'CH', 'GB')).toEqual([]));
  it('is wanted of instant payments, and not of others', () => {
    const [german, british] = [place('DE'), { ...place('GB'), details: { iban: 'GB00', bic: 'BARCGB22' } }];
    const fields = (currency: string, speed: string) =>
      judged('de_dk', german, british, currency, { speed }).complaints.map(({ field }) => field);
    expect([fields('EUR', 'instant'), fields('USD', 'standard'), fields('EUR', 'urgent')]).toEqual([
      ['holder_address'],
      [],
      [],
    ]);
  });
});

describe('a QR-IBAN and a QR reference', () => {
  const QR = { country: 'CH', details: { iban: 'CH4431999123000889012' } };
  const QRR = '210000000003139471430009017';
  const wrong = (to: Place, currency: string, reference: string | null, more: object = {}, from = SWISS) => {
    const { route, complaints } = judged('ch_sps', from, to, currency, { reference, ...more });
    return route ?? complaints.map(({ field }) => field);
  };
  it('belong together', () => {
    expect([wrong(QR, 'CHF', QRR), wrong(QR, 'EUR', QRR)]).toEqual(['domestic', 'domestic']);
    expect(wrong(QR, 'CHF', QRR, { referenceType: 'qrr', speed: 'urgent' })).toBe('urgent');
    for (const reference of [null, 'Invoice 4711', 'RF18539007547034', `${QRR.slice(0, -1)}8`]) {
      expect(wrong(QR, 'CHF', reference)).toEqual(['reference']);
    }
    expect(wrong(QR, 'CHF', QRR, { referenceType: 'text' })).toEqual(['reference']);
    expect(wrong(SWISS, 'CHF', QRR)).toEqual(['reference']);
    expect(wrong(SWISS, 'CHF', QRR, { referenceType: 'text' })).toBe('domestic');
    expect(wrong(SWISS, 'CHF', 'RF18539007547034')).toBe('domestic');
  });
  it('are for payments within Switzerland and Liechtenstein, in their currencies', () => {
    const liechtenstein = { country: 'LI', details: { iban: 'LI0000000' } };
    expect(wrong(QR, 'CHF', QRR, {}, liechtenstein)).toBe('domestic');
    expect(wrong(QR, 'EUR', QRR, {}, GERMAN)).toEqual(['bank_details']);
    expect(wrong({ ...QR, details: { ...QR.details, bic: 'POFICHBE' } }, 'USD', QRR)).toEqual(['bank_details']);
  });
  it('are not asked for before anybody says what the payee is told', () =>
    expect(judged('ch_sps', SWISS, QR, 'CHF')).toEqual({ route: 'domestic', complaints: [] }));
  it('of numbers of banks from 30000 to 31999', () => {
    const isQr = (bank: string) => isQrIban(`CH00${bank}0000000000AA`);
    expect(['29999', '30000', '31999', '32000'].map(isQr)).toEqual([false, true, true, false]);
    expect([isQrIban('DE0030000'), isQrIban(undefined)]).toEqual([false, false]);
  });
});

describe('what is complained of', () => {
  const complaints = (...args: Parameters<typeof judged>) => judged(...args).complaints.map(({ field }) => field);
  it('no route: a foreign bank that nothing names', () =>
    expect(complaints('de_dk', GERMAN, GERMAN, 'USD')).toEqual(['bank_details']));
  it('a route that the profile does not know', () =>
    expect(complaints('epc', GERMAN, AMERICAN, 'USD')).toEqual(['bank_details']));
  it('a name, unless there is a Latin one', () => {
    expect(complaints('epc', GERMAN, GERMAN, 'EUR', { name: '王小明' })).toEqual(['name']);
    expect(complaints('epc', GERMAN, GERMAN, 'EUR', { name: '王小明', latinName: 'Wang' })).toEqual([]);
    for (const name of ['...', '😀', '–', '( )'])
      expect(complaints('epc', GERMAN, GERMAN, 'EUR', { name })).toEqual(['name']);
  });
  it('a payer who cannot be named', () =>
    expect(complaints('epc', { ...GERMAN, hasName: false }, GERMAN, 'EUR')).toEqual(['holder']));
  it('an amount above what the rulebook takes', () => {
    expect(complaints('epc', GERMAN, GERMAN, 'EUR', { amount: 99_999_999_999n })).toEqual([]);
    expect(complaints('epc', GERMAN, GERMAN, 'EUR', { amount: 100_000_000_000n })).toEqual(['amount']);
  });
  it('all of it at once', () =>
    expect(complaints('epc', GERMAN, AMERICAN, 'USD', { name: '王', amount: 10n ** 16n })).toEqual([
      'bank_details',
      'name',
      'amount',
    ]));
});
