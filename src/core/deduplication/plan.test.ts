/** What is planned for a statement: without balances, issued again, and around the first day of the ledger. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../test/support/bank/overlapping-statements.ts';
import type { Likeness } from './pairs.ts';
import { planOf } from './plan.ts';
import { type Beside, type Booked, type Books } from './outline.ts';

/** `amount day marks`: `#` begins the bank's reference, `e` an end-to-end id, another letter the account of the other side. */
const entriesOf = (...texts: readonly string[]): Likeness[] =>
  texts.map((text) => {
    const [amount = '', day = '', ...marks] = text.split(' ');
    const said = (letter: RegExp) => marks.find((mark) => letter.test(mark)) ?? null;
    const rest = { reference: said(/^#/), endToEndId: said(/^e/), account: said(/^[A-Z]/), named: null };
    return { amount: BigInt(amount), day: `2026-03-${day}`, ...rest };
  });
const outline = {
  identity: 'new',
  series: 'S',
  messageInFile: 1,
  page: null,
  startsOn: null,
  openedOn: null,
  opening: null,
  closedOn: null,
  closing: null,
  message: 'camt.053',
  sequence: null,
  entriesFrom: null,
  entriesUntil: null,
  periodFrom: null,
  periodUntil: null,
};
const of = (from: string, to: string, opening: bigint, closing: bigint) => {
  const [startsOn, closedOn] = [`2026-03-${from}`, `2026-03-${to}`];
  return { ...outline, startsOn, openedOn: startsOn, closedOn, opening, closing };
};
const booked = (statement: string, document: string, ...texts: readonly string[]): Booked[] =>
  entriesOf(...texts).map((each, at) => ({
    ...each,
    id: `${statement}-${at + 1}`,
    statement,
    document,
    messageInFile: 1,
    series: document,
    page: null,
  }));
const statement = (id: string, fields: Partial<Beside>): Beside => ({
  ...outline,
  document: 'one',
  status: 'imported',
  entriesCount: 2,
  supersedes: null,
  ...fields,
  id,
  identity: id,
});
const books = (fields: Partial<Books>): Books => ({
  booksFrom: '2026-03-01',
  statements: [],
  behind: [],
  entries: [],
  ...fields,
});
const planned = (reported: Parameters<typeof planOf>[0], known: Books) => {
  const { added, waiting, readings, gone, supersedes, olderCount } = planOf(reported, known);
  return {
    added: added.text,
    waiting: waiting.text,
    readings: readings.map(({ text }) => text),
    gone,
    supersedes,
    olderCount,
  };
};

describe('without balances', () => {
  it.each<[string, readonly string[], readonly string[], string, string]>([
    ['nothing is known', ['5 10'], [], '1', ''],
    ['of another day, amount or sign', ['5 10 A', '6 10 A', '-5 11 A'], ['5 11 A'], '1-3', ''],
    ['the same reference of the bank', ['5 10 #1', '5 10 #2'], ['5 10 #1'], '2', ''],
    ['the same payer', ['5 10 #1 A'], ['5 10 #9 A'], '', '1'],
    ['the same end-to-end id', ['5 10 e1'], ['5 10 e1 A'], '', '1'],
    ['another end-to-end id', ['5 10 e1 A'], ['5 10 e2 A'], '1', ''],
    ['another payer', ['5 10 A'], ['5 10 B'], '1', ''],
    ['an end-to-end id that was cut', ['5 10 eInvoice-2026-00'], ['5 10 eInvoice-2026-0047'], '', '1'],
    ['cut, with the same reference of the bank', ['5 10 #1 eInvoice-2026-00'], ['5 10 #1 eInvoice-2026-0047'], '', ''],
    ['nothing is said of either', ['5 10'], ['5 10'], '', '1'],
    ['nothing is said, and both are numbered, perhaps by two', ['5 10 #1'], ['5 10 #2'], '', '1'],
    ['one says who paid, and the other does not', ['5 10 #1 A'], ['5 10 #2'], '', '1'],
    ['the same reference on another day', ['5 12 #1 A'], ['5 10 #1 A'], '', '1'],
    ['a reference that repeats is none', ['5 10 #1 A', '5 10 #1 A'], ['5 10 #1 A'], '', '1-2'],
  ])('%s', (_, texts, known, added, waiting) => {
    const reported = { ...outline, document: 'two', entries: entriesOf(...texts) };
    const entries = booked('bs', 'one', ...known);
    expect(planned(reported, books({ entries }))).toMatchObject({ added, waiting });
    // Another message of the same file is another document.
    const beside = { ...reported, document: 'one', messageInFile: 2 };
    expect(planned(beside, books({ entries }))).toMatchObject({ added, waiting });
    // Equal entries of one message are bookings of their own, and so are those of the pages of a statement.
    const all = `1${texts.length > 1 ? `-${texts.length}` : ''}`;
    expect(planned({ ...beside, messageInFile: 1, series: 'one' }, books({ entries }))).toMatchObject({
      added: all,
      waiting: '',
    });
    const pages = entries.map((each) => ({ ...each, series: 'S', page: 1 }));
    expect(planned({ ...beside, page: 2 }, books({ entries: pages }))).toMatchObject({ added: all, waiting: '' });
  });

  it('whatever is left out of two documents, or of two messages of a file, no account is credited twice, and what is not booked waits or was booked', () => {
    const truth = fc.array(fc.record({ amount: fc.constantFrom(1n, 5n), payer: fc.constantFrom('A', 'B') }), {
      maxLength: 8,
    });
    const source = fc.record({ from: fc.nat(7), to: fc.nat(8), reference: fc.constantFrom('real', 'own', 'none') });
    const holds = fc.property(
      truth,
      fc.array(source, { maxLength: 4 }),
      fc.boolean(),
      (entries, sources, isOneFile) => {
        const known: Booked[] = [];
        const missing = new Set<number>();
        for (const [n, { from, to, reference }] of sources.entries()) {
          const of = { document: isOneFile ? 'one' : `${n}`, messageInFile: isOneFile ? n + 1 : 1 };
          const places = [...entries.keys()].slice(from, to);
          const said = places.map((at): Likeness => {
            const { amount, payer } = entries[at] as (typeof entries)[number];
            const references = { real: `#${at}`, own: `#${n}-${at}`, none: null };
            return {
              amount,
              day: '2026-03-10',
              reference: references[reference],
              endToEndId: null,
              account: payer,
              named: null,
            };
          });
          const plan = planOf({ ...outline, ...of, entries: said }, books({ entries: known }));
          for (const [at, place] of places.entries()) {
            if (plan.added.has(at + 1)) {
              const from = { ...of, statement: `${n}`, series: `${n}`, page: null };
              const each = { ...(said[at] as Likeness), ...from, id: `${n}-${at}` };
              known.push(each);
            } else if (plan.waiting.has(at + 1)) missing.add(place);
          }
        }
        const credited = counted(known.map(({ account, amount }) => `${account} ${amount}`));
        const due = counted(entries.map(({ payer, amount }) => `${payer} ${amount}`));
        for (const [who, times] of credited) expect(times).toBeLessThanOrEqual(due.get(who) ?? 0);
        const reported = new Set(sources.flatMap(({ from, to }) => [...entries.keys()].slice(from, to)));
        expect(known.length + missing.size).toBeGreaterThanOrEqual(reported.size);
      },
    );
    fc.assert(holds, { numRuns: 2_000 });
  });
});

describe('a statement that is issued again', () => {
  const former = statement('first', { ...of('10', '10', 0n, 15n), identity: 'first' });
  const entries = booked('first', 'one', '10 10 A', '5 10 B');
  it('with an entry fewer books nothing, and names what is gone', () => {
    const again = { ...of('10', '10', 0n, 10n), document: 'two', entries: entriesOf('10 10 A') };
    expect(planned(again, books({ statements: [former], entries }))).toMatchObject({
      added: '',
      waiting: '',
      gone: ['first-2'],
      supersedes: 'first',
    });
    // Control: of another series it is a part of the day.
    expect(planned({ ...again, series: 'T' }, books({ statements: [former], entries }))).toMatchObject({
      gone: [],
      supersedes: null,
    });
  });
  it('with another entry in place of one waits, and is certain once that one is voided', () => {
    const again = { ...of('10', '10', 0n, 17n), document: 'two', entries: entriesOf('10 10 A', '7 10 C') };
    expect(planned(again, books({ statements: [former], entries }))).toMatchObject({
      added: '',
      waiting: '1-2',
      readings: ['2'],
      gone: ['first-2'],
    });
    const voided = entries.slice(0, 1);
    expect(planned(again, books({ statements: [former], entries: voided }))).toMatchObject({
      added: '2',
      waiting: '',
      gone: [],
    });
  });
  it('with an entry more takes the place of the first', () => {
    const again = { ...of('10', '10', 0n, 22n), document: 'two', entries: entriesOf('10 10 A', '5 10 B', '7 10 C') };
    expect(planned(again, books({ statements: [former], entries }))).toMatchObject({ added: '3', supersedes: 'first' });
  });
  it('counts in place of the first: a third one is compared with it', () => {
    const second = statement('second', {
      ...of('10', '10', 0n, 10n),
      supersedes: 'first',
      identity: 'second',
      entriesCount: 1,
    });
    const next = {
      ...of('10', '11', 0n, 13n),
      series: 'T',
      document: 'three',
      entries: entriesOf('10 10 A', '3 11 D'),
    };
    const left = entries.slice(0, 1);
    expect(planned(next, books({ statements: [former, second], entries: left }))).toMatchObject({ added: '2' });
  });
});

describe('around the first day of the ledger', () => {
  const first = statement('first', { ...of('05', '05', 100n, 110n), entriesCount: 1 });
  const entries = booked('first', 'one', '10 05 #1 A');
  const straddling = (before: string, opening: bigint) => ({
    ...of('04', '06', opening, 117n),
    document: 'two',
    entries: entriesOf(before, '10 05 #1 A', '7 06 #2 B'),
  });
  it('what is older is in the opening balance', () => {
    expect(
      planned(straddling('20 04 #0 C', 80n), books({ booksFrom: '2026-03-05', statements: [first], entries })),
    ).toMatchObject({
      added: '3',
      olderCount: 1,
      waiting: '',
    });
  });
  it('and if its day is not that, the statement waits', () => {
    const late = straddling('20 05 #0 C', 80n);
    expect(planned(late, books({ booksFrom: '2026-03-05', statements: [first], entries })).waiting).toBe('1-3');
  });
});

describe('on the first day of the ledger', () => {
  const first = statement('2', { ...of('05', '05', 60n, 100n), entriesCount: 1 });
  const entries = booked('2', 'two', '40 05 B');
  const known = books({ booksFrom: '2026-03-05', statements: [first], entries });
  const earlier = { ...of('05', '05', 50n, 60n), document: 'one', entries: entriesOf('10 05 A') };
  const older = { added: '', waiting: '', olderCount: 1 };
  it('a statement that ends where the ledger opens is in the opening balance, if its number or its instants say so', () => {
    const counted = { ...first, sequence: '8', periodFrom: 12, periodUntil: 16 };
    const all = books({ booksFrom: '2026-03-05', statements: [counted], entries });
    expect(planned({ ...earlier, sequence: '7' }, all)).toMatchObject(older);
    expect(planned({ ...earlier, periodFrom: 8, periodUntil: 12 }, all)).toMatchObject(older);
    // Control: one that begins where the first ends is new.
    const later = { ...of('05', '05', 100n, 110n), document: 'one', messageInFile: 1, entries: entriesOf('10 05 A') };
    expect(planned({ ...later, sequence: '9' }, all)).toMatchObject({ added: '1', olderCount: 0 });
  });
  it('so is one that began on a day before; with nothing that tells, it waits', () => {
    expect(planned({ ...earlier, ...of('04', '05', 50n, 60n) }, known)).toMatchObject(older);
    expect(planned(earlier, known)).toMatchObject({ added: '', waiting: '1', readings: ['1', ''] });
  });
  it('one that leads back to where the ledger opens is new, if its number says that it follows on what was booked', () => {
    const [one, two] = [
      { ...first, sequence: '7' },
      statement('3', { ...of('05', '05', 100n, 90n), sequence: '8', entriesCount: 1, series: '3' }),
    ];
    const all = books({
      booksFrom: '2026-03-05',
      statements: [one, two],
      entries: [...entries, ...booked('3', 'three', '-10 05 C')],
    });
    const third = { ...of('05', '05', 90n, 60n), document: 'four', series: '4', entries: entriesOf('-30 05 D') };
    expect(planned({ ...third, sequence: '9' }, all)).toMatchObject({ added: '1', waiting: '', olderCount: 0 });
    // Control: without a number it may be before as well.
    expect(planned(third, all)).toMatchObject({ added: '', waiting: '1' });
  });
  it('so is the one before it, and nothing is beside what books nothing', () => {
    const left = statement('3', { ...of('05', '05', 50n, 60n), sequence: '6', entriesCount: 1 });
    const all = books({ booksFrom: '2026-03-05', statements: [first, left], entries });
    const earliest = { ...of('05', '05', 45n, 50n), sequence: '5', document: 'one', entries: entriesOf('5 05 C') };
    expect(planned(earliest, all)).toMatchObject(older);
    const month = {
      ...of('01', '05', 45n, 100n),
      document: 'month',
      entries: entriesOf('5 05 C', '10 05 A', '40 05 B'),
    };
    expect(planned(month, all).added).toBe('');
  });
  it('a week of which days are older says no more of them beside another one', () => {
    const week = statement('3', { ...of('03', '06', 20n, 107n), entriesCount: 3, series: 'W' });
    const all = [...entries, ...booked('3', 'three', '7 06 D')];
    const month = {
      ...of('01', '07', 10n, 108n),
      document: 'month',
      entries: entriesOf('50 04 A', '40 05 B', '7 06 D', '1 07 E'),
    };
    expect(planned(month, books({ booksFrom: '2026-03-05', statements: [first, week], entries: all }))).toMatchObject({
      added: '4',
      olderCount: 1,
    });
  });
});

describe('bookings of other days than the statement that reports them', () => {
  const monday = statement('mo', { ...of('09', '09', 100n, 130n), entriesFrom: '2026-03-07', entriesCount: 2 });
  const entries = booked('mo', 'mo', '20 07 A', '10 09 B');
  it('are not booked again by a statement of their own day', () => {
    const saturday = { ...of('07', '07', 100n, 120n), document: 'sa', entries: entriesOf('20 07 A') };
    expect(planned(saturday, books({ statements: [monday], entries }))).toMatchObject({ added: '', waiting: '' });
    // Control: with another balance and another payer they are others.
    const other = { ...of('07', '07', 80n, 100n), document: 'sa', entries: entriesOf('20 07 C') };
    expect(planned(other, books({ statements: [monday], entries }))).toMatchObject({ added: '1' });
  });
  it('nor by the one of Monday, if the other one came first', () => {
    const saturday = statement('sa', { ...of('07', '07', 100n, 120n), entriesCount: 1, series: 'P' });
    const reported = {
      ...monday,
      identity: 'new',
      document: 'mo',
      messageInFile: 1,
      entries: entriesOf('20 07 A', '10 09 B'),
    };
    const known = books({ statements: [saturday], entries: booked('sa', 'sa', '20 07 A') });
    expect(planned(reported, known)).toMatchObject({ added: '2', waiting: '' });
  });
});

describe('two statements of a day with the same entries, which come to nothing', () => {
  const first = statement('one', { ...of('10', '10', 0n, 0n), sequence: '7', series: '7' });
  const again = { ...of('10', '10', 0n, 0n), document: 'two', entries: entriesOf('5 10 A', '-5 10 B') };
  const known = (...texts: readonly string[]) =>
    books({ statements: [first], entries: booked('one', 'one', ...texts) });
  it('are two, if the bank counts on', () => {
    expect(planned({ ...again, sequence: '8', series: '8' }, known('5 10 A', '-5 10 B')).added).toBe('1-2');
    // Control: without a number it may be the same.
    expect(planned({ ...again, series: '8' }, known('5 10 A', '-5 10 B')).waiting).toBe('1-2');
  });
  it('are one, if the bank’s references say so', () => {
    const named = { ...again, sequence: '8', series: '8', entries: entriesOf('5 10 #1 A', '-5 10 #2 B') };
    expect(planned(named, known('5 10 #1 A', '-5 10 #2 B'))).toMatchObject({ added: '', waiting: '' });
  });
});

it('what came without balances is known to the statement that reports all of it', () => {
  const entries = booked('n', 'notice', '5 10 A', '7 10 B');
  const reported = { ...of('10', '10', 0n, 12n), document: 'two', entries: entriesOf('5 10 A', '7 10 B') };
  expect(planned(reported, books({ entries }))).toMatchObject({ added: '', waiting: '' });
  const more = { ...of('10', '10', 0n, 13n), document: 'two', entries: entriesOf('5 10 A', '7 10 B', '1 10 C') };
  expect(planned(more, books({ entries }))).toMatchObject({ added: '3', waiting: '' });
});

it('another page of a statement without balances has bookings of its own', () => {
  const page = { ...outline, document: 'two', page: 2, entries: entriesOf('5 10 A') };
  const first = booked('one', 'one', '5 10 A').map((each) => ({ ...each, series: 'S', page: 1 }));
  expect(planned(page, books({ entries: first })).added).toBe('1');
  // Control: of another statement it waits.
  expect(planned({ ...page, series: 'T' }, books({ entries: first })).waiting).toBe('1');
});

it('waits while another statement of its days is being imported, and where nobody could compare so many', () => {
  const reported = { ...of('10', '10', 0n, 5n), document: 'two', entries: entriesOf('5 10') };
  const importing = statement('other', { ...of('10', '10', 0n, 15n), status: 'importing' });
  expect(planned(reported, books({ statements: [importing] }))).toMatchObject({ added: '', waiting: '1' });
  expect(planned(reported, books({}))).toMatchObject({ added: '1', waiting: '' }); // control
});
