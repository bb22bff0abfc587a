/** Error codes that `refused-requests.ts` and `refused-states.ts` do not draw, and which test does. Read by `test/error-texts.test.ts`. */
import type { Code } from '../../../src/core/values/errors.ts';

/**
 * Codes that no request to a healthy server draws, or only after much work, such as a file of a bank or a thousand keys. Each with the test
 * that reaches it, over HTTP or in the decision.
 */
export const ELSEWHERE: Readonly<Partial<Record<Code, string>>> = {
  http_version_unsupported: 'src/platform/http/transfer/whole-file.test.ts',
  rate_limited: 'src/platform/http/server.test.ts',
  internal_error: 'src/platform/http/server.test.ts',
  overloaded: 'src/platform/http/server.test.ts',
  database_unavailable: 'src/platform/http/server.test.ts',
  stored_data_untrusted: 'src/operator/clear-text.test.ts',
  exports_stopped: 'test/soak/drift.test.ts',
  bank_account_unknown: 'src/bank/imports/odd-statements.test.ts',
  bank_statement_incomplete: 'src/bank/imports/odd-statements.test.ts',
  bank_assignment_final: 'src/bank/statements/whole-files.long.test.ts',
  payment_file_state_invalid: 'src/bank/payment-files/decide.test.ts',
  payment_file_answered: 'src/bank/payment-files/routes.soak.test.ts',
  payment_file_sum_mismatch: 'src/bank/statements/whole-files.long.test.ts',
  payout_not_payable: 'src/paying/payouts/payable-everywhere.test.ts',
  refund_recipient_missing: 'src/collecting/payments/routes.test.ts',
  fee_count: 'src/ledger/fees/routes.test.ts',
  key_count: 'src/tenancy/keys/decide.test.ts',
  user_too_wide: 'src/tenancy/people/decide.test.ts',
  user_elsewhere: 'src/tenancy/people/routes.test.ts',
  user_exists: 'src/tenancy/people/decide.test.ts',
  user_count: 'src/tenancy/people/decide.test.ts',
  user_joined: 'src/tenancy/people/decide.test.ts',
  user_suspended: 'src/tenancy/people/decide.test.ts',
  user_not_confirmable: 'src/tenancy/people/decide.test.ts',
  user_last_admin: 'src/tenancy/people/decide.test.ts',
  user_self: 'src/tenancy/people/decide.test.ts',
  // At the dashboard's way in, where a session asks and not a key.
  session_required: 'src/tenancy/sessions/threats.test.ts',
  sign_in_refused: 'src/tenancy/sessions/threats.test.ts',
  step_up_required: 'src/tenancy/sessions/threats.test.ts',
  second_factor_required: 'src/tenancy/sessions/threats.test.ts',
  environment_not_open: 'src/tenancy/sessions/threats.test.ts',
  link_invalid: 'src/tenancy/sessions/threats.test.ts',
  link_not_yours: 'src/tenancy/sessions/sign-in.test.ts',
  password_weak: 'src/tenancy/sessions/sign-in.test.ts',
  passkey_invalid: 'src/tenancy/sessions/threats.test.ts',
  code_invalid: 'src/tenancy/sessions/sign-in.test.ts',
  credential_last: 'src/tenancy/sessions/sign-in.test.ts',
  request_cross_site: 'src/tenancy/sessions/threats.test.ts',
  host_unknown: 'src/tenancy/sessions/threats.test.ts',
};
