/** Reports without balances in one upload: a ZIP, or several messages in a file, repeat one another as files do. */
import { describe, expect, it } from 'vitest';
import { camt, type Written } from '../../../test/support/bank/camt.ts';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { zipOf } from '../../../test/support/bank/read-documents.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { MessageNumbers } from './message-numbers.ts';

const IBAN = 'DE89370400440532013000';
const DAY = '2026-03-02';
const bookedBy = (message: 'camt.052' | 'camt.054') => new MemoryBank([bankAccount({ bookedBy: message })]);
const paid = (amount: string, reference?: string, name = 'Ada'): Written => ({
  amount,
  ...(reference !== undefined && { reference }),
  details: [{ name, iban: 'DE02120300000000202051' }],
});
type Said = readonly [id: string, ...entries: readonly Written[]];
const notices = (...all: readonly Said[]): string =>
  camt(
    all.map(([id, ...entries]) => ({ iban: IBAN, id, day: DAY, entries })),
    'camt.054',
  );
const zip = (...files: readonly string[]) => zipOf(files.map((file, at) => [`${at}.xml`, file]));
const joined = (...files: readonly string[]) => files.join('\n').replaceAll(/<\?xml[^>]*>/g, '');
/** Amounts that were booked, and how many entries of each statement wait. */
const outcome = ({ entries, statements }: MemoryBank) => ({
  booked: entries.map(({ amount }) => Number(amount)),
  waiting: statements.map(({ waitingCount }) => waitingCount),
});

describe.each([
  ['a ZIP', zip],
  ['documents one after another', joined],
])('notifications in %s', (_, file) => {
  it('that tell a deposit twice: it is booked once, and one waits', async () => {
    const bank = bookedBy('camt.054');
    await bank.import(file(notices(['N1', paid('10.00')]), notices(['N2', paid('10.00')])));
    expect(outcome(bank)).toEqual({ booked: [1_000], waiting: [0, 1] });
  });

  it('with the same reference of the bank: it is booked once, and nothing waits', async () => {
    const bank = bookedBy('camt.054');
    const all = [paid('10.00', 'R1'), paid('5.00', 'R2'), paid('7.00', 'R3')];
    await bank.import(file(...[1, 2, 3].map((count) => notices([`N${count}`, ...all.slice(0, count)]))));
    expect(outcome(bank)).toEqual({ booked: [1_000, 500, 700], waiting: [0, 0, 0] });
  });

  it('what waits is decided again as what it was, and waits on', async () => {
    const bank = bookedBy('camt.054');
    await bank.import(file(notices(['N1', paid('10.00')]), notices(['N2', paid('10.00')])));
    await bank.import(notices(['N3', paid('3.00')]));
    expect(outcome(bank)).toEqual({ booked: [1_000, 300], waiting: [0, 1, 0] });
  });
});

describe('in one message', () => {
  it('equal entries are bookings of their own', async () => {
    const bank = bookedBy('camt.054');
    await bank.import(notices(['N1', paid('10.00'), paid('10.00')]));
    expect(outcome(bank)).toEqual({ booked: [1_000, 1_000], waiting: [0] });
  });

  it('and so they are in two notifications', async () => {
    const bank = bookedBy('camt.054');
    await bank.import(notices(['N1', paid('10.00')], ['N2', paid('10.00')]));
    expect(outcome(bank)).toEqual({ booked: [1_000, 1_000], waiting: [0, 0] });
  });

  it('unless they have one reference of the bank: then they wait', async () => {
    const bank = bookedBy('camt.054');
    const ada = paid('10.00', 'R1');
    await bank.import(notices(['N1', ada], ['N2', ada, paid('10.00', 'R2')], ['N3', ada, paid('10.00', 'R3')]));
    expect(outcome(bank)).toEqual({ booked: [1_000, 1_000, 1_000], waiting: [0, 1, 1] });
    // Control: of one notification they are bookings of their own.
    const other = bookedBy('camt.054');
    await other.import(notices(['N1', ada, ada]));
    expect(outcome(other)).toEqual({ booked: [1_000, 1_000], waiting: [0] });
  });

  it.each(['DUPL', 'CODU'])('but not in a notification marked %s', async (mark) => {
    const marked = (file: string, id: string) =>
      file.replace(new RegExp(`(<Id>${id}</Id>.*?</CreDtTm>)`, 's'), `$1<CpyDplctInd>${mark}</CpyDplctInd>`);
    const bank = bookedBy('camt.054');
    await bank.import(marked(notices(['N1', paid('10.00')], ['N2', paid('10.00')]), 'N2'));
    expect(outcome(bank)).toEqual({ booked: [1_000], waiting: [0, 1] });
    const other = bookedBy('camt.054');
    await other.import(zip(notices(['N1', paid('10.00')]), marked(notices(['N2', paid('10.00')]), 'N2')));
    expect(outcome(other)).toEqual({ booked: [1_000], waiting: [0, 1] });
  });
});

describe('MT942 in one file', () => {
  const report = (id: string, ...amounts: readonly string[]) =>
    [
      `:20:${id}`,
      `:25:${IBAN}`,
      ':28C:7',
      ':34F:EUR0,',
      ...amounts.flatMap((amount) => [`:61:2603020302C${amount}NTRFNONREF`, ':86:166?00GUTSCHRIFT?32Ada']),
      '-',
      '',
    ].join('\r\n');

  it('each message is one of its own', async () => {
    const bank = bookedBy('camt.052');
    await bank.import(report('A', '10,00') + report('B', '10,00', '5,00'));
    expect(outcome(bank)).toEqual({ booked: [1_000, 500], waiting: [0, 1] });
  });

  it('of which equal entries are bookings of their own', async () => {
    const bank = bookedBy('camt.052');
    await bank.import(report('A', '10,00', '10,00'));
    expect(outcome(bank)).toEqual({ booked: [1_000, 1_000], waiting: [0] });
  });
});

it('numbers of messages go on over documents; copies have one of their own', () => {
  const numbers = new MessageNumbers();
  const xml = (...copies: readonly ('DUPL' | 'COPY' | null)[]) => {
    numbers.begin({ message: 'camt.054' });
    return copies.map((copy) => numbers.of({ copy }));
  };
  expect([xml(null, null), xml(null, 'DUPL', null, 'COPY'), xml('DUPL', 'DUPL')]).toEqual([
    [1, 1],
    [2, 3, 2, 3],
    [4, 4],
  ]);
  numbers.begin({ message: 'mt942' });
  expect([numbers.of({ copy: null }), numbers.of({ copy: null })]).toEqual([5, 6]);
});
