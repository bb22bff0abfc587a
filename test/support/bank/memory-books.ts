/** The books of a ledger in memory, as the import asks for them. Who asks: `memory-bank.ts`. */
import type { LedgerBooks } from '../../../src/bank/imports/books.ts';
import { isNear, NEAR_DAYS } from '../../../src/core/deduplication/doubts.ts';
import { DAY_MS } from '../../../src/core/values/time.ts';
import { likenessOf } from '../../../src/core/deduplication/likeness.ts';
import {
  besideOf,
  hasBalances,
  type Booked,
  type Outline,
  shareDays,
} from '../../../src/core/deduplication/outline.ts';
import { withEntries } from '../../../src/core/deduplication/spans.ts';
import type { PlanningParts } from '../../../src/bank/imports/planning.ts';
import { linesOf } from '../../../src/bank/statements/waiting.ts';
import type { State } from '../../../src/core/state.ts';

/** The entries of a bank account, as they are compared. */
export const entriesIn = ({ tables }: State, bankAccount: string): (Booked & { readonly hasBalances: boolean })[] =>
  [...tables.bank_entry.values()].flatMap((each) => {
    const statement = tables.bank_statement.get(each.statement);
    if (
      each.bankAccount !== bankAccount ||
      each.kind !== 'entry' ||
      each.status === 'voided' ||
      statement === undefined
    )
      return [];
    const { document, messageInFile, series, page } = statement;
    const of = { document, messageInFile, series, page, hasBalances: hasBalances(statement) };
    const said = likenessOf({ ...each, file: each.paymentFile });
    return [{ ...said, ...of, id: each.id, statement: each.statement }];
  });

const isAround = ({ startsOn, closedOn }: Outline, day: string): boolean =>
  Date.parse(day) >= Date.parse(startsOn as string) - NEAR_DAYS * DAY_MS &&
  Date.parse(day) <= Date.parse(closedOn as string) + NEAR_DAYS * DAY_MS;

export function memoryBooks(state: State): PlanningParts {
  const { tables } = state;
  const statementsOf = (bankAccount: string) =>
    [...tables.bank_statement.values()].filter((each) => each.bankAccount === bankAccount);
  const entriesOf = (bankAccount: string) => entriesIn(state, bankAccount);
  const linesIn = (statement: string) =>
    [...tables.bank_waiting_lines.values()].filter((row) => row.statement === statement && row.isWaiting);
  const books: LedgerBooks = {
    stateOf: (id) => {
      const { booksVersion: version = 0, booksFrom = null } = tables.bank_account.get(id) ?? {};
      return Promise.resolve({ version, booksFrom });
    },
    statementsBeside: (id, reported) =>
      Promise.resolve(
        besideOf(
          reported,
          statementsOf(id).filter(
            (each) =>
              each.status === 'importing' ||
              (each.status === 'imported' &&
                each.startsOn !== null &&
                each.closedOn !== null &&
                reported.startsOn !== null),
          ),
        ),
      ),
    entriesBeside: (id, reported, beside) => {
      const ids = new Set(beside.map((each) => each.id));
      const isOfItsDays = (day: string | null) => day === null || isAround(reported, day);
      return Promise.resolve(
        entriesOf(id).filter((each) => ids.has(each.statement) || (!each.hasBalances && isOfItsDays(each.day))),
      );
    },
    entriesBehind: (id, reported, beside) => {
      const ids = new Set(beside.map((each) => each.id));
      const others = new Set(
        statementsOf(id)
          .filter((each) => each.status === 'imported' && !ids.has(each.id) && hasBalances(each))
          .filter((each) => beside.some((one) => hasBalances(one) && shareDays(withEntries(one), each)))
          .map((each) => each.id),
      );
      return Promise.resolve(
        entriesOf(id).filter((each) => others.has(each.statement) && isAround(reported, each.day ?? '')),
      );
    },
    entriesAlike: (id, reported) => {
      const isAlike = (each: Booked) =>
        reported.some(({ amount, day }) => amount === each.amount && isNear(day, each.day));
      return Promise.resolve(entriesOf(id).filter(isAlike));
    },
    heldBefore: (id, day) =>
      Promise.resolve(
        entriesOf(id).reduce((sum, each) => (each.day !== null && each.day < day ? sum + each.amount : sum), 0n),
      ),
  };
  return {
    books,
    knownStatement: (bankAccount, identity) =>
      Promise.resolve(statementsOf(bankAccount).find((each) => each.identity === identity) ?? null),
    waitingStatements: (bankAccount) =>
      Promise.resolve(
        statementsOf(bankAccount).filter(
          ({ id, status, waitingCount }) =>
            (status === 'needs_review' || (status === 'importing' && waitingCount === 0)) && linesIn(id).length > 0,
        ),
      ),
    waitingLines: (statement) =>
      Promise.resolve(linesIn(statement).map((row) => ({ id: row.id, lines: linesOf(row) }))),
  };
}
