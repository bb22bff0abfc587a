/** A file as a plan: same rows, same ids; every fault with its line. */
import { describe, expect, it } from 'vitest';
import { csvLine, planOf, type PlanOptions, csvRows } from './batch-plan.ts';

const options: PlanOptions = { map: new Map(), fixed: {}, chunkRows: 2, hasDecimalComma: false, run: 'november' };
const plan = (text: string, changed: Partial<PlanOptions> = {}) => planOf(text, { ...options, ...changed });
const FILE = 'amount,currency,recipient,reference\n1.00,EUR,rcp_1,a\n2.50,EUR,rcp_2,b\n1.00,EUR,rcp_1,a\n';
const idsOf = (text: string, changed?: Partial<PlanOptions>) =>
  plan(text, changed).chunks.flatMap(({ id, rows }) => [id, ...rows.map(({ order }) => order.external_id)]);

describe('ids', () => {
  it('are those of the run before', () => expect(idsOf(FILE)).toEqual(idsOf(FILE)));
  it('tell equal rows apart', () => expect(new Set(idsOf(FILE)).size).toBe(5));
  it('are others in another run', () => {
    const other = new Set(idsOf(FILE, { run: 'december' }));
    expect(idsOf(FILE).filter((id) => other.has(id))).toEqual([]);
  });
  it('stay those of their rows when another row changes, so that no row is paid twice', () => {
    const rows = (text: string) =>
      plan(text).chunks.flatMap((chunk) => chunk.rows.map(({ order }) => order.external_id));
    const [first, , third] = rows(FILE);
    expect(rows(FILE.replace('2.50', '2.60')).filter((id) => id === first || id === third)).toHaveLength(2);
  });
  it('are the columns’ own where there is one', () => {
    const [chunk] = plan('amount,currency,recipient,external_id\n1,EUR,rcp_1,x-7\n').chunks;
    expect(chunk?.rows[0]?.order.external_id).toBe('x-7');
  });
});

describe('columns', () => {
  it('are mapped, fixed and left out', () => {
    const text = 'Betrag;Empfänger;Notiz;metadata[k]\n"1,50";rcp_1;x;v\n';
    const map = new Map([
      ['amount', 'Betrag'],
      ['recipient', 'Empfänger'],
    ]);
    const { chunks, ignored } = plan(text, { map, fixed: { currency: 'eur' }, hasDecimalComma: true });
    expect(chunks[0]?.rows[0]).toMatchObject({ amountMinor: 150n, currency: 'EUR', order: { metadata: { k: 'v' } } });
    expect(ignored).toEqual(['Notiz']);
  });
  it('that are missing are named', () => {
    expect(() => plan('Betrag,currency\n1,EUR\n')).toThrow(
      'No column is amount, recipient. Say which: --map amount=<column>',
    );
    expect(() => plan(FILE, { map: new Map([['amount', 'Betrag']]) })).toThrow('there is no column Betrag');
    expect(() => plan(FILE, { map: new Map([['amuont', 'amount']]) })).toThrow('a payout has no amuont');
  });
  it('are told with everything else that is wrong with them', () => {
    const map = new Map([
      ['amuont', 'a'],
      ['currency', 'b'],
    ]);
    expect(() => plan('amount,amount,recipient\n1,2,rcp_1\n', { map })).toThrow(
      /no amuont\.\n.*no column a\.\n.*no column b\.\nMore than one column is amount\.\nNo column is currency\./,
    );
  });
});

it('every fault of every row is told, with its line', () => {
  const rows = ['1.001,EUR,rcp_1,', '"1,5",EUR,rcp_1,', ',EUR,me,', '1,XXX,rcp_1,', '0,EUR,rcp_1,', '1,EUR,rcp_1'];
  const { faults, chunks } = plan(`amount,currency,recipient,reference\n${rows.join('\n')}\n`);
  expect(chunks).toEqual([]);
  expect(faults.map(({ line, column }) => `${line} ${column}`)).toEqual([
    '2 amount',
    '3 amount',
    '4 amount',
    '4 recipient',
    '5 amount',
    '6 amount',
    '7 reference',
  ]);
  const twice = plan('amount,currency,recipient,external_id\n1,EUR,rcp_1,a\n2,EUR,rcp_1,a\n');
  expect(twice.faults).toEqual([{ line: 3, column: 'external_id', message: 'a is in line 2 already' }]);
});

it('a quote that is never closed is told beside the faults before it', () => {
  const { faults, chunks } = plan('amount,currency,recipient\n1,EUR,me\n1,EUR,rcp_1\n2,"EUR,rcp_1\n3,EUR,rcp_1\n');
  expect(faults).toEqual([
    { line: 4, column: 'currency', message: 'the quote that opens here is never closed' },
    { line: 2, column: 'recipient', message: 'me is not the id of a recipient (rcp_…)' },
  ]);
  expect(chunks.flatMap(({ rows }) => rows.map(({ line }) => line))).toEqual([3]);
});

it('reads quotes, line breaks in cells, and the line ends of Windows', () => {
  expect(csvRows('a,b\r\n"x ""y""","1\n2"\r\n\r\nc,d', [])).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x "y"', '1\n2'] },
    { line: 5, cells: ['c', 'd'] },
  ]);
});

it('takes the separator that a first line names, and refuses others', () => {
  expect(csvRows('sep=;\r\na,b;c\r\n1;2', [])).toEqual([
    { line: 2, cells: ['a,b', 'c'] },
    { line: 3, cells: ['1', '2'] },
  ]);
  expect(csvRows('sep=,\na;b,c', [])).toEqual([{ line: 2, cells: ['a;b', 'c'] }]);
  expect(() => csvRows('sep=|\na|b', [])).toThrow('The first line names the separator "|".');
});

it('writes results that no spreadsheet runs', () =>
  expect(csvLine([-1, '=1+1', 'x;=1', '\uff1d1'])).toBe(`-1,'=1+1,"x;'=1",'\uff1d1`));

describe('payees', () => {
  const HEADER = 'name,iban,amount,currency,reference';
  const ADA = 'Ada,DE89370400440532013000,1,EUR,May';
  const orders = (text: string, changed?: Partial<PlanOptions>) =>
    plan(text, changed).chunks.flatMap(({ rows }) => rows.map(({ order }) => order));

  it('stand instead of recipients where the file has IBANs; without one a name is a note', () => {
    expect(orders(`${HEADER}\n${ADA}\n`)).toMatchObject([{ name: 'Ada', iban: 'DE89370400440532013000' }]);
    const { chunks, ignored } = plan('name,amount,currency,recipient\nAda,1,EUR,rcp_1\n');
    expect(chunks[0]?.rows[0]?.order).not.toHaveProperty('name');
    expect(ignored).toEqual(['name']);
    expect(() => plan('iban,amount,currency\nDE1,1,EUR\n')).toThrow('No column is name.');
  });
  it('need a name and an IBAN, or the recipient', () => {
    const rows = [',DE1,1,EUR,rcp_1', 'Ada,,1,EUR,', ',,1,EUR,rcp_1', ',,1,EUR,'];
    const { faults } = plan(`name,iban,amount,currency,recipient\n${rows.join('\n')}\n`);
    expect(faults.map(({ line, column }) => `${line} ${column}`)).toEqual(['3 iban', '5 name', '5 iban']);
  });
  it('keep their ids when a name is corrected, or the recipient is named', () => {
    const [first] = orders(`${HEADER}\n${ADA}\n`);
    const corrected = orders(
      `${HEADER},recipient\n${ADA.replace('Ada', 'Ada Lovelace').replace('DE89', 'de89 ')},rcp_1\n`,
    );
    expect(corrected[0]?.external_id).toBe(first?.external_id);
    expect(orders(`${HEADER}\n${ADA.replace('May', 'June')}\n`)[0]?.external_id).not.toBe(first?.external_id);
  });
  it('that are paid the same twice are told, unless both are meant', () => {
    const twice = `${HEADER}\n${ADA}\n${ADA.replace('Ada', 'ADA')}\n`;
    expect(plan(twice).faults).toEqual([
      { line: 3, column: 'iban', message: 'is paid the same in line 2; --allow-repeated pays both' },
    ]);
    expect(new Set(orders(twice, { mayRepeat: true }).map(({ external_id: id }) => id)).size).toBe(2);
  });
});
