/** A plan rests on the books as they were when it was made: what is imported between the plan and its first commit makes it a new one. Pure. */
import { expect, it } from 'vitest';
import { PlannedBank } from '../../../test/support/bank/planned-bank.ts';
import { bankAccount, statementHead } from '../../../test/support/harness/bank-literals.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import { NOTHING_EXPLAINED } from '../statements/fields.ts';
import type { BankLine, StatementHead } from '../statements/slice.ts';
import { Chunks } from './chunks.ts';
import { type Planning, planningOf } from './planning.ts';

const lines: readonly BankLine[] = [5n, 7n].map((amount, at) => ({
  position: at + 1,
  direction: 'credit',
  amount,
  bookedOn: '2026-03-13',
  valueOn: null,
  explanation: { ...NOTHING_EXPLAINED, account: `A${at}` },
  payouts: [],
  file: null,
  references: [],
}));
const head = (name: string): StatementHead =>
  statementHead({ identity: name, series: name, opening: 0n, closing: 12n, sum: 12n, entriesCount: 2 });

/** Another source reports the same day, and is imported behind the plan for the first. How many entries there are. */
async function bookedAfter(change: (planning: Planning) => Planning): Promise<number> {
  const bank = new PlannedBank(bankAccount());
  const { parts, account } = bank;
  const reported = { all: lines.map((line) => likenessOf(line)) };
  const planning = await planningOf({ account, head: head('aa'), reported, document: idAt('sf', 1) }, parts);
  await bank.tell(head('bb'), lines, idAt('sf', 2));
  const chunks = new Chunks(change(planning), parts);
  for (const line of lines) await chunks.addLine(line);
  await chunks.end();
  return bank.state.tables.bank_entry.size;
}

it('a plan whose books have changed is made again, so that nothing is booked twice', async () => {
  expect(await bookedAfter((planning) => planning)).toBe(2);
});

it('control: one that rests on nothing books all of it once more', async () => {
  const blind = (planning: Planning): Planning => ({
    ...planning,
    plan: planning.plan && { ...planning.plan, booksVersion: null },
  });
  expect(await bookedAfter(blind)).toBe(4);
});

it('a statement that waits and is decided by two imports at once is decided by the first, and the second goes on', async () => {
  const bank = new PlannedBank(bankAccount());
  const unclear = { ...head('aa'), closing: 13n };
  await bank.tell(unclear, lines, idAt('sf', 1));
  const [statement] = bank.state.tables.bank_statement.values();
  const certain = { missingEntries: [], supersedes: null, booksVersion: bank.account.booksVersion };
  const { id = '', bankAccount: of = '' } = statement ?? {};
  const review = { type: 'review_bank_statement', statement: id, bankAccount: of, added: '1-2', reason: null } as const;
  const answers = [];
  for (let n = 0; n < 2; n += 1) answers.push(await bank.parts.write({ ...review, certain }));
  expect(answers.map(({ status, body }) => [status, (JSON.parse(body) as { readonly object: string }).object])).toEqual(
    [
      [200, 'bank_statement'],
      [200, 'bank_account'],
    ],
  );
});
