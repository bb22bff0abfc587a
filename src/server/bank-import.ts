/**
 * The import of a statement file for a request: the upload waits in a temporary file, is checked, and is booked. The
 * answer comes when all is booked, or after a while; then the document says when it is done.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { BANK_ACCOUNTS, loadBankAccountsOf } from '../bank/accounts/sql.ts';
import { payoutsOfFile, underWayOf } from '../bank/payment-files/plan.ts';
import { payeeChecks, payeeChecksIn } from '../bank/payment-files/sql.ts';
import { ledgerBooks } from '../bank/imports/books.ts';
import { detailsReader } from './entry-details.ts';
import { importStatementFile, type ImportParts, takeUpWaiting } from '../bank/imports/importing.ts';
import type { IncomingFile } from '../bank/imports/reading.ts';
import type { BankStatementParts } from '../bank/statements/routes.ts';
import { bookWaiting } from '../bank/imports/waiting-statements.ts';
import { linesOf } from '../bank/statements/slice.ts';
import {
  BANK_STATEMENTS,
  BANK_WAITING,
  knownStatement,
  payeesOf,
  waitingDebits,
  waitingRows,
  waitingStatements,
} from '../bank/statements/sql.ts';
import { startBankMetrics } from '../bank/statements/bank-metrics.ts';
import {
  bankEntryMarks,
  bankEntrySeals,
  bankEntryWords,
  bankRuleSeals,
  waitingSeals,
} from '../bank/statements/sealing.ts';
import { recipientSeals } from '../paying/recipients/sealing.ts';
import type { StatementParts } from '../ledger/statements/document-routes.ts';
import { RequestError } from '../core/values/errors.ts';
import { idOf } from '../core/values/ids.ts';
import type { Call } from '../platform/http/route.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import type { EncodingName } from '../iso20022/read/encoding.ts';
import { LIMITS } from '../iso20022/read/limits.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';
import type { Submission } from '../write/submission.ts';
import { ImportTurns, unfolded } from '../bank/imports/import-turns.ts';
import type { UnmatchedParts } from '../bank/matching/entry-routes.ts';
import { withSuggestions } from '../bank/matching/suggested.ts';
import type { VoidParts } from '../bank/matching/void-routes.ts';
import { internal } from '../write/internal.ts';
import { originOf } from '../write/origin.ts';
import { readInWorker } from '../iso20022/read/in-worker.ts';
import { temporaryFile, writeAll } from '../iso20022/read/temporary-file.ts';

/** How long a request waits for its turn, and then for its import; proxies give up after 30 or 60 seconds. */
const WAIT_MS = 20_000;

interface Spooled extends IncomingFile {
  /** About. */
  readonly unfoldedBytes: number;
}

interface Import {
  /** With the document, before its first entry is booked. */
  readonly begun: Promise<string>;
  /** Resolves with the document when all of it is booked. Rejects with the fault of the file. */
  readonly done: Promise<string>;
}

export function bankImports(options: {
  rows(statement: Statement): Promise<readonly Row[]>;
  submit(submission: Submission): Promise<{ readonly status: number; readonly body: string }>;
  readonly secrets: ServerSecrets;
  readonly settlementDelay: UnmatchedParts['settlementDelay'];
  readonly onFault: (message: string, error: unknown) => void;
}) {
  const stopping = new AbortController();
  const turns = new ImportTurns(WAIT_MS);
  /** By environment and hash: a file that is handed in again meanwhile waits for the import that is under way. */
  const running = new Map<string, Import>();
  const { rows, submit, secrets, settlementDelay, onFault } = options;
  const metrics = startBankMetrics(options);
  const recipients = recipientSeals(secrets);

  const waiting = waitingSeals(secrets);
  const waitingLines = async (environmentId: string, statement: string) =>
    (await rows(waitingRows(environmentId, statement))).map((row) => {
      const stored = waiting.open(BANK_WAITING.read(row));
      return { id: stored.id, lines: linesOf(stored) };
    });

  const details = detailsReader({ rows, secrets });

  const partsOf = (environmentId: string, encoding: EncodingName | null, write: ImportParts['write']): ImportParts => ({
    read: (bytes) => readInWorker(bytes, { signal: stopping.signal, encoding }),
    write,
    books: ledgerBooks({ rows, explanationOf: bankEntryMarks(secrets) }, environmentId),
    knownStatement: async (bankAccount, identity) => {
      const [row] = await rows(knownStatement(environmentId, bankAccount, identity));
      return row === undefined ? null : BANK_STATEMENTS.read(row);
    },
    waitingStatements: async (bankAccount) =>
      (await rows(waitingStatements(environmentId, bankAccount))).map((row) => BANK_STATEMENTS.read(row)),
    waitingLines: (statement) => waitingLines(environmentId, statement),
    ...details(environmentId),
    accounts: async () => (await rows(loadBankAccountsOf([environmentId]))).map((row) => BANK_ACCOUNTS.read(row)),
    payoutsOf: (paymentFile) => payoutsOfFile(rows, environmentId, paymentFile),
    underWayOf: (paymentFile) => underWayOf(rows, environmentId, paymentFile),
    payeeChecksOf: async (paymentFile) => payeeChecksIn(await rows(payeeChecks(environmentId, paymentFile))),
    payeesOf: async (payouts) =>
      new Map(
        (await rows(payeesOf(environmentId, payouts))).map((row) => {
          const recipient = idOf('rcp', row['recipient_id'] as string);
          const details = recipients.detailsOf(row['bank_details'] as string, recipient);
          const [amount, currency] = [row['amount'] as bigint, row['currency'] as string];
          return [idOf('po', row['id'] as string), { amount, currency, details }];
        }),
      ),
    waitingDebitsOf: async (paymentFile) =>
      (await rows(waitingDebits(environmentId, paymentFile))).map((row) => ({
        id: idOf('be', row['id'] as string),
        amount: row['amount'] as bigint,
      })),
  });

  const start = (file: Spooled, parts: ImportParts): Import => {
    let onBegun: (body: string) => void = () => {};
    const begun = new Promise<string>((resolve) => (onBegun = resolve));
    const importNow = async (): Promise<string> => {
      const free = await turns.take(file.unfoldedBytes, stopping.signal);
      try {
        return await importStatementFile(file, parts, onBegun);
      } finally {
        free();
      }
    };
    return { begun, done: importNow() };
  };

  /** Rejects with `RequestError` where the file is refused, and with `overloaded` where too many are imported. */
  const importFile: BankStatementParts['importFile'] = async (
    { caller, requestId, address, trace },
    upload,
    encoding,
  ) => {
    const { environmentId } = caller;
    const origin = originOf(caller, { requestId, idempotencyKey: null, trace, address: address() });
    const write: ImportParts['write'] = (command) => submit({ ...internal('worker', environmentId, command), origin });
    stopping.signal.throwIfAborted();
    const leave = turns.enter(environmentId);
    const temporary = await temporaryFile().catch((error: unknown) => {
      leave();
      throw error;
    });
    const clear = async (): Promise<void> => {
      leave();
      await temporary.remove();
    };
    const file = await spool(temporary.handle, upload, stopping.signal).catch(async (error: unknown) => {
      await clear();
      throw error;
    });
    const key = `${environmentId} ${file.sha256}`;
    const same = running.get(key);
    const mine = same ?? start(file, partsOf(environmentId, encoding, write));
    if (same === undefined) {
      running.set(key, mine);
      mine.done
        .catch((error: unknown) => {
          if (!(error instanceof RequestError)) onFault('A statement file was not imported to its end', error);
        })
        .finally(() => {
          running.delete(key);
          return clear();
        })
        .catch((error: unknown) => onFault('A statement file was imported, and its copy could not be deleted', error));
    } else await clear();
    const answer = await Promise.race([mine.done, sleep(WAIT_MS, null, { ref: false })]);
    // Not begun yet: the file waits or is still being checked, and what is wrong with it must be said.
    return answer ?? Promise.race([mine.done, mine.begun]);
  };
  const partsFor = ({ caller, requestId, address, trace }: Call<unknown, unknown>): ImportParts => {
    const { environmentId } = caller;
    const origin = originOf(caller, { requestId, idempotencyKey: null, trace, address: address() });
    return partsOf(environmentId, null, (command) => submit({ ...internal('worker', environmentId, command), origin }));
  };
  const bookReviewed: BankStatementParts['bookReviewed'] = async (call, id) => {
    const { environmentId } = call.caller;
    const using = partsFor(call);
    const [row] = await rows(BANK_STATEMENTS.load([{ environmentId, id }]));
    const statement = row === undefined ? null : BANK_STATEMENTS.read(row);
    const account = (await using.accounts()).find((each) => each.id === statement?.bankAccount);
    if (statement?.status !== 'importing' || statement.waitingCount > 0 || account === undefined) return;
    await bookWaiting(account, statement, await using.waitingLines(id), using);
    await takeUpWaiting(account, using);
  };
  const decideWaiting: VoidParts['decideWaiting'] = async (call, bankAccount) => {
    const using = partsFor(call);
    const account = (await using.accounts()).find(({ id }) => id === bankAccount);
    if (account !== undefined) await takeUpWaiting(account, using);
  };
  const seals = bankEntrySeals(secrets);
  const fingerprintsOf = (environmentId: string, iban: string) => recipients.fingerprintsOf(environmentId, { iban });
  const parts: BankStatementParts & UnmatchedParts & VoidParts & StatementParts = {
    entryWords: bankEntryWords(secrets),
    seals,
    ruleSeals: bankRuleSeals(secrets),
    settlementDelay,
    importFile,
    waitingLines,
    bookReviewed,
    decideWaiting,
    underWayOf: (environmentId, file) => underWayOf(rows, environmentId, file),
    withSuggestions: (environmentId, entries) =>
      withSuggestions({ rows, seals, fingerprintsOf }, environmentId, entries),
  };
  return {
    parts,
    /** Resolves when no import is under way. New ones are refused. */
    async stop() {
      stopping.abort(new RequestError('overloaded', 'The service is stopping. Send the file again.'));
      await Promise.allSettled(Array.from(running.values(), ({ done }) => done));
      await metrics.stop();
    },
  };
}

/** Keeps the bytes in a file. Throws the signal's reason too. */
async function spool(handle: FileHandle, upload: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Spooled> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let first: number | undefined;
  const keep = async (arriving: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const bytes of arriving) {
      first ??= bytes[0];
      sizeBytes += bytes.byteLength;
      if (sizeBytes > LIMITS.maxBytes) {
        throw new RequestError('body_too_large', `A statement file has at most ${LIMITS.maxBytes} bytes.`);
      }
      hash.update(bytes);
      await writeAll(handle, bytes);
    }
  };
  await pipeline(upload, keep, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
  const open = () => handle.createReadStream({ start: 0, autoClose: false });
  return { open, sha256: hash.digest('hex'), sizeBytes, unfoldedBytes: unfolded(sizeBytes, first) };
}
