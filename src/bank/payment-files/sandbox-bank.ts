/**
 * The bank of a sandbox, for rehearsals with real pain.002 and camt files: each payout ends as the account of its recipient says
 * (`core/rails/test-accounts.ts`). It only reads; its files are imported like any other. A debit is reported until it is booked, then what
 * comes back of it.
 */
import { reasonOfFailure } from '../../core/rails/failures.ts';
import { currencyOf, type Currency } from '../../core/values/currencies.ts';
import { RequestError } from '../../core/values/errors.ts';
import { noSuchAccount } from './plan.ts';
import { parseAmount } from '../../core/values/money.ts';
import { testOutcome, type TestOutcome } from '../../core/rails/test-accounts.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import type { Stored } from '../../core/objects.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { accountNumberOf } from '../../iso20022/write/routes.ts';
import { type ReportedEntry, writeCamt, writePain002 } from '../../iso20022/write/reports.ts';
import type { PaymentFile } from './fields.ts';
import type { DetailsOf } from './payable.ts';
import { allInstructionsOf, PAYMENT_FILES, type DuePayout, payoutFrom, sealedFilesOf } from './sql.ts';

export interface SandboxBankParts {
  rows(this: void, statement: Statement): Promise<readonly Row[]>;
  readonly detailsOf: DetailsOf;
  accounts(this: void, environmentId: string): Promise<readonly Stored['bank_account'][]>;
  /** Environment clock. */
  now(this: void, environmentId: string): Promise<number>;
  /** The last day of which the bank has reported; `null`: it never has. */
  lastDayOf(this: void, environmentId: string, bankAccount: string): Promise<string | null>;
}

/** A payout in a file, and how its test account lets it end. */
interface Sent {
  readonly payout: DuePayout;
  readonly status: string;
  /** Paid by a message, and not debited yet. */
  readonly isUnbooked: boolean;
  readonly expected: TestOutcome | undefined;
}

async function* sentIn(
  { rows, detailsOf }: SandboxBankParts,
  environmentId: string,
  file: string,
): AsyncGenerator<Sent> {
  for await (const row of allInstructionsOf(rows, environmentId, file)) {
    const payout = payoutFrom(row);
    const expected = testOutcome(detailsOf(payout.creditor.bankDetails, payout.creditor.recipient));
    yield { payout, status: row['status'] as string, isUnbooked: row['unbooked'] as boolean, expected };
  }
}

/** The report of the bank on a sealed file: pain.002. Throws what `detailsOf` throws. */
export async function reportOn(parts: SandboxBankParts, environmentId: string, file: PaymentFile): Promise<string> {
  const rejected = [];
  for await (const { payout, expected } of sentIn(parts, environmentId, file.id)) {
    if (expected?.outcome !== 'failed') continue;
    rejected.push({ endToEndId: outgoingId(payout.id), reason: reasonOfFailure(expected.failureCode) });
  }
  return writePain002({ messageId: file.messageId, created: `${file.executionOn}T10:00:00Z`, rejected });
}

export interface Deposit {
  /** Major units. */
  readonly amount: string;
  readonly text: string | null;
}

/** The next statement of an account, in the message that it books by. Throws `resource_missing`, `amount_…`, and what `detailsOf` throws. */
export async function nextStatement(
  parts: SandboxBankParts,
  environmentId: string,
  bankAccount: string,
  deposit: Deposit | null,
): Promise<string> {
  const account = (await parts.accounts(environmentId)).find(({ id }) => id === bankAccount);
  if (!account) throw noSuchAccount(bankAccount, 'id');
  const lastDay = await parts.lastDayOf(environmentId, account.id);
  let day = lastDay === null ? isoDay(await parts.now(environmentId)) : isoDay(dayStartMs(lastDay) + DAY_MS);
  const entries: ReportedEntry[] = [];
  if (deposit !== null) {
    const amount = parseAmount(deposit.amount, currencyOf(account.currency) as Currency);
    if (typeof amount !== 'bigint') throw new RequestError(amount.code, amount.message, { param: 'deposit' });
    entries.push({ ...NOTHING, amount, name: 'Ada Lovelace', text: deposit.text });
  }
  const files = await parts.rows(sealedFilesOf(environmentId, account.id));
  for (const row of files) {
    const file = PAYMENT_FILES.read(row);
    let whole: ReportedEntry | null = null;
    for await (const sent of sentIn(parts, environmentId, file.id)) {
      const entry = entryOf(sent);
      if (entry === null) continue;
      if (file.batchBooking && entry.amount < 0n) whole = withDebit(whole, entry, file);
      else entries.push(entry);
      if (file.executionOn > day) day = file.executionOn;
    }
    if (whole !== null) entries.push(whole);
  }
  const { bookedBy: message, currency, balance: opening } = account;
  return writeCamt({ message, account: accountNumberOf(account.bankDetails) ?? '', currency, day, opening, entries });
}

const NOTHING: ReportedEntry = {
  amount: 0n,
  endToEndId: null,
  batch: null,
  name: null,
  text: null,
  returnReason: null,
};

/** The one debit of a file that is booked as one. */
function withDebit(whole: ReportedEntry | null, { amount }: ReportedEntry, { messageId }: PaymentFile): ReportedEntry {
  const { amount: before, batch } = whole ?? NOTHING;
  const count = (batch?.count ?? 0) + 1;
  return { ...NOTHING, amount: before + amount, batch: { paymentInformationId: messageId, count } };
}

/** What the bank books next of a payout; `null`: nothing more. */
function entryOf({ payout, status, isUnbooked, expected }: Sent): ReportedEntry | null {
  const said = { ...NOTHING, endToEndId: outgoingId(payout.id), name: payout.creditor.name };
  if (isUnbooked || (status === 'in_transit' && expected?.outcome !== 'failed'))
    return { ...said, amount: -payout.amount };
  if (status !== 'paid' || expected?.outcome !== 'returned') return null;
  return { ...said, amount: payout.amount, returnReason: reasonOfFailure(expected.failureCode) };
}
