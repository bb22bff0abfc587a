/**
 * Sandbox bank accounts that decide how a payout ends; any other valid account is paid. The first five rows are
 * Stripe's test numbers for the same failures. Never consulted for a live payout. Written out, so that a search for a
 * number ends here. Why each code: `failures.ts`.
 */
import type { FailureCode } from './failures.ts';
type BankDetails = Readonly<Record<string, string>>;

/** `failed` before it is paid; `returned` after it was paid. */
export interface TestOutcome {
  readonly outcome: 'failed' | 'returned';
  readonly failureCode: FailureCode;
}

export interface TestAccount extends TestOutcome {
  /** Country DE; any accepted currency. */
  readonly iban: string;
  /** Twelve digits: US with any routing number, and every other place that takes twelve digits (IN, CA, SWIFT). */
  readonly usAccountNumber: string;
  /** Eight digits: GB with any sort code, and every other place that takes eight digits (AU, CA, SWIFT). */
  readonly gbAccountNumber: string;
  /** Country MX, currency MXN. */
  readonly clabe: string;
}

type Row = readonly [TestOutcome['outcome'], FailureCode, iban: string, us: string, gb: string, clabe: string];

// biome-ignore format: a table reads best with one row a line.
const ROWS: readonly Row[] = [
  ['failed', 'no_account', 'DE62370400440532013001', '000111111116', '11111116', '002010090000000011'],
  ['failed', 'account_closed', 'DE35370400440532013002', '000111111113', '11111113', '002010090000000024'],
  ['failed', 'insufficient_funds', 'DE08370400440532013003', '000222222227', '22222227', '002010090000000037'],
  ['failed', 'debit_not_authorized', 'DE78370400440532013004', '000333333335', '33333335', '002010090000000040'],
  ['failed', 'invalid_currency', 'DE51370400440532013005', '000444444440', '44444440', '002010090000000053'],
  ['failed', 'account_frozen', 'DE24370400440532013006', '000900000006', '90000006', '002010090000000066'],
  ['failed', 'bank_account_restricted', 'DE94370400440532013007', '000900000007', '90000007', '002010090000000079'],
  ['failed', 'bank_ownership_changed', 'DE67370400440532013008', '000900000008', '90000008', '002010090000000082'],
  ['failed', 'could_not_process', 'DE40370400440532013009', '000900000009', '90000009', '002010090000000095'],
  ['failed', 'declined', 'DE13370400440532013010', '000900000010', '90000010', '002010090000000105'],
  ['failed', 'invalid_account_number', 'DE83370400440532013011', '000900000011', '90000011', '002010090000000118'],
  ['failed', 'incorrect_account_holder_name', 'DE56370400440532013012', '000900000012', '90000012', '002010090000000121'],
  ['failed', 'incorrect_account_holder_address', 'DE29370400440532013013', '000900000013', '90000013', '002010090000000134'],
  ['failed', 'incorrect_account_holder_tax_id', 'DE02370400440532013014', '000900000014', '90000014', '002010090000000147'],
  ['failed', 'unsupported_card', 'DE72370400440532013015', '000900000015', '90000015', '002010090000000150'],
  ['failed', 'recipient_name_mismatch', 'DE45370400440532013016', '000900000016', '90000016', '002010090000000163'],
  ['failed', 'amount_limit_exceeded', 'DE18370400440532013017', '000900000017', '90000017', '002010090000000176'],
  ['failed', 'compliance_rejected', 'DE88370400440532013018', '000900000018', '90000018', '002010090000000189'],
  ['failed', 'timeout', 'DE61370400440532013019', '000900000019', '90000019', '002010090000000192'],
  ['returned', 'account_closed', 'DE70370400440532013051', '000900000051', '90000051', '002010090000000516'],
  ['returned', 'no_account', 'DE43370400440532013052', '000900000052', '90000052', '002010090000000529'],
  ['returned', 'declined', 'DE16370400440532013053', '000900000053', '90000053', '002010090000000532'],
];

/** Every magic account, in the order of the docs. Unlisted accounts, such as {@link PAID_ACCOUNT}, are paid. */
export const TEST_ACCOUNTS: readonly TestAccount[] = ROWS.map(
  ([outcome, failureCode, iban, usAccountNumber, gbAccountNumber, clabe]) => ({
    outcome,
    failureCode,
    iban,
    usAccountNumber,
    gbAccountNumber,
    clabe,
  }),
);

/** Examples of accounts that are simply paid, with the bank codes that go with each number in the docs. */
export const PAID_ACCOUNT = {
  iban: 'DE89370400440532013000',
  us: { account_number: '000123456789', routing_number: '110000000' },
  gb: { account_number: '00012345', sort_code: '108800' },
  clabe: '002010077777777771',
} as const;

const BY_NUMBER: ReadonlyMap<string, TestOutcome> = new Map(
  ROWS.flatMap(([outcome, failureCode, ...numbers]) =>
    numbers.map((number): [string, TestOutcome] => [number, { outcome, failureCode }]),
  ),
);

export interface BankStep {
  readonly to: 'in_transit' | 'paid' | 'failed' | 'returned';
  readonly failureCode: FailureCode | null;
  /** Another step follows by itself. */
  readonly goesOn: boolean;
}

/** The next step of the sandbox bank for a payout of this status; an ended one gets `paid`, which its state refuses. */
export function nextBankStep(status: string, expected: TestOutcome | undefined): BankStep {
  if (status === 'pending') return { to: 'in_transit', failureCode: null, goesOn: true };
  if (expected?.outcome === 'returned') {
    if (status === 'paid') return { to: 'returned', failureCode: expected.failureCode, goesOn: false };
    return { to: 'paid', failureCode: null, goesOn: true };
  }
  if (expected && status === 'in_transit') return { to: 'failed', failureCode: expected.failureCode, goesOn: false };
  return { to: 'paid', failureCode: null, goesOn: false };
}

/** How a sandbox payout to these validated (unmasked) bank details ends; undefined means it is paid. */
export function testOutcome(details: BankDetails): TestOutcome | undefined {
  return BY_NUMBER.get(details.iban ?? details.account_number ?? details.clabe ?? '');
}
