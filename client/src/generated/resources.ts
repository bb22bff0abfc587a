// Made by scripts/generate-docs.ts from docs/openapi.json. Change what it is made from, not this file.
/** The operations of the API, by resource. */
import type { Answer } from '../answer.ts';
import type { List } from '../list.ts';
import type { RequestOptions, StreamOptions } from '../options.ts';
import type { NoParams } from '../params.ts';
import type {
  AbandonPaymentFileRequest,
  Account,
  AccountStatements,
  AdvanceClockRequest,
  ApproveBankAccountRequest,
  ApproveBankEntryRequest,
  ApproveLimitDeletionRequest,
  ApprovePayoutBatchRequest,
  ApprovePayoutRequest,
  ApprovePayoutRulesRequest,
  ApprovePayoutsRequest,
  AssignBankEntryBatchRequest,
  AssignBankEntryRequest,
  AssignedEntries,
  AuditEntry,
  Balances,
  BankAccount,
  BankEntry,
  BankRule,
  BankRuleDryRun,
  BankStatement,
  Clock,
  CodeOfExpectedPaymentParams,
  CreateAccountRequest,
  CreateBankAccountRequest,
  CreateBankRuleRequest,
  CreateExchangeRequest,
  CreateExpectedPaymentRequest,
  CreateFeeRuleRequest,
  CreateKeyRequest,
  CreateLimitRequest,
  CreatePaymentFilesRequest,
  CreatePaymentLinkRequest,
  CreatePayoutBatchRequest,
  CreatePayoutRequest,
  CreateQuoteRequest,
  CreateRecipientBatchRequest,
  CreateRecipientRequest,
  CreateStandingOrderRequest,
  CreateTransferRequest,
  CreateUserRequest,
  CreateWebhookEndpointRequest,
  CreditBankAccountRequest,
  DailyStatement,
  DeletedBankRule,
  DeletedFeeRule,
  DeletedLimit,
  DeletedRecipient,
  DeletedWebhookEndpoint,
  Delivery,
  DepositInstructions,
  Event,
  Exchange,
  ExchangeDryRun,
  ExchangePositions,
  ExchangeQuote,
  ExchangeSettings,
  ExpectedPayment,
  FailPayoutRequest,
  FeeRule,
  FundAccountRequest,
  ImportStatementFileParams,
  Key,
  KeyWithSecret,
  Limit,
  ListAccountTransfersParams,
  ListAccountsParams,
  ListAuditLogParams,
  ListBankAccountsParams,
  ListBankEntriesParams,
  ListBankRulesParams,
  ListBankStatementsParams,
  ListDailyStatementsParams,
  ListDeliveriesParams,
  ListEventDeliveriesParams,
  ListEventsParams,
  ListExchangesParams,
  ListExpectedPaymentsParams,
  ListFeeRulesParams,
  ListKeysParams,
  ListLimitsParams,
  ListPaymentFilesParams,
  ListPaymentLinksParams,
  ListPaymentsParams,
  ListPayoutBatchesParams,
  ListPayoutsParams,
  ListRatesParams,
  ListRecipientVersionsParams,
  ListRecipientsParams,
  ListRequestLogsParams,
  ListStandingOrderRunsParams,
  ListStandingOrdersParams,
  ListStatementFilesParams,
  ListTestAccountsParams,
  ListTransfersParams,
  ListUsersParams,
  ListWaitingEntriesParams,
  ListWebhookEndpointsParams,
  ListWebhookReplaysParams,
  MatchRecipientBatchRequest,
  MatchRecipientRequest,
  Me,
  NextBankStatementParams,
  PayPaymentLinkRequest,
  Payment,
  PaymentFile,
  PaymentFileExport,
  PaymentLink,
  PaymentLinkDryRun,
  Payout,
  PayoutApproval,
  PayoutBatch,
  PayoutBatchCancellation,
  PayoutBatchRelease,
  PayoutBatchResults,
  PayoutBatchResultsDryRun,
  PayoutDryRun,
  PayoutHistory,
  PayoutRules,
  Rate,
  Recipient,
  RecipientBatch,
  RecipientBatchDryRun,
  RecipientList,
  RecipientMatch,
  RecipientMatchBatch,
  RecipientRequirements,
  RecipientValidation,
  RecipientVersion,
  Reconciliation,
  ReconciliationSignature,
  RefundPaymentRequest,
  RehearseRestoreRequest,
  RejectPayoutBatchRequest,
  RejectPayoutRequest,
  ReplayWebhookEndpointRequest,
  RequestLog,
  ResendEventRequest,
  Reset,
  ResetSandboxRequest,
  ResolvePayoutRequest,
  Restore,
  ResumeExportsRequest,
  RetrieveAccountParams,
  RetrieveAccountStatementsParams,
  RetrieveBalancesParams,
  RetrieveExchangeParams,
  RetrievePaymentParams,
  RetrievePayoutParams,
  RetrieveRecipientRequirementsParams,
  RetrieveReconciliationParams,
  RetrieveStatementContentParams,
  RetrieveStatementParams,
  RetrieveSummaryParams,
  ReturnBankEntryRequest,
  ReturnPayoutRequest,
  ReviewBankStatementRequest,
  RollKeyRequest,
  RollWebhookSecretRequest,
  SearchRecipientsRequest,
  SearchRequest,
  SearchResult,
  Settings,
  SignReconciliationRequest,
  StandingOrder,
  StandingOrderDryRun,
  StandingOrderRun,
  Statement,
  StatementFile,
  StatementLine,
  StreamEventsParams,
  Summary,
  TestAccount,
  Transfer,
  UnassignBankEntryRequest,
  UpdateAccountRequest,
  UpdateBankAccountRequest,
  UpdateExchangeRequest,
  UpdateExchangeSettingsRequest,
  UpdateKeyRequest,
  UpdatePaymentLinkRequest,
  UpdatePaymentRequest,
  UpdatePayoutRequest,
  UpdatePayoutRulesRequest,
  UpdateRecipientRequest,
  UpdateSettingsRequest,
  UpdateStandingOrderRequest,
  UpdateUserRequest,
  UpdateWebhookEndpointRequest,
  User,
  UserWithLink,
  Verification,
  VoidBankEntryRequest,
  WaitingEntries,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
  WebhookReplay,
  WebhookReplayList,
} from './types.ts';

export interface AccountsApi {
  /** Create an account. Opens an account at zero. Several accounts of one currency may exist. Scope: `accounts:write`. `POST /v1/accounts` */
  create(params: CreateAccountRequest, options?: RequestOptions): Promise<Answer<Account>>;
  /** List accounts. Scope: `accounts:read`. `GET /v1/accounts` */
  list(params?: ListAccountsParams, options?: RequestOptions): List<Account>;
  /** Retrieve an account. With `at`, the answer is the present account with its balance at that instant. Scope: `accounts:read`. `GET /v1/accounts/{id}` */
  retrieve(id: string, params?: RetrieveAccountParams, options?: RequestOptions): Promise<Answer<Account>>;
  /** Update an account. Scope: `accounts:write`. `POST /v1/accounts/{id}` */
  update(id: string, params?: UpdateAccountRequest, options?: RequestOptions): Promise<Answer<Account>>;
  /** Close an account. Only an account at zero can be closed. A closed account stays readable. Scope: `accounts:write`. `POST /v1/accounts/{id}/close` */
  close(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Account>>;
  /** List the transfers of an account. Signed amounts, each with the balance after it and its cause. `/statement` shows a period with opening and closing balance. Scope: `accounts:read`. `GET /v1/accounts/{id}/transfers` */
  listTransfers(id: string, params?: ListAccountTransfersParams, options?: RequestOptions): List<StatementLine>;
  /** Retrieve the statement of an account. Opening balance, every movement with the balance after it, closing balance. The end of one statement is the beginning of the next. The answer is sent while it is read. If it cannot be finished it is cut off, so check that it is complete (CSV: the last row is `closing`; XML: it is well-formed; PDF: it has its last page). Details of payouts (recipient, reference, `external_id`) need the scope `payouts:read`, details of payments `payments:read`, and who paid by a bank transfer that is no payment `bank_entries:read`. Scope: `accounts:read`. `GET /v1/accounts/{id}/statement` */
  retrieveStatement(id: string, params?: RetrieveStatementParams, options?: RequestOptions): Promise<Answer<Statement>>;
  /** Retrieve how to pay into an account. The bank account that collects in its currency, and the reference that leads a transfer to this account. A key with `accounts` sees only its own accounts. Scope: `bank_accounts:read`. `GET /v1/accounts/{id}/deposit_instructions` */
  retrieveDepositInstructions(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DepositInstructions>>;
}

export interface TestHelpersAccountsApi {
  /** Add fake money to a sandbox account. Scope: `test_helpers:write`. `POST /v1/test_helpers/accounts/{id}/fund` */
  fund(id: string, params: FundAccountRequest, options?: RequestOptions): Promise<Answer<Account>>;
}

export interface BalancesApi {
  /** Retrieve all balances. By currency and by account, now or at an instant, in one consistent view. Accounts that did not exist at that instant are left out. At most 10,000 accounts: if you have more, ask by `currency`, or list accounts. Scope: `accounts:read`. `GET /v1/balances` */
  retrieve(params?: RetrieveBalancesParams, options?: RequestOptions): Promise<Answer<Balances>>;
}

export interface TransfersApi {
  /** Transfer between own accounts. Moves money between two accounts of one currency, at once. Scope: `transfers:write`. `POST /v1/transfers` */
  create(params: CreateTransferRequest, options?: RequestOptions): Promise<Answer<Transfer>>;
  /** List transfers. Every movement of the ledger. Scope: `transfers:read`. `GET /v1/transfers` */
  list(params?: ListTransfersParams, options?: RequestOptions): List<Transfer>;
  /** Retrieve a transfer. Scope: `transfers:read`. `GET /v1/transfers/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Transfer>>;
}

export interface AccountStatementsApi {
  /** Retrieve the statements of all accounts. One document with the statement of every account of the period, up to one instant. Money that left one account has therefore reached the other. In camt.053 each account is a `Stmt`. Sent, and shown, as the statement of an account is. Scope: `accounts:read`. `GET /v1/account_statements` */
  retrieve(params?: RetrieveAccountStatementsParams, options?: RequestOptions): Promise<Answer<AccountStatements>>;
}

export interface DailyStatementsApi {
  /** List the daily statements. The statements that exist because the setting `daily_statements` is on, newest first. Scope: `accounts:read`. `GET /v1/daily_statements` */
  list(params?: ListDailyStatementsParams, options?: RequestOptions): List<DailyStatement>;
  /** Retrieve a daily statement. When it was made, and where its content is. Scope: `accounts:read`. `GET /v1/daily_statements/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DailyStatement>>;
  /** Download a daily statement. All accounts of the day, or one of your choice, each with opening balance, every movement and closing balance. The figures are the same in every download; names are the present ones. Sent, and shown, as the statement of an account is. Scope: `accounts:read`. `GET /v1/daily_statements/{id}/content` */
  retrieveContent(id: string, params?: RetrieveStatementContentParams, options?: RequestOptions): Promise<Answer<AccountStatements>>;
}

export interface RecipientsApi {
  /** Create a recipient. The required bank details depend on country and currency: see `GET /v1/recipients/requirements`. Send them as `bank_details`, or as parameters of their own. They are checked, and answers mask them. A request takes the shape of an answer, with the whole account number and without the members that the service sets (`id`, `object`, `created`, `livemode`, `status`, `duplicate_of`). Scope: `recipients:write`. `POST /v1/recipients` */
  create(params: CreateRecipientRequest, options?: RequestOptions): Promise<Answer<Recipient>>;
  /** List recipients. Deleted recipients are left out; `status=archived` lists them. Scope: `recipients:read`. `GET /v1/recipients` */
  list(params?: ListRecipientsParams, options?: RequestOptions): List<Recipient>;
  /** Find recipients by account or name. Recipients with the account, or with words in the name that begin so, newest first, also those of one person in several currencies. A POST, so that no account number and no name stands in an address or a log; nothing is written. To find the one that a payment means, by name and account: `POST /v1/recipients/match`. Scope: `recipients:read`. `POST /v1/recipients/search` */
  search(params?: SearchRecipientsRequest, options?: RequestOptions): Promise<Answer<RecipientList>>;
  /** Which bank details a recipient needs. The fields of the preferred way to name an account, and the other accepted ways. Each has the speeds that your bank account offers. Scope: `recipients:read`. `GET /v1/recipients/requirements` */
  retrieveRequirements(params: RetrieveRecipientRequirementsParams, options?: RequestOptions): Promise<Answer<RecipientRequirements>>;
  /** Check a recipient without creating it. Takes the parameters of a create and answers all faults at once. Nothing is written. `speeds` says for each speed whether a payout to the recipient could be made now; the answer is the one that the payout would get. An unknown parameter is a 400 here too. Scope: `recipients:write`. `POST /v1/recipients/validate` */
  validate(params: CreateRecipientRequest, options?: RequestOptions): Promise<Answer<RecipientValidation>>;
  /** Look for a recipient by name and account. The account finds the recipient, and the name has to agree. Case, accents, blanks and punctuation do not count, nor does the alphabet: `Jörg Müller` is `JOERG MUELLER`. Only active recipients paid in `currency` count. Nothing is written. Scope: `recipients:read`. `POST /v1/recipients/match` */
  match(params: MatchRecipientRequest, options?: RequestOptions): Promise<Answer<RecipientMatch>>;
  /** Look for up to 1000 recipients by name and account. As for one payee, with a result for each in the order sent. A payee with faults is `invalid`, and the others are looked for. `POST /v1/payouts/batch` takes the same names and accounts. Scope: `recipients:read`. `POST /v1/recipients/match/batch` */
  matchBatch(params: MatchRecipientBatchRequest, options?: RequestOptions): Promise<Answer<RecipientMatchBatch>>;
  /** Create up to 1000 recipients in one request. All or nothing: any fault is a 400, nothing is created, and `error.errors[]` has the faults of all items, each with its `index` and by the name of its own parameter. Two with the same account are no fault: see `duplicate_of`. Which of them are known already says `POST /v1/recipients/match/batch`. Scope: `recipients:write`. `POST /v1/recipients/batch` */
  batch(params: CreateRecipientBatchRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<RecipientBatchDryRun>>;
  batch(params: CreateRecipientBatchRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<RecipientBatch>>;
  /** Retrieve a recipient. A deleted recipient is still found, as `archived`. Scope: `recipients:read`. `GET /v1/recipients/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Recipient>>;
  /** Update a recipient. Bank details are replaced as a whole: send all of them. Country, currency and type cannot change. Payouts made before keep the details they were made with. Scope: `recipients:write`. `POST /v1/recipients/{id}` */
  update(id: string, params?: UpdateRecipientRequest, options?: RequestOptions): Promise<Answer<Recipient>>;
  /** Delete a recipient. Archives it: no new payout can use it, existing ones go on, and it stays readable. Deleting twice answers the same. Scope: `recipients:write`. `DELETE /v1/recipients/{id}` */
  delete(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedRecipient>>;
  /** List the versions of a recipient. Each change of name, bank details or address makes a version. Newest first, at most 100. There are no pages. Scope: `recipients:read`. `GET /v1/recipients/{id}/versions` */
  listVersions(id: string, params?: ListRecipientVersionsParams, options?: RequestOptions): List<RecipientVersion>;
  /** Erase the person behind a recipient. Erases name, e-mail, metadata and bank details from the recipient, its earlier states, stored events and recorded answers. The last four characters of the account stay, and so do the texts of payouts. Standing orders to the recipient are canceled. It is refused while payouts are on their way, and as long as records of paid payouts have to be kept. Scope: `recipients:write`. `POST /v1/recipients/{id}/redact` */
  redact(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Recipient>>;
}

export interface ExchangesApi {
  /** Quote an exchange. Promises a price for `expires_in` seconds. Moves no money and needs no balance; the computed side is rounded against you, once. Scope: `exchanges:write`. `POST /v1/exchanges/quote` */
  quote(params: CreateQuoteRequest, options?: RequestOptions): Promise<Answer<ExchangeQuote>>;
  /** Book an exchange. At a quote’s price (`quote`), or at the current rate (`sell_currency`, `buy_currency`, `amount`). Both sides move in one commit. Parameters that you send together with a quote must agree with it. Scope: `exchanges:write`. `POST /v1/exchanges` */
  create(params: CreateExchangeRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<ExchangeDryRun>>;
  create(params?: CreateExchangeRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<Exchange>>;
  /** List exchanges. Scope: `exchanges:read`. `GET /v1/exchanges` */
  list(params?: ListExchangesParams, options?: RequestOptions): List<Exchange>;
  /** Retrieve an exchange. Scope: `exchanges:read`. `GET /v1/exchanges/{id}` */
  retrieve(id: string, params?: RetrieveExchangeParams, options?: RequestOptions): Promise<Answer<Exchange>>;
  /** Update an exchange. Only metadata can change. Scope: `exchanges:write`. `POST /v1/exchanges/{id}` */
  update(id: string, params?: UpdateExchangeRequest, options?: RequestOptions): Promise<Answer<Exchange>>;
}

export interface ExchangeQuotesApi {
  /** Retrieve a quote. Scope: `exchanges:read`. `GET /v1/exchange_quotes/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<ExchangeQuote>>;
}

export interface RatesApi {
  /** List the rates, present or past. The rates at which exchanges are priced now, markup included, or were priced at the instant `at`. In live, past rates come from the stored fixings. The list is empty where no rate was good. Without a filter it has the rates for selling the source’s base currency (EUR in the sandbox). It has no pages: at most one rate a currency. Scope: `exchanges:read`. `GET /v1/rates` */
  list(params?: ListRatesParams, options?: RequestOptions): List<Rate>;
}

export interface ExchangeSettingsApi {
  /** Retrieve the settings of exchanges. Scope: `settings:read`. `GET /v1/settings/exchanges` */
  retrieve(params?: NoParams, options?: RequestOptions): Promise<Answer<ExchangeSettings>>;
  /** Change the settings of exchanges. The limit of the open position, its currency, and markups of pairs. Parameters that you leave out stay. Existing quotes keep their price. Scope: `settings:write`. `POST /v1/settings/exchanges` */
  update(params?: UpdateExchangeSettingsRequest, options?: RequestOptions): Promise<Answer<ExchangeSettings>>;
}

export interface ExchangePositionsApi {
  /** Retrieve the open positions. The amounts that exchanges have left open in each currency, less the amounts that exchanges at your bank closed (entries assigned to `fx`). They are valued at present mid-market rates, and kept in the commit of every movement of `house:fx`. Scope: `exchanges:read`. `GET /v1/exchange_positions` */
  retrieve(params?: NoParams, options?: RequestOptions): Promise<Answer<ExchangePositions>>;
}

export interface PayoutBatchesApi {
  /** Create up to 1000 payouts in one request. All or nothing by default: any fault is a 400, nothing is created, and `error.errors[]` has the faults of all items. Missing money is one fault an account, with `needed_minor`. With `mode=partial` each item succeeds or fails by itself. Instead of `recipient`, an item may have `name` and `iban` (and `bic`, `country`, `email`, `type`): the recipient is found as in `POST /v1/recipients/match`, or made with `create_recipients=true`. Send JSON, a form, or CSV with a header line (`amount,currency,recipient,reference`). With a CSV file `mode`, `external_id`, `metadata` and `dry_run` go in the query, and faults name `line` and `column`. Without an `Idempotency-Key` and an `external_id` the same file pays once: sent again it is refused with `external_id_used`. Scope: `payouts:write`. `POST /v1/payouts/batch` */
  create(params: CreatePayoutBatchRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<PayoutBatchResultsDryRun>>;
  create(params: CreatePayoutBatchRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<PayoutBatchResults>>;
  /** List payout batches. Scope: `payouts:read`. `GET /v1/payout_batches` */
  list(params?: ListPayoutBatchesParams, options?: RequestOptions): List<PayoutBatch>;
  /** Download the results of a batch. One row for each item: `index`, `status`, `id`, `external_id`, `recipient`, `amount` in major units, `currency`, `failure_code`, `failure_message`, `reference`, `amount_returned` in major units. Rejected items (partial mode) have the status `rejected`. The answer is always `text/csv`. Where a spreadsheet would take a text for a formula stands an apostrophe. For JSON, use `GET /v1/payouts?batch=pob_…`. Scope: `payouts:read`. `GET /v1/payout_batches/{id}/results` */
  retrieveResults(id: string, params?: NoParams, options?: RequestOptions): Promise<Response>;
  /** Cancel the pending payouts of a batch. Cancels all pending payouts in one commit, each with its events, and credits the accounts. Payouts that have left or ended stay as they are; `kept_count` counts them. Scope: `payouts:write`. `POST /v1/payout_batches/{id}/cancel` */
  cancel(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutBatchCancellation>>;
  /** Retrieve a payout batch. Its payouts are listed with `GET /v1/payouts?batch=pob_…`, all batches with `GET /v1/payout_batches`. Scope: `payouts:read`. `GET /v1/payout_batches/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutBatch>>;
  /** Approve the held payouts of a batch. All held payouts or none. Those that your family of keys approved by themselves before wait for another one. Scope: `payout_approvals:write`. `POST /v1/payout_batches/{id}/approve` */
  approve(id: string, params: ApprovePayoutBatchRequest, options?: RequestOptions): Promise<Answer<PayoutBatch>>;
  /** Retrieve what the approval of a batch lets leave. How many of its payouts are held, their totals, and the `fingerprint` that the approval sends. Scope: `payout_approvals:read`. `GET /v1/payout_batches/{id}/release` */
  retrieveRelease(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutBatchRelease>>;
  /** Reject the held payouts of a batch. Cancels all held payouts. Scope: `payout_approvals:write`. `POST /v1/payout_batches/{id}/reject` */
  reject(id: string, params?: RejectPayoutBatchRequest, options?: RequestOptions): Promise<Answer<PayoutBatch>>;
}

export interface PayoutsApi {
  /** Create a payout. Debits the account at once and sends the money to the recipient. `pending → in_transit → paid`; `failed`, `canceled` and `returned` payouts credit the account back. With `source_currency`, `source_account` or `quote`, an exchange pays for it, in the same commit (`exchange`). Money that comes back stays in the currency of the payout. Scope: `payouts:write`. `POST /v1/payouts` */
  create(params: CreatePayoutRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<PayoutDryRun>>;
  create(params: CreatePayoutRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<Payout>>;
  /** List payouts. Scope: `payouts:read`. `GET /v1/payouts` */
  list(params?: ListPayoutsParams, options?: RequestOptions): List<Payout>;
  /** Retrieve a payout. Scope: `payouts:read`. `GET /v1/payouts/{id}` */
  retrieve(id: string, params?: RetrievePayoutParams, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Update a payout. Metadata can change at any time; `reference`, `scheduled_on`, `category_purpose`, `purpose` and `bank_account` while the payout is pending. Such a change voids approvals. Scope: `payouts:write`. `POST /v1/payouts/{id}` */
  update(id: string, params?: UpdatePayoutRequest, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Cancel a pending payout. Credits the account back. Possible only while the payout is pending. Scope: `payouts:write`. `POST /v1/payouts/{id}/cancel` */
  cancel(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Retrieve the history of a payout. Who asked for it, what held it, who approved it, in which file it left, what the bank said, and where its money is: in sentences, the oldest first. Events are kept for 90 days; of an older payout the history is shorter. What a restricted key may not read is left out: the payment file, bank entries, failed deliveries, and the name of the account. Scope: `payouts:read`. `GET /v1/payouts/{id}/history` */
  retrieveHistory(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutHistory>>;
  /** Approve a held payout. The approving key is of another family than the one that created the payout: its root, a key of the command line, is another one. With `approvals_required` of 2, two families have to approve. Scope: `payout_approvals:write`. `POST /v1/payouts/{id}/approve` */
  approve(id: string, params: ApprovePayoutRequest, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Approve many held payouts. All of them or none, each as by itself, in this order. The fault names the row: `payouts[3][fingerprint]`. Scope: `payout_approvals:write`. `POST /v1/payouts/approve` */
  approveMany(params: ApprovePayoutsRequest, options?: RequestOptions): Promise<Answer<PayoutApproval>>;
  /** Reject a held payout. Cancels it, which credits the account back, and keeps the reason. Scope: `payout_approvals:write`. `POST /v1/payouts/{id}/reject` */
  reject(id: string, params?: RejectPayoutRequest, options?: RequestOptions): Promise<Answer<Payout>>;
  /** End a payout by hand. For a payout on which the bank has not reported, five business days after the day of execution. Ask your bank first. The key approves payouts, and is of another family than the one that made this one. `failed` credits the account, and the payout never leaves again. If the bank books it after all, the money waits in `house:unmatched` as a conflict. After `paid`, the debit is still expected, as after the bank’s status ACSC. Scope: `bank_entries:write` and `payout_approvals:write`. `POST /v1/payouts/{id}/resolve` */
  resolve(id: string, params: ResolvePayoutRequest, options?: RequestOptions): Promise<Answer<Payout>>;
}

export interface TestHelpersPayoutsApi {
  /** Move a sandbox payout one step on. Takes the step that would come next. A payout to a test account fails or comes back with the account’s code (`GET /v1/test_helpers/test_accounts`). Any other payout is paid. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/advance` */
  advance(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Let a sandbox payout arrive. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/pay` */
  pay(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Let a sandbox payout fail. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/fail` */
  fail(id: string, params?: FailPayoutRequest, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Let a paid sandbox payout come back. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/return` */
  return(id: string, params?: ReturnPayoutRequest, options?: RequestOptions): Promise<Answer<Payout>>;
  /** Approve a held sandbox payout as a second person. Stands for a second person, so that you need no second family of keys to try approvals. It approves once. Scope: `test_helpers:write`. `POST /v1/test_helpers/payouts/{id}/approve` */
  approve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Payout>>;
}

export interface PayoutRulesApi {
  /** Retrieve the rules of payouts. Scope: `payout_rules:read`. `GET /v1/settings/payouts` */
  retrieve(params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutRules>>;
  /** Change the rules of payouts, or freeze them. A freeze stops every payout: none is made, and no pending one leaves. Payouts in transit go on, and cancels and returns stay possible. Parameters that you leave out stay. Where something is held for a second person, what loosens the rules waits in `pending_changes` for `POST /v1/settings/payouts/approve`; what makes them stricter is done at once. The newest request takes the place of what waits, and naming a rule as it is takes that back. Scope: `payout_rules:write`. `POST /v1/settings/payouts` */
  update(params?: UpdatePayoutRulesRequest, options?: RequestOptions): Promise<Answer<PayoutRules>>;
  /** Approve a change that loosens the rules of payouts. The approving key is of another family than the one that asked. With `approvals_required` of 2, two families have to approve. Scope: `payout_approvals:write`. `POST /v1/settings/payouts/approve` */
  approve(params: ApprovePayoutRulesRequest, options?: RequestOptions): Promise<Answer<PayoutRules>>;
  /** Reject a change that loosens the rules of payouts. Scope: `payout_approvals:write`. `POST /v1/settings/payouts/reject` */
  reject(params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutRules>>;
}

export interface LimitsApi {
  /** Limit what leaves in a day. Simultaneous requests never pass a limit. Who pays uses what the account is debited, in its currency; a recipient uses what arrives. With `all_currencies` other currencies count too, at their value in `currency` at the newest mid-market rate, rounded up; without a rate such a payout is refused with `rate_unavailable`. A payout counts on the day on which it leaves: today, its planned day, or that on which its money comes or it is approved. Days begin in the `time_zone` of the payout rules. A payout that is canceled, rejected or fails before it left gives back its share. Scope: `limits:write`. `POST /v1/limits` */
  create(params?: CreateLimitRequest, options?: RequestOptions): Promise<Answer<Limit>>;
  /** List limits. All limits with what is used of each; there are at most 20. Scope: `limits:read`. `GET /v1/limits` */
  list(params?: ListLimitsParams, options?: RequestOptions): List<Limit>;
  /** Retrieve a limit. Scope: `limits:read`. `GET /v1/limits/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Limit>>;
  /** Delete a limit. Where something is held for a second person, the limit stays, with `pending_deletion`, and the answer says `deleted: false`. `POST /v1/limits/:id/approve` deletes it. Scope: `limits:write`. `DELETE /v1/limits/{id}` */
  delete(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedLimit>>;
  /** Approve the deletion of a limit. As a change of the rules of payouts is approved. The last approval deletes the limit. Scope: `payout_approvals:write`. `POST /v1/limits/{id}/approve` */
  approve(id: string, params: ApproveLimitDeletionRequest, options?: RequestOptions): Promise<Answer<DeletedLimit>>;
  /** Reject the deletion of a limit. Scope: `payout_approvals:write`. `POST /v1/limits/{id}/reject` */
  reject(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedLimit>>;
}

export interface TestHelpersPayoutRulesApi {
  /** Approve a change of a sandbox’s rules of payouts as a second person. Stands for a second person, so that you need no second family of keys to try it. It approves once. Scope: `test_helpers:write`. `POST /v1/test_helpers/settings/payouts/approve` */
  approve(params?: NoParams, options?: RequestOptions): Promise<Answer<PayoutRules>>;
}

export interface TestHelpersLimitsApi {
  /** Approve the deletion of a sandbox’s limit as a second person. Stands for a second person, so that you need no second family of keys to try it. It approves once. Scope: `test_helpers:write`. `POST /v1/test_helpers/limits/{id}/approve` */
  approve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedLimit>>;
}

export interface StandingOrdersApi {
  /** Create a standing order. Makes the same payout on every planned day. All days follow from `starts_on`: the 31st runs on the last day of a shorter month. Each payout is checked on its day like any other, against the limits of the key that ordered it. Missed days are made up. Scope: `standing_orders:write` and `payouts:write`. `POST /v1/standing_orders` */
  create(params: CreateStandingOrderRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<StandingOrderDryRun>>;
  create(params: CreateStandingOrderRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<StandingOrder>>;
  /** List standing orders. Scope: `standing_orders:read`. `GET /v1/standing_orders` */
  list(params?: ListStandingOrdersParams, options?: RequestOptions): List<StandingOrder>;
  /** Retrieve a standing order. Scope: `standing_orders:read`. `GET /v1/standing_orders/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<StandingOrder>>;
  /** Update a standing order. Parameters that you leave out stay. A change counts for coming days, made-up ones included. The key that changes the amount has ordered the payouts from then on. Days and recipient never change: make another order. Scope: `standing_orders:write` and `payouts:write`. `POST /v1/standing_orders/{id}` */
  update(id: string, params?: UpdateStandingOrderRequest, options?: RequestOptions): Promise<Answer<StandingOrder>>;
  /** Pause a standing order. Planned days during the pause are left out and not made up. Scope: `standing_orders:write`. `POST /v1/standing_orders/{id}/pause` */
  pause(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<StandingOrder>>;
  /** Resume a paused standing order. Goes on with the next planned day. Days during the pause are left out. Scope: `standing_orders:write` and `payouts:write`. `POST /v1/standing_orders/{id}/resume` */
  resume(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<StandingOrder>>;
  /** Cancel a standing order. No further payout is made. Existing payouts go on; cancel them one by one. Scope: `standing_orders:write`. `POST /v1/standing_orders/{id}/cancel` */
  cancel(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<StandingOrder>>;
}

export interface StandingOrderRunsApi {
  /** List runs of standing orders. The result of each planned day, newest first. Scope: `standing_orders:read`. `GET /v1/standing_order_runs` */
  list(params?: ListStandingOrderRunsParams, options?: RequestOptions): List<StandingOrderRun>;
  /** Retrieve a run of a standing order. Scope: `standing_orders:read`. `GET /v1/standing_order_runs/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<StandingOrderRun>>;
}

export interface FeeRulesApi {
  /** Charge a fee. It counts from now on. Existing payouts, exchanges and payments, and the promises of quotes, stay as they are. A fee is a transfer from the account to `house:fees`, in the same commit as the payout, exchange or payment, which lists it in `fees`. A fee cannot be changed: delete it and make another. Scope: `fee_rules:write`. `POST /v1/fee_rules` */
  create(params: CreateFeeRuleRequest, options?: RequestOptions): Promise<Answer<FeeRule>>;
  /** List fees. All fees; there are at most 100. Scope: `fee_rules:read`. `GET /v1/fee_rules` */
  list(params?: ListFeeRulesParams, options?: RequestOptions): List<FeeRule>;
  /** Retrieve a fee. Scope: `fee_rules:read`. `GET /v1/fee_rules/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<FeeRule>>;
  /** Stop charging a fee. Scope: `fee_rules:write`. `DELETE /v1/fee_rules/{id}` */
  delete(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedFeeRule>>;
}

export interface BankAccountsApi {
  /** Add a bank account. An account of yours at a bank. It begins at zero, and the bank’s bookings move it. Your bank tells you `cut_off` and `time_zone`. With `hold_bank_accounts` in `/v1/settings/payouts`, `collections` waits for a second person. Scope: `bank_accounts:write`. `POST /v1/bank_accounts` */
  create(params: CreateBankAccountRequest, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** List bank accounts. Scope: `bank_accounts:read`. `GET /v1/bank_accounts` */
  list(params?: ListBankAccountsParams, options?: RequestOptions): List<BankAccount>;
  /** Retrieve a bank account. Scope: `bank_accounts:read`. `GET /v1/bank_accounts/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** Change a bank account. Country, currency and bank details stay. For another account, add another bank account. Scope: `bank_accounts:write`. `POST /v1/bank_accounts/{id}` */
  update(id: string, params?: UpdateBankAccountRequest, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** Close a bank account. Its balance has to be zero. It stays readable. Scope: `bank_accounts:write`. `POST /v1/bank_accounts/{id}/close` */
  close(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** Resume exports. A statement whose balance differs from the ledger has stopped the exports (`on_drift`). After this request payouts leave again. Look at `bank_statement.drift_detected` first. The same difference in later statements does not stop them again, another one does. Scope: `bank_accounts:write`. `POST /v1/bank_accounts/{id}/resume_exports` */
  resumeExports(id: string, params: ResumeExportsRequest, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** Approve a change of what payers are shown. With `hold_bank_accounts`, payers are shown a new bank account, or a new holder, only after this. The approving key is of another family than those that asked for the change. Scope: `bank_account_approvals:write`. `POST /v1/bank_accounts/{id}/approve` */
  approve(id: string, params: ApproveBankAccountRequest, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** Reject a change of what payers are shown. Scope: `bank_account_approvals:write`. `POST /v1/bank_accounts/{id}/reject` */
  reject(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankAccount>>;
  /** Reconcile a month of a bank account. Opening and closing balance, money in and out by place, money without a place, payouts on their way by age, and the proof against the bank’s balances. Once the month is over the answer stays the same to the byte. Exceptions are a late file about it, an abandoned payment file of it, and a signature. Scope: `reconciliation:read`. `GET /v1/bank_accounts/{id}/reconciliation` */
  retrieveReconciliation(id: string, params: RetrieveReconciliationParams, options?: RequestOptions): Promise<Answer<Reconciliation>>;
  /** Sign the reconciliation of a month. Keeps the hash of the report in the audit log, with the key that asked. The report then says whether it has changed since. Sign again after a change. Scope: `reconciliation:write`. `POST /v1/bank_accounts/{id}/reconciliation/sign` */
  signReconciliation(id: string, params: SignReconciliationRequest, options?: RequestOptions): Promise<Answer<ReconciliationSignature>>;
}

export interface PaymentFilesApi {
  /** Export payouts. Puts all payouts that may leave now into payment files, one for each bank account, route, day of execution, `category_purpose` and way of booking. The files are `sealed` a moment later (`payment_file.sealed`). Then download them and send them to your bank. Payouts in a file are `in_transit` and cannot be canceled. `shortfalls` says which bank accounts do not cover what leaves, with the sum that is missing. Scope: `payment_files:write`. `POST /v1/payment_files` */
  create(params?: CreatePaymentFilesRequest, options?: RequestOptions): Promise<Answer<PaymentFileExport>>;
  /** List payment files. Scope: `payment_files:read`. `GET /v1/payment_files` */
  list(params?: ListPaymentFilesParams, options?: RequestOptions): List<PaymentFile>;
  /** Retrieve a payment file. Scope: `payment_files:read`. `GET /v1/payment_files/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PaymentFile>>;
  /** Download a payment file. The bytes for your bank, the same each time, until it is abandoned. They contain names and whole account numbers, so a file of salaries, bonuses or pensions needs `payroll:read`. Scope: `payment_files:read`. `GET /v1/payment_files/{id}/content` */
  download(id: string, params?: NoParams, options?: RequestOptions): Promise<Response>;
  /** Give up a payment file. For a file that did not reach your bank, or that the bank refused as a whole. Its payouts become pending again and leave with the next export. Be sure: if the bank has the file after all, it pays twice. So the key approves payouts, and is of another family than the ones that made the file and its payouts. The bytes cannot be downloaded any more. Scope: `payment_files:write` and `payout_approvals:write`. `POST /v1/payment_files/{id}/abandon` */
  abandon(id: string, params: AbandonPaymentFileRequest, options?: RequestOptions): Promise<Answer<PaymentFile>>;
}

export interface TestHelpersPaymentFilesApi {
  /** Give up a payment file of a sandbox as a second person. Stands for a second person, so that you need no second family of keys to try it. Scope: `test_helpers:write`. `POST /v1/test_helpers/payment_files/{id}/abandon` */
  abandon(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PaymentFile>>;
  /** Make the bank’s report on a payment file. A pain.002 for `POST /v1/statement_files`. It rejects payouts to test accounts that fail, and accepts the others. Scope: `test_helpers:read`. `GET /v1/test_helpers/payment_files/{id}/report` */
  report(id: string, params?: NoParams, options?: RequestOptions): Promise<Response>;
}

export interface TestHelpersBankAccountsApi {
  /** Make the bank’s next statement of a bank account. A file for `POST /v1/statement_files`, in the message of `booked_by`. It has the debits of payouts in sealed files. Once these are imported, it returns the money of payouts to test accounts that come back. Scope: `test_helpers:read`. `GET /v1/test_helpers/bank_accounts/{id}/statement` */
  statement(id: string, params?: NextBankStatementParams, options?: RequestOptions): Promise<Response>;
  /** Let somebody send money to a bank account. The sandbox bank books it like a statement with this one entry. The money goes to the payment, expected payment or account that `text` names, or where a rule sends it, or waits for a person. Scope: `test_helpers:write`. `POST /v1/test_helpers/bank_accounts/{id}/credit` */
  credit(id: string, params: CreditBankAccountRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
}

export interface BankRulesApi {
  /** Make a rule for bank entries. For future entries that name no payout, payment or account of yours. A rule never overrides a reference, not even a mistyped one. The oldest rule that fits an entry decides. If its target cannot take the money, the entry waits. With `dry_run` the rule is only tried, on the newest entries. Scope: `bank_entries:write`. `POST /v1/bank_rules` */
  create(params: CreateBankRuleRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<BankRuleDryRun>>;
  create(params: CreateBankRuleRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<BankRule>>;
  /** List rules for bank entries. All rules, oldest first: the first one that fits decides. There are at most 100. Scope: `bank_entries:read`. `GET /v1/bank_rules` */
  list(params?: ListBankRulesParams, options?: RequestOptions): List<BankRule>;
  /** Retrieve a rule for bank entries. Scope: `bank_entries:read`. `GET /v1/bank_rules/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankRule>>;
  /** Delete a rule for bank entries. Entries that it has assigned stay assigned. Scope: `bank_entries:write`. `DELETE /v1/bank_rules/{id}` */
  delete(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedBankRule>>;
}

export interface BankStatementsApi {
  /** List the entries of a statement that wait. Entries of which it is not certain whether they are new, in the order of the statement. Scope: `statement_files:read`. `GET /v1/bank_statements/{id}/waiting_entries` */
  listWaitingEntries(id: string, params?: ListWaitingEntriesParams, options?: RequestOptions): Promise<Answer<WaitingEntries>>;
  /** Say which entries of a statement are new. For a statement in `needs_review`. New entries are booked, the others are taken for entries that the ledger has. It answers the statement before they are booked. Scope: `statement_files:write`. `POST /v1/bank_statements/{id}/review` */
  review(id: string, params: ReviewBankStatementRequest, options?: RequestOptions): Promise<Answer<BankStatement>>;
  /** List bank statements. Scope: `statement_files:read`. `GET /v1/bank_statements` */
  list(params?: ListBankStatementsParams, options?: RequestOptions): List<BankStatement>;
  /** Retrieve a bank statement. Scope: `statement_files:read`. `GET /v1/bank_statements/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankStatement>>;
}

export interface StatementFilesApi {
  /** Import a statement file. The body is the file: camt.053, camt.052, camt.054 or pain.002 in XML, several one after another too, MT940 or MT942, or a ZIP of such files. The whole file is read before anything is booked. Sending it again, or another file with the same entries, books nothing twice, so it needs no idempotency key. What is not certain waits: the statement is in `needs_review`. A large file is answered while it is still `importing`. If the import is cut off, send the file again. Scope: `statement_files:write`. `POST /v1/statement_files` */
  import(file: Uint8Array<ArrayBuffer> | Blob | string, params?: ImportStatementFileParams, options?: RequestOptions): Promise<Answer<StatementFile>>;
  /** List statement files. Scope: `statement_files:read`. `GET /v1/statement_files` */
  list(params?: ListStatementFilesParams, options?: RequestOptions): List<StatementFile>;
  /** Retrieve a statement file. Scope: `statement_files:read`. `GET /v1/statement_files/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<StatementFile>>;
}

export interface BankEntriesApi {
  /** List bank entries. With `status=unmatched`: those that wait for a place, each with `suggestions`. Scope: `bank_entries:read`. `GET /v1/bank_entries` */
  list(params?: ListBankEntriesParams, options?: RequestOptions): List<BankEntry>;
  /** Retrieve a bank entry. Scope: `bank_entries:read`. `GET /v1/bank_entries/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Assign a bank entry. Sends an unmatched entry, or a part of it, to its place. The money moves there from `house:unmatched` in the same commit. Scope: `bank_entries:write`. `POST /v1/bank_entries/{id}/assign` */
  assign(id: string, params: AssignBankEntryRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Undo an assignment. Takes a part of an entry back to `house:unmatched`, by a transfer of its own. Money that went to a payment or a payout stays there. Scope: `bank_entries:write`. `POST /v1/bank_entries/{id}/unassign` */
  unassign(id: string, params?: UnassignBankEntryRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Assign many bank entries. Up to 100 entries in one commit: all entries or none. Scope: `bank_entries:write`. `POST /v1/bank_entries/assign/batch` */
  assignBatch(params: AssignBankEntryBatchRequest, options?: RequestOptions): Promise<Answer<AssignedEntries>>;
  /** Send money back to its sender. Assigns the part of the entry without a place to an account and pays it out from there, in the same commit, without a fee. It goes to the IBAN that it came from, or to `recipient`, for which the key needs `payouts:write`. The payout is `return_payout` of the entry and has the entry’s id in `metadata`. Limits and approvals count as for any payout. If it does not arrive, the money is in the account. Scope: `bank_entries:write`. `POST /v1/bank_entries/{id}/return` */
  return(id: string, params?: ReturnBankEntryRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Ask to void a bank entry. For a wrong booking. Nothing moves until a second person approves it with `pending_changes.fingerprint`. Then the entry’s money leaves the places where it was, and the bank account. Scope: `bank_entries:write`. `POST /v1/bank_entries/{id}/void` */
  void(id: string, params: VoidBankEntryRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Ask to un-void a bank entry. A second person approves it. Then the entry counts again, and all of it is without a place: assign it anew. Scope: `bank_entries:write`. `POST /v1/bank_entries/{id}/unvoid` */
  unvoid(id: string, params: VoidBankEntryRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Approve that a bank entry is voided or un-voided. The key approves payouts, and is of another family than those that asked. An assignment meanwhile changes the fingerprint. Money that was spent is missing: `balance_insufficient`. Scope: `bank_entries:write` and `payout_approvals:write`. `POST /v1/bank_entries/{id}/approve` */
  approve(id: string, params: ApproveBankEntryRequest, options?: RequestOptions): Promise<Answer<BankEntry>>;
  /** Reject that a bank entry is voided or un-voided. Also for who asked. The entry stays as it is. Scope: `bank_entries:write`. `POST /v1/bank_entries/{id}/reject` */
  reject(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankEntry>>;
}

export interface TestHelpersBankEntriesApi {
  /** Approve a change of a bank entry as a second person. Stands for a second person, so that you need no second family of keys to try it. It approves once. Scope: `test_helpers:write`. `POST /v1/test_helpers/bank_entries/{id}/approve` */
  approve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<BankEntry>>;
}

export interface PaymentLinksApi {
  /** Create a payment link. A page at `url` asks for the money. Send the address to the payer: everybody who has it can pay. A link is for one payment unless it is `reusable`. Without `account`, the money goes to the oldest open account of the currency. Where there is none, the link opens one, and its answer names it in `account`. Scope: `payment_links:write`. `POST /v1/payment_links` */
  create(params: CreatePaymentLinkRequest & { readonly dry_run: true }, options?: RequestOptions): Promise<Answer<PaymentLinkDryRun>>;
  create(params: CreatePaymentLinkRequest & { readonly dry_run?: false | undefined }, options?: RequestOptions): Promise<Answer<PaymentLink>>;
  /** List payment links. Scope: `payment_links:read`. `GET /v1/payment_links` */
  list(params?: ListPaymentLinksParams, options?: RequestOptions): List<PaymentLink>;
  /** Retrieve a payment link. Scope: `payment_links:read`. `GET /v1/payment_links/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PaymentLink>>;
  /** Update a payment link. Parameters that you leave out stay. Amount and currency never change; make another link for another amount. Scope: `payment_links:write`. `POST /v1/payment_links/{id}` */
  update(id: string, params?: UpdatePaymentLinkRequest, options?: RequestOptions): Promise<Answer<PaymentLink>>;
  /** Deactivate a payment link. Nobody can start a payment any more, and the page says so. Started payments go on, because their money may be on its way. Scope: `payment_links:write`. `POST /v1/payment_links/{id}/deactivate` */
  deactivate(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<PaymentLink>>;
}

export interface TestHelpersPaymentLinksApi {
  /** Let an invented payer pay a link. Starts a payment, or continues the one that a single-use link waits for, and lets money arrive: the missing amount, or `amount`. Scope: `test_helpers:write`. `POST /v1/test_helpers/payment_links/{id}/pay` */
  pay(id: string, params?: PayPaymentLinkRequest, options?: RequestOptions): Promise<Answer<Payment>>;
}

export interface PaymentsApi {
  /** List payments. Scope: `payments:read`. `GET /v1/payments` */
  list(params?: ListPaymentsParams, options?: RequestOptions): List<Payment>;
  /** Retrieve a payment. Scope: `payments:read`. `GET /v1/payments/{id}` */
  retrieve(id: string, params?: RetrievePaymentParams, options?: RequestOptions): Promise<Answer<Payment>>;
  /** Update the metadata of a payment. Scope: `payments:write`. `POST /v1/payments/{id}` */
  update(id: string, params?: UpdatePaymentRequest, options?: RequestOptions): Promise<Answer<Payment>>;
  /** Refund a payment. Debits the account and sends the money back with a payout (`refund`), to the account it came from or to `recipient`, for which the key needs `payouts:write`. If that payout does not arrive, account and payment have the money again. Scope: `payments:write`. `POST /v1/payments/{id}/refund` */
  refund(id: string, params?: RefundPaymentRequest, options?: RequestOptions): Promise<Answer<Payment>>;
}

export interface ExpectedPaymentsApi {
  /** Expect a payment by bank transfer. For an invoice of yours. It gets a creditor reference (ISO 11649) of its own. Money that the bank books with this reference is credited to the account, also in parts or too much. `overdue` and `paid` are events. Scope: `payments:write`. `POST /v1/expected_payments` */
  create(params: CreateExpectedPaymentRequest, options?: RequestOptions): Promise<Answer<ExpectedPayment>>;
  /** List expected payments. Scope: `payments:read`. `GET /v1/expected_payments` */
  list(params?: ListExpectedPaymentsParams, options?: RequestOptions): List<ExpectedPayment>;
  /** Retrieve an expected payment. Scope: `payments:read`. `GET /v1/expected_payments/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<ExpectedPayment>>;
  /** Cancel an expected payment. Money that has come stays. Money that names it from now on waits for a person. Scope: `payments:write`. `POST /v1/expected_payments/{id}/cancel` */
  cancel(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<ExpectedPayment>>;
  /** Retrieve the code for banking apps. A QR code with account, amount and reference, as a picture for an invoice. It asks for the missing amount, to the open bank account that collects in the currency. For euro it is an EPC code (EPC069-12). For Swiss francs it is the Swiss QR code of a QR-bill: the bank account needs a `holder_address` with a postal code. With a QR-IBAN it has a QR reference, which leads here as `reference` does. Scope: `payments:read`. `GET /v1/expected_payments/{id}/code` */
  code(id: string, params?: CodeOfExpectedPaymentParams, options?: RequestOptions): Promise<Response>;
}

export interface SettingsApi {
  /** Retrieve the settings. Scope: `settings:read`. `GET /v1/settings` */
  retrieve(params?: NoParams, options?: RequestOptions): Promise<Answer<Settings>>;
  /** Update the settings. Name, logo, colour, contact, address and links of the payment page, reminders, daily statements, and metadata. Parameters that you leave out stay. Payers send money to your `/v1/bank_accounts`. Scope: `settings:write`. `POST /v1/settings` */
  update(params?: UpdateSettingsRequest, options?: RequestOptions): Promise<Answer<Settings>>;
}

export interface EventsApi {
  /** List events. Newest first. To catch up without a gap: `after_sequence=<last seen>&order=asc`, until the answer is empty. A restricted key sees the events whose objects its read scopes show, so for it `sequence` has gaps. Scope: `events:read`. `GET /v1/events` */
  list(params?: ListEventsParams, options?: RequestOptions): List<Event>;
  /** Retrieve an event. Scope: `events:read`. `GET /v1/events/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Event>>;
  /** Stream events. Events as they are committed, as server-sent events: `id` is the id of the event, `event` its type, `data` the event on one line. The stream begins now, or after `Last-Event-ID` or `after_sequence`. It is in order and without a gap, also across reconnects. A restricted key sees the events whose objects its read scopes show, so for it `sequence` has gaps. A comment every 15 s keeps the connection open. A receiver that takes nothing for 30 s is cut off. At most 100 streams an environment. Scope: `events:read`. `GET /v1/events/stream` */
  stream(params?: StreamEventsParams, options?: StreamOptions): AsyncIterableIterator<Event>;
  /** List the deliveries of an event. One for each endpoint that it is for, with its attempts. Those to a deleted endpoint are left out. There are no pages. `response` is `null` where a restricted key may not see the event. Scope: `webhook_endpoints:read`. `GET /v1/events/{id}/deliveries` */
  listDeliveries(id: string, params?: ListEventDeliveriesParams, options?: RequestOptions): List<Delivery>;
  /** Send an event again. Sends it to every enabled endpoint that asks for its type, or to the endpoint in the request. The answer has one replay for each. Scope: `webhook_endpoints:write`. `POST /v1/events/{id}/resend` */
  resend(id: string, params?: ResendEventRequest, options?: RequestOptions): Promise<Answer<WebhookReplayList>>;
}

export interface WebhookEndpointsApi {
  /** Create a webhook endpoint. Every future event of its types is sent to it, signed with the secret in this answer. An environment has up to 16 endpoints. A restricted key needs the read scope of every resource whose events the endpoint asks for. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints` */
  create(params: CreateWebhookEndpointRequest, options?: RequestOptions): Promise<Answer<WebhookEndpointWithSecret>>;
  /** List webhook endpoints. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints` */
  list(params?: ListWebhookEndpointsParams, options?: RequestOptions): List<WebhookEndpoint>;
  /** Retrieve a webhook endpoint. Scope: `webhook_endpoints:read`. `GET /v1/webhook_endpoints/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<WebhookEndpoint>>;
  /** Update a webhook endpoint. `enabled_events` is replaced as a whole and counts for future events. Waiting deliveries go to a new `url` as well, carry new `headers`, and are sent in a new `version`. If `url` names another host, send the values of `headers` again or unset them. To change either, a restricted key needs the read scope of every resource whose events are sent, before and after. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}` */
  update(id: string, params?: UpdateWebhookEndpointRequest, options?: RequestOptions): Promise<Answer<WebhookEndpoint>>;
  /** Delete a webhook endpoint. Waiting deliveries are no longer sent. Its deliveries stay readable. Scope: `webhook_endpoints:write`. `DELETE /v1/webhook_endpoints/{id}` */
  delete(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<DeletedWebhookEndpoint>>;
  /** Send a test event to a webhook endpoint. Sends a `ping` to this endpoint alone, whatever types it asks for. Retrieve the delivery to see the result. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/test` */
  test(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Delivery>>;
  /** Replace the signing secret of a webhook endpoint. The new secret signs at once. For `expires_in` seconds, one day by default, the old one signs too. Give your receivers the new one in this time. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/roll_secret` */
  rollSecret(id: string, params?: RollWebhookSecretRequest, options?: RequestOptions): Promise<Answer<WebhookEndpointWithSecret>>;
  /** Enable a webhook endpoint. New events are sent again. Deliveries held meanwhile wait for a replay (`POST /v1/webhook_endpoints/:id/replay`). Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/enable` */
  enable(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<WebhookEndpoint>>;
  /** Disable a webhook endpoint. Nothing is sent until it is enabled; its deliveries are held, so that they can be replayed. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/disable` */
  disable(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<WebhookEndpoint>>;
  /** Send events to a webhook endpoint again. Sends one event, or the events of a range of sequences or of time; without a range, all deliveries that did not succeed. Ids and bodies stay the same, so a receiver recognises events that it has seen. The replay runs in the background: retrieve it to see its progress. Scope: `webhook_endpoints:write`. `POST /v1/webhook_endpoints/{id}/replay` */
  replay(id: string, params?: ReplayWebhookEndpointRequest, options?: RequestOptions): Promise<Answer<WebhookReplay>>;
}

export interface DeliveriesApi {
  /** List deliveries. Newest event first, each with its attempts. Those to a deleted endpoint are listed with `webhook_endpoint`. `response` is `null` where a restricted key may not see the event. Scope: `webhook_endpoints:read`. `GET /v1/deliveries` */
  list(params?: ListDeliveriesParams, options?: RequestOptions): List<Delivery>;
  /** Retrieve a delivery. Deliveries are kept as long as events. Scope: `webhook_endpoints:read`. `GET /v1/deliveries/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Delivery>>;
}

export interface WebhookReplaysApi {
  /** List replays. Scope: `webhook_endpoints:read`. `GET /v1/webhook_replays` */
  list(params?: ListWebhookReplaysParams, options?: RequestOptions): List<WebhookReplay>;
  /** Retrieve a replay. Scope: `webhook_endpoints:read`. `GET /v1/webhook_replays/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<WebhookReplay>>;
}

export interface KeysApi {
  /** Create an API key. For the same environment. It may do no more than your key: scopes, accounts, addresses and expiry. Parameters that you leave out are those of your key, but for `version`: a new key has the newest. The answer shows the key once. Scope: `keys:write`. `POST /v1/keys` */
  create(params: CreateKeyRequest, options?: RequestOptions): Promise<Answer<KeyWithSecret>>;
  /** List API keys. Scope: `keys:read`. `GET /v1/keys` */
  list(params?: ListKeysParams, options?: RequestOptions): List<Key>;
  /** Retrieve an API key. Scope: `keys:read`. `GET /v1/keys/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Key>>;
  /** Update an API key. Its name, and the version of the API that it is pinned to. Within a second its requests are answered in that version, on every process. A key updates none that may do more than itself. Scope: `keys:write`. `POST /v1/keys/{id}` */
  update(id: string, params?: UpdateKeyRequest, options?: RequestOptions): Promise<Answer<Key>>;
  /** Replace an API key. The new key has the same name, scopes, accounts, addresses, version and expiry. The old one works for `expires_in` seconds more. A key is rolled once: roll the new one next. A key rolls itself and keys that descend from it. A key that was revoked, has expired, or may do more than yours cannot be rolled. Scope: `keys:write`. `POST /v1/keys/{id}/roll` */
  roll(id: string, params?: RollKeyRequest, options?: RequestOptions): Promise<Answer<KeyWithSecret>>;
  /** Confirm that a key may approve. A key that another key made approves nothing until a key of another family has confirmed it. It does everything else at once. What it is rolled to stays confirmed. Scope: `payout_approvals:write`. `POST /v1/keys/{id}/confirm` */
  confirm(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Key>>;
  /** Revoke an API key. It stops working within a second, on every process. A key revokes none that may do more than itself; an administrator revokes all. Scope: `keys:write`. `POST /v1/keys/{id}/revoke` */
  revoke(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<Key>>;
}

export interface UsersApi {
  /** Invite a person. The person joins by `invitation_url`, which the answer shows once. No mail is sent. Nobody gives roles with more scopes than they hold. Until a third person of another family has confirmed it, a user that you let in approves nothing; it does everything else at once. Scope: `users:write`. `POST /v1/users` */
  create(params: CreateUserRequest, options?: RequestOptions): Promise<Answer<UserWithLink>>;
  /** List users. Scope: `users:read`. `GET /v1/users` */
  list(params?: ListUsersParams, options?: RequestOptions): List<User>;
  /** Retrieve a user. Scope: `users:read`. `GET /v1/users/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<User>>;
  /** Update a user. Its roles, and how you call the person. `roles` takes the place of all that it had. Who gets a role that approves is confirmed anew. Nobody gives roles with more scopes than they hold; taking some away is free, but from the last active administrator. Scope: `users:write`. `POST /v1/users/{id}` */
  update(id: string, params?: UpdateUserRequest, options?: RequestOptions): Promise<Answer<User>>;
  /** Suspend a user. Within a second it opens nothing any more in this environment. Keys that it made stay; revoke them. Scope: `users:write`. `POST /v1/users/{id}/suspend` */
  suspend(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<User>>;
  /** Resume a user. Everything that it was before. Nobody resumes a user with more scopes than they hold. Scope: `users:write`. `POST /v1/users/{id}/resume` */
  resume(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<User>>;
  /** Confirm that a user may approve. Whom a person or a key let in approves nothing until a third one has confirmed it, of another family than all who could have used its links. Look that the right person has joined before you do. Scope: `payout_approvals:write`. `POST /v1/users/{id}/confirm` */
  confirm(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<User>>;
  /** End the sessions of a user. The person is signed out everywhere within a second, and may sign in again. Scope: `users:write`. `POST /v1/users/{id}/end_sessions` */
  endSessions(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<User>>;
  /** Make a new link for a user. For who has lost the invitation, `invitation_url`; for who has lost password or passkey, `reset_url`. Earlier links end. Whoever makes it could use it, so the user is confirmed anew. A person who is a user of another merchant, or of live where you ask with a sandbox key, gets one from the operator of the service only. Scope: `users:write`. `POST /v1/users/{id}/reset_link` */
  resetLink(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<UserWithLink>>;
}

export interface MeApi {
  /** Retrieve who asks. The key or the person that asks, its environment and what it may do. `sequence` is that of the newest event: while it stays, nothing has changed. Every key may ask. Scope: `undefined`. `GET /v1/me` */
  retrieve(params?: NoParams, options?: RequestOptions): Promise<Answer<Me>>;
}

export interface AuditLogApi {
  /** List the audit log. Who changed keys, settings and webhook endpoints, and which keys were refused. In order of `sequence`, whatever a clock did. Entries are never changed, and each has the hash of the entry before; `bursar audit verify` checks them. Scope: `audit_log:read`. `GET /v1/audit_log` */
  list(params?: ListAuditLogParams, options?: RequestOptions): List<AuditEntry>;
}

export interface VerificationApi {
  /** Retrieve the last verification. Once a day the books of all environments are recomputed by code that shares nothing with the code that wrote them: balances from transfers, states, events, deliveries, payment files, the audit log. This is the result for your environment. Scope: `verification:read`. `GET /v1/verification` */
  retrieve(params?: NoParams, options?: RequestOptions): Promise<Answer<Verification>>;
}

export interface SummaryApi {
  /** Retrieve a summary. Where the environment stands, and what needs attention, in one answer that takes some milliseconds however long the history is. Money in and out by day is what moved between your books and banks: a payout counts on the day on which it was paid. A booking that was voided counts on both sides. Scope: `summary:read`. `GET /v1/summary` */
  retrieve(params?: RetrieveSummaryParams, options?: RequestOptions): Promise<Answer<Summary>>;
}

export interface TestHelpersClockApi {
  /** Move the sandbox clock forward. Quotes expire and scheduled payouts leave by this clock. What `exports=before_cut_off` would have exported before the last cut-off that it passes is exported behind the move. It never goes back; a reset sets it anew. Scope: `test_helpers:write`. `POST /v1/test_helpers/clock/advance` */
  advance(params: AdvanceClockRequest, options?: RequestOptions): Promise<Answer<Clock>>;
}

export interface TestHelpersTestAccountsApi {
  /** List the test bank accounts. Payouts to a recipient with one of these accounts end as the row says. All rows are in one answer. Scope: `test_helpers:read`. `GET /v1/test_helpers/test_accounts` */
  list(params?: ListTestAccountsParams, options?: RequestOptions): List<TestAccount>;
}

export interface TestHelpersApi {
  readonly accounts: TestHelpersAccountsApi;
  readonly payouts: TestHelpersPayoutsApi;
  readonly payoutRules: TestHelpersPayoutRulesApi;
  readonly limits: TestHelpersLimitsApi;
  readonly paymentFiles: TestHelpersPaymentFilesApi;
  readonly bankAccounts: TestHelpersBankAccountsApi;
  readonly bankEntries: TestHelpersBankEntriesApi;
  readonly paymentLinks: TestHelpersPaymentLinksApi;
  readonly clock: TestHelpersClockApi;
  readonly testAccounts: TestHelpersTestAccountsApi;
  /** Empty the sandbox. Deletes all objects, events and idempotency records of the sandbox. Keys and the event sequence stay. With `seed=true` it is then filled as at the first start: EUR, USD and GBP accounts of 10,000.00 each, and a recipient. The clock is set to the real time, or with `offset_seconds` before it, so that a history can be made. Scope: `test_helpers:write`. `POST /v1/test_helpers/reset` */
  reset(params?: ResetSandboxRequest, options?: RequestOptions): Promise<Answer<Reset>>;
  /** Rehearse a restore of the database. The event sequence of the sandbox leaves out numbers, and `environment.restored` says so, as after a restored backup. Nothing is lost: readers of events find a gap without having missed anything. Scope: `test_helpers:write`. `POST /v1/test_helpers/restore` */
  restore(params?: RehearseRestoreRequest, options?: RequestOptions): Promise<Answer<Restore>>;
}

export interface RequestLogsApi {
  /** List request logs. What was asked with the keys of this environment and in its dashboard, and what came of it, newest first. Every refusal is kept, but for those by the rate limit; of other requests as many as there is room for (at most 12 a second in the long run), and what a person changes in the dashboard. Not kept: polls (`GET /v1/me`), what the dashboard reads, requests without a key that is or was one of yours. Within a second an entry can be read; it is dropped after 14 days unless the operator sets others. A key that is restricted to accounts sees its own requests. Scope: `request_logs:read`. `GET /v1/request_logs` */
  list(params?: ListRequestLogsParams, options?: RequestOptions): List<RequestLog>;
  /** Retrieve a request log. By the `Request-Id` of the answer. Every refusal is kept, but for those by the rate limit; of other requests as many as there is room for (at most 12 a second in the long run), and what a person changes in the dashboard. Not kept: polls (`GET /v1/me`), what the dashboard reads, requests without a key that is or was one of yours. Within a second an entry can be read; it is dropped after 14 days unless the operator sets others. Scope: `request_logs:read`. `GET /v1/request_logs/{id}` */
  retrieve(id: string, params?: NoParams, options?: RequestOptions): Promise<Answer<RequestLog>>;
}

export interface SearchApi {
  /** Find anything. By its id, the id that a bank quotes, an IBAN, a creditor reference, an amount, your own id, an idempotency key, a request id, a reference, or a name. The text decides where it is looked for; there is no query language. A restricted key finds what it may read, each kind with the scope of its own. A POST, so that no name and no account number stands in an address or a log; nothing is written. Scope: `search:read`. `POST /v1/search` */
  search(params: SearchRequest, options?: RequestOptions): Promise<Answer<SearchResult>>;
}

export interface Resources {
  readonly accounts: AccountsApi;
  readonly balances: BalancesApi;
  readonly transfers: TransfersApi;
  readonly accountStatements: AccountStatementsApi;
  readonly dailyStatements: DailyStatementsApi;
  readonly recipients: RecipientsApi;
  readonly exchanges: ExchangesApi;
  readonly exchangeQuotes: ExchangeQuotesApi;
  readonly rates: RatesApi;
  readonly exchangeSettings: ExchangeSettingsApi;
  readonly exchangePositions: ExchangePositionsApi;
  readonly payoutBatches: PayoutBatchesApi;
  readonly payouts: PayoutsApi;
  readonly payoutRules: PayoutRulesApi;
  readonly limits: LimitsApi;
  readonly standingOrders: StandingOrdersApi;
  readonly standingOrderRuns: StandingOrderRunsApi;
  readonly feeRules: FeeRulesApi;
  readonly bankAccounts: BankAccountsApi;
  readonly paymentFiles: PaymentFilesApi;
  readonly bankRules: BankRulesApi;
  readonly bankStatements: BankStatementsApi;
  readonly statementFiles: StatementFilesApi;
  readonly bankEntries: BankEntriesApi;
  readonly paymentLinks: PaymentLinksApi;
  readonly payments: PaymentsApi;
  readonly expectedPayments: ExpectedPaymentsApi;
  readonly settings: SettingsApi;
  readonly events: EventsApi;
  readonly webhookEndpoints: WebhookEndpointsApi;
  readonly deliveries: DeliveriesApi;
  readonly webhookReplays: WebhookReplaysApi;
  readonly keys: KeysApi;
  readonly users: UsersApi;
  readonly me: MeApi;
  readonly auditLog: AuditLogApi;
  readonly verification: VerificationApi;
  readonly summary: SummaryApi;
  readonly testHelpers: TestHelpersApi;
  readonly requestLogs: RequestLogsApi;
  readonly search: SearchApi;
}
