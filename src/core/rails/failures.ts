/**
 * Why a payout failed or came back: the one table of `failure_code` → `failure_message`. The first fifteen are the names
 * Stripe uses for its payouts, so that existing code keeps working; the last four are ours (contract, section 8).
 * A code is never renamed or reused for another reason. Sandbox numbers that produce each: `test-accounts.ts`.
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

/** Where nobody said why. */
export const DEFAULT_FAILURE_CODE = 'could_not_process' satisfies FailureCode;

export function isFailureCode(text: string): text is FailureCode {
  return Object.hasOwn(FAILURE_CODES, text);
}
