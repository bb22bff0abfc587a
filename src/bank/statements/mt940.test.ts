/** Statements of an MT940 beside each other: which are one, and which are not. What their files say: `iso20022/read/mt940.test.ts`. */
import { describe, expect, it } from 'vitest';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { bareMessage } from '../../../test/support/bank/messages.ts';

/** Of a day of November that begins with so many euros, and books one each. */
const statement = (day: number, number: string, from: number, tags = ['60F', '62F'], bookings = 1): string =>
  bareMessage(
    ':20:STARTUMS',
    ':25:37040044/532013000',
    `:28C:${number}`,
    `:${tags[0]}:C2611${day - (tags[0] === '60F' ? 1 : 0)}EUR${from},`,
    ...Array.from({ length: bookings }, () => `:61:2611${day}C1,NTRFNONREF`),
    `:${tags[1]}:C2611${day}EUR${from + bookings},`,
  );

async function imported(...files: readonly string[]) {
  const bank = new MemoryBank();
  for (const file of files) await bank.import(file);
  return {
    proofs: bank.statements.map(({ proof }) => proof),
    series: new Set(bank.statements.map(({ series }) => series)).size,
    booked: bank.entries.filter(({ kind }) => kind === 'entry').length,
  };
}

describe('statements that all have one id', () => {
  it('are three without a number, each of its day', async () => {
    const files = [statement(23, '0', 10), statement(24, '00000/001', 11), statement(25, '0', 12)];
    const all = { proofs: ['ok', 'ok', 'ok'], series: 3, booked: 3 };
    expect(await imported(...files)).toEqual(all);
    expect(await imported(files.join(''))).toEqual(all);
    expect(await imported(...files, files.join('\n'))).toEqual(all);
  });

  it('are reported by their numbers', async () => {
    expect(await imported(statement(23, '7/1', 10), statement(24, '8/1', 11))).toMatchObject({ series: 2, booked: 2 });
  });

  it('are statements that follow on where each has both balances, whatever stands behind the number', async () => {
    const parts = [statement(23, '2/1', 10), statement(23, '2/2', 11), statement(23, '2/3', 12)];
    expect(await imported(...parts)).toEqual({ proofs: ['ok', 'ok', 'ok'], series: 1, booked: 3 });
  });

  it('are pages of one: equal bookings on two of them are two', async () => {
    const pages = [statement(23, '7/1', 10, ['60F', '62M'], 2), statement(23, '7/2', 12, ['60M', '62F'], 2)];
    expect(await imported(...pages)).toEqual({ proofs: ['ok', 'ok'], series: 1, booked: 4 });
    expect(await imported(pages.join(''), ...pages)).toEqual({ proofs: ['ok', 'ok'], series: 1, booked: 4 });
  });
});

it('a closing balance that opening and bookings do not give is a proof that failed', async () => {
  const wrong = statement(23, '7/1', 10).replace('EUR11,', 'EUR12,');
  expect(await imported(wrong)).toMatchObject({ proofs: ['failed'] });
});
