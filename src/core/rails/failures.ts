/**
 * Why a payout failed or came back: `failure_code` → `failure_message`, and the reasons of banks (ISO 20022) as such
 * codes. The first fifteen are Stripe's names, the last four ours (contract, section 8). A code is never renamed or
 * reused. Sandbox numbers that produce each: `test-accounts.ts`.
 */

export const FAILURE_CODES = {
  account_closed: 'The bank account has been closed.',
  account_frozen: 'The bank account has been frozen.',
  bank_account_restricted: 'The bank account does not accept this type or number of payments.',
  bank_ownership_changed: 'The bank account is no longer valid, because its branch now belongs to another bank.',
  could_not_process: 'The bank could not process the payout.',
  debit_not_authorized: 'The bank account does not allow debits, which this type of payout requires.',
  declined: 'The bank declined the payout without saying why. Ask the recipient to contact the bank.',
  insufficient_funds: 'The account the payout is made from did not hold enough when the bank executed it.',
  invalid_account_number: 'The bank code is right, but the account number is not valid there.',
  incorrect_account_holder_name: "The account holder's name does not match the bank's records.",
  incorrect_account_holder_address: "The account holder's address does not match the bank's records.",
  incorrect_account_holder_tax_id: "The account holder's tax id does not match the bank's records.",
  invalid_currency: 'The bank account cannot receive this currency.',
  no_account: 'No bank account was found for these bank details.',
  unsupported_card: 'The bank does not accept payouts to this card.',
  recipient_name_mismatch: "The check of the recipient's name before the payout did not match.",
  amount_limit_exceeded: 'The amount is above a limit of the bank or of the payment scheme.',
  compliance_rejected: 'A compliance check of a bank rejected the payout.',
  timeout: 'The bank did not answer in time, and the payout was called off.',
} as const satisfies Record<string, string>;

export type FailureCode = keyof typeof FAILURE_CODES;

export const DEFAULT_FAILURE_CODE = 'could_not_process' satisfies FailureCode;

export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_CODES, text);
}

/** Source: ISO 20022 external code sets of status and return reasons; without those on which nobody could act. */
const REASONS: { readonly [K in FailureCode]?: string } = {
  account_closed: 'AC04 AC07 AC05 RC13',
  account_frozen: 'AC06 AC16 AC17 SP01 SP02 MD07 AG11 RC16',
  bank_account_restricted: 'AG01 AG03 AC14 AC12 CNOR NOAR NOCM CERI NERI PINS OSNS SL01 SL02 SL03 SL11 SL12 SL17 SL18',
  bank_ownership_changed: 'AC15',
  declined: 'MS02 MS03 MD06 CUST AG07',
  insufficient_funds: 'AM04 AM07 AM23 DC02 DC04',
  invalid_account_number: 'AC01 AC03 AC08 RC01 RC02 RC04 RC05 RC07 RC08 RC10 RR03 BE17 AG06',
  incorrect_account_holder_name: 'BE01 BE22 BE21 BE20 BE15',
  incorrect_account_holder_address: 'BE04 BE11 BE14 BE12 BE18 BE09',
  incorrect_account_holder_tax_id: 'RR06 RR12',
  invalid_currency: 'AC09 AC11 AM03 AM11 CURR',
  no_account: 'BE06 UCRD BE23',
  amount_limit_exceeded: 'AM02 AM06 AM13 AM14 AM15 AM21 SL13 SL14 SL15 SL16',
  compliance_rejected: 'RR01 RR02 RR04 RR05 FR01 FRAD AG08',
  timeout: 'AB01 AB03 AB05 AB06 AB11 NOAS TM01 DS24',
};

const BY_REASON: ReadonlyMap<string, FailureCode> = new Map(
  Object.entries(REASONS).flatMap(([failure, codes]) =>
    codes.split(' ').map((code) => [code, failure as FailureCode] as const),
  ),
);

/** Of a code of four letters and digits, of a bank's own word, or of nothing. */
export const failureOfReason = (reason: string | null): FailureCode =>
  (reason === null ? undefined : BY_REASON.get(reason)) ?? DEFAULT_FAILURE_CODE;

/** A code that means this; `NARR`, which means nothing, where there is none. */
export const reasonOfFailure = (failure: FailureCode): string => REASONS[failure]?.split(' ')[0] ?? 'NARR';

/** The bank has the payment already, so crediting back would pay twice: ISO 20022 DU01 to DU05, and AM05. */
export const isDuplicate = (reason: string | null): boolean => reason !== null && /^(?:DU0[1-5]|AM05)$/.test(reason);

/** Of several reasons for one thing that which says most: that it is a duplicate, then what has a failure code of its own. */
export const tellingReason = (reasons: readonly string[]): string | null =>
  reasons.find(isDuplicate) ?? reasons.find((reason) => BY_REASON.has(reason)) ?? reasons[0] ?? null;

/**
 * Sub-families of bank transaction codes by which a bank says that a payment of ours came back; its payee cannot write them, unlike an
 * EndToEndId. RRTN: returned or reimbursed; RPCR: canceled on request; ARET, AREV: return or reversal of an ACH. RIMB reimburses costs, and
 * RCDD, UPDD and PRDD are about direct debits. Source: ISO 20022, Bank Transaction Codes, version 6.4 (31 August 2015), section 3.4.2.
 */
const RETURN_SUBFAMILIES: ReadonlySet<string> = new Set(['RRTN', 'RPCR', 'ARET', 'AREV']);
/** RTI: returned item (SWIFT MT940, field 61, subfield 6). German banks write it in front of a code of their own: `NRTI+159`. */
const RETURNED_ITEM = /^N?RTI(?![A-Z])/;

interface TransactionCode {
  readonly subfamily: string | null;
  readonly proprietary: string | null;
}

export const isReturnCode = ({ subfamily, proprietary }: TransactionCode): boolean =>
  (subfamily !== null && RETURN_SUBFAMILIES.has(subfamily)) ||
  (proprietary !== null && RETURNED_ITEM.test(proprietary));

/** The codes that mean more than `could_not_process`. */
export const TELLING_REASONS: readonly string[] = [...BY_REASON.keys()];
