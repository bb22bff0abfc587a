/** Details of entries that wait, read for the import (`bank/imports/bringing.ts`): sealed texts are opened here. */
import { setImmediate } from 'node:timers/promises';
import type { ImportParts } from '../bank/imports/importing.ts';
import { BANK_ENTRY_DETAILS, markOf } from '../bank/statements/fields.ts';
import { bankEntryMarks, entryDetailsSeals } from '../bank/statements/sealing.ts';
import {
  detailsOfIds,
  entriesOfKeys,
  entriesOfStatement,
  marksThatWait,
  MOST_OF_A_DAY,
  MOST_OF_A_STATEMENT,
  waitingDetails,
} from '../bank/statements/details-sql.ts';
import { BANK_DETAILS } from '../bank/statements/sql.ts';
import { likenessOf } from '../core/deduplication/likeness.ts';
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';

type Reader = Pick<ImportParts, 'detailsWaiting' | 'detailsOfIds' | 'referencesOfStatement' | 'marksWaiting'>;

/** Entries that are unsealed at a stretch. */
const TURN = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

/** Each is unsealed, and others want the thread too. */
async function inTurns<T>(rows: readonly Row[], read: (row: Row) => T): Promise<readonly T[]> {
  const all: T[] = [];
  for (const row of rows) {
    all.push(read(row));
    if (all.length % TURN === 0) await setImmediate();
  }
  return all;
}

/** Of an environment. */
export function detailsReader({
  rows,
  secrets,
}: {
  rows(this: void, statement: Statement): Promise<readonly Row[]>;
  readonly secrets: ServerSecrets;
}): (environmentId: string) => Reader {
  const [seals, marksIn] = [entryDetailsSeals(secrets), bankEntryMarks(secrets)];
  const likenessIn = (id: string, row: Row) =>
    likenessOf({
      direction: row['direction'] as string,
      amount: row['amount'] as bigint,
      bookedOn: row['booked_on'] as string,
      valueOn: null,
      file: null,
      explanation: marksIn(id, row['explanation'] as string),
    });
  const entryIn = (row: Row) => {
    const id = idOf('be', row['entry'] as string);
    const likeness = likenessIn(id, row);
    const statement = idOf('bs', row['statement'] as string);
    return { id, statement, reference: likeness.reference, mark: markOf(likeness) };
  };
  const keyOf = (row: Row) => `${row['direction'] as string} ${row['amount'] as bigint} ${row['booked_on'] as string}`;
  return (environmentId) => ({
    async detailsWaiting(bankAccount, { days, after }) {
      const { from = '-infinity', to = 'infinity' } = days ?? {};
      const begin = after === null ? { day: from, uuid: FIRST } : { day: after.bookedOn, uuid: uuidOf(after.id) };
      const waiting = await rows(waitingDetails(environmentId, bankAccount, { after: begin, to }));
      const keys = [...new Map(waiting.map((row) => [keyOf(row), row])).values()].map((row) => ({
        amount: row['amount'] as bigint,
        direction: row['direction'] as string,
        day: row['booked_on'] as string,
      }));
      const entries = new Map<string, Row[]>();
      for (const row of keys.length === 0 ? [] : await rows(entriesOfKeys(environmentId, bankAccount, keys))) {
        const alike = entries.get(keyOf(row));
        if (alike === undefined) entries.set(keyOf(row), [row]);
        else alike.push(row);
      }
      const opened = new Map<string, readonly ReturnType<typeof entryIn>[] | null>();
      for (const [key, alike] of entries) {
        opened.set(key, alike.length > MOST_OF_A_DAY ? null : await inTurns(alike, entryIn));
      }
      return waiting.map((row) => {
        const found = opened.get(keyOf(row));
        return {
          id: idOf(BANK_ENTRY_DETAILS.prefix, row['id'] as string),
          bookedOn: row['booked_on'] as string,
          mark: row['mark'] as string,
          isExact: row['is_exact'] as boolean,
          entries: found === undefined ? [] : found,
        };
      });
    },
    detailsOfIds: async (ids) =>
      (await rows(detailsOfIds(environmentId, ids))).map((row) => seals.open(BANK_DETAILS.read(row))),
    async referencesOfStatement(statement) {
      const found = await rows(entriesOfStatement(environmentId, statement));
      if (found.length > MOST_OF_A_STATEMENT) return null;
      const references = await inTurns(found, (row) => likenessIn(idOf('be', row['entry'] as string), row).reference);
      return references.filter((reference) => reference !== null);
    },
    marksWaiting: async (bankAccount, marks) =>
      new Set((await rows(marksThatWait(environmentId, bankAccount, marks))).map((row) => row['mark'] as string)),
  });
}
