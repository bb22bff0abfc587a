/** Details of an entry by another message: what they move, with which events, and when they only explain. */
import { describe, expect, it } from 'vitest';
import { BANK, bankAccount, statementHead, wholeStatement } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import { account, idAt } from '../../../test/support/harness/literals.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import type { State } from '../../core/state.ts';
import type { BankLine } from './booking.ts';
import type { EntryDetails } from './details-decide.ts';
import { type StatementFile, type BankEntry, type ExplainedTransaction, markOf, NOTHING_EXPLAINED } from './fields.ts';

const [ADA, BEN] = [idAt('acct', 1), idAt('acct', 2)];
const DOCUMENT = idAt('sf', 1);
const document = (id = DOCUMENT): StatementFile => ({
  object: 'statement_file',
  id,
  sha256: id,
  status: 'importing',
  sizeBytes: 1n,
  statementsCount: 0,
  skippedCount: 0,
  notes: [],
  importedAt: null,
  createdAt: 0,
});
const line: BankLine = {
  position: 1,
  direction: 'credit',
  amount: 500n,
  bookedOn: '2026-03-13',
  valueOn: null,
  explanation: { ...NOTHING_EXPLAINED, bankReference: 'REF-1' },
  payouts: [],
  file: null,
  references: [],
};
const transaction = (amount: string, to: string | null, name: string): ExplainedTransaction => ({
  amount,
  name,
  account: null,
  text: null,
  endToEndId: null,
  references: to === null ? [] : [depositReference(to)],
  to: null,
  transfer: null,
});
const WHOLE = [transaction('200', ADA, 'Ada'), transaction('300', BEN, 'Ben')];
const details = (
  transactions: readonly ExplainedTransaction[] = WHOLE,
  more: Partial<EntryDetails> = {},
): EntryDetails => ({
  message: 'camt.054',
  direction: 'credit',
  amount: 500n,
  bookedOn: '2026-03-13',
  mark: markOf(likenessOf(line)) as string,
  isExact: transactions.reduce((sum, { amount }) => sum + BigInt(amount ?? '0'), 0n) === 500n,
  isNaming: true,
  transactions,
  ...more,
});

const world = () =>
  given(
    bankAccount({ booksFrom: '2026-01-01' }),
    account({ id: ADA, balance: 0n }),
    account({ id: BEN, balance: 0n }),
    document(),
    document(idAt('sf', 2)),
  )
    .when(wholeStatement(statementHead({ entriesCount: 1 }), [line]))
    .thenAccepts({});
const keep = (all: readonly EntryDetails[] = [details()], id = DOCUMENT) =>
  ({ type: 'keep_entry_details', document: id, bankAccount: BANK, details: all }) as const;
const entryIn = (state: State) =>
  [...state.tables.bank_entry.values()].find(({ kind }) => kind === 'entry') as BankEntry;
const rowsIn = (state: State) => [...state.tables.bank_entry_details.values()];
function bring(state: State, booksVersion?: number) {
  const { booksVersion: now = 0 } = state.tables.bank_account.get(BANK) ?? {};
  const brought = rowsIn(state).map(({ id }) => ({ details: id, entry: entryIn(state).id, references: [] }));
  return { type: 'bring_entry_details', bankAccount: BANK, booksVersion: booksVersion ?? now, brought } as const;
}

describe('details that come to the amount', () => {
  it('divide the entry in one commit: money, entry and event', () => {
    const kept = world().when(keep()).thenAccepts({ events: [], transfers: [] });
    const asked = bring(kept.state);
    const { state } = kept.when(asked).thenAccepts({
      transfers: [
        ['unmatched', ADA, 200n, 'bank_assignment'],
        ['unmatched', BEN, 300n, 'bank_assignment'],
      ],
      events: ['balance.updated', 'balance.updated', 'bank_entry.assigned'],
      now: { [ADA]: { balance: 200n }, [BEN]: { balance: 300n }, [entryIn(kept.state).id]: { status: 'matched' } },
    });
    expect(rowsIn(state)).toMatchObject([{ isWaiting: false, entry: entryIn(state).id, content: '[]' }]);
  });

  it('are not brought twice', () => {
    const once = world().when(keep()).thenAccepts({});
    const asked = bring(once.state);
    const twice = once.when(asked).thenAccepts({});
    twice.when(asked).thenAccepts({ transfers: [], events: [] });
    twice.when(keep()).thenAccepts({ transfers: [], events: [] });
    twice.when(keep(undefined, idAt('sf', 2))).thenAccepts({ reply: { notes: [] } });
    expect(rowsIn(twice.state)).toHaveLength(1);
  });

  it('wait where the books have changed since the entry was found', () => {
    const kept = world().when(keep()).thenAccepts({});
    const { state } = kept
      .when(bring(kept.state, 99))
      .thenAccepts({ reply: { object: 'bank_account' }, transfers: [] });
    expect(rowsIn(state)).toMatchObject([{ isWaiting: true }]);
  });

  it('are not those of another entry', () => {
    const kept = world()
      .when(keep([details(WHOLE, { mark: '00'.repeat(16) })]))
      .thenAccepts({});
    kept.when(bring(kept.state)).thenAccepts({ transfers: [], events: [] });
  });

  it('and are in part of another currency: that part waits, with a conflict', () => {
    const dollars = idAt('acct', 3);
    const other = given(
      bankAccount({ booksFrom: '2026-01-01' }),
      account({ id: ADA, balance: 0n }),
      account({ id: dollars, currency: 'USD', balance: 0n }),
      document(),
    );
    const kept = other
      .when(wholeStatement(statementHead({ entriesCount: 1 }), [line]))
      .thenAccepts({})
      .when(keep([details([transaction('200', ADA, 'Ada'), transaction('300', dollars, 'Don')])]))
      .thenAccepts({});
    const { state } = kept.when(bring(kept.state)).thenAccepts({
      transfers: [['unmatched', ADA, 200n, 'bank_assignment']],
      events: ['balance.updated', 'bank_entry.assigned', 'bank_entry.conflict_detected'],
    });
    expect(entryIn(state).conflict).toContain('which is in USD');
    expect(entryIn(state).explanation.parts).toEqual([{ references: [depositReference(dollars)], amount: '300' }]);
  });
});

describe('details only explain', () => {
  const explained = { transfers: [], events: ['bank_entry.updated'] } as const;

  it('where their sum is another one', () => {
    const kept = world()
      .when(keep([details([transaction('200', ADA, 'Ada')])]))
      .thenAccepts({});
    const { state } = kept.when(bring(kept.state)).thenAccepts(explained);
    expect(entryIn(state)).toMatchObject({ status: 'unmatched', explanation: { details: { document: DOCUMENT } } });
  });

  it('where nothing leads anywhere', () => {
    const kept = world()
      .when(keep([details([transaction('500', null, 'Eve')])]))
      .thenAccepts({});
    kept.when(bring(kept.state)).thenAccepts(explained);
  });

  it.each([
    ['another account', `Thanks ${depositReference(idAt('acct', 9))}`],
    ['what only looks like a reference', `Thanks ${depositReference(ADA).slice(0, -1)}`],
  ])('where the entry itself names %s', (_, text) => {
    const said = { ...line, explanation: { ...line.explanation, text }, references: ['?', '?PART'] };
    const booked = given(
      bankAccount({ booksFrom: '2026-01-01' }),
      account({ id: ADA }),
      account({ id: BEN }),
      document(),
    )
      .when(wholeStatement(statementHead({ entriesCount: 1 }), [said]))
      .thenAccepts({});
    const kept = booked.when(keep()).thenAccepts({});
    kept.when(bring(kept.state)).thenAccepts(explained);
  });

  it.each([
    ['a part has its place', [{ to: 'fees', amount: '1', payouts: [] }], false],
    ['a person has taken a part back', [{ to: 'fees', amount: '1', payouts: [] }], true],
  ])('where %s', (_, targets, isTakenBack) => {
    const kept = world().when(keep()).thenAccepts({});
    const { id: entry } = entryIn(kept.state);
    let later = kept.when({ type: 'assign_bank_entry', entry, targets, reason: null }).thenAccepts({});
    if (isTakenBack) {
      const undo = { type: 'unassign_bank_entry', entry, of: 'fees', transfer: null, reason: null } as const;
      later = later.when(undo).thenAccepts({});
    }
    later.when(bring(later.state)).thenAccepts(explained);
  });

  it('where somebody has asked to void the entry', () => {
    const kept = world().when(keep()).thenAccepts({});
    const { id: entry } = entryIn(kept.state);
    const asked = kept.when({ type: 'void_bank_entry', entry, reason: 'Twice' }).thenAccepts({});
    asked.when(bring(asked.state)).thenAccepts(explained);
  });
});

describe('two documents about one entry', () => {
  const other = [transaction('300', ADA, 'Ada'), transaction('200', BEN, 'Ben')];

  it('the first that comes to the amount is kept, and others are noted', () => {
    const kept = world()
      .when(keep())
      .thenAccepts({})
      .when(keep([details(other)], idAt('sf', 2)));
    const { state } = kept.thenAccepts({ reply: { notes: [expect.stringContaining(DOCUMENT)] } });
    expect(rowsIn(state)).toMatchObject([{ document: DOCUMENT }]);
  });

  it('one that comes to the amount takes the place of one that does not', () => {
    const first = world()
      .when(keep([details([transaction('200', ADA, 'Ada')])]))
      .thenAccepts({});
    const shown = first.when(bring(first.state)).thenAccepts({});
    const kept = shown.when(keep([details()], idAt('sf', 2))).thenAccepts({ reply: { notes: [] } });
    const { state } = kept.when(bring(kept.state)).thenAccepts({
      events: ['balance.updated', 'balance.updated', 'bank_entry.assigned'],
    });
    expect(entryIn(state)).toMatchObject({ status: 'matched', explanation: { details: { document: idAt('sf', 2) } } });
    expect(rowsIn(state).map(({ entry }) => entry)).toEqual([null, entryIn(state).id]);
  });
});

describe('a person', () => {
  it('is erased from what waits, and nobody else', () => {
    const kept = world().when(keep()).thenAccepts({});
    const [row] = rowsIn(kept.state);
    const erase = { type: 'redact_entry_details', id: row?.id as string, transactions: [1] } as const;
    const { state } = kept.when(erase).thenAccepts({ transfers: [], events: [] });
    expect(rowsIn(state)[0]?.content).toMatch(/"Ada".*"Redacted"/);
  });
});
