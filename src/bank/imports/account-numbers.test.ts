/** How banks name an account, and what is not the same account. */
import { describe, expect, it } from 'vitest';
import { isNumberOf } from './account-numbers.ts';

const GERMAN = { iban: 'DE89370400440532013000' };
const SWEDISH = { iban: 'SE4550000000058398257466' };
const NORWEGIAN = { iban: 'NO9386011117947' };
const AMERICAN = { routing_number: '110000000', account_number: '000123456789' };
const BRITISH = { sort_code: '601613', account_number: '31926819' };
const CZECH = { iban: 'CZ6508000000192000145399' };
const MEXICAN = { clabe: '002010077777777771' };
const DUTCH = { iban: 'NL91ABNA0417164300' };
const iban = (text: string) => ({ iban: text, other: null });
const other = (text: string) => ({ iban: null, other: text });

describe('is the account', () => {
  it.each([
    [GERMAN, iban('DE89370400440532013000')],
    [GERMAN, other('37040044/0532013000')],
    [GERMAN, other('37040044/532013000')],
    [{ iban: 'AT611904300234573201' }, other('AT19043/234573201')],
    [SWEDISH, other('5839-8257466')],
    [SWEDISH, other('50000000058398257466')],
    [NORWEGIAN, other('86011117947')],
    [DUTCH, other('0417164300')],
    [DUTCH, other('417164300')],
    [DUTCH, other('ABNANL2A/0417164300')],
    [DUTCH, other('ABNAMRO/417164300')],
    [DUTCH, other('ABNA0417164300')],
    [AMERICAN, other('123456789')],
    [AMERICAN, other('000123456789')],
    [AMERICAN, other('110000000000123456789')],
    [BRITISH, iban('GB29NWBK60161331926819')],
    [BRITISH, other('60-16-13 31926819')],
    [BRITISH, other('31926819')],
    [MEXICAN, other('002010077777777771')],
    [{ iban: 'PL61109010140000071219812874' }, other('61 1090 1014 0000 0712 1981 2874')],
    [{ iban: 'GB29NWBK60161331926819' }, other('60-16-13 31926819')],
    [CZECH, other('19-2000145399/0800')],
    [{ iban: 'CZ5508000000001234567899' }, other('1234567899/0800')],
  ] as const)('%j: %j', (details, said) => expect(isNumberOf(details, said)).toBe(true));
});

describe('is another account', () => {
  it.each([
    [GERMAN, iban('DE02120300000000202051')],
    [GERMAN, other('0532013000')], // of which bank?
    [GERMAN, other('37040045/532013000')],
    [GERMAN, other('AT37040044/532013000')],
    [GERMAN, other('3704004/532013000')],
    [GERMAN, { iban: null, other: null }],
    [SWEDISH, other('8257466')],
    [DUTCH, other('17164300')],
    [DUTCH, other('INGB0417164300')],
    [GERMAN, other('COBADEFF/532013000')], // of which branch?
    [CZECH, other('2000145399/0800')], // without the prefix
    [CZECH, other('19-2000145399/0100')],
    [{ iban: 'GB29NWBK60161331926819' }, other('31926819')],
    [AMERICAN, other('23456789')],
    [AMERICAN, other('')],
    [AMERICAN, iban('GB29NWBK60161331926819')],
    [BRITISH, iban('GB33BUKB20201555555555')],
    [MEXICAN, other('2010077777777771')],
    [{}, other('1')],
  ] as const)('%j: %j', (details, said) => expect(isNumberOf(details, said)).toBe(false));
});
