/** Which texts are one detail written in two ways, and which are not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/generators/random-cases.ts';
import type { Likeness } from './pairs.ts';
import { spelledAs } from './spellings.ts';

const DAY = '2026-03-10';
const entry = (fields: Partial<Likeness>): Likeness => ({
  amount: 500n,
  day: DAY,
  reference: null,
  endToEndId: null,
  account: null,
  named: null,
  ...fields,
});
type Mark = 'endToEndId' | 'account';
const ids = (...texts: readonly string[]): Likeness[] => texts.map((endToEndId) => entry({ endToEndId }));
const accounts = (...texts: readonly string[]): Likeness[] => texts.map((account) => entry({ account }));
const spelled = (mark: Mark, reported: readonly Likeness[], known: readonly Likeness[]) =>
  spelledAs(reported, known).map((each) => each[mark]);

const IBAN = 'DE89370400440532013000';
const CUT = 'Invoice-2026-000';

describe.each<[Mark, string, string]>([
  ['endToEndId', 'Order-7', 'ORDER-7'],
  ['endToEndId', 'Order-7', 'order 7'],
  ['endToEndId', 'RF18/5390-0754/7034', 'RF18539007547034'],
  ['endToEndId', 'Überweisung 5', 'überweisung/5'],
  ['endToEndId', 'Invoice-2026-0004711', CUT],
  ['endToEndId', 'Invoice-2026-0004711', 'INVOICE 2026 000'],
  ['endToEndId', '123456789012-and-more', '123456789012'],
  ['account', IBAN, 'de89 3704 0044 0532 0130 00'],
  ['account', IBAN, '0532013000'],
  ['account', IBAN, '532013000'],
  ['account', IBAN, '370400440532013000'],
  ['account', IBAN, '37040044/532013000'],
  ['account', '0532013000', '532013000'],
  ['account', 'DK5000400440116243', '400440116243'],
  ['account', 'DK5000400440116243', '440116243'],
  ['account', 'NL91ABNA0417164300', '417164300'],
  ['account', 'GB29NWBK60161331926819', '60-16-13 31926819'],
  ['account', 'GB29NWBK60161331926819', '31926819'],
  ['account', 'PL61109010140000071219812874', '61109010140000071219812874'],
  ['account', 'CZ6508000000192000145399', '19-2000145399'],
  ['account', 'ES9121000418450200051332', '0200051332'],
  ['account', 'IT60X0542811101000000123456', '123456'],
  ['account', 'CH9300762011623852957', '011623852957'],
  ['account', 'FR1420041010050500013M02606', '20041010050500013M02606'],
])('%s %s and %s', (mark, one, other) => {
  it.each([
    [one, other],
    [other, one],
  ])('are one: %s is written as %s', (reported, known) => {
    expect(spelled(mark, [entry({ [mark]: reported })], [entry({ [mark]: known })])).toEqual([known]);
    // Of another day too, but of no other amount, or sign.
    const [later, more] = [entry({ [mark]: known, day: null }), entry({ [mark]: known, amount: 501n })];
    expect(spelled(mark, [entry({ [mark]: reported })], [later])).toEqual([known]);
    expect(spelled(mark, [entry({ [mark]: reported })], [more, { ...more, amount: -500n }])).toEqual([reported]);
  });
});

describe.each<[Mark, string, string]>([
  ['endToEndId', 'Order-7', 'Order-8'],
  ['endToEndId', 'Order-17', 'Order-1'],
  ['endToEndId', '12345678901', '12345678901-and-more'],
  ['endToEndId', 'Invoice-2026-0004711', 'Invoice-2026-0004712'],
  ['endToEndId', 'Invoice-2026-0004711', '2026-0004711'],
  ['endToEndId', 'a'.repeat(36), 'a'.repeat(35)],
  ['endToEndId', '---', '///'],
  ['account', IBAN, 'DE62370400440532013001'],
  ['account', IBAN, '0532013001'],
  ['account', IBAN, '32013000'],
  ['account', IBAN, '40532013000'],
  ['account', IBAN, '13000'],
  ['account', 'DE88370400440532013000', '0532013000'], // its check digits are wrong
  ['account', 'IT60X0542811101000000123456', '23456'],
  ['account', 'FR1420041010050500013M02606', '0500013M02606'],
  ['account', '000', '0'],
])('%s %s and %s', (mark, one, other) => {
  it.each([
    [one, other],
    [other, one],
  ])('are two: %s beside %s', (reported, known) => {
    expect(spelled(mark, [entry({ [mark]: reported })], [entry({ [mark]: known })])).toEqual([reported]);
  });
});

describe('what is not clear stays as it is', () => {
  const [long, longer] = ['Invoice-2026-0004711', 'Invoice-2026-0004712'];
  it.each<[string, Mark, readonly Likeness[], readonly Likeness[]]>([
    ['two known ids begin so', 'endToEndId', ids(CUT), ids(long, longer)],
    ['two ids of the statement begin so', 'endToEndId', ids(long, longer), ids(CUT)],
    ['one that is like two, beside one of them', 'endToEndId', ids(`${CUT}47`, CUT), ids(long, 'Invoice-2026-0005')],
    ['the ledger has it whole in two ways', 'endToEndId', ids(CUT), ids(long, 'INVOICE 2026 0004711')],
    ['cut alike, in two ways to write', 'endToEndId', ids('INVOICE 2026 000', CUT, CUT), ids(long)],
    ['cut twice, in two places', 'endToEndId', ids(CUT, `${CUT}4`), ids(long)],
    ['two may be cut to the same: one is known', 'endToEndId', ids(CUT, CUT), ids(long)],
    ['the id stands in the statement whole, too', 'endToEndId', ids(CUT, long), ids(long)],
    ['the same signs elsewhere', 'endToEndId', ids('1-11', '11-1'), ids('111')],
    ['the same signs elsewhere, in the ledger', 'endToEndId', ids('111'), ids('1-11', '11-1')],
    ['two banks have this number', 'account', accounts('0532013000'), accounts(IBAN, 'DE98100000000532013000')],
    ['two payers of the statement', 'account', accounts(IBAN, 'DE98100000000532013000'), accounts('0532013000')],
    ['the account stands in the statement in both ways', 'account', accounts('0532013000', IBAN), accounts(IBAN)],
  ])('%s', (_, mark, reported, known) => {
    expect(spelledAs(reported, known)).toEqual(reported);
    // Control: it is the other one that makes it unclear.
    const [one] = reported;
    if (reported.length > 1) expect(spelled(mark, [one as Likeness], known)).toEqual([known[0]?.[mark]]);
    else expect(spelled(mark, reported, known.slice(0, 1))).toEqual([known[0]?.[mark]]);
  });

  it('one that was paid twice is clear', () => {
    expect(spelled('endToEndId', ids(CUT, CUT), ids(long, long))).toEqual([long, long]);
  });

  it('the day tells where the ledger has it in both ways', () => {
    const known = [entry({ endToEndId: 'RENT' }), entry({ endToEndId: 'Rent', day: '2026-03-11' })];
    const reported = known.map((each) => ({ ...each, endToEndId: 'rent' }));
    expect(spelled('endToEndId', reported, known)).toEqual(['RENT', 'Rent']);
    expect(spelled('endToEndId', [entry({ endToEndId: 'rent', day: '2026-03-12' })], known)).toEqual(['rent']);
  });

  it('two of different days stay two', () => {
    const reported = [entry({ endToEndId: '1-11' }), entry({ endToEndId: '11-1', day: '2026-03-11' })];
    expect(
      spelledAs(
        reported,
        reported.map((each) => ({ ...each, endToEndId: '111' })),
      ),
    ).toEqual(reported);
  });
});

describe('whatever is written', () => {
  const idOf = fc.constantFrom(
    'invoice-20260',
    'Invoice-20260',
    'Invoice-202601',
    'Invoice-202602',
    'Invoice-2026011',
    '1-11',
    '11-1',
    null,
  );
  const accountOf = fc.constantFrom(
    IBAN,
    '0532013000',
    '532013000',
    '37040044/532013000',
    'DE98100000000532013000',
    null,
  );
  const some = fc.array(
    fc
      .record({
        amount: fc.constantFrom(5n, 7n),
        day: fc.constantFrom(DAY, '2026-03-11', null),
        endToEndId: idOf,
        account: accountOf,
      })
      .map(entry),
    { maxLength: 6 },
  );

  it('two payers or ids never become one, and nothing else changes', () => {
    const holds = fc.property(some, some, (reported, known) => {
      const found = spelledAs(reported, known);
      expect(
        found.map((each, at) => ({ ...each, endToEndId: reported[at]?.endToEndId, account: reported[at]?.account })),
      ).toEqual(reported);
      for (const mark of ['endToEndId', 'account'] as const) {
        for (const [at, each] of found.entries()) {
          const own = reported[at] as Likeness;
          if (each[mark] === own[mark]) continue;
          expect(known.some(({ amount, [mark]: text }) => amount === each.amount && text === each[mark])).toBe(true);
          const merged = found.filter(
            (other, n) =>
              other.amount === each.amount && other[mark] === each[mark] && reported[n]?.[mark] !== own[mark],
          );
          expect(merged).toEqual([]);
        }
      }
    });
    fc.assert(holds, { numRuns: runs(5_000) });
  });

  it('many that begin alike take little time', () => {
    const count = 30_000;
    const written = (n: number) => `Subscription-${String(n).padStart(8, '0')}-Customer`;
    const known = Array.from({ length: count }, (_, n) => entry({ endToEndId: written(n) }));
    const cut = known.map((each) => ({ ...each, endToEndId: each.endToEndId?.slice(0, 25) ?? null }));
    expect(spelledAs(cut, known)).toEqual(known);
    const short = known.map((each, n) => ({ ...each, endToEndId: `Subscription${'-'.repeat(n % 500)}` }));
    expect(spelledAs(short, known)).toEqual(short);
  });
});
