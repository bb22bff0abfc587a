/** Details of entries that wait in a ledger in memory, as the import asks for them. Who asks: `memory-bank.ts`. */
import type { ImportParts } from '../../../src/bank/imports/importing.ts';
import { type BankEntry, markOf } from '../../../src/bank/statements/fields.ts';
import { likenessOf } from '../../../src/core/deduplication/likeness.ts';
import type { State } from '../../../src/core/state.ts';

type Details = Pick<ImportParts, 'detailsWaiting' | 'detailsOfIds' | 'referencesOfStatement' | 'marksWaiting'>;

const placeOf = ({ bookedOn, id }: { readonly bookedOn: string; readonly id: string }) => `${bookedOn} ${id}`;

export function memoryDetails({ tables }: State): Details {
  const waiting = (bankAccount: string) =>
    [...tables.bank_entry_details.values()].filter((each) => each.isWaiting && each.bankAccount === bankAccount);
  const likeness = (entry: BankEntry) => likenessOf({ ...entry, file: null });
  const entries = () =>
    [...tables.bank_entry.values()].filter(({ kind, status }) => kind === 'entry' && status !== 'voided');
  return {
    detailsWaiting: (bankAccount, { days, after }) =>
      Promise.resolve(
        waiting(bankAccount)
          .filter(({ bookedOn }) => days === null || (bookedOn >= days.from && bookedOn <= days.to))
          .toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)))
          .filter((each) => after === null || placeOf(each) > placeOf(after))
          .map(({ id, mark, isExact, amount, direction, bookedOn }) => {
            const alike = entries().filter(
              (each) =>
                each.bankAccount === bankAccount &&
                each.amount === amount &&
                each.direction === direction &&
                (each.bookedOn ?? each.valueOn) === bookedOn,
            );
            const marked = alike.map((each) => {
              const { reference } = likeness(each);
              return { id: each.id, statement: each.statement, reference, mark: markOf(likeness(each)) };
            });
            return { id, bookedOn, mark, isExact, entries: marked };
          }),
      ),
    detailsOfIds: (ids) => Promise.resolve(ids.flatMap((id) => tables.bank_entry_details.get(id) ?? [])),
    referencesOfStatement: (statement) =>
      Promise.resolve(
        entries().flatMap((each) => (each.statement === statement ? (likeness(each).reference ?? []) : [])),
      ),
    marksWaiting: (bankAccount, marks) =>
      Promise.resolve(
        new Set(waiting(bankAccount).flatMap(({ mark, isNaming }) => (isNaming && marks.includes(mark) ? [mark] : []))),
      ),
  };
}
