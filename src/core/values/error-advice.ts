/**
 * What to do about each refusal, for the errors page that `doc_url` leads to. A code without its row does not compile. A row is for a person
 * with nobody to ask: it names the parameter, the request or the command that comes next. The codes: `errors.ts`.
 */
import type { Code } from './errors.ts';

/** By code, Markdown: one sentence or more, each with a full stop. */
export const WHAT_TO_DO: Readonly<Record<Code, string>> = {
  // The request could not be read.
  body_invalid:
    'Send the body as your HTTP library writes it, in UTF-8 and with a `Content-Length` that fits. The message says which line or character is wrong.',
  body_too_large:
    'Split the request: fewer items, or shorter texts. A payout batch takes 1,000 payouts, and `bursar payouts batch` cuts a longer file by itself.',
  body_too_deep: 'Take levels of brackets or braces out: eight are read, and no parameter needs as many.',
  content_type_unsupported:
    'Set `Content-Type: application/x-www-form-urlencoded` or `application/json`, and leave `Content-Encoding` out. `POST /v1/payouts/batch` also takes `text/csv`.',
  http_version_unsupported: 'Ask with HTTP/1.1 or newer. If nginx is in front of Bursar, set `proxy_http_version 1.1`.',
  // A parameter is wrong.
  parameter_missing: 'Send the parameter that `param` names.',
  parameter_unknown:
    'Correct the name as the message offers, or leave the parameter out. The reference lists what each operation takes.',
  parameter_repeated: 'Send the parameter once. Only names that end in `[]` take several values.',
  parameter_invalid: 'Send a value that the message or `allowed` names.',
  parameter_conflict: 'Leave out the parameter that the message names.',
  version_unknown:
    'Send a date that `allowed` names, or leave the header `Bursar-Version` out: then the version of your key counts.',
  text_invalid:
    'Take the character out that the message names. Line breaks and control characters often come from copied text.',
  text_too_long: 'Shorten the text to the number of characters that the message names.',
  card_number_refused:
    'Take the card number out of the text. A long number of your own belongs into `metadata` or `external_id`, where nothing is looked for.',
  metadata_invalid: 'Send fewer or shorter keys and values. An empty value unsets a key.',
  amount_invalid:
    'Write the amount as digits with at most one point, such as `250.00`, and with no more decimals than the currency has.',
  amount_too_small: 'Send a larger amount. Of an exchange, both sides must come to one minor unit or more.',
  amount_too_large: 'Check the amount for a mistyped digit. Divide a larger sum into several requests.',
  currency_unsupported: 'Send the three letters of ISO 4217, such as `EUR`.',
  country_unsupported:
    'Send the two letters of ISO 3166-1, such as `DE`. `GET /v1/recipients/requirements` says which countries take which currency.',
  iban_invalid: 'Compare the IBAN with the recipient’s own document, or ask the recipient for it again.',
  bic_invalid:
    'Leave the BIC out where the IBAN is enough, or ask the recipient for it. `country` is the country of the account.',
  routing_number_invalid:
    'Ask the recipient for the nine digits of the ABA routing number. They stand at the bottom left of a check.',
  sort_code_invalid: 'Send the six digits of the sort code, with or without hyphens.',
  account_number_invalid:
    'Compare the number with the form that `GET /v1/recipients/requirements` gives for this country and currency.',
  batch_invalid:
    'Correct every item that `errors` names, and send the whole batch again. `mode=partial` pays the others at once.',
  // Who asks.
  api_key_invalid:
    'Send `Authorization: Bearer <API_KEY>` with a key that works. If it was revoked or has expired, make another: `bursar keys create`, or `POST /v1/keys`.',
  session_required:
    'Sign in to the dashboard again. A session ends after twelve hours, after thirty minutes without activity in live, and when somebody ends it.',
  sign_in_refused:
    'Check the address, the password and the clock of the device with the authenticator app. Without another way in, ask an administrator, or run `bursar dashboard reset` on the machine of the service.',
  step_up_required: 'Use your passkey or a code again, then send the same request with the same idempotency key.',
  second_factor_required:
    'Add a passkey or an authenticator app on the page of your account. If you have one, use it once in this session.',
  environment_not_open:
    'Switch to an environment in which you have a role, or ask an administrator for one. The header names `sandbox`, `live` or the id of an environment.',
  link_invalid: 'Ask for a new link, or make one on the machine of the service: `bursar dashboard login`.',
  link_not_yours: 'Sign in first, then open the link again.',
  password_weak: 'Choose three or four words that have nothing to do with each other.',
  passkey_invalid: 'Try again from the beginning, within five minutes and on the same page.',
  code_invalid: 'Wait for the next code, and check that the clock of the device is right.',
  credential_last: 'Add another passkey or a password first.',
  request_cross_site:
    'Open the dashboard at its own address and try there. A program uses an API key at `/v1` instead.',
  host_unknown:
    'Open the dashboard at `BURSAR_DASHBOARD_URL` or `BURSAR_PUBLIC_URL`, or as localhost on the machine of the service.',
  scope_missing:
    'Use a key that has the scope. Scopes of a key never change, so make another key with `POST /v1/keys` or `bursar keys create`.',
  key_too_wide: 'Ask for less, or make the key with a wider one. `bursar keys create` on the server makes any key.',
  key_of_others: 'Let the key roll itself, or roll it on the server with `bursar keys roll`.',
  user_too_wide:
    'Let somebody who holds these roles do it, or a secret key. `bursar dashboard` on the server lets in anybody, with any role.',
  user_elsewhere: 'Ask the operator of the service for a link: `bursar dashboard reset` on the server makes it.',
  ip_not_allowed:
    'Send the request from an address of `allowed_ips`, or make a key for this address. Behind a proxy, the operator names it in `BURSAR_TRUSTED_PROXIES`.',
  account_not_allowed: 'Name an account of the key in `account`, or use a key that is not restricted to accounts.',
  sandbox_only: 'Use a sandbox key (`sk_test_…`, `rk_test_…`). With a live key, your bank does what test helpers do.',
  rate_limited:
    'Wait for the seconds in `Retry-After`, then send the same request again. The operator sets the limit with `BURSAR_RATE_LIMIT`.',
  // What is asked for does not exist.
  resource_missing:
    'Check the id, and the mode of the key: sandbox and live share no objects. The list of the resource shows which ids there are.',
  path_unknown: 'Correct the path as the message offers. `GET /openapi.json` has all paths.',
  method_not_allowed: 'Use a method that `Allow` names. Updates are POST, not PUT or PATCH.',
  idempotency_key_invalid: 'Send one `Idempotency-Key` of 1 to 255 printable ASCII characters, such as a UUID.',
  idempotency_key_reused:
    'Use a new key for a new request. For a retry, send exactly the first request, with the same API key.',
  // State and funds.
  balance_insufficient:
    'Pay in money, pay less, or name another account. Then use a new `Idempotency-Key`: the old one repeats this answer. A payout with `on_insufficient_funds=wait` waits for money. In the sandbox, `POST /v1/test_helpers/accounts/:id/fund` adds some.',
  balance_too_large: 'Use a second account of the currency, or move money out of this one first.',
  account_missing: 'Create an account of the currency with `POST /v1/accounts`, or name another one in the request.',
  statement_empty: 'Ask for a period in which the account was there, or for `format=json`.',
  account_closed: 'Name an open account. A closed one stays closed, so create another with `POST /v1/accounts`.',
  account_not_empty:
    'Move the rest out with `POST /v1/transfers`, `POST /v1/exchanges` or `POST /v1/payouts`, and close the account then.',
  account_currency_mismatch: 'Name an account of that currency, or exchange the money first.',
  account_same: 'Name two different accounts in `from` and `to`.',
  recipient_not_allowed: 'Create a recipient with this key, or change the recipient with the key that made it.',
  recipient_archived: 'Create the recipient again with `POST /v1/recipients`, and use the new id.',
  recipient_redacted: 'Create a recipient with `POST /v1/recipients`. What was erased does not come back.',
  recipient_has_open_payouts:
    'Cancel the payouts with `POST /v1/payouts/:id/cancel`, or wait until they are paid or failed.',
  retention_required:
    'Erase the person after the day that the message names. Until then `DELETE /v1/recipients/:id` hides the recipient.',
  recipient_currency_mismatch:
    'Pay in the recipient’s currency, from another one with `source_currency`. For this currency, create a second recipient.',
  recipient_name_mismatch:
    'Compare the two names. If the recipient of `resource_id` is meant, name it in `recipient`; if not, correct the IBAN.',
  recipient_ambiguous: 'Name one of the recipients in `recipient`, by its id.',
  payout_repeated: 'Take the second item out. If both are meant, send `allow_repeated=true`.',
  currency_pair_invalid: 'Name two different currencies. Between accounts of one currency, use `POST /v1/transfers`.',
  quote_expired:
    'Ask for a new quote with `POST /v1/exchanges/quote`, and look at its rate. `expires_in` gives it a longer life.',
  quote_already_used: 'Look at the exchange that `resource_id` names. For another exchange, ask for a new quote.',
  quote_mismatch: 'Leave the parameter out, since the quote has its value. If the quote is wrong, ask for a new one.',
  rate_unavailable:
    'Try again later. In live, the operator looks at `bursar doctor` and at the settings `BURSAR_RATES_FILE` and `BURSAR_RATES_URL`.',
  position_limit_exceeded:
    'Exchange less, or exchange back first. `POST /v1/settings/exchanges` with `position_limit` raises the limit.',
  fx_markup_count: 'Remove the markup of a pair with `POST /v1/settings/exchanges`, and add the new one then.',
  payout_not_cancelable:
    'Look at `status`. Money that is under way comes back only if the bank returns it: ask the bank to recall the payment.',
  payouts_frozen:
    'Ask why payouts were frozen; `GET /v1/audit_log` says who did it. A key with `payout_rules:write` ends the freeze: `POST /v1/settings/payouts` with `frozen=false`. If the answer has `pending_changes`, a key of another family agrees with `POST /v1/settings/payouts/approve`.',
  wait_until_on_invalid: 'Send a day from today on that the message allows, or leave the parameter out.',
  payout_held:
    'Let a key of another family approve it: `POST /v1/payouts/:id/approve`. `release.reasons` says why it is held.',
  payout_not_held: 'Look at `status` and `release` of the payout. What is not held needs no approval.',
  change_not_held: 'Look at the object again: the change was approved, rejected or withdrawn, or nobody asked for one.',
  approval_by_creator:
    'Let another person approve it, with a key of another root. `bursar keys create --live --scope payout_approvals:write` makes one on the server.',
  approval_key_unconfirmed:
    'Let another family confirm it: `POST /v1/keys/:id/confirm` for a key, `POST /v1/users/:id/confirm` for a person. Approve it then.',
  approval_repeated: 'Let a key of a third family approve it. `approvals_required` says how many are needed.',
  approval_outdated: 'Read the object again, check what has changed, and send its present `fingerprint`.',
  limit_exceeded:
    'Pay less, or wait for the next day. `GET /v1/limits/:id` shows the limit and what is used; two people can delete it.',
  bank_account_exists: 'Use the bank account of `resource_id`, or change it with `POST /v1/bank_accounts/:id`.',
  bank_account_count: 'Close a bank account that you no longer use: `POST /v1/bank_accounts/:id/close`.',
  bank_account_closed: 'Name an open bank account, or add one with `POST /v1/bank_accounts`.',
  bank_account_not_empty:
    'Move the money to another account at your bank, import the statement that shows it, and close the bank account then.',
  bank_account_currency_mismatch: 'Name a bank account of `allowed`, or leave `bank_account` out.',
  bank_account_not_paying:
    'Name another bank account, or add `payouts` to the `uses` of this one with `POST /v1/bank_accounts/:id`.',
  exports_stopped:
    'Find the difference in `GET /v1/bank_accounts/:id/reconciliation`, and explain it. Then `POST /v1/bank_accounts/:id/resume_exports` lets payouts leave.',
  exports_not_stopped: 'Do nothing: payouts leave this bank account.',
  bank_month_open: 'Sign the month after the day that the message names.',
  reconciliation_changed:
    'Read `GET /v1/bank_accounts/:id/reconciliation` again, check what has changed, and sign its present `sha256`.',
  bank_account_unknown: 'Add the bank account with `POST /v1/bank_accounts`, and import the file again.',
  statement_file_invalid:
    'Take the file as the bank wrote it, and load it once more. If it is whole, ask the bank for camt.053, camt.054 or MT940.',
  bank_statement_incomplete: 'Import the file with page 1 of the statement, then the other pages in order.',
  bank_statement_reviewed: 'Do nothing: `GET /v1/bank_statements/:id` shows how the statement was booked.',
  payment_file_state_invalid:
    'Look at `current_status` and `allowed`. `GET /v1/payment_files/:id` shows how the file goes on.',
  payment_file_answered: 'Import what the bank reports: it ends every payout of the file as paid, failed or returned.',
  payment_file_sum_mismatch:
    'Assign the amount that the message names. If the bank debited another sum, assign the rest to payouts or to `fees`.',
  bank_entry_assigned:
    'Assign at most the amount that the message names, or take a part back with `POST /v1/bank_entries/:id/unassign`.',
  expected_payment_ended: 'Assign the money to an account, or create another expected payment.',
  epc_code_unavailable:
    'Correct what the message names. Without a code, give the payer what `GET /v1/accounts/:id/deposit_instructions` answers.',
  bank_rule_count: 'Delete a rule that you no longer need: `DELETE /v1/bank_rules/:id`.',
  bank_entry_voided: 'Un-void the entry with `POST /v1/bank_entries/:id/unvoid`, and try again.',
  bank_entry_not_voided: 'Do nothing: the entry is in the ledger.',
  bank_entry_not_voidable:
    'Assign the opening balance to the account where its money belongs: `POST /v1/bank_entries/:id/assign`.',
  bank_entry_not_returnable: 'Make a payout to the person who is to have the money: `POST /v1/payouts`.',
  sender_unknown: 'Create the recipient who is to have the money, and send its id in `recipient`.',
  bank_assignment_final:
    'Refund the payment, or make another payout. To take the whole entry out of the ledger, two people void it: `POST /v1/bank_entries/:id/void`.',
  fee_exists: 'Delete the fee of `resource_id` with `DELETE /v1/fee_rules/:id`, and create the new one then.',
  fee_count: 'Delete a fee that you no longer need: `DELETE /v1/fee_rules/:id`.',
  limit_count: 'Delete a limit that you no longer need: `DELETE /v1/limits/:id`.',
  payout_not_payable:
    'Mend what the message names: the bank details or name of the recipient, the `holder_address` of your bank account, or the amount.',
  payout_state_invalid:
    'Look at `current_status` and `allowed`. `bursar payouts why po_…` says what the payout waits for.',
  payout_not_overdue:
    'Import the bank’s newest files first. If they say nothing, try again after the day that the message names.',
  standing_order_state_invalid:
    'Look at `current_status` and `allowed`. A canceled or completed order does not go on: create another.',
  external_id_used:
    'Look at the object of `resource_id`: the payout was probably made before. For another payout, use another `external_id`.',
  scheduled_on_invalid: 'Send a day between today and one year ahead, or leave `scheduled_on` out to pay now.',
  sequence_unknown:
    'Go on behind the newest sequence that the message names. After a restore, compare your records with the events from there.',
  payment_method_not_configured:
    'Add a bank account of the currency with `POST /v1/bank_accounts`, or let the operator set up a card acquirer.',
  expires_at_invalid: 'Send an instant in the future, in Unix seconds.',
  redirect_url_invalid: 'Send an `https://` address without user name and password.',
  logo_invalid: 'Send a PNG or JPEG of at most 64 kB, in base64 with its padding.',
  payment_link_ended:
    'Create another link with `POST /v1/payment_links`. A link for several payments has `reusable=true`.',
  payment_state_invalid: 'Look at `current_status` and `allowed`. Only a payment that came in can be refunded.',
  refund_too_large: 'Refund at most `available_minor`, which is in minor units.',
  refund_recipient_missing: 'Create a recipient with the payer’s bank details, and send its id in `recipient`.',
  key_rolled: 'Use the key that `resource_id` names. If nobody has its text, roll that key or make another.',
  key_count: 'Revoke keys that are no longer used: `last_used_at` in `GET /v1/keys` shows them.',
  key_not_confirmable: 'Do nothing: the key may approve.',
  key_ended: 'Make another key with `POST /v1/keys` or `bursar keys create`.',
  user_exists:
    'Give the user of `resource_id` the roles: `POST /v1/users/:id`. If it has lost its link, make another: `POST /v1/users/:id/reset_link`.',
  user_count:
    'Ask the operator of the service to erase users who have left. They stay in the list while they are suspended.',
  user_joined:
    'Let that person sign in. If somebody else opened the link, suspend the user, and invite the right person.',
  user_suspended: 'Resume the user with `POST /v1/users/:id/resume`, and send the request again.',
  user_not_confirmable: 'Look at `status` and `confirmed_by` of the user. A user who is invited has to join first.',
  user_last_admin: 'Give another person the role `admin`, and wait until that person has joined.',
  user_self: 'Ask another administrator. To sign out, end your sessions: `POST /v1/users/:id/end_sessions`.',
  webhook_url_refused:
    'Send a public `https://` address. For tests on your own machine, use `bursar listen`, or a sandbox key and a loopback address.',
  webhook_endpoint_limit: 'Delete an endpoint that you no longer use: `DELETE /v1/webhook_endpoints/:id`.',
  webhook_header_limit: 'Unset a header with an empty value, or put several values into one header.',
  webhook_endpoint_disabled:
    'Enable it with `POST /v1/webhook_endpoints/:id/enable`. `disabled_reason` says why it was disabled.',
  webhook_endpoint_none: 'Name an endpoint in `webhook_endpoint`, or add the event type to its `enabled_events`.',
  webhook_secret_limit: 'Wait until an older secret has expired, or end all at once with `expires_in=0`.',
  // Ours.
  internal_error:
    'Send the request again with the same `Idempotency-Key`. If it fails again, the operator finds the cause in the log by `request_id`.',
  stored_data_untrusted:
    'Give the `request_id` to the operator. The log names the row; `bursar verify` and `bursar doctor` say what was changed.',
  overloaded: 'Wait for the seconds in `Retry-After`, and send the same request again with the same `Idempotency-Key`.',
  database_unavailable:
    'Send the same request again with the same `Idempotency-Key`. The operator looks at `GET /readyz` and at `bursar doctor`.',
};
