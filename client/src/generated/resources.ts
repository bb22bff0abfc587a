// Made by scripts/generate-docs.ts from docs/openapi.json. Change what it is made from, not this file.
/** The operations of the API, by resource. */
import type { List } from '../list.ts';
import type { RequestOptions } from '../request.ts';
import type { StreamOptions } from '../stream.ts';
import type {
  AbandonBankFileRequest,
  Account,
  AdvanceClockRequest,
  ApiKey,
  ApiKeyWithSecret,
  ApprovePayoutRequest,
  AssignBankEntriesRequest,
  AssignBankEntryRequest,
  AssignedEntries,
  AuditEntry,
  Balances,
  BankAccount,
  BankDocument,
  BankEntry,
  BankExport,
  BankFile,
  BankReconciliation,
  BankReconciliationSignature,
  BankRule,
  BankRuleDryRun,
  BankStatement,
  Clock,
  CodeOfExpectedPaymentParams,
  CreateAccountRequest,
  CreateBankAccountRequest,
  CreateBankExportRequest,
  CreateBankRuleRequest,
  CreateExchangeRequest,
  CreateExpectedPaymentRequest,
  CreateFeeRequest,
  CreateKeyRequest,
  CreateLimitRequest,
  CreatePaymentLinkRequest,
  CreatePayoutBatchRequest,
  CreatePayoutRequest,
  CreateQuoteRequest,
  CreateRecipientRequest,
  CreateStandingOrderRequest,
  CreateTransferRequest,
  CreateWebhookEndpointRequest,
  CreditBankAccountRequest,
  DailyStatement,
  DeletedBankRule,
  DeletedFee,
  DeletedLimit,
  DeletedRecipient,
  DeletedWebhookEndpoint,
  Delivery,
  DepositInstructions,
  Event,
  Exchange,
  ExchangeDryRun,
  ExpectedPayment,
  FailPayoutRequest,
  Fee,
  FundAccountRequest,
  FxPositions,
  FxSettings,
  Limit,
  ListAccountTransfersParams,
  ListAccountsParams,
  ListAuditLogParams,
  ListBankAccountsParams,
  ListBankDocumentsParams,
  ListBankEntriesParams,
  ListBankFilesParams,
  ListBankStatementsParams,
  ListDeliveriesParams,
  ListEventsParams,
  ListExchangesParams,
  ListExpectedPaymentsParams,
  ListKeysParams,
  ListPaymentLinksParams,
  ListPaymentsParams,
  ListPayoutBatchesParams,
  ListPayoutsParams,
  ListRatesParams,
  ListRecipientsParams,
  ListStandingOrderRunsParams,
  ListStandingOrdersParams,
  ListStatementsParams,
  ListTransfersParams,
  ListUnmatchedEntriesParams,
  ListWebhookEndpointsParams,
  ListWebhookReplaysParams,
  NextBankStatementParams,
  PayPaymentLinkRequest,
  Payment,
  PaymentLink,
  PaymentLinkDryRun,
  Payout,
  PayoutBatch,
  PayoutBatchCancellation,
  PayoutBatchResults,
  PayoutBatchResultsDryRun,
  PayoutDryRun,
  PayoutRules,
  Quote,
  Rate,
  Recipient,
  RecipientRequirements,
  RecipientValidation,
  RefundPaymentRequest,
  RehearseRestoreRequest,
  RejectPayoutBatchRequest,
  RejectPayoutRequest,
  ReplayWebhookEndpointRequest,
  ResendEventRequest,
  Reset,
  ResetSandboxRequest,
  ResolvePayoutRequest,
  Restore,
  ResumeExportsRequest,
  RetrieveAccountParams,
  RetrieveBalancesParams,
  RetrieveExchangeParams,
  RetrievePaymentParams,
  RetrievePayoutParams,
  RetrieveRecipientRequirementsParams,
  RetrieveReconciliationParams,
  RetrieveStatementContentParams,
  RetrieveStatementOfAllParams,
  RetrieveStatementParams,
  ReturnBankEntryRequest,
  ReturnPayoutRequest,
  RollKeyRequest,
  RollWebhookSecretRequest,
  Settings,
  SignReconciliationRequest,
  StandingOrder,
  StandingOrderDryRun,
  StandingOrderRun,
  Statement,
  StatementLine,
  StatementSet,
  StreamEventsParams,
  TestAccount,
  Transfer,
  UnassignBankEntryRequest,
  UnmatchedEntry,
  UpdateAccountRequest,
  UpdateBankAccountRequest,
  UpdateExchangeRequest,
  UpdateFxSettingsRequest,
  UpdatePaymentLinkRequest,
  UpdatePaymentRequest,
  UpdatePayoutRequest,
  UpdatePayoutRulesRequest,
  UpdateRecipientRequest,
  UpdateSettingsRequest,
  UpdateStandingOrderRequest,
  UpdateWebhookEndpointRequest,
  Verification,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayList,
} from './types.ts';

export interface AccountsApi {
  /** Create an account. Opens an account at zero. Several accounts of one currency may exist. Scope: `accounts:write`. `POST /v1/accounts` */
  create(params: CreateAccountRequest, options?: RequestOptions): Promise<Account>;
  /** List accounts. Scope: `accounts:read`. `GET /v1/accounts` */
  list(params?: ListAccountsParams, options?: RequestOptions): List<Account>;
  /** Retrieve an account. With `at`: the account as it is, with the balance that it had then. Scope: `accounts:read`. `GET /v1/accounts/{id}` */
  retrieve(id: string, params?: RetrieveAccountParams, options?: RequestOptions): Promise<Account>;
  /** Update an account. Scope: `accounts:write`. `POST /v1/accounts/{id}` */
  update(id: string, params?: UpdateAccountRequest, options?: RequestOptions): Promise<Account>;
  /** Close an account. Only an account at zero can be closed. A closed account stays readable. Scope: `accounts:write`. `POST /v1/accounts/{id}/close` */
  close(id: string, options?: RequestOptions): Promise<Account>;
  /** List the transfers of an account. Signed amounts, the balance after each, and its cause. Of a period, with opening and closing balance: `/statement`. Scope: `accounts:read`. `GET /v1/accounts/{id}/transfers` */
  listTransfers(id: string, params?: ListAccountTransfersParams, options?: RequestOptions): List<StatementLine>;
  /** Retrieve the statement of an account. Opening balance, every movement with the balance after it, closing balance. The end of one statement is the beginning of the next. Sent while it is read: an answer that cannot be finished is cut off, so check that the transfer was complete (CSV: the last row is `closing`; XML: it is well-formed; PDF: it has its last page). What names a payout (recipient, reference, `external_id`) is shown to keys with `payouts:read`, what names a payment to keys with `payments:read`. Scope: `accounts:read`. `GET /v1/accounts/{id}/statement` */
  retrieveStatement(id: string, params?: RetrieveStatementParams, options?: RequestOptions): Promise<Statement>;
  /** Retrieve how to pay into an account. The bank account of its currency that collects, and the reference that leads a transfer to this account. A key that is restricted to accounts sees those of its own. Scope: `bank:read`. `GET /v1/accounts/{id}/deposit_instructions` */
  retrieveDepositInstructions(id: string, options?: RequestOptions): Promise<DepositInstructions>;
}

export interface TestHelpersAccountsApi {
  /** Add fake money to a sandbox account. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/accounts/{id}/fund` */
  fund(id: string, params: FundAccountRequest, options?: RequestOptions): Promise<Account>;
  /** List the test bank accounts. Give a recipient one of these accounts, and its payouts end as the row says. All rows in one answer. Sandbox keys only. Scope: `test_helpers:read`. `GET /v1/test_helpers/accounts` */
  list(options?: RequestOptions): List<TestAccount>;
}

export interface BalancesApi {
  /** Retrieve all balances. By currency and by account, now or at an instant, in one consistent view. Accounts that did not exist yet are left out. At most 10,000 accounts: with more, ask by `currency`, or list accounts. Scope: `accounts:read`. `GET /v1/balances` */
  retrieve(params?: RetrieveBalancesParams, options?: RequestOptions): Promise<Balances>;
}

export interface TransfersApi {
  /** Transfer between own accounts. Moves money between two accounts of one currency, at once. Scope: `transfers:write`. `POST /v1/transfers` */
  create(params: CreateTransferRequest, options?: RequestOptions): Promise<Transfer>;
  /** List transfers. Every movement of the ledger. Scope: `transfers:read`. `GET /v1/transfers` */
  list(params?: ListTransfersParams, options?: RequestOptions): List<Transfer>;
  /** Retrieve a transfer. Scope: `transfers:read`. `GET /v1/transfers/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<Transfer>;
}

export interface StatementApi {
  /** Retrieve the statements of all accounts. One document: the statement of every account that there was in the period, up to one instant, so that what left one account has come to the other. In camt.053 each account is a `Stmt`. Sent while it is read: an answer that cannot be finished is cut off, so check that the transfer was complete (CSV: the last row is `closing`; XML: it is well-formed; PDF: it has its last page). What names a payout (recipient, reference, `external_id`) is shown to keys with `payouts:read`, what names a payment to keys with `payments:read`. Scope: `accounts:read`. `GET /v1/statement` */
  retrieve(params?: RetrieveStatementOfAllParams, options?: RequestOptions): Promise<StatementSet>;
}

export interface StatementsApi {
  /** List the daily statements. Those that were made because the settings say `daily_statements`, newest first. Scope: `accounts:read`. `GET /v1/statements` */
  list(params?: ListStatementsParams, options?: RequestOptions): List<DailyStatement>;
  /** Retrieve a daily statement. When it was made, and where its content is. Scope: `accounts:read`. `GET /v1/statements/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<DailyStatement>;
  /** Download a daily statement. All accounts that there were on the day, or the one that is named, each with opening balance, every movement and closing balance. The figures are the same whenever it is asked for; names are as they are then. Sent while it is read: an answer that cannot be finished is cut off, so check that the transfer was complete (CSV: the last row is `closing`; XML: it is well-formed; PDF: it has its last page). What names a payout (recipient, reference, `external_id`) is shown to keys with `payouts:read`, what names a payment to keys with `payments:read`. Scope: `accounts:read`. `GET /v1/statements/{id}/content` */
  retrieveContent(id: string, params?: RetrieveStatementContentParams, options?: RequestOptions): Promise<StatementSet>;
}

export interface RecipientsApi {
  /** Create a recipient. Which bank details are needed depends on country and currency: see `GET /v1/recipients/requirements`. They are sent as `bank_details`, or each beside the other parameters; they are checked, and shown masked from then on. What an answer shows can be sent again, with the whole account number and without what the service sets (`id`, `object`, `created`, `livemode`, `status`, `duplicate_of`). Scope: `recipients:write`. `POST /v1/recipients` */
  create(params: CreateRecipientRequest, options?: RequestOptions): Promise<Recipient>;
  /** List recipients. Deleted ones are left out; `status=archived` lists them. Scope: `recipients:read`. `GET /v1/recipients` */
  list(params?: ListRecipientsParams, options?: RequestOptions): List<Recipient>;
  /** Which bank details a recipient needs. The fields of the preferred way of naming an account, and the other accepted ways, each with the speeds that your bank account has. Scope: `recipients:read`. `GET /v1/recipients/requirements` */
  retrieveRequirements(params: RetrieveRecipientRequirementsParams, options?: RequestOptions): Promise<RecipientRequirements>;
  /** Check a recipient without creating it. Takes what a create takes and answers every fault at once; nothing is written. `speeds` says of each speed whether a payout to it could be made now, with the same answer that the payout would get. A parameter that no recipient has is a 400 here too. Scope: `recipients:write`. `POST /v1/recipients/validate` */
  validate(params: CreateRecipientRequest, options?: RequestOptions): Promise<RecipientValidation>;
  /** Retrieve a recipient. A deleted one is still found, as `archived`. Scope: `recipients:read`. `GET /v1/recipients/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<Recipient>;
  /** Update a recipient. Bank details are replaced as a whole: send all of them. Country, currency and type cannot change. Payouts made before keep the details they were made with. Scope: `recipients:write`. `POST /v1/recipients/{id}` */
  update(id: string, params?: UpdateRecipientRequest, options?: RequestOptions): Promise<Recipient>;
  /** Delete a recipient. Archives it: no new payout can use it, existing ones go on, and it stays readable. Deleting twice answers the same. Scope: `recipients:write`. `DELETE /v1/recipients/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeletedRecipient>;
  /** Erase the person behind a recipient. Name, e-mail, metadata and bank details are erased: in the recipient, in its earlier states, in stored events and in recorded answers. The last four characters of the account stay, and what payouts say. Not possible while payouts are on their way, nor as long as the records of paid ones have to be kept. Scope: `recipients:write`. `POST /v1/recipients/{id}/redact` */
  redact(id: string, options?: RequestOptions): Promise<Recipient>;
}

export interface ExchangesApi {
  /** Quote an exchange. Promises a price for `expires_in` seconds. Moves no money and needs no balance; the computed side is rounded against you, once. Scope: `exchanges:write`. `POST /v1/exchanges/quote` */
  quote(params: CreateQuoteRequest, options?: RequestOptions): Promise<Quote>;
  /** Retrieve a quote. Scope: `exchanges:read`. `GET /v1/exchanges/quotes/{id}` */
  retrieveQuote(id: string, options?: RequestOptions): Promise<Quote>;
  /** Book an exchange. At a quote’s price (`quote`), or at the current rate (`sell_currency`, `buy_currency`, `amount`). Both sides move in one commit. Parameters sent beside a quote must agree with it. Scope: `exchanges:write`. `POST /v1/exchanges` */
  create(params: CreateExchangeRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<ExchangeDryRun>;
  create(params?: CreateExchangeRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Exchange>;
  /** List exchanges. Scope: `exchanges:read`. `GET /v1/exchanges` */
  list(params?: ListExchangesParams, options?: RequestOptions): List<Exchange>;
  /** Retrieve an exchange. Scope: `exchanges:read`. `GET /v1/exchanges/{id}` */
  retrieve(id: string, params?: RetrieveExchangeParams, options?: RequestOptions): Promise<Exchange>;
  /** Update an exchange. Only metadata can change. Scope: `exchanges:write`. `POST /v1/exchanges/{id}` */
  update(id: string, params: UpdateExchangeRequest, options?: RequestOptions): Promise<Exchange>;
}

export interface RatesApi {
  /** List rates, of now or of an instant. What exchanges would be priced at now, markup included, or would have been at the instant `at`: live from the fixings that were stored. Empty where no rate was good. Without a filter: the rates for selling the base currency of the source (EUR in the sandbox). Not paged: at most one rate a currency. Scope: `exchanges:read`. `GET /v1/rates` */
  list(params?: ListRatesParams, options?: RequestOptions): List<Rate>;
}

export interface FxApi {
  /** Retrieve the settings of exchanges. Scope: `settings:read`. `GET /v1/fx/settings` */
  retrieveSettings(options?: RequestOptions): Promise<FxSettings>;
  /** Change the settings of exchanges. The limit of the open position, the currency it is valued in, and markups of pairs. What is left out stays; quotes that were made keep their price. Scope: `settings:write`. `POST /v1/fx/settings` */
  settings(params?: UpdateFxSettingsRequest, options?: RequestOptions): Promise<FxSettings>;
  /** Retrieve the open positions. What exchanges have left open in each currency, less what the bank’s own exchanges closed (entries assigned to `fx`), valued at the mid-market rates of now. Kept in the commit of every movement of `house:fx`. Scope: `exchanges:read`. `GET /v1/fx/positions` */
  retrievePositions(options?: RequestOptions): Promise<FxPositions>;
}

export interface PayoutBatchesApi {
  /** Create up to 1000 payouts in one request. All or nothing by default: any fault is a 400 with `error.errors[]`, all faults of all items in one answer, and nothing is created. Money that is missing is one fault an account, with `needed_minor` of the batch as a whole. With `mode=partial` each item is answered for itself. JSON, form (`payouts[0][amount]=5`) or CSV with a header line (`amount,currency,recipient,reference`); beside a CSV file `mode`, `external_id`, `metadata` and `dry_run` go in the query, and faults name `line` and `column`. Scope: `payouts:write`. `POST /v1/payouts/batch` */
  create(params: CreatePayoutBatchRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<PayoutBatchResultsDryRun>;
  create(params: CreatePayoutBatchRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<PayoutBatchResults>;
  /** List payout batches. One batch has the path `/v1/payouts/batch/:id`, the list of all has `/v1/payouts/batches`: the word is singular wherever one batch is meant. Scope: `payouts:read`. `GET /v1/payouts/batches` */
  list(params?: ListPayoutBatchesParams, options?: RequestOptions): List<PayoutBatch>;
  /** What became of a batch, as CSV. A row an item: `index`, `status`, `id`, `external_id`, `recipient`, `amount` in major units, `currency`, `failure_code`, `failure_message`, `reference`. Rejected items (partial mode) have the status `rejected`. Always `text/csv`. A cell that begins like a formula has an apostrophe in front. As JSON: `GET /v1/payouts?batch=pob_…`. Scope: `payouts:read`. `GET /v1/payouts/batch/{id}/results` */
  retrieveResults(id: string, options?: RequestOptions): Promise<Response>;
  /** Cancel what is still pending of a batch. All pending payouts in one commit, each with its events; accounts are credited back. Payouts that have left or ended stay as they are: `kept_count`. Scope: `payouts:write`. `POST /v1/payouts/batch/{id}/cancel` */
  cancel(id: string, options?: RequestOptions): Promise<PayoutBatchCancellation>;
  /** Retrieve a payout batch. Its payouts are listed with `GET /v1/payouts?batch=pob_…`, all batches with `GET /v1/payouts/batches`. Scope: `payouts:read`. `GET /v1/payouts/batch/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<PayoutBatch>;
  /** Approve the held payouts of a batch. All of them or none. Scope: `payout_approvals:write`. `POST /v1/payouts/batch/{id}/approve` */
  approve(id: string, options?: RequestOptions): Promise<PayoutBatch>;
  /** Reject the held payouts of a batch. Cancels all of them. Scope: `payout_approvals:write`. `POST /v1/payouts/batch/{id}/reject` */
  reject(id: string, params?: RejectPayoutBatchRequest, options?: RequestOptions): Promise<PayoutBatch>;
}

export interface PayoutsApi {
  /** Create a payout. Debits the account at once and sends the money to the recipient. `pending → in_transit → paid`; `failed`, `canceled` and `returned` payouts credit the account back. With `source_currency`, `source_account` or `quote` it is paid for by an exchange that is booked in the same commit (`exchange`); money that comes back stays in the currency of the payout. Scope: `payouts:write`. `POST /v1/payouts` */
  create(params: CreatePayoutRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<PayoutDryRun>;
  create(params: CreatePayoutRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Payout>;
  /** List payouts. Scope: `payouts:read`. `GET /v1/payouts` */
  list(params?: ListPayoutsParams, options?: RequestOptions): List<Payout>;
  /** Retrieve a payout. Scope: `payouts:read`. `GET /v1/payouts/{id}` */
  retrieve(id: string, params?: RetrievePayoutParams, options?: RequestOptions): Promise<Payout>;
  /** Update a payout. Metadata can always be changed, `reference` and `scheduled_for` while the payout is pending. Scope: `payouts:write`. `POST /v1/payouts/{id}` */
  update(id: string, params?: UpdatePayoutRequest, options?: RequestOptions): Promise<Payout>;
  /** Cancel a pending payout. Credits the account back. Possible only while the payout is pending. Scope: `payouts:write`. `POST /v1/payouts/{id}/cancel` */
  cancel(id: string, options?: RequestOptions): Promise<Payout>;
  /** Approve a held payout. By a key that did not create it, is older than it, and was not made by its creator. Send `fingerprint` as it was seen in `release`, so that nothing else is approved. With `approvals_required` of 2, by two. Scope: `payout_approvals:write`. `POST /v1/payouts/{id}/approve` */
  approve(id: string, params?: ApprovePayoutRequest, options?: RequestOptions): Promise<Payout>;
  /** Reject a held payout. Cancels it, which credits the account back, and keeps the reason. Scope: `payout_approvals:write`. `POST /v1/payouts/{id}/reject` */
  reject(id: string, params?: RejectPayoutRequest, options?: RequestOptions): Promise<Payout>;
}

export interface TestHelpersPayoutsApi {
  /** Move a sandbox payout one step on. Takes the step that would come next by itself: a payout to a test account fails or comes back with its code (`GET /v1/test_helpers/accounts`), any other is paid. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/advance` */
  advance(id: string, options?: RequestOptions): Promise<Payout>;
  /** Let a sandbox payout arrive. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/pay` */
  pay(id: string, options?: RequestOptions): Promise<Payout>;
  /** Let a sandbox payout fail. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/fail` */
  fail(id: string, params?: FailPayoutRequest, options?: RequestOptions): Promise<Payout>;
  /** Let a paid sandbox payout come back. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/return` */
  return(id: string, params?: ReturnPayoutRequest, options?: RequestOptions): Promise<Payout>;
}

export interface PayoutRulesApi {
  /** Retrieve the rules of payouts. Scope: `payout_rules:read`. `GET /v1/payout_rules` */
  retrieve(options?: RequestOptions): Promise<PayoutRules>;
  /** Change the rules of payouts, or freeze them. A freeze stops every payout: none is made, and none that is pending leaves. Those in transit go on, and cancels and returns are possible. What is left out stays. Scope: `payout_rules:write`. `POST /v1/payout_rules` */
  update(params?: UpdatePayoutRulesRequest, options?: RequestOptions): Promise<PayoutRules>;
}

export interface LimitsApi {
  /** Limit what leaves in a day. Counted with every payout under one lock, so a limit is never passed, whatever comes at once. Days are UTC. A payout that ends badly does not give back what it used. A limit cannot be changed: make another and delete it. Scope: `payout_rules:write`. `POST /v1/limits` */
  create(params?: CreateLimitRequest, options?: RequestOptions): Promise<Limit>;
  /** List limits. All of them; there are at most 20. Scope: `payout_rules:read`. `GET /v1/limits` */
  list(options?: RequestOptions): List<Limit>;
  /** Retrieve a limit. Scope: `payout_rules:read`. `GET /v1/limits/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<Limit>;
  /** Delete a limit. Scope: `payout_rules:write`. `DELETE /v1/limits/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeletedLimit>;
}

export interface StandingOrdersApi {
  /** Create a standing order. Makes the same payout on every planned day. All days follow from `first`: the 31st runs on the last day of a shorter month. Each payout is checked on its day like any other, before the limits of the key that ordered it. Days that were missed are made up. Scope: `standing_orders:write` and `payouts:write`. `POST /v1/standing_orders` */
  create(params: CreateStandingOrderRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<StandingOrderDryRun>;
  create(params: CreateStandingOrderRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<StandingOrder>;
  /** List standing orders. Scope: `standing_orders:read`. `GET /v1/standing_orders` */
  list(params?: ListStandingOrdersParams, options?: RequestOptions): List<StandingOrder>;
  /** Retrieve a standing order. Scope: `standing_orders:read`. `GET /v1/standing_orders/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<StandingOrder>;
  /** Update a standing order. What is left out stays. Counts for planned days to come, made-up ones included. Whoever changes the amount has ordered the payouts from then on. Days and recipient never change; make another order for others. Scope: `standing_orders:write` and `payouts:write`. `POST /v1/standing_orders/{id}` */
  update(id: string, params?: UpdateStandingOrderRequest, options?: RequestOptions): Promise<StandingOrder>;
  /** Pause a standing order. Planned days that come meanwhile are left out; they are not made up. Scope: `standing_orders:write`. `POST /v1/standing_orders/{id}/pause` */
  pause(id: string, options?: RequestOptions): Promise<StandingOrder>;
  /** Resume a paused standing order. Goes on with the next planned day to come. What came due while it was paused is left out. Scope: `standing_orders:write` and `payouts:write`. `POST /v1/standing_orders/{id}/resume` */
  resume(id: string, options?: RequestOptions): Promise<StandingOrder>;
  /** Cancel a standing order. No further payout is made. Those that were made go on; cancel them one by one. Scope: `standing_orders:write`. `POST /v1/standing_orders/{id}/cancel` */
  cancel(id: string, options?: RequestOptions): Promise<StandingOrder>;
  /** List the runs of a standing order. What came of each planned day, the newest first. Scope: `standing_orders:read`. `GET /v1/standing_orders/{id}/runs` */
  listRuns(id: string, params?: ListStandingOrderRunsParams, options?: RequestOptions): List<StandingOrderRun>;
}

export interface FeesApi {
  /** Charge a fee. From now on; what exists, and what quotes promise, stays as it is. A fee is a transfer of its own from the account to `house:fees`, in the same commit as what it is charged for, and stands in its `fees`. A fee cannot be changed: delete it and make another. Scope: `fees:write`. `POST /v1/fees` */
  create(params: CreateFeeRequest, options?: RequestOptions): Promise<Fee>;
  /** List fees. All of them; there are at most 100. Scope: `fees:read`. `GET /v1/fees` */
  list(options?: RequestOptions): List<Fee>;
  /** Retrieve a fee. Scope: `fees:read`. `GET /v1/fees/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<Fee>;
  /** Stop charging a fee. Scope: `fees:write`. `DELETE /v1/fees/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeletedFee>;
}

export interface BankAccountsApi {
  /** Add a bank account. An account of yours at a bank, which begins at zero: what the bank books moves it. `cut_off` and `time_zone` are as your bank says. Scope: `bank:write`. `POST /v1/bank_accounts` */
  create(params: CreateBankAccountRequest, options?: RequestOptions): Promise<BankAccount>;
  /** List bank accounts. Scope: `bank:read`. `GET /v1/bank_accounts` */
  list(params?: ListBankAccountsParams, options?: RequestOptions): List<BankAccount>;
  /** Retrieve a bank account. Scope: `bank:read`. `GET /v1/bank_accounts/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<BankAccount>;
  /** Change a bank account. Another account is another bank account: country, currency and bank details stay. Scope: `bank:write`. `POST /v1/bank_accounts/{id}` */
  update(id: string, params?: UpdateBankAccountRequest, options?: RequestOptions): Promise<BankAccount>;
  /** Close a bank account. At a balance of zero. It stays readable. Scope: `bank:write`. `POST /v1/bank_accounts/{id}/close` */
  close(id: string, options?: RequestOptions): Promise<BankAccount>;
  /** Resume exports. Payouts may leave again that a statement with another balance than the ledger has stopped (`on_drift`). Look at `bank.drift_detected` first. The next statement that drifts stops them again. Scope: `bank:write`. `POST /v1/bank_accounts/{id}/resume_exports` */
  resumeExports(id: string, params: ResumeExportsRequest, options?: RequestOptions): Promise<BankAccount>;
  /** Reconcile a month of a bank account. Opening balance, what came in and went out and where, what has no place, payouts on their way by age, closing balance, and what the bank’s own balances say. Once the month is over the answer stays the same to the byte, unless a file about it comes late, a payment file of it is abandoned, or somebody signs. Scope: `bank:read`. `GET /v1/bank_accounts/{id}/reconciliation` */
  retrieveReconciliation(id: string, params: RetrieveReconciliationParams, options?: RequestOptions): Promise<BankReconciliation>;
  /** Sign the reconciliation of a month. Keeps the hash of the report in the audit log, with who asked. The report then says whether it is still what was signed. Sign again what has changed. Scope: `bank:write`. `POST /v1/bank_accounts/{id}/reconciliation/sign` */
  signReconciliation(id: string, params: SignReconciliationRequest, options?: RequestOptions): Promise<BankReconciliationSignature>;
}

export interface BankExportsApi {
  /** Export payouts. Puts all payouts that may leave now into files for your bank, one for each bank account, route and day of execution. The files are `sealed` a moment later (`bank_file.sealed`); then download and send them. Payouts in a file are `in_transit` and cannot be canceled. Scope: `bank:write`. `POST /v1/bank/exports` */
  create(params?: CreateBankExportRequest, options?: RequestOptions): Promise<BankExport>;
}

export interface BankFilesApi {
  /** List bank files. Scope: `bank:read`. `GET /v1/bank/files` */
  list(params?: ListBankFilesParams, options?: RequestOptions): List<BankFile>;
  /** Retrieve a bank file. Scope: `bank:read`. `GET /v1/bank/files/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<BankFile>;
  /** Download a bank file. The bytes that go to your bank, the same each time. Names and whole account numbers are in it. Scope: `bank:read`. `GET /v1/bank/files/{id}/content` */
  download(id: string, options?: RequestOptions): Promise<Response>;
  /** Give up a bank file. For a file that did not reach your bank, or that the bank refused as a whole. Its payouts are pending again and leave with the next export. Be sure: if the bank has the file after all, they are paid twice. Scope: `bank:write`. `POST /v1/bank/files/{id}/abandon` */
  abandon(id: string, params: AbandonBankFileRequest, options?: RequestOptions): Promise<BankFile>;
}

export interface TestHelpersBankFilesApi {
  /** What a bank would report on a bank file. A pain.002 for `POST /v1/bank/documents`: payouts to test accounts that fail are rejected, the others accepted. Sandbox keys only. Scope: `test_helpers:read`. `GET /v1/test_helpers/bank/files/{id}/report` */
  report(id: string, options?: RequestOptions): Promise<Response>;
}

export interface TestHelpersBankAccountsApi {
  /** What a bank would report next of a bank account. A file for `POST /v1/bank/documents`, in the message of `booked_by`: the debits of payouts in sealed files, and what comes back of those to test accounts once their debits are imported. Sandbox keys only. Scope: `test_helpers:read`. `GET /v1/test_helpers/bank_accounts/{id}/statement` */
  statement(id: string, params?: NextBankStatementParams, options?: RequestOptions): Promise<Response>;
}

export interface TestHelpersBankApi {
  /** Let somebody send money to a bank account. The sandbox’s bank books it as a statement with this one entry would say it: it goes to the payment, expected payment or account that `text` names, to where a rule says, or waits in the queue. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/bank/credit` */
  credit(params: CreditBankAccountRequest, options?: RequestOptions): Promise<BankEntry>;
}

export interface BankUnmatchedApi {
  /** List bank entries without a place. Entries of which a part lies in `house:unmatched`, with what they may belong to. Each suggestion says its reasons, and has `assignments` as `POST /v1/bank/entries/:id/assign` takes them; none of them moves money. As CSV without a `limit` there are no suggestions. Scope: `bank:read`. `GET /v1/bank/unmatched` */
  list(params?: ListUnmatchedEntriesParams, options?: RequestOptions): List<UnmatchedEntry>;
  /** Assign many bank entries. Up to 100 entries in one commit: all of them or none. Scope: `bank:write`. `POST /v1/bank/unmatched/assign` */
  assign(params: AssignBankEntriesRequest, options?: RequestOptions): Promise<AssignedEntries>;
}

export interface BankEntriesApi {
  /** Send money back to who sent it. What of the entry has no place yet is assigned to an account and paid out from there, in the same commit, without a fee: to the IBAN that it came from, or to `recipient`. The payout is `return_payout` of the entry, has its id in `metadata`, and is subject to limits and approvals like any other. If it does not arrive, the money is in the account. Scope: `bank:write`. `POST /v1/bank/entries/{id}/return` */
  return(id: string, params?: ReturnBankEntryRequest, options?: RequestOptions): Promise<BankEntry>;
  /** List bank entries. Scope: `bank:read`. `GET /v1/bank/entries` */
  list(params?: ListBankEntriesParams, options?: RequestOptions): List<BankEntry>;
  /** Retrieve a bank entry. Scope: `bank:read`. `GET /v1/bank/entries/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<BankEntry>;
  /** Assign a bank entry. Says where an unmatched entry, or a part of it, goes. It moves there from `house:unmatched` in the same commit. Scope: `bank:write`. `POST /v1/bank/entries/{id}/assign` */
  assign(id: string, params: AssignBankEntryRequest, options?: RequestOptions): Promise<BankEntry>;
  /** Undo an assignment. Takes a part of an entry back to `house:unmatched`, by a transfer of its own. What went to a payment or a payout stays there. Scope: `bank:write`. `POST /v1/bank/entries/{id}/unassign` */
  unassign(id: string, params?: UnassignBankEntryRequest, options?: RequestOptions): Promise<BankEntry>;
}

export interface BankRulesApi {
  /** Make a rule for bank entries. For entries that come from now on and name no payout, payment or account of yours: a rule never beats a reference, not even a mistyped one. The oldest rule that means an entry decides; where its target cannot take the money, the entry waits. With `dry_run` it is tried on the newest entries first. Scope: `bank:write`. `POST /v1/bank/rules` */
  create(params: CreateBankRuleRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<BankRuleDryRun>;
  create(params: CreateBankRuleRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<BankRule>;
  /** List rules for bank entries. All of them, the oldest first, which is the order in which they are asked; there are at most 100. Scope: `bank:read`. `GET /v1/bank/rules` */
  list(options?: RequestOptions): List<BankRule>;
  /** Retrieve a rule for bank entries. Scope: `bank:read`. `GET /v1/bank/rules/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<BankRule>;
  /** Delete a rule for bank entries. What it has assigned stays assigned. Scope: `bank:write`. `DELETE /v1/bank/rules/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeletedBankRule>;
}

export interface BankDocumentsApi {
  /** Import a bank file. The body is the file: camt.053, camt.052, camt.054 or pain.002, as XML or as a ZIP of them. It is read to its end before anything is booked. The same file, or another with the same entries, books nothing twice, so no idempotency key is needed. A large file is answered while it is still `importing`; if that is cut off, send it again. Scope: `bank:write`. `POST /v1/bank/documents` */
  import(file: Uint8Array<ArrayBuffer> | Blob | string, options?: RequestOptions): Promise<BankDocument>;
  /** List bank files. Scope: `bank:read`. `GET /v1/bank/documents` */
  list(params?: ListBankDocumentsParams, options?: RequestOptions): List<BankDocument>;
  /** Retrieve a bank file. Scope: `bank:read`. `GET /v1/bank/documents/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<BankDocument>;
}

export interface BankStatementsApi {
  /** List bank statements. Scope: `bank:read`. `GET /v1/bank/statements` */
  list(params?: ListBankStatementsParams, options?: RequestOptions): List<BankStatement>;
  /** Retrieve a bank statement. Scope: `bank:read`. `GET /v1/bank/statements/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<BankStatement>;
}

export interface BankApi {
  /** End a payout by hand. For a payout in a file of which the bank has reported nothing, five business days after the day of execution. Ask your bank first. It takes a key that approves payouts, and another than the one that made it. `failed` credits the account, and the payout never leaves again; if the bank books it after all, the money waits in `house:unmatched` as a conflict. `paid` waits for its booking as after a status of the bank. Scope: `bank:write` and `payout_approvals:write`. `POST /v1/bank/payouts/{id}/resolve` */
  resolvePayout(id: string, params: ResolvePayoutRequest, options?: RequestOptions): Promise<Payout>;
}

export interface PaymentLinksApi {
  /** Create a payment link. A page at `url` asks for the money. Send the address to whom it may concern: whoever has it can pay. A link is for one payment unless it is `reusable`. Scope: `payment_links:write`. `POST /v1/payment_links` */
  create(params: CreatePaymentLinkRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<PaymentLinkDryRun>;
  create(params: CreatePaymentLinkRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<PaymentLink>;
  /** List payment links. Scope: `payment_links:read`. `GET /v1/payment_links` */
  list(params?: ListPaymentLinksParams, options?: RequestOptions): List<PaymentLink>;
  /** Retrieve a payment link. Scope: `payment_links:read`. `GET /v1/payment_links/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<PaymentLink>;
  /** Update a payment link. What is left out stays. Amount and currency never change; make another link for another amount. Scope: `payment_links:write`. `POST /v1/payment_links/{id}` */
  update(id: string, params?: UpdatePaymentLinkRequest, options?: RequestOptions): Promise<PaymentLink>;
  /** Deactivate a payment link. No payment can be started any more; the page says so. Payments that were begun go on: their money may be on its way. Scope: `payment_links:write`. `POST /v1/payment_links/{id}/deactivate` */
  deactivate(id: string, options?: RequestOptions): Promise<PaymentLink>;
}

export interface TestHelpersPaymentLinksApi {
  /** Let a fabricated payer pay a link. Starts a payment, or goes on with the one a single-use link waits for, and lets its money arrive: all that is missing, or `amount`. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/payment_links/{id}/pay` */
  pay(id: string, params?: PayPaymentLinkRequest, options?: RequestOptions): Promise<Payment>;
}

export interface PaymentsApi {
  /** List payments. Scope: `payments:read`. `GET /v1/payments` */
  list(params?: ListPaymentsParams, options?: RequestOptions): List<Payment>;
  /** Retrieve a payment. Scope: `payments:read`. `GET /v1/payments/{id}` */
  retrieve(id: string, params?: RetrievePaymentParams, options?: RequestOptions): Promise<Payment>;
  /** Update the metadata of a payment. Scope: `payments:write`. `POST /v1/payments/{id}` */
  update(id: string, params: UpdatePaymentRequest, options?: RequestOptions): Promise<Payment>;
  /** Refund a payment. Debits the account and sends the money back with a payout (`refund`), to the account it came from or to `recipient`. If that payout does not arrive, account and payment have the money again. Scope: `payments:write`. `POST /v1/payments/{id}/refund` */
  refund(id: string, params?: RefundPaymentRequest, options?: RequestOptions): Promise<Payment>;
}

export interface ExpectedPaymentsApi {
  /** Expect a payment by bank transfer. For an invoice of yours: it gets a creditor reference (ISO 11649) of its own. What the bank books with it is credited to the account, in parts and too much as well; `overdue` and `paid` are events. Scope: `payments:write`. `POST /v1/expected_payments` */
  create(params: CreateExpectedPaymentRequest, options?: RequestOptions): Promise<ExpectedPayment>;
  /** List expected payments. Scope: `payments:read`. `GET /v1/expected_payments` */
  list(params?: ListExpectedPaymentsParams, options?: RequestOptions): List<ExpectedPayment>;
  /** Retrieve an expected payment. Scope: `payments:read`. `GET /v1/expected_payments/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<ExpectedPayment>;
  /** Cancel an expected payment. What has come stays. Money that names it from now on waits for a person. Scope: `payments:write`. `POST /v1/expected_payments/{id}/cancel` */
  cancel(id: string, options?: RequestOptions): Promise<ExpectedPayment>;
  /** Retrieve the code for banking apps. A QR code (EPC069-12) with account, amount and reference, as a picture for an invoice: what is missing of the amount, to the open bank account of the currency that collects. Euros only. Scope: `payments:read`. `GET /v1/expected_payments/{id}/code` */
  code(id: string, params?: CodeOfExpectedPaymentParams, options?: RequestOptions): Promise<Response>;
}

export interface SettingsApi {
  /** Retrieve the settings. Scope: `settings:read`. `GET /v1/settings` */
  retrieve(options?: RequestOptions): Promise<Settings>;
  /** Update the settings. Name, logo and colour of the payment page, the bank accounts that payers send money to, by currency, when to be reminded of payments, whether each day has a statement, and metadata. What is left out stays. Where `/v1/payout_rules` says so, bank accounts wait for a second person. Scope: `settings:write`. `POST /v1/settings` */
  update(params?: UpdateSettingsRequest, options?: RequestOptions): Promise<Settings>;
  /** Approve a change of the bank accounts that payers see. By a key that did not ask for it, is older than it, and was not made by who asked. Scope: `bank_accounts:write`. `POST /v1/settings/bank_accounts/approve` */
  approveBankAccounts(options?: RequestOptions): Promise<Settings>;
  /** Reject a change of the bank accounts that payers see. Scope: `bank_accounts:write`. `POST /v1/settings/bank_accounts/reject` */
  rejectBankAccounts(options?: RequestOptions): Promise<Settings>;
}

export interface EventsApi {
  /** List events. Newest first. To catch up without a gap: `after_sequence=<last seen>&order=asc`, until the answer is empty. Scope: `events:read`. `GET /v1/events` */
  list(params?: ListEventsParams, options?: RequestOptions): List<Event>;
  /** Retrieve an event. Scope: `events:read`. `GET /v1/events/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<Event>;
  /** Stream events. Events as they are committed, as server-sent events: `id` is the id of the event, `event` its type, `data` the event on one line. Begins now, or behind `Last-Event-ID` or `after_sequence`; in order and without a gap, also across reconnects. A comment every 15 s keeps the connection open; a receiver that takes nothing for 30 s is cut off. At most 100 streams an environment. Scope: `events:read`. `GET /v1/events/stream` */
  stream(params?: StreamEventsParams, options?: StreamOptions): AsyncIterableIterator<Event>;
  /** Send an event again. To every enabled endpoint that asks for its type, or to the one that is named. Answers one replay for each. Scope: `webhook_endpoints:write`. `POST /v1/events/{id}/resend` */
  resend(id: string, params?: ResendEventRequest, options?: RequestOptions): Promise<WebhookReplayList>;
}

export interface WebhookEndpointsApi {
  /** Create a webhook endpoint. Every event from now on whose type it asks for is sent to it, signed with the secret in this answer. An environment has up to 16. A restricted key needs the read scope of every resource whose events it asks for. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints` */
  create(params: CreateWebhookEndpointRequest, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
  /** List webhook endpoints. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints` */
  list(params?: ListWebhookEndpointsParams, options?: RequestOptions): List<WebhookEndpoint>;
  /** Retrieve a webhook endpoint. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  /** Update a webhook endpoint. `enabled_events` is replaced as a whole and holds for events from now on; what waits to be sent goes to a new `url` as well. To change either, a restricted key needs the read scope of every resource whose events are sent, before and after. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}` */
  update(id: string, params?: UpdateWebhookEndpointRequest, options?: RequestOptions): Promise<WebhookEndpoint>;
  /** Delete a webhook endpoint. What was on its way to it is no longer sent. Its deliveries stay readable. Scope: `webhook_endpoints:write`. `DELETE /v1/webhook_endpoints/{id}` */
  delete(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint>;
  /** Send a test event to a webhook endpoint. A `ping`, to this endpoint alone and whatever types it asks for. Retrieve the delivery to see how it fared. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/test` */
  test(id: string, options?: RequestOptions): Promise<Delivery>;
  /** Replace the signing secret of a webhook endpoint. The new secret signs at once. The old one signs beside it for `expires_in` seconds, one day by default: take the new one into use meanwhile. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/roll_secret` */
  rollSecret(id: string, params?: RollWebhookSecretRequest, options?: RequestOptions): Promise<WebhookEndpointWithSecret>;
  /** Enable a webhook endpoint. New events are sent again. Deliveries that were held meanwhile stay so until they are replayed with `POST /v1/webhook_endpoints/:id/replay`. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/enable` */
  enable(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  /** Disable a webhook endpoint. Nothing is sent until it is enabled; its deliveries are held, so that they can be replayed. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/disable` */
  disable(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
  /** List the deliveries of a webhook endpoint. Newest event first, each with its attempts. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints/{id}/deliveries` */
  listDeliveries(id: string, params?: ListDeliveriesParams, options?: RequestOptions): List<Delivery>;
  /** Retrieve a delivery. Kept as long as events are. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints/{id}/deliveries/{delivery}` */
  retrieveDelivery(id: string, delivery: string, options?: RequestOptions): Promise<Delivery>;
  /** Send events to a webhook endpoint again. One event, or those of a range of sequences or of time; without a range all that did not succeed. Ids and bodies stay the same, so a receiver knows what it has seen. Runs in the background: retrieve the replay to see how far it is. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/replay` */
  replay(id: string, params?: ReplayWebhookEndpointRequest, options?: RequestOptions): Promise<WebhookReplay>;
  /** List the replays of a webhook endpoint. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints/{id}/replays` */
  listReplays(id: string, params?: ListWebhookReplaysParams, options?: RequestOptions): List<WebhookReplay>;
  /** Retrieve a replay. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints/{id}/replays/{replay}` */
  retrieveReplay(id: string, replay: string, options?: RequestOptions): Promise<WebhookReplay>;
}

export interface KeysApi {
  /** Create an API key. For the same environment, with no more than your key may do: its scopes, accounts, addresses and expiry. What is left out is as with your key. The answer shows the key once. Scope: `keys:write`. `POST /v1/keys` */
  create(params: CreateKeyRequest, options?: RequestOptions): Promise<ApiKeyWithSecret>;
  /** List API keys. Scope: `keys:read`. `GET /v1/keys` */
  list(params?: ListKeysParams, options?: RequestOptions): List<ApiKey>;
  /** Retrieve an API key. Scope: `keys:read`. `GET /v1/keys/{id}` */
  retrieve(id: string, options?: RequestOptions): Promise<ApiKey>;
  /** Replace an API key. The new key has the same name, scopes, accounts, addresses and expiry. The old one works for `expires_in` seconds more. A key that was revoked or has expired cannot be rolled. Scope: `keys:write`. `POST /v1/keys/{id}/roll` */
  roll(id: string, params?: RollKeyRequest, options?: RequestOptions): Promise<ApiKeyWithSecret>;
  /** Revoke an API key. It stops to work within a second, on every process. Scope: `keys:write`. `POST /v1/keys/{id}/revoke` */
  revoke(id: string, options?: RequestOptions): Promise<ApiKey>;
}

export interface AuditLogApi {
  /** List the audit log. Who changed keys, settings and webhook endpoints, and which keys were refused. Entries are only ever added, and each holds the hash of the one before; `bursar audit verify` checks them. Scope: `audit_log:read`. `GET /v1/audit_log` */
  list(params?: ListAuditLogParams, options?: RequestOptions): List<AuditEntry>;
}

export interface VerificationApi {
  /** Retrieve the last verification. Once a day the books of all environments are recomputed by code that shares nothing with the code that wrote them: balances from transfers, states, events, deliveries, bank files, the audit log. This is what it came to in yours. Scope: `verification:read`. `GET /v1/verification` */
  retrieve(options?: RequestOptions): Promise<Verification>;
}

export interface TestHelpersClockApi {
  /** Move the sandbox clock forward. Quotes expire and scheduled payouts leave by it. It never goes back; a reset sets it right. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/clock/advance` */
  advance(params: AdvanceClockRequest, options?: RequestOptions): Promise<Clock>;
}

export interface TestHelpersApi {
  readonly accounts: TestHelpersAccountsApi;
  readonly payouts: TestHelpersPayoutsApi;
  readonly bankFiles: TestHelpersBankFilesApi;
  readonly bankAccounts: TestHelpersBankAccountsApi;
  readonly bank: TestHelpersBankApi;
  readonly paymentLinks: TestHelpersPaymentLinksApi;
  readonly clock: TestHelpersClockApi;
  /** Empty the sandbox. Deletes all objects, events and idempotency records of the sandbox. Keys and the event sequence stay. With `seed=true` it then holds what a first start puts in: EUR, USD and GBP accounts of 10,000.00 each, and a recipient. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/reset` */
  reset(params?: ResetSandboxRequest, options?: RequestOptions): Promise<Reset>;
  /** Rehearse a restore of the database. The event sequence of the sandbox leaves numbers out, and `environment.restored` says so, as after the operator has put a backup back. Nothing is lost: readers of events find a gap without having missed anything. Sandbox keys only. Scope: `test_helpers:write`. `POST /v1/test_helpers/restored` */
  restored(params?: RehearseRestoreRequest, options?: RequestOptions): Promise<Restore>;
}

export interface Resources {
  readonly accounts: AccountsApi;
  readonly balances: BalancesApi;
  readonly transfers: TransfersApi;
  readonly statement: StatementApi;
  readonly statements: StatementsApi;
  readonly recipients: RecipientsApi;
  readonly exchanges: ExchangesApi;
  readonly rates: RatesApi;
  readonly fx: FxApi;
  readonly payoutBatches: PayoutBatchesApi;
  readonly payouts: PayoutsApi;
  readonly payoutRules: PayoutRulesApi;
  readonly limits: LimitsApi;
  readonly standingOrders: StandingOrdersApi;
  readonly fees: FeesApi;
  readonly bankAccounts: BankAccountsApi;
  readonly bankExports: BankExportsApi;
  readonly bankFiles: BankFilesApi;
  readonly bankUnmatched: BankUnmatchedApi;
  readonly bankEntries: BankEntriesApi;
  readonly bankRules: BankRulesApi;
  readonly bankDocuments: BankDocumentsApi;
  readonly bankStatements: BankStatementsApi;
  readonly bank: BankApi;
  readonly paymentLinks: PaymentLinksApi;
  readonly payments: PaymentsApi;
  readonly expectedPayments: ExpectedPaymentsApi;
  readonly settings: SettingsApi;
  readonly events: EventsApi;
  readonly webhookEndpoints: WebhookEndpointsApi;
  readonly keys: KeysApi;
  readonly auditLog: AuditLogApi;
  readonly verification: VerificationApi;
  readonly testHelpers: TestHelpersApi;
}
