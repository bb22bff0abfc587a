/** A statement that waits is superseded by a later one that says the same, and by no other. */
import { describe, expect, it } from 'vitest';
import { camt, type Written, type WrittenStatement } from '../../../test/support/bank/camt.ts';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';

const IBAN = 'DE89370400440532013000';
const DAY = '2026-03-02';
const paid = (amount: string, reference: string, endToEndId = 'NOTPROVIDED'): Written => ({
  amount,
  reference,
  details: [{ endToEndId, name: 'Ada', iban: 'DE02120300000000202051' }],
});
/** Of a bank that gives all its statements one id and no number. */
const statement = (closing: string, entries: readonly Written[], said: Partial<WrittenStatement> = {}): string =>
  camt([{ iban: IBAN, id: 'STMT', day: DAY, opening: '10.00', closing, entries, ...said }]);
const outcome = ({ entries, statements }: MemoryBank) => ({
  booked: entries.flatMap(({ kind, amount, direction }) =>
    kind === 'entry' ? [direction === 'credit' ? Number(amount) : -Number(amount)] : [],
  ),
  statuses: statements.map(({ status }) => status),
});
async function after(files: readonly string[], bank = new MemoryBank()): Promise<MemoryBank> {
  for (const file of files) await bank.import(file);
  return bank;
}
const pair = (n: number) => [paid('5.00', `R${n}0`, 'A1'), paid('-5.00', `R${n}1`, 'A2')];

describe('one id for all statements, three of a day that begin alike', () => {
  it('a later one with other entries leaves it as it waits', async () => {
    const bank = await after([
      statement('10.00', pair(0)),
      statement('10.00', pair(1)),
      statement('17.00', [paid('7.00', 'Z')]),
    ]);
    expect(outcome(bank)).toEqual({ booked: [500, -500, 700], statuses: ['imported', 'needs_review', 'imported'] });
  });

  it('and so does one that repeats the first, with the same details and other references', async () => {
    const grown = [...pair(0), paid('7.00', 'Z')];
    const bank = await after([statement('10.00', pair(0)), statement('10.00', pair(1)), statement('17.00', grown)]);
    expect(outcome(bank).statuses[1]).toBe('needs_review');
  });

  it('control: one with its entries takes its place', async () => {
    const bank = await after([statement('11.00', pair(1)), statement('17.00', [...pair(1), paid('7.00', 'Z')])]);
    expect(outcome(bank)).toEqual({ booked: [500, -500, 700], statuses: ['superseded', 'imported'] });
  });

  it('as MT940', async () => {
    const mt = (closing: string, ...lines: readonly string[]) =>
      [
        ':20:STARTUMS',
        `:25:${IBAN}`,
        ':28C:0',
        ':60F:C260302EUR10,00',
        ...lines,
        `:62F:C260302EUR${closing}`,
        '-',
        '',
      ].join('\r\n');
    const line = (amount: string, reference: string, id: string) => [
      `:61:2603020302${amount}NTRFNONREF//${reference}`,
      `:86:166?00GUTSCHRIFT?20EREF+${id}?31DE02120300000000202051?32Ada`,
    ];
    const both = (n: number) => [...line('C5,00', `R${n}0`, 'A1'), ...line('D5,00', `R${n}1`, 'A2')];
    const bank = await after([
      mt('10,00', ...both(0)),
      mt('10,00', ...both(1)),
      mt('17,00', ...line('C7,00', 'Z', 'A3')),
    ]);
    expect(outcome(bank)).toEqual({ booked: [500, -500, 700], statuses: ['imported', 'needs_review', 'imported'] });
  });
});

describe('one that does not add up', () => {
  const ada = paid('1.00', 'R1', 'A1');
  const bob = paid('2.00', 'R2', 'A2');
  it.each<[string, string, readonly Written[], string]>([
    ['with its entries and a closing balance that is right', '13.00', [ada, bob], 'superseded'],
    ['with an entry more', '16.00', [ada, paid('3.00', 'R3'), bob], 'superseded'],
    ['with other references', '13.00', [paid('1.00', 'Q1', 'A1'), paid('2.00', 'Q2', 'A2')], 'superseded'],
    ['without one of its entries', '11.00', [ada], 'needs_review'],
    ['with another entry in place of one', '14.00', [ada, paid('3.00', 'R3')], 'needs_review'],
  ])('issued again %s', async (_, closing, entries, status) => {
    const bank = await after([statement('99.00', [ada, bob]), statement(closing, entries)]);
    expect(outcome(bank).statuses).toEqual([status, 'imported']);
  });

  it('issued again with entries that another statement has brought since', async () => {
    const bank = await after([
      statement('99.00', [ada, bob]),
      statement('13.00', [ada, bob], { id: 'PORTAL' }),
      statement('13.00', [ada, bob]),
    ]);
    expect(outcome(bank)).toEqual({ booked: [100, 200], statuses: ['superseded', 'imported', 'imported'] });
  });

  it('and a later one that repeats fewer than it says', async () => {
    const bank = await after([
      statement('99.00', [ada, bob]),
      statement('13.00', [ada, bob], { id: 'PORTAL' }),
      statement('11.00', [ada]),
    ]);
    expect(outcome(bank).statuses[0]).toBe('needs_review');
  });
});

it('read with other signs, after the setting was changed', async () => {
  const account = bankAccount({ reversalSign: 'own' });
  const bank = new MemoryBank([account]);
  const reversal = { ...paid('2.00', 'R2', 'A2'), isReversal: true };
  const file = statement('9.00', [paid('1.00', 'R1', 'A1'), reversal]);
  await bank.import(file);
  expect(outcome(bank)).toEqual({ booked: [], statuses: ['needs_review'] });
  bank.state.put({ ...(bank.state.tables.bank_account.get(account.id) ?? account), reversalSign: 'original' });
  await bank.import(file);
  expect(outcome(bank)).toEqual({ booked: [100, -200], statuses: ['superseded', 'imported'] });
});
