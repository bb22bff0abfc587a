/** Which recipient a payee is, and what two spellings of a name are. */
import { describe, expect, it } from 'vitest';
import { idAt, recipient } from '../../../test/support/harness/literals.ts';
import { accountOf, byAccount, matchOf } from './match-decide.ts';
import { isSameName } from './names.ts';

describe('one name', () => {
  it.each([
    ['Jörg Müller', 'JOERG  MUELLER'],
    ['Jörg Müller', 'Jorg Muller'],
    ['Jörg Mueller', 'Joerg Müller'],
    ['José Ángel O’Brien-Núñez', "Jose Angel O'Brien Nunez"],
    ['Søren Kierkegård', 'Soeren Kierkegaard'],
    ['Weiß & Söhne GmbH & Co. KG', 'WEISS + SOEHNE GMBH CO KG'],
    ['Łukasz Żółć', 'Lukasz Zolc'],
    ['Наталья Щербакова', 'Natalya Shcherbakova'],
    ['Μαρία Παπαδοπούλου', 'Maria Papadopoulou'],
    ['İpek Işık', 'Ipek Isik'],
    ['ａｄａ', 'Ada'],
    ['山田太郎', '山田 太郎'],
    ['…', '…'],
  ])('%s is %s', (one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['Ada Lovelace', 'Lovelace Ada'],
    ['Ada Lovelace', 'A. Lovelace'],
    ['Ada Lovelace', 'Ada King Lovelace'],
    ['Ada Lovelace', 'Ada Lovelacy'],
    ['Mueller', 'Muller'],
    ['Acme GmbH', 'Acme AG'],
    ['山田太郎', '山田次郎'],
    ['…', '!'],
  ])('%s is not %s', (one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false]);
  });
});

describe('a payee', () => {
  const ada = recipient({ name: 'Ada Lovelace' });
  const { currency, bankDetails } = ada;
  const other = (n: number, fields: object) => recipient({ id: idAt('rcp', n), ...fields });
  const statusOf = (name: string, ...known: readonly ReturnType<typeof recipient>[]) =>
    matchOf({ name, currency, bankDetails }, known);

  it('is found by account and name', () => {
    expect(statusOf('ADA LOVELACE', ada)).toEqual({ status: 'found', recipient: ada });
    expect(statusOf('Ada Lovelace', other(7, { name: '阿达', latinName: 'Ada Lovelace' })).status).toBe('found');
  });
  it('is found among others with the account: a couple has one', () => {
    expect(statusOf('Ada Lovelace', other(7, { name: 'William King' }), ada)).toEqual({
      status: 'found',
      recipient: ada,
    });
  });
  it('is somebody else under another name', () => {
    expect(statusOf('Grace Hopper', ada)).toEqual({ status: 'found_with_another_name', recipient: ada });
  });
  it('is in doubt where several have the account and the name, or none of them the name', () => {
    const double = other(7, { name: 'ada lovelace' });
    expect(statusOf('Ada Lovelace', double, ada)).toEqual({
      status: 'ambiguous',
      candidates: [ada, double].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    });
    expect(statusOf('Grace Hopper', double, ada).status).toBe('ambiguous');
  });
  it('is new where nobody with the account can be paid in its currency', () => {
    expect(statusOf('Ada Lovelace')).toEqual({ status: 'new' });
    expect(statusOf('Ada Lovelace', { ...ada, currency: 'USD' }, { ...ada, status: 'archived' }).status).toBe('new');
  });

  it('has the account however that is written', () => {
    const iban = other(7, { bankDetails: { iban: 'GB29NWBK60161331926819' } });
    const sortCode = other(8, { bankDetails: { account_number: '31926819', sort_code: '601613' } });
    expect(byAccount([ada, iban, sortCode]).get(accountOf(iban))).toEqual([iban, sortCode]);
  });
});
