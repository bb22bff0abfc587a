/** Details of entries that wait, read for the import (`bank/imports/bringing.ts`): sealed texts are opened here. */
import type { ImportParts } from '../bank/imports/importing.ts';
import { BANK_ENTRY_DETAILS, markOf } from '../bank/statements/fields.ts';
import { bankEntryMarks, entryDetailsSeals } from '../bank/statements/sealing.ts';
import {
  detailsOfIds,
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

const FIRST = '00000000-0000-0000-0000-000000000000';

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
  return (environmentId) => ({
    async detailsWaiting(bankAccount, after) {
      const behind = after === null ? FIRST : uuidOf(after);
      const groups = new Map<string, Row[]>();
      for (const row of await rows(waitingDetails(environmentId, bankAccount, behind))) {
        const id = row['details'] as string;
        groups.set(id, [...(groups.get(id) ?? []), row]);
      }
      return [...groups.values()].map((all) => {
        const [first] = all as [Row];
        const named = all.filter((row) => row['entry'] !== null);
        return {
          id: idOf(BANK_ENTRY_DETAILS.prefix, first['details'] as string),
          mark: first['mark'] as string,
          isExact: first['is_exact'] as boolean,
          entries: named.length > MOST_OF_A_DAY ? null : named.map(entryIn),
        };
      });
    },
    detailsOfIds: async (ids) =>
      (await rows(detailsOfIds(environmentId, ids))).map((row) => seals.open(BANK_DETAILS.read(row))),
    async referencesOfStatement(statement) {
      const found = await rows(entriesOfStatement(environmentId, statement));
      if (found.length > MOST_OF_A_STATEMENT) return null;
      return found.flatMap((row) => likenessIn(idOf('be', row['entry'] as string), row).reference ?? []);
    },
    marksWaiting: async (bankAccount, marks) =>
      new Set((await rows(marksThatWait(environmentId, bankAccount, marks))).map((row) => row['mark'] as string)),
  });
}
