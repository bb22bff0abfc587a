/**
 * The one table of everything Bursar refuses: code → HTTP status, type and what it means. `docs/errors.md`, the OpenAPI
 * document and every answer (`errorBody`) are made from it. A code is never reused for another meaning. Source: contract, section 5.
 */

export type ErrorType =
  | 'invalid_request_error'
  | 'authentication_error'
  | 'permission_error'
  | 'idempotency_error'
  | 'rate_limit_error'
  | 'api_error';

export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 421 | 429 | 500 | 503;
  readonly type: ErrorType;
  /** What it means, for the errors page; what to do about it is in `error-advice.ts`. The message of an answer is more precise. */
  readonly meaning: string;
}

const entry = (status: ErrorEntry['status'], type: ErrorType, meaning: string) => ({ status, type, meaning });
const invalid = (meaning: string) => entry(400, 'invalid_request_error', meaning);
const forbidden = (meaning: string) => entry(403, 'permission_error', meaning);
const unavailable = (meaning: string) => entry(503, 'api_error', meaning);
const idempotency = (meaning: string) => entry(400, 'idempotency_error', meaning);

export const ERRORS = {
  // The request could not be read.
  body_invalid: invalid(
    'The body is not valid JSON, CSV or form text, its encoding is broken, or a header stands twice.',
  ),
  body_too_large: entry(413, 'invalid_request_error', 'The body is larger than the limit, or holds too many values.'),
  body_too_deep: invalid('The body is nested deeper than the limit.'),
  content_type_unsupported: entry(
    415,
    'invalid_request_error',
    'The body is of a type that the operation does not take, or it is compressed.',
  ),
  http_version_unsupported: invalid('The file is too long for HTTP/1.0, where a file that was cut looks whole.'),
  // A parameter is wrong.
  parameter_missing: invalid('A required parameter is missing.'),
  parameter_unknown: invalid('This operation has no such parameter. Nothing is ignored silently.'),
  parameter_repeated: invalid('A parameter that takes one value was sent more than once.'),
  parameter_invalid: invalid('The value has the wrong type, form or range.'),
  parameter_conflict: invalid('Two parameters cannot be used together.'),
  text_invalid: invalid('Text holds characters that cannot be stored safely (control, bidirectional override, NUL).'),
  text_too_long: invalid('Text is longer than allowed.'),
  card_number_refused: invalid('The text looks like it contains a card number. Card numbers are never stored.'),
  metadata_invalid: invalid('Metadata takes up to 50 keys of 40 characters with values of 500 characters.'),
  amount_invalid: invalid('An amount is a plain decimal in major units, such as 250, 250.0 or 250.00.'),
  amount_too_small: invalid('The amount is zero, or the computed side of an exchange rounds to zero.'),
  amount_too_large: invalid('The amount is above 999,999,999,999,999 minor units.'),
  currency_unsupported: invalid('The currency is not a current ISO 4217 currency.'),
  country_unsupported: invalid('The country is unknown, or payouts to it in that currency are not supported.'),
  iban_invalid: invalid('The IBAN is wrong: length, check digits or country.'),
  bic_invalid: invalid('The BIC is wrong, or belongs to another country.'),
  routing_number_invalid: invalid('The routing number is wrong (nine digits, ABA checksum).'),
  sort_code_invalid: invalid('The sort code is wrong (six digits).'),
  account_number_invalid: invalid('The account number is wrong for its country.'),
  batch_invalid: invalid('Items of the batch are wrong; `errors` names each with its index. Nothing was created.'),
  // Who asks.
  api_key_invalid: entry(
    401,
    'authentication_error',
    'The request has no API key, or a malformed, unknown, revoked or expired one.',
  ),
  session_required: entry(
    401,
    'authentication_error',
    'Nobody is signed in to the dashboard, or the session has ended.',
  ),
  sign_in_refused: entry(403, 'authentication_error', 'Person, password, code or passkey is wrong, or suspended.'),
  step_up_required: forbidden(
    'In live, what decides about money or rights needs a second factor that was shown in the last five minutes.',
  ),
  second_factor_required: forbidden('The person may act in live only with a passkey or a code of an app.'),
  environment_not_open: forbidden('The person has no role in the environment that the request names.'),
  link_invalid: invalid('The one-time link was used before, has ended, or never existed.'),
  link_not_yours: forbidden('The one-time link is for a person who has signed in before and is not signed in here.'),
  password_weak: invalid('The password is one that many people use, or little more than a name.'),
  passkey_invalid: invalid('The answer of the authenticator is wrong, too late, or about another question.'),
  code_invalid: invalid('The code is of another authenticator app, is too old, or was used before.'),
  credential_last: invalid('Without it, the person could not sign in again.'),
  request_cross_site: forbidden('The request did not come from a page of the dashboard.'),
  host_unknown: entry(
    421,
    'invalid_request_error',
    'The dashboard does not answer at the host that the request names.',
  ),
  scope_missing: forbidden(
    'The restricted key lacks a scope that this operation needs, or may not read the events that it would send.',
  ),
  key_too_wide: forbidden(
    'A new key may do no more than the key that makes it: scopes, accounts, addresses and expiry.',
  ),
  key_of_others: forbidden(
    'A key rolls itself and keys that descend from it, because who rolls a key holds the new one.',
  ),
  user_too_wide: forbidden('Nobody gives a user more scopes than they hold, or makes a link for one that has more.'),
  user_elsewhere: forbidden(
    'The person is a user of another environment too, so only the operator of the service makes a link for it.',
  ),
  ip_not_allowed: forbidden('The key may not be used from this address.'),
  account_not_allowed: forbidden('The key is restricted to other accounts, or has to name one.'),
  sandbox_only: forbidden('Test helpers work with sandbox keys only.'),
  rate_limited: entry(
    429,
    'rate_limit_error',
    'Too many requests came with this key, or without a valid key from this address.',
  ),
  version_unknown: invalid(
    'There is no version of the API with this date. `allowed` has those there are: send one of them, or leave it out.',
  ),
  // What is asked for does not exist.
  resource_missing: entry(404, 'invalid_request_error', 'There is no such object in this environment.'),
  path_unknown: entry(404, 'invalid_request_error', 'There is no such path.'),
  method_not_allowed: entry(
    405,
    'invalid_request_error',
    'The path exists, but not with this method. `Allow` names the methods it has.',
  ),
  idempotency_key_invalid: idempotency('An idempotency key is 1 to 255 printable ASCII characters, in one header.'),
  idempotency_key_reused: idempotency(
    'The idempotency key was used before, with another request or by another API key.',
  ),
  // State and funds.
  balance_insufficient: invalid(
    'The account does not hold enough. `available_minor` is its balance; for a payout, less what payouts that wait need.',
  ),
  balance_too_large: invalid(
    'The balance would exceed 999,999,999,999,999 minor units. Money that comes in or back is never refused for that.',
  ),
  account_missing: invalid('There is no open account of that currency, and the request names none.'),
  statement_empty: invalid('There was no account in that period, and a camt.053 document needs one.'),
  account_closed: invalid('The account is closed.'),
  account_not_empty: invalid('Only an account at zero can be closed.'),
  account_currency_mismatch: invalid('The account holds another currency.'),
  account_same: invalid('A transfer needs two different accounts.'),
  recipient_not_allowed: forbidden(
    'A key that is restricted to accounts changes only recipients that it made. It may pay the others.',
  ),
  recipient_archived: invalid('The recipient was deleted; existing payouts keep their copy, new ones cannot use it.'),
  recipient_redacted: invalid('The person behind the recipient was erased.'),
  recipient_has_open_payouts: invalid('Payouts to the recipient are pending or in transit.'),
  retention_required: invalid('Records of paid payouts have to be kept. The message says until when.'),
  recipient_currency_mismatch: invalid('The recipient is paid in another currency.'),
  recipient_name_mismatch: invalid(
    'The account belongs to a recipient with another name. `resource_id` names the recipient.',
  ),
  recipient_ambiguous: invalid('More than one recipient has the account. The message names the recipients.'),
  payout_repeated: invalid('The batch has the same payee, amount and reference twice.'),
  currency_pair_invalid: invalid('An exchange needs two different currencies.'),
  quote_expired: invalid('The quote has expired.'),
  quote_already_used: invalid('The quote was used before; a quote books one exchange.'),
  quote_mismatch: invalid('A parameter differs from the quote.'),
  rate_unavailable: unavailable(
    'There is no current rate for that pair, or none by which a limit in all currencies could value the amount.',
  ),
  position_limit_exceeded: invalid(
    'The exchange would exceed the environment’s limit of the open position (`position_limit`).',
  ),
  fx_markup_count: invalid('The environment has the largest number of markups of pairs.'),
  payout_not_cancelable: invalid('Only a pending payout can be canceled.'),
  payouts_frozen: invalid(
    'Somebody froze the payouts of this environment: none is made and none leaves until the freeze ends.',
  ),
  wait_until_on_invalid: invalid('The day is in the past, or too far ahead.'),
  payout_held: invalid('The payout is held until it is approved.'),
  payout_not_held: invalid('Only a held payout can be approved or rejected.'),
  change_not_held: invalid(
    'No change of the payout rules or of the bank account, and no deletion of the limit, waits for approval.',
  ),
  approval_by_creator: forbidden(
    'A held payout or change has to be approved by another family than the one that asked for it: a person, or keys of another root.',
  ),
  approval_key_unconfirmed: forbidden(
    'A key or user that somebody made or let in approves nothing until another family has confirmed it: `POST /v1/keys/:id/confirm` or `POST /v1/users/:id/confirm`.',
  ),
  approval_repeated: invalid('This person, or a key of this family, has approved it before.'),
  approval_outdated: invalid('The fingerprint belongs to another version of the thing to approve.'),
  limit_exceeded: invalid(
    'The payout or exchange would exceed a limit of the day. `available_minor` is the rest of its amount.',
  ),
  bank_account_exists: invalid('An open bank account with these bank details exists. `resource_id` names it.'),
  bank_account_count: invalid('An environment has at most 100 open bank accounts.'),
  bank_account_closed: invalid('The bank account is closed.'),
  bank_account_not_empty: invalid('The balance of the bank account is not zero. Only then can it be closed.'),
  bank_account_currency_mismatch: invalid(
    'The bank account is in another currency. `allowed` names those that pay in this one.',
  ),
  bank_account_not_paying: invalid(
    'Payouts do not leave from the bank account: it does not exist, it is closed, or `payouts` is not among its `uses`.',
  ),
  exports_stopped: invalid(
    'No payout leaves the bank account, because a statement’s balance differs from the ledger’s.',
  ),
  exports_not_stopped: invalid('Exports of the bank account are not stopped.'),
  bank_month_open: invalid('The month is not over where the bank is.'),
  reconciliation_changed: invalid('The hash belongs to another version of the report.'),
  bank_account_unknown: invalid('The file has a statement of an unknown bank account.'),
  statement_file_invalid: invalid(
    'The file is not camt.052, camt.053, camt.054, pain.002, MT940 or MT942, or it is damaged. The message says where. Nothing was booked.',
  ),
  bank_statement_incomplete: invalid(
    'The first imported statement of a bank account has to begin with its first page.',
  ),
  bank_statement_reviewed: invalid('Nothing of the bank statement waits. `current_status` names its state.'),
  payment_file_state_invalid: invalid('The state of the payment file does not allow it. `current_status` names it.'),
  payment_file_answered: invalid('The bank has reported on the file, so it was received and cannot be abandoned.'),
  payment_file_sum_mismatch: invalid('The payouts of the payment file that are under way add up to another amount.'),
  bank_entry_assigned: invalid('The amount is larger than the part of the entry without a place.'),
  expected_payment_ended: invalid('The expected payment is paid or canceled. `current_status` names it.'),
  epc_code_unavailable: invalid(
    'A code needs euros or Swiss francs, an amount below a billion, and an open bank account with an IBAN that collects. For Swiss francs the IBAN is Swiss or of Liechtenstein, and the bank account has a `holder_address` with a postal code.',
  ),
  bank_rule_count: invalid('An environment has at most 100 rules for bank entries.'),
  bank_entry_voided: invalid('The entry is voided, and its money is out of the ledger.'),
  bank_entry_not_voided: invalid('Only a voided entry can be un-voided. `current_status` names its state.'),
  bank_entry_not_voidable: invalid('An opening balance stays: every later balance of the bank account stands on it.'),
  bank_entry_not_returnable: invalid('Only money that came in by a booking of its own can be sent back.'),
  sender_unknown: invalid('The bank does not name the sender and the IBAN.'),
  bank_assignment_final: invalid(
    'Money that went to a payment or a payout stays there. A void is refused once the money went on: the message says where.',
  ),
  fee_exists: invalid('There is a fee for the same operation, currency and bounds. `resource_id` names the fee.'),
  fee_count: invalid('An environment has at most 100 fees.'),
  limit_count: invalid('An environment has at most 20 limits.'),
  payout_not_payable: invalid(
    'Your bank could not execute the payout. The bank details have no route, your own address is missing, a name cannot be written, or the amount is too large.',
  ),
  payout_state_invalid: invalid('The state of the payout does not allow this step.'),
  payout_not_overdue: invalid('The bank may still report on the payout. It is too early to resolve it by hand.'),
  standing_order_state_invalid: invalid('The state of the standing order does not allow this.'),
  external_id_used: invalid('A payout, or a payout batch, with this `external_id` exists. It is unique for ever.'),
  scheduled_on_invalid: invalid('The planned day must be today or later, at most one year ahead.'),
  sequence_unknown: invalid('No event has this sequence. The message names the newest one.'),
  payment_method_not_configured: invalid(
    'Nobody could pay: the live environment has neither a bank account of that currency nor a card acquirer.',
  ),
  expires_at_invalid: invalid('The instant of expiry is in the past.'),
  redirect_url_invalid: invalid('The address must be https; in the sandbox http is possible as well.'),
  logo_invalid: invalid('The logo must be a PNG or JPEG of at most 64 kB, in base64.'),
  payment_link_ended: invalid('The payment link is completed, expired or canceled.'),
  payment_state_invalid: invalid('The state of the payment does not allow this.'),
  refund_too_large: invalid('The amount is larger than the rest of the payment. `available_minor` is the rest.'),
  refund_recipient_missing: invalid('The account that the payment came from is not known.'),
  key_rolled: invalid('The key was rolled before. `resource_id` names the key that took its place.'),
  key_count: invalid('An environment has at most 1,000 keys that work.'),
  key_not_confirmable: invalid('The key needs no confirmation, or has one.'),
  key_ended: invalid('The key was revoked or has expired.'),
  user_exists: invalid('The environment has a user for this person. `resource_id` names it.'),
  user_count: invalid('An environment has at most 1,000 users.'),
  user_joined: invalid('Somebody has joined as this user before.'),
  user_suspended: invalid('The user is suspended.'),
  user_not_confirmable: invalid('The user needs no confirmation, has one, or nobody has joined as it.'),
  user_last_admin: invalid('The user is the last active administrator of the environment.'),
  user_self: invalid('Nobody suspends oneself.'),
  webhook_url_refused: invalid('Events may not be sent to this URL. The message says why.'),
  webhook_endpoint_limit: invalid('An environment has at most 16 webhook endpoints.'),
  webhook_header_limit: invalid('A webhook endpoint has at most 10 headers of its own.'),
  webhook_endpoint_disabled: invalid('The webhook endpoint is disabled.'),
  webhook_endpoint_none: invalid('No enabled webhook endpoint asks for events of that type.'),
  webhook_secret_limit: invalid('Too many secrets of the endpoint are still valid.'),
  // Ours.
  internal_error: entry(500, 'api_error', 'Bursar failed. Nothing was written.'),
  stored_data_untrusted: entry(
    500,
    'api_error',
    'Stored data was changed past the service, or its server secret is missing. Nothing was done.',
  ),
  overloaded: unavailable(
    'Too many writes are waiting, a read took too long, or the service is stopping. Nothing was written.',
  ),
  database_unavailable: unavailable('The database cannot be reached.'),
} as const satisfies Record<string, ErrorEntry>;

export type Code = keyof typeof ERRORS;

/** What an answer carries beside code and message, where it helps a program. Names as on the wire. */
export interface ErrorDetails extends CsvPlace {
  readonly param?: string;
  readonly allowed?: readonly string[];
  readonly available_minor?: bigint;
  readonly current_status?: string;
  readonly resource_id?: string;
  /** Of a batch: by item. Of a request with several faults: by parameter, the first one being the refusal itself. */
  readonly errors?: readonly ItemFault[] | readonly ParamFault[];
}

export interface ParamFault {
  readonly param?: string;
  readonly code: Code;
  readonly message: string;
}

/** Where in a CSV file something stands, from 1. */
export interface CsvPlace {
  /** The line on which the row begins; the header is on line 1. */
  readonly line?: number;
  readonly column?: number;
  readonly column_name?: string;
}

export interface ItemFault extends ParamFault, CsvPlace {
  readonly index: number;
  /** What is in the way: the payout that has the `external_id`, the limit. */
  readonly resource_id?: string;
  /** Of money that is missing, for the whole batch: the account, what it holds, what the batch needs of it. */
  readonly account?: string;
  readonly available_minor?: bigint;
  /** Left out above 2^53 - 1, which JSON readers do not take exactly. */
  readonly needed_minor?: bigint;
}

/** A business refusal: returned, never thrown. It is stored under the idempotency key like any decided outcome. */
export interface Refusal {
  readonly code: Code;
  readonly message: string;
  readonly details: ErrorDetails;
  /** The request was malformed: the outcome is not kept under its idempotency key, which stays free. */
  readonly isUnrecorded?: true;
}

export function refusal(code: Code, message: string, details: ErrorDetails = {}): Refusal {
  return { code, message, details };
}

/** `resource_missing`: `what` in words, such as `payment link`; `param` is the parameter with the id. */
export function missing(what: string, id: string, param?: string): Refusal {
  return refusal(
    'resource_missing',
    `No such ${what}: ${id}. Check the id, and the mode of the key.`,
    param === undefined ? {} : { param },
  );
}

/** Bad input, thrown at the edge only. Without a stack, which takes longer than all else of a bad batch. */
export class RequestError extends Error {
  readonly code: Code;
  readonly details: ErrorDetails;
  readonly status: number;
  /** `status`: only where it is not that of the code. */
  constructor(code: Code, message: string, details: ErrorDetails = {}, status: number = ERRORS[code].status) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'RequestError';
    this.code = code;
    this.details = details;
    this.status = status;
  }
}

/** The refusal for stored data that the vault does not open; its reason is the operator's alone. `null`: another fault. */
export function untrusted(thrown: unknown): RequestError | null {
  const code: Code = 'stored_data_untrusted';
  if ((thrown as { readonly code?: unknown } | null)?.code !== code) return null;
  return new RequestError(
    code,
    'Stored data that this needs cannot be trusted, so nothing was done. The operator finds it in the log by the request id.',
  );
}

/** Where the errors page is served; `doc_url` leads there. */
export const ERRORS_PAGE = '/docs/errors';

/**
 * The body of a refusal: `{"error":{type,code,message,param?,…,doc_url,request_id}}`. Minor units stay integers. `baseUrl`: without
 * a trailing slash; '' makes `doc_url` a path.
 */
export function errorBody(fault: Refusal | RequestError, requestId: string | null, baseUrl = ''): string {
  const { param, ...details } = fault.details;
  return JSON.stringify(
    {
      error: {
        type: ERRORS[fault.code].type,
        code: fault.code,
        message: fault.message,
        param,
        ...details,
        doc_url: `${baseUrl}${ERRORS_PAGE}#${fault.code}`,
        request_id: requestId,
      },
    },
    exactInteger,
  );
}

// Minor units are at most 2^53 - 1, so a number is exact; anything else must not be answered at all.
function exactInteger(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${value} is no exact JSON integer`);
  return number;
}
