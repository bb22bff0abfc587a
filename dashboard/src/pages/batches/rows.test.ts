/** Files as payroll programs and people write them, and twenty kinds of fault. */
import { describe, expect, it } from 'vitest';
import { sheetOf } from './cells.ts';
import { columnsOf, headerKey, needsCurrency } from './columns.ts';
import { rowsOf } from './rows.ts';

const DE = 'DE89370400440532013000';
const NL = 'NL91ABNA0417164300';
const read = (text: string, more: Partial<Parameters<typeof rowsOf>[1]> = {}) => {
  const { lines } = sheetOf(text);
  return rowsOf(lines, { columns: columnsOf(lines), currency: 'EUR', mark: null, ...more });
};
const paid = (text: string) => read(text).rows.map(({ cells, amount }) => [cells.name, cells.iban, amount]);

describe('a file', () => {
  it('asks for one currency only where no column says it row by row', () => {
    const each = `Name;IBAN;Amount;Currency\nAda;${DE};1,50;EUR\nBob;${NL};2,50;USD\n`;
    expect(needsCurrency(columnsOf(sheetOf(each).lines), '')).toBe(false);
    const { rows, question, missing } = read(each, { currency: '' });
    expect([question, missing, rows.flatMap(({ faults }) => faults)]).toEqual([null, [], []]);
    expect(rows.map(({ currency, amount }) => `${amount} ${currency}`)).toEqual(['1.50 EUR', '2.50 USD']);
    const none = columnsOf(sheetOf(`Name;IBAN;Amount\nAda;${DE};1,50\n`).lines);
    expect([needsCurrency(none, ''), needsCurrency(none, 'EUR')]).toEqual([true, false]);
  });

  it.each([
    ['German, semicolons and a decimal comma', `Empfänger;IBAN;Betrag;Verwendungszweck\nAda;${DE};1.234,50;Lohn\n`],
    ['French', `Nom,IBAN,Montant net,Libellé\nAda,${DE},"1 234,50",Salaire\n`],
    ['Spanish, with tabs', `Beneficiario\tCuenta\tImporte (EUR)\tConcepto\nAda\t${DE}\t1234,50\tNómina\n`],
    ['Italian, with bars', `Nominativo|IBAN|Importo netto|Causale\nAda|${DE}|1.234,50|Stipendio\n`],
    ['English', `Employee name,Account number,Net pay\nAda,${DE},"1,234.50"\n`],
    ['with the separator in its first line', `sep=;\nName;IBAN;Amount\nAda;${DE};1234.50\n`],
    ['with the line ends of old Macs', `Name;IBAN;Amount\rAda;${DE};1234.50\r`],
    ['with blank lines and columns of no use', `Name;Abteilung;IBAN;Amount\n\n;;;\nAda;R&D;${DE};1234.50\n\n`],
  ])('that is %s is understood', (_, text) => {
    expect(paid(text)).toEqual([['Ada', DE, '1234.50']]);
    expect(read(text).rows[0]?.faults).toEqual([]);
  });
  it('without a header is understood by what stands in it', () => {
    expect(paid(`Ada Lovelace;${DE};12,50\nBob King;${NL};7,00\n`)).toEqual([
      ['Ada Lovelace', DE, '12.50'],
      ['Bob King', NL, '7.00'],
    ]);
  });
  it('keeps separators, quotes and line ends within quotes, and says where rows are', () => {
    const { rows } = read(`Name;IBAN;Amount\n"King; ""Bob""\njr";${NL};1\nAda;${DE};2\n`);
    expect(rows.map(({ line, cells }) => [line, cells.name])).toEqual([
      [2, 'King; "Bob"\njr'],
      [4, 'Ada'],
    ]);
  });
  it('with a quote that never closes says where', () => {
    expect(sheetOf(`Name;IBAN;Amount\nAda;${DE};1\n"Bob;${NL};2\n`)).toMatchObject({ unclosed: 3, lines: [{}, {}] });
  });
  it('uses the columns that were chosen for such a header before', () => {
    const { lines } = sheetOf(`A;B;C\nAda;${DE};12,50\n`);
    expect(columnsOf(lines)).toEqual([null, 'iban', null]);
    expect(columnsOf(lines, ['name', 'iban', 'amount'])).toEqual(['name', 'iban', 'amount']);
    expect(headerKey([' A', 'b '])).toBe(headerKey(['a', 'B']));
  });
  it('says which columns it lacks', () => {
    expect(read(`Name;Abteilung\nAda;R&D\n`).missing).toEqual(['iban', 'amount']);
  });
  it('has a field once: a second column of it is not sent', () => {
    const { lines } = sheetOf(`Name;Nom;IBAN;Amount\n`);
    expect(columnsOf(lines)).toEqual(['name', null, 'iban', 'amount']);
  });
  it('asks what 1.234 is, and reads it as it is answered', () => {
    const text = `Name;IBAN;Amount\nAda;${DE};1.234\n`;
    expect(read(text).question).toEqual({ ask: '1.234', why: 'ambiguous' });
    expect(read(text).rows[0]).toMatchObject({ minor: null, faults: [] });
    expect(read(text, { mark: ',' }).rows[0]?.minor).toBe(123_400n);
    expect(read(text, { mark: '.' }).rows[0]).toMatchObject({ minor: null, faults: [{ field: 'amount' }] });
  });
  it('has sums of good rows, by currency', () => {
    const { totals } = read(
      `Name;IBAN;Amount;Currency\nAda;${DE};1.50;EUR\nBob;${NL};2;GBP\nEve;x;3;EUR\nKim;${NL};4;eur\n`,
    );
    expect([...totals]).toEqual([
      ['EUR', 550n],
      ['GBP', 200n],
    ]);
  });
});

describe('twenty kinds of fault', () => {
  const faultsIn = (row: string, header = 'Name;IBAN;Betrag;Währung;Text') =>
    read(`${header}\n${row}\n`)
      .rows[0]?.faults.map(({ field, message }) => `${field}: ${message}`)
      .join(' ');
  it.each([
    ['no name', `;${DE};1,50;EUR;`, /name: The name is missing/],
    ['a name without letters', `12;${DE};1,50;EUR;`, /name: “12” is no name/],
    ['a name that is too long', `${'a'.repeat(141)};${DE};1,50;EUR;`, /name: The name is longer than 140/],
    ['letters that were lost', `J\uFFFDrgen;${DE};1,50;EUR;`, /name: Name has letters that were lost/],
    ['a character that cannot be printed', `A\u0007da;${DE};1,50;EUR;`, /name: .*cannot be printed/],
    ['a formula for a name', `=A1;${DE};1,50;EUR;`, /name: “=A1” is a formula/],
    ['an error of the spreadsheet', `#BEZUG!;${DE};1,50;EUR;`, /name: “#BEZUG!” is a formula or an error/],
    ['no account', 'Ada;;1,50;EUR;', /iban: The IBAN is missing/],
    ['an account of another kind', 'Ada;12345678;1,50;EUR;', /iban: This is no IBAN/],
    ['wrong check digits', 'Ada;DE88370400440532013000;1,50;EUR;', /iban: The check digits/],
    ['an account shortened by the spreadsheet', 'Ada;3,70E+17;1,50;EUR;', /iban: The account was shortened/],
    ['a masked account', 'Ada;DE89************3000;1,50;EUR;', /iban: The IBAN is masked/],
    ['no amount', `Ada;${DE};;EUR;`, /amount: The amount is missing/],
    ['words for an amount', `Ada;${DE};viel;EUR;`, /amount: “viel” is no amount/],
    ['a shortened amount', `Ada;${DE};1e3;EUR;`, /amount: “1e3” was shortened/],
    ['an amount below zero', `Ada;${DE};-1,50;EUR;`, /amount: The amount is below zero/],
    ['nothing', `Ada;${DE};0,00;EUR;`, /amount: The amount is zero/],
    ['more decimals than there are', `Ada;${DE};1,5;JPY;`, /amount: “1,5” has 1 decimal. JPY has none/],
    ['an amount beyond all', `Ada;${DE};99999999999999,00;EUR;`, /amount: The amount is larger/],
    ['the sign of another currency', `Ada;${DE};£1,50;EUR;`, /amount: “£1,50” is not in EUR/],
    ['no currency', `Ada;${DE};1,50;XXZ;`, /currency: “XXZ” is no currency/],
    ['a text that is too long', `Ada;${DE};1,50;EUR;${'x'.repeat(141)}`, /reference: The reference is longer than 140/],
    ['a cell too many', `Ada;${DE};1,50;EUR;a;b`, /null: The row has 6 cells/],
    ['a cell too few', `Ada;${DE};1,50`, /null: The row has 3 cells/],
    ['the sum of the list', 'Summe;;1,50;EUR;', /null: This looks like the sum/],
  ])('%s', (_, row, fault) => {
    expect(faultsIn(row)).toMatch(fault);
  });
  it('and a row without any has none', () => {
    expect(faultsIn(`Ada;${DE};1,50;EUR;Lohn`)).toBe('');
  });
});

describe('doubles in a file', () => {
  it('are rows with the same account, amount and currency, however they are written', () => {
    const spaced = 'DE89 3704 0044 0532 0130 00';
    const { rows } = read(`Name;IBAN;Betrag\nAda;${DE};1,50\nBob;${NL};1,50\nADA;${spaced};1,5\nAda;${DE};1,51\n`);
    expect(rows.map(({ sameAs }) => sameAs)).toEqual([null, null, 2, null]);
  });
  it('and an account under two names is said', () => {
    const { rows } = read(`Name;IBAN;Betrag\nJosé Ruiz;${DE};1,50\nJOSE RUIZ;${DE};2,50\nEve;${DE};3,50\n`);
    expect(rows.map(({ otherName }) => otherName)).toEqual([null, null, 2]);
  });
});
