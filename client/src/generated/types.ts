// Made by scripts/generate-docs.ts from docs/openapi.json. Change what it is made from, not this file.
/** What the API takes and answers. */
import type { Decimal } from '../money.ts';

/** Your own keys and values: up to 50 keys of 40 characters, values of 500. */
export type Metadata = Readonly<Record<string, string>>;

/** Money of one currency. Never below zero. */
export interface Account {
  readonly id: string;
  readonly object: 'account';
  readonly created: number;
  readonly livemode: boolean;
  /** ISO 4217 code. */
  readonly currency: string;
  /** In the currency’s minor unit: 1050 is 10.50 EUR. */
  readonly balance: number;
  /** Your name for it. */
  readonly name: string | null;
  readonly status: 'open' | 'closed';
  readonly metadata: Metadata;
}

/** The balances of all accounts at one instant. */
export interface Balances {
  readonly object: 'balances';
  /** The instant. */
  readonly at: number;
  readonly livemode: boolean;
  readonly currencies: readonly ({
    readonly currency: string;
    /** Minor units. */
    readonly balance: number;
  })[];
  /** Oldest first. */
  readonly accounts: readonly ({
    readonly account: string;
    /** Its present name. */
    readonly name: string | null;
    readonly currency: string;
    /** Minor units. */
    readonly balance: number;
  })[];
}

/** One movement of money; immutable. */
export interface Transfer {
  readonly id: string;
  readonly object: 'transfer';
  readonly created: number;
  readonly livemode: boolean;
  /** Account that paid, a bank account of yours, or `house:…` for the world outside. */
  readonly from: string;
  /** Account that received, a bank account, or `house:…`. */
  readonly to: string;
  readonly amount: Decimal;
  readonly amount_minor: number;
  readonly currency: string;
  readonly cause: Cause;
  /** The exchange, payout, payment or bank entry that caused it. */
  readonly cause_id: string | null;
  readonly description: string | null;
  readonly created_by: CreatedBy;
  readonly metadata: Metadata;
}

/** A transfer as one account sees it. */
export interface StatementLine {
  readonly id: string;
  readonly object: 'transfer';
  readonly created: number;
  readonly livemode: boolean;
  readonly currency: string;
  readonly cause: Cause;
  /** The exchange, payout, payment or bank entry that caused it. */
  readonly cause_id: string | null;
  readonly description: string | null;
  readonly created_by: CreatedBy;
  readonly metadata: Metadata;
  readonly account: string;
  /** The other account, or `house:…`. */
  readonly counterparty: string;
  /** Major units; negative where the account paid. */
  readonly amount: Decimal;
  readonly amount_minor: number;
  /** Balance after it, minor units. */
  readonly balance_after: number;
}

/** The statements of all accounts for a day that has ended. */
export interface DailyStatement {
  readonly id: string;
  readonly object: 'daily_statement';
  readonly created: number;
  readonly livemode: boolean;
  /** Its day, in UTC by the clock of the environment. */
  readonly day: string;
  /** The first second of the day. Unix seconds. */
  readonly from: number;
  /** The last second of the day. */
  readonly to: number;
  /** The path of this service for downloading it with a key. It takes `format` and `account`; by default it answers the JSON of all accounts. */
  readonly content: string;
}

/** The statements of all accounts in a period, up to one instant. */
export interface AccountStatements {
  readonly object: 'account_statements';
  readonly livemode: boolean;
  /** The first second of the period. Unix seconds. */
  readonly from: number;
  /** The last second of the period. */
  readonly to: number;
  /** Oldest account first. */
  readonly statements: readonly Statement[];
}

/** The movements of an account in a period. `opening_balance` and all lines make `closing_balance`. */
export interface Statement {
  readonly object: 'statement';
  readonly account: string;
  readonly livemode: boolean;
  readonly currency: string;
  /** The first second of the period. Unix seconds. */
  readonly from: number;
  /** The last second of the period. */
  readonly to: number;
  /** Before the first line, minor units. */
  readonly opening_balance: number;
  /** After the last line, minor units. */
  readonly closing_balance: number;
  /** Oldest first. */
  readonly lines: readonly ({
    /** The transfer. */
    readonly transfer: string;
    readonly created: number;
    /** Its day, UTC. */
    readonly date: string;
    /** Major units; negative where the account paid. */
    readonly amount: Decimal;
    readonly amount_minor: number;
    /** Balance after it, minor units. */
    readonly balance_after: number;
    /** The other account, or `bank`, `in_transit`, `fx` for the world outside. */
    readonly counterparty: string;
    readonly cause: Cause;
    /** The exchange, payout or payment that caused it. */
    readonly cause_id: string | null;
    /** Of a transfer between own accounts. */
    readonly description: string | null;
    /** Of a payout. */
    readonly recipient: string | null;
    /** As it was when the payout was created. */
    readonly recipient_name: string | null;
    /** Of a payout or payment. */
    readonly reference: string | null;
    /** Of a payout: your own id. */
    readonly external_id: string | null;
    /** Of a payment. */
    readonly payment_link: string | null;
    /** The payment that a payout refunds. */
    readonly refund_of: string | null;
    /** Of money that a bank booked: who paid, or was paid. */
    readonly counterparty_name: string | null;
    /** Of the same: the words of the payer. */
    readonly text: string | null;
  })[];
}

/** A person or organisation that payouts go to. */
export interface Recipient {
  readonly id: string;
  readonly object: 'recipient';
  readonly created: number;
  readonly livemode: boolean;
  /** Name of the account holder. */
  readonly name: string;
  readonly type: 'individual' | 'company';
  /** The currency it is paid in. */
  readonly currency: string;
  /** Country of the bank account, ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly email: string | null;
  readonly bank_details: BankDetails;
  /** Of the account holder. */
  readonly address: Address | null;
  /** The name in letters that every bank can write. */
  readonly latin_name: string | null;
  readonly category_purpose: CategoryPurpose;
  readonly purpose: Purpose;
  readonly bank_account: RecipientBankAccount;
  /** A hint: the oldest active recipient that had the same account when this one was made. */
  readonly duplicate_of: string | null;
  /** `archived` after it was deleted, `redacted` after the person was erased. */
  readonly status: 'active' | 'archived' | 'redacted';
  readonly created_by: CreatedBy;
  /** When its bank details last became others. `null`: never, or before this was kept. */
  readonly bank_details_changed_at: number | null;
  readonly metadata: Metadata;
}

/** A recipient as it was from some time on. Payouts go to the version that they were made with. */
export interface RecipientVersion {
  readonly object: 'recipient_version';
  /** From 1. */
  readonly version: number;
  readonly created: number;
  readonly name: string;
  readonly latin_name: string | null;
  readonly bank_details: BankDetails;
  /** Of the account holder. */
  readonly address: Address | null;
}

/** A recipient that was deleted. It stays readable as `archived`. */
export interface DeletedRecipient {
  readonly id: string;
  readonly object: 'recipient';
  readonly deleted: true;
}

/** One bank detail. */
export interface RecipientRequirement {
  /** The parameter. */
  readonly field: 'iban' | 'bic' | 'account_number' | 'routing_number' | 'account_type' | 'sort_code' | 'bsb' | 'ifsc' | 'clabe' | 'institution_number' | 'transit_number' | 'bank_name';
  /** For a form. */
  readonly label: string;
  readonly required: boolean;
  /** A regular expression for the value without blanks and hyphens. */
  readonly regex: string;
  readonly example: string;
  readonly description: string;
}

/** The bank details a recipient of a country and currency needs. */
export interface RecipientRequirements {
  readonly object: 'recipient_requirements';
  readonly country: string;
  readonly currency: string;
  /** The way to name an account, such as `iban` or `us_routing_number`. */
  readonly scheme: string;
  /** How the money then travels. */
  readonly payment_scheme: 'sepa' | 'local' | 'swift';
  readonly speeds: Speeds;
  readonly errors: Errors;
  readonly fields: readonly RecipientRequirement[];
  /** Other accepted ways; send the fields of one way only. */
  readonly alternatives: readonly ({
    /** The way to name an account, such as `iban` or `us_routing_number`. */
    readonly scheme: string;
    /** How the money then travels. */
    readonly payment_scheme: 'sepa' | 'local' | 'swift';
    readonly speeds: Speeds;
    readonly errors: Errors;
    readonly fields: readonly RecipientRequirement[];
  })[];
  /** Parameters about the account holder, in addition to the bank details. */
  readonly holder: readonly ({
    readonly field: 'name' | 'latin_name' | 'address';
    readonly required: boolean;
    readonly max_length: number | null;
    readonly example: string;
    readonly description: string;
  })[];
}

/** The faults for which a create with these parameters would be refused. */
export interface RecipientValidation {
  readonly object: 'recipient_validation';
  readonly valid: boolean;
  /** The oldest active recipient with the same account. */
  readonly duplicate_of: string | null;
  readonly errors: RecipientValidationErrors;
  /** For each speed, whether a payout to it could be made now. Empty if the recipient itself is faulty. */
  readonly speeds: readonly ({
    readonly speed: 'standard' | 'instant' | 'urgent';
    readonly payable: boolean;
    /** How it would leave. `null` if it could not, and in a sandbox without a paying bank account. */
    readonly route: string | null;
    readonly errors: Errors;
  })[];
  /** Whether payment files contain its address. `false` if the town cannot be written. `null` if it has no address, or no bank account pays. */
  readonly address_sent: boolean | null;
}

/** Which recipient a payee is. */
export interface RecipientMatch {
  readonly object: 'recipient_match';
  /** `found`: one recipient has the account and the name. `found_with_another_name`: one has the account, and none has the name. `new`: no recipient paid in the currency has the account. `ambiguous`: `candidates` has those among which nothing decides. `invalid`: `errors` has the faults. */
  readonly status: 'found' | 'found_with_another_name' | 'new' | 'ambiguous' | 'invalid';
  /** The name that was sent; `null` where it is `invalid`. */
  readonly name: string | null;
  /** The recipient with the account, under its own name. */
  readonly recipient: Recipient | null;
  /** At most ten. */
  readonly candidates: readonly Recipient[];
  readonly errors: RecipientValidationErrors;
}

/** Which recipients payees are. */
export interface RecipientMatchBatch {
  readonly object: 'recipient_match_batch';
  /** One for each payee, in the order sent. */
  readonly results: readonly RecipientMatch[];
}

/** Answer to a dry run: new objects have no id. */
export type RecipientDryRun = Omit<Recipient, 'dry_run' | 'id'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  readonly id: null;
};

/** Recipients that one request made. */
export interface RecipientBatch {
  readonly object: 'recipient_batch';
  /** One for each recipient, in the order sent. */
  readonly results: readonly ({
    readonly index: number;
    readonly recipient: Recipient;
  })[];
}

/** Answer to a dry run: new objects have no id. */
export type RecipientBatchDryRun = Omit<RecipientBatch, 'dry_run' | 'results'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  /** One for each recipient, in the order sent. */
  readonly results: readonly ({
    readonly index: number;
    readonly recipient: RecipientDryRun;
  })[];
};

/** A price promised for a while. Moves no money; books at most one exchange. */
export interface ExchangeQuote {
  readonly id: string;
  readonly object: 'exchange_quote';
  readonly created: number;
  readonly livemode: boolean;
  readonly status: 'active' | 'used' | 'expired';
  /** The sold currency. */
  readonly sell_currency: string;
  /** The bought currency. */
  readonly buy_currency: string;
  /** Major units of `sell_currency`. */
  readonly sell_amount: Decimal;
  readonly sell_amount_minor: number;
  /** Major units of `buy_currency`. */
  readonly buy_amount: Decimal;
  readonly buy_amount_minor: number;
  readonly fixed_side: FixedSide;
  readonly rate: ExchangeQuoteRate;
  readonly inverse_rate: InverseRate;
  /** The rate without the markup. */
  readonly mid_market_rate: string;
  /** Markup in basis points. */
  readonly markup_bps: number;
  readonly rate_source: RateSource;
  /** When the source fixed it. */
  readonly rate_at: number;
  readonly fixing: Fixing;
  /** Fees of its exchange, in addition to the amounts. */
  readonly fees: Fees;
  /** Last instant of use. */
  readonly expires_at: number;
  /** The exchange that used it. */
  readonly exchange: string | null;
  readonly metadata: Metadata;
}

/** Money of one currency turned into another; both sides moved in one commit. */
export interface Exchange {
  readonly id: string;
  readonly object: 'exchange';
  readonly created: number;
  readonly livemode: boolean;
  readonly status: 'completed';
  /** The sold currency. */
  readonly sell_currency: string;
  /** The bought currency. */
  readonly buy_currency: string;
  /** Major units of `sell_currency`. */
  readonly sell_amount: Decimal;
  readonly sell_amount_minor: number;
  /** Major units of `buy_currency`. */
  readonly buy_amount: Decimal;
  readonly buy_amount_minor: number;
  readonly fixed_side: FixedSide;
  readonly rate: ExchangeQuoteRate;
  readonly inverse_rate: InverseRate;
  /** The rate without the markup. */
  readonly mid_market_rate: string;
  /** Markup in basis points. */
  readonly markup_bps: number;
  readonly rate_source: RateSource;
  /** When the source fixed it. */
  readonly rate_at: number;
  readonly fixing: Fixing;
  /** The quote it was booked on. */
  readonly quote: string | null;
  /** Account debited. */
  readonly sell_account: string;
  /** Account credited. */
  readonly buy_account: string;
  /** Transfer of the sell side. */
  readonly sell_transfer: string;
  /** Transfer of the buy side. */
  readonly buy_transfer: string;
  /** Its fees, in addition to the amounts. */
  readonly fees: Fees;
  readonly metadata: Metadata;
  /** The objects that `expand[]` asked for, by member. Present only with `expand[]`. */
  readonly expanded?: {
    readonly sell_account?: Account;
    readonly buy_account?: Account;
    readonly sell_transfer?: Transfer;
    readonly buy_transfer?: Transfer;
  };
}

/** Answer to a dry run: new objects have no id. */
export type ExchangeDryRun = Omit<Exchange, 'dry_run' | 'id' | 'buy_account' | 'sell_transfer' | 'buy_transfer'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  readonly id: null;
  readonly buy_account: string | null;
  readonly sell_transfer: string | null;
  readonly buy_transfer: string | null;
};

/** The present price of exchanges of a pair. */
export interface Rate {
  /** The pair, such as EUR_USD. */
  readonly id: string;
  readonly object: 'rate';
  readonly created: number;
  readonly livemode: boolean;
  /** The sold currency. */
  readonly sell_currency: string;
  /** The bought currency. */
  readonly buy_currency: string;
  readonly rate: ExchangeQuoteRate;
  readonly inverse_rate: InverseRate;
  /** The rate without the markup. */
  readonly mid_market_rate: string;
  /** Markup in basis points. */
  readonly markup_bps: number;
  readonly rate_source: RateSource;
  /** When the source fixed it. */
  readonly rate_at: number;
  readonly fixing: Fixing;
}

/** All items; there is never another page. */
export interface RateList {
  readonly data: readonly Rate[];
}

/** The settings of an environment’s exchanges. */
export interface ExchangeSettings {
  readonly object: 'exchange_settings';
  readonly livemode: boolean;
  /** Currency in which positions are valued. */
  readonly base_currency: string;
  /** The most that may be open; `null`: no limit. */
  readonly position_limit: Decimal | null;
  readonly position_limit_minor: number | null;
  /** Basis points by pair. In `EUR_USD`, EUR is sold. */
  readonly markups: Readonly<Record<string, number>>;
}

/** The open positions of exchanges, and their result. Amounts are in `base_currency`, except `amount`. `null` if there is no current rate. */
export interface ExchangePositions {
  readonly object: 'exchange_positions';
  readonly livemode: boolean;
  /** Currency in which positions are valued. */
  readonly base_currency: string;
  /** When the source fixed the rates that value it. */
  readonly rate_at: number | null;
  /** One for each currency, in the order of the codes. Positions of zero are left out. */
  readonly positions: readonly ({
    readonly currency: string;
    /** Above zero you hold it, below zero you owe it. */
    readonly amount: Decimal | null;
    readonly amount_minor: number | null;
    /** Mid-market rate: units of the base currency for one unit. */
    readonly rate: string | null;
    /** Its value at that rate. */
    readonly value: Decimal | null;
    readonly value_minor: number | null;
    /** The value at which it was taken in. */
    readonly book_value: Decimal | null;
    readonly book_value_minor: number | null;
  })[];
  /** The larger of two sums: all that you hold, and all that you owe, in other currencies than the base. */
  readonly open_position: Decimal | null;
  readonly open_position_minor: number | null;
  /** The most that may be open; `null`: no limit. */
  readonly position_limit: Decimal | null;
  readonly position_limit_minor: number | null;
  /** The result so far: the amount left if every position were given away for its book value. */
  readonly realised: Decimal | null;
  readonly realised_minor: number | null;
  /** How much more the positions are worth than their book values. */
  readonly unrealised: Decimal | null;
  readonly unrealised_minor: number | null;
}

/** Money on its way to a recipient. The account is debited at creation. */
export interface Payout {
  readonly id: string;
  readonly object: 'payout';
  readonly created: number;
  readonly livemode: boolean;
  readonly amount: Decimal;
  readonly amount_minor: number;
  readonly currency: string;
  /** `null` where it pays a salary, bonus or pension, for a key without `payroll:read`. */
  readonly recipient: string | null;
  /** Account debited. */
  readonly account: string;
  /** `waiting`: it waits for money, and nothing has been debited. */
  readonly status: 'waiting' | 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled' | 'returned';
  /** Text for the recipient. */
  readonly reference: string | null;
  readonly reference_type: ReferenceType;
  /** Short text for the recipient’s statement. */
  readonly statement_descriptor: string | null;
  /** Your own id. */
  readonly external_id: string | null;
  /** The day on which it should leave. */
  readonly scheduled_on: string | null;
  /** How fast it should arrive: `instant` within seconds at any hour, `urgent` on the day on which it leaves. */
  readonly speed: 'standard' | 'instant' | 'urgent';
  readonly category_purpose: CategoryPurpose;
  readonly purpose: Purpose;
  readonly bank_account: RecipientBankAccount;
  /** The last day on which it waits for money, or waited. */
  readonly wait_until_on: string | null;
  /** Where it goes: the recipient at the time of creation. `null` on payouts that are older than this member. */
  readonly destination: {
    /** Name of the account holder. */
    readonly name: string;
    /** How the money travels. */
    readonly scheme: 'sepa' | 'local' | 'swift';
    /** Country of the bank account. */
    readonly country: string;
    /** BIC, or the number of bank and branch (routing number, sort code and so on), if known. */
    readonly bank: string | null;
    /** The last four characters of the account. */
    readonly last4: string;
  } | null;
  /** The day on which your bank executes it, by its cut-off and calendar. `null` while it waits for money or approval, and if no bank account pays in its currency. */
  readonly expected_execution_on: string | null;
  /** The day by which it should arrive. */
  readonly expected_arrival_on: string | null;
  /** The batch it was created in. */
  readonly batch: string | null;
  /** The standing order that made it. */
  readonly standing_order: string | null;
  /** The exchange that was booked with it. */
  readonly exchange: string | null;
  /** Its fees. */
  readonly fees: Fees;
  /** The transfer that debited the account; null while it waits for money. */
  readonly transfer: string | null;
  /** The transfer that credited the account back. */
  readonly reversal: string | null;
  /** What came back so far. A payout is `returned` from the first part on: less than its amount came back less charges, or a part of it. */
  readonly amount_returned: Decimal;
  readonly amount_returned_minor: number;
  /** The payment that it refunds. */
  readonly refund_of: string | null;
  /** Why it failed or came back. */
  readonly failure_code: 'account_closed' | 'account_frozen' | 'bank_account_restricted' | 'bank_ownership_changed' | 'could_not_process' | 'debit_not_authorized' | 'declined' | 'insufficient_funds' | 'invalid_account_number' | 'incorrect_account_holder_name' | 'incorrect_account_holder_address' | 'incorrect_account_holder_tax_id' | 'invalid_currency' | 'no_account' | 'unsupported_card' | 'recipient_name_mismatch' | 'amount_limit_exceeded' | 'compliance_rejected' | 'timeout' | null;
  /** The failure code in words. */
  readonly failure_message: string | null;
  /** The reason that the bank gave last: why it rejected, delayed, changed or returned it. */
  readonly bank_reason: {
    /** ISO 20022 code, or a code of the bank. */
    readonly code: string | null;
    /** The bank’s own words. */
    readonly text: string | null;
  } | null;
  /** When the bank first reported that it accepted it. */
  readonly accepted_at: number | null;
  /** Whether its name is that of the account (verification of payee), once the bank reports it. */
  readonly payee_check: {
    /** `not_possible`: the bank of the account did not say. */
    readonly result: 'match' | 'close_match' | 'no_match' | 'not_possible';
    /** The name of the account holder, if the bank tells it: where it is a `close_match`. */
    readonly name: string | null;
  } | null;
  /** Set if a rule held the payout, which stays `pending` until it is approved. */
  readonly release: {
    /** `ended`: the payout was canceled, or failed, before anybody decided. */
    readonly status: 'held' | 'approved' | 'rejected' | 'ended';
    /** `new_recipient`, `changed_recipient`, or the id of the exceeded limit. */
    readonly reasons: readonly string[];
    readonly approvals_required: number;
    /** Who approved, and when. */
    readonly approvals: readonly ({
      readonly actor?: string;
      readonly at?: number;
      /** Of an approval by a passkey: the SHA-256, in base64url, that it signed, over a nonce and the ids and fingerprints of all that was approved with it. */
      readonly proof?: string;
    })[];
    readonly rejection: {
      readonly actor?: string;
      readonly at?: number;
      readonly reason?: string | null;
    } | null;
    /** Everybody who changed what leaves, such as its reference or its day, also before it was held. A change voids approvals. */
    readonly changed_by: readonly string[];
    /** It stands for all that leaves: amount, account, recipient and bank details, texts, purposes, bank account, day and speed. An approval sends it. */
    readonly fingerprint: string | null;
  } | null;
  /** When it left. */
  readonly in_transit_at: number | null;
  /** When it became paid, failed, canceled or returned. */
  readonly ended_at: number | null;
  readonly created_by: CreatedBy;
  readonly metadata: Metadata;
  /** The objects that `expand[]` asked for, by member. Present only with `expand[]`. */
  readonly expanded?: {
    readonly recipient?: Recipient;
    readonly account?: Account;
    readonly batch?: PayoutBatch;
    readonly exchange?: Exchange;
    readonly transfer?: Transfer;
    readonly reversal?: Transfer;
    readonly created_by?: Actor;
    readonly flags?: PayoutFlags;
  };
}

/** Answer to a dry run: new objects have no id. */
export type PayoutDryRun = Omit<Payout, 'dry_run' | 'id' | 'account' | 'expanded' | 'shortfalls'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  readonly id: null;
  readonly account: string | null;
  /** The exchange that the payout would book, with its price. Present only where there is one. */
  readonly expanded?: {
    readonly exchange?: ExchangeDryRun;
  };
  /** Bank accounts that would not cover what is pending, in transit and tried. They pay all the same. */
  readonly shortfalls?: Shortfalls;
};

/** Payouts created by one request. */
export interface PayoutBatch {
  readonly id: string;
  readonly object: 'payout_batch';
  readonly created: number;
  readonly livemode: boolean;
  readonly status: 'processing' | 'completed' | 'completed_with_failures';
  readonly mode: 'atomic' | 'partial';
  /** Your own id; or `csv-` and 32 hex digits, made of a CSV file. */
  readonly external_id: string | null;
  readonly category_purpose: CategoryPurpose;
  readonly purpose: Purpose;
  readonly bank_account: RecipientBankAccount;
  /** Whether your bank is asked to book its payouts as one entry. `null`: salaries, bonuses and pensions as one, others one by one. */
  readonly batch_booking: boolean | null;
  /** Payouts created. */
  readonly payouts_count: number;
  /** Items rejected (partial mode). */
  readonly rejected_count: number;
  /** Payouts still pending or in transit. */
  readonly open_count: number;
  /** Payouts failed or canceled. */
  readonly failed_count: number;
  /** When the last payout ended. */
  readonly completed_at: number | null;
  readonly metadata: Metadata;
}

/** A created batch with one result for each item, in the order of the request. */
export type PayoutBatchResults = PayoutBatch & {
  readonly results: readonly ({
    readonly index: number;
    readonly status: 'created';
    readonly payout: Payout;
    /** Of an item that names its payee: whether the recipient was `found`, or is `new`. */
    readonly recipient_match?: 'found' | 'new';
  } | RejectedItem)[];
};

/** The payouts of a currency. */
export interface TriedTotal {
  readonly currency: string;
  readonly payouts_count: number;
  /** What arrives. */
  readonly amount: Decimal;
  readonly amount_minor: number;
  /** Your fees, in addition. */
  readonly fees: Decimal;
  readonly fees_minor: number;
  /** How many would wait for a second person. */
  readonly held_count: number;
  /** `new_recipient`, `changed_recipient`, and the ids of limits that hold some of them. */
  readonly held_by: readonly string[];
}

/** An account that pays. */
export interface TriedAccount {
  /** `null`: it would be opened. */
  readonly account: string | null;
  readonly currency: string;
  /** What it holds, minor units. */
  readonly balance: number;
  /** The same, under the name that other amounts have. */
  readonly balance_minor: number;
  /** What would be left, minor units. */
  readonly balance_after: number;
  /** The same, under the name that other amounts have. */
  readonly balance_after_minor: number;
}

/** Something that may be a mistake. It is paid all the same. */
export interface TriedWarning {
  /** The item, counted from 0. */
  readonly index: number;
  /** `repeated_in_batch`: an item before it pays the same amount to the same recipient on the same day. `paid_before`: a payout of the last days did, and has not failed. */
  readonly code: 'repeated_in_batch' | 'paid_before';
  readonly message: string;
  /** The item before it. */
  readonly item: number | null;
  /** The payout of the last days. */
  readonly payout: string | null;
}

/** Answer to a dry run: new objects have no id. */
export type PayoutBatchResultsDryRun = Omit<PayoutBatchResults, 'dry_run' | 'id' | 'totals' | 'accounts' | 'warnings' | 'results' | 'shortfalls'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  readonly id: null;
  readonly totals: readonly TriedTotal[];
  /** Balances before and after. `null` for keys without `accounts:read`. */
  readonly accounts: readonly TriedAccount[] | null;
  /** Payments that may be made twice. A salary that somebody else paid before is not named to keys without `payroll:read`. */
  readonly warnings: readonly TriedWarning[];
  readonly results: readonly ({
    readonly index: number;
    readonly status: 'created';
    readonly payout: PayoutDryRun;
    /** Of an item that names its payee: whether the recipient was `found`, or is `new`. */
    readonly recipient_match?: 'found' | 'new';
  } | RejectedItem)[];
  /** Bank accounts that would not cover what is pending, in transit and tried. They pay all the same. */
  readonly shortfalls?: Shortfalls;
};

/** A batch whose pending payouts were canceled. */
export type PayoutBatchCancellation = PayoutBatch & {
  /** Payouts canceled by this request. */
  readonly canceled_count: number;
  /** Payouts that were not pending: they had left or ended before. */
  readonly kept_count: number;
};

/** What happened to a payout, in sentences to read out. */
export interface PayoutHistory {
  readonly object: 'payout_history';
  readonly livemode: boolean;
  readonly payout: string;
  /** The batch it was created in. */
  readonly batch: string | null;
  /** Where the money is now, and what to do. */
  readonly summary: string;
  /** The amounts in `summary` and in the sentences, each as it stands there: digits without groups, a point, the currency. For who shows them otherwise. */
  readonly amounts: readonly string[];
  /** Oldest first. */
  readonly data: readonly ({
    readonly at: number;
    /** `sent`: it left. `bank`: the bank said something. `booked`: an entry of a statement. `delivery`: an event that an endpoint has not got. */
    readonly kind: 'created' | 'held' | 'approved' | 'rejected' | 'funded' | 'changed' | 'sent' | 'bank' | 'booked' | 'paid' | 'failed' | 'canceled' | 'returned' | 'delivery';
    /** Who did it; `null`: the bank, or nobody. */
    readonly actor: string | null;
    /** The name of the key or person, or what part of the service it was. */
    readonly actor_name: string | null;
    /** In English. Not for programs: it may change. */
    readonly text: string;
    /** Ids by what they are of, such as `payment_file`, `bank_entry` and `event`. */
    readonly refs: Readonly<Record<string, string>>;
  })[];
}

/** The rules of an environment for its payouts. Limits are in `/v1/limits`. */
export interface PayoutRules {
  readonly object: 'payout_rules';
  readonly livemode: boolean;
  readonly frozen: boolean;
  readonly hold_new_recipients_hours: number;
  readonly hold_bank_accounts: boolean;
  readonly approvals_required: number;
  readonly routes: 'sandbox' | 'live';
  /** `in_order`: money that payouts wait for is kept for them. `may_be_passed`: others may take it. */
  readonly waiting_payouts: 'in_order' | 'may_be_passed';
  /** Where the days of limits begin, an IANA name. */
  readonly time_zone: string;
  /** What would loosen the rules, and waits for a second person. */
  readonly pending_changes: {
    /** The rules that change, as they are to be. */
    readonly changes: {
      readonly frozen?: boolean;
      readonly hold_new_recipients_hours?: number;
      readonly hold_bank_accounts?: boolean;
      readonly approvals_required?: number;
      readonly time_zone?: string;
    };
    readonly actors: Actors;
    readonly at: number;
    readonly approvals_required: number;
    readonly approvals: Approvals;
    readonly fingerprint: Fingerprint;
  } | null;
}

/** How much may leave in a day. */
export interface Limit {
  readonly id: string;
  readonly object: 'limit';
  readonly created: number;
  readonly livemode: boolean;
  /** `null`: payouts of every currency count. */
  readonly currency: string | null;
  /** Whether other currencies count too. Then `used` is in `currency`, at the mid-market rates at which it was counted. */
  readonly all_currencies: boolean;
  readonly amount: Decimal | null;
  readonly amount_minor: number | null;
  /** Payouts. */
  readonly count: number | null;
  /** What leaves in the current interval. `null` without a currency, if each has the limit for itself, and in events about a limit that was used. */
  readonly used: Decimal | null;
  readonly used_minor: number | null;
  /** Payouts that leave in the current interval. `null` if each has it for itself, and in events about a limit that was used. */
  readonly used_count: number | null;
  readonly interval: 'day';
  /** When the current interval ends. */
  readonly interval_ends_at: number;
  readonly per: 'environment' | 'key' | 'account' | 'recipient';
  readonly key: string | null;
  readonly account: string | null;
  readonly recipient: string | null;
  readonly action: 'refuse' | 'hold';
  /** That somebody asked to delete it, and that this waits for a second person. */
  readonly pending_deletion: {
    readonly actors: Actors;
    readonly at: number;
    readonly approvals_required: number;
    readonly approvals: Approvals;
    readonly fingerprint: Fingerprint;
  } | null;
}

/** What became of the deletion of a limit. */
export interface DeletedLimit {
  readonly id: string;
  readonly object: 'limit';
  /** `false`: it stays, because its deletion waits for a second person or was rejected. */
  readonly deleted: boolean;
}

/** What an approver should look at twice; only of held payouts. `new_recipient`: its recipient was made within 30 days before the payout. `bank_details_changed`: the bank details of its recipient became others within 30 days before the payout, or after it. `first_payment`: none of the 20 payouts before it to the recipient was paid. `first_payment_to_country`: no payout to the country of the bank was paid: none of the 5 oldest to each of the 50 oldest recipients there. `unusual_amount`: it is more than 3 times the largest that was paid in its currency among the 20 payouts before it to the recipient; not set where none was. */
export type PayoutFlags = readonly ('new_recipient' | 'bank_details_changed' | 'first_payment' | 'first_payment_to_country' | 'unusual_amount')[];

/** What became of payouts that were approved together. */
export interface PayoutApproval {
  readonly object: 'payout_approval';
  readonly livemode: boolean;
  /** Payouts that are free to leave now. */
  readonly approved_count: number;
  /** Payouts that wait for one more approval, by another family. */
  readonly held_count: number;
}

/** What the approval of a batch would let leave. */
export interface PayoutBatchRelease {
  readonly object: 'payout_batch_release';
  readonly livemode: boolean;
  readonly batch: string;
  /** Payouts that are held now. */
  readonly held_count: number;
  /** The held payouts by currency. */
  readonly totals: readonly ({
    readonly currency: string;
    readonly payouts_count: number;
    readonly total: Decimal;
    readonly total_minor: number;
  })[];
  /** It stands for all that leaves with the payouts of the batch that a rule held. The approval of the batch sends it. */
  readonly fingerprint: string;
}

/** The same payout again and again, on planned days. */
export interface StandingOrder {
  readonly id: string;
  readonly object: 'standing_order';
  readonly created: number;
  readonly livemode: boolean;
  /** Amount of each payout. */
  readonly amount: Decimal;
  readonly amount_minor: number;
  readonly currency: string;
  /** `null` where it pays salaries, bonuses or pensions, for a key without `payroll:read`. */
  readonly recipient: string | null;
  /** Account debited. */
  readonly account: string;
  /** Of each payout. */
  readonly speed: 'standard' | 'instant' | 'urgent';
  readonly status: 'active' | 'paused' | 'completed' | 'canceled';
  /** `failures`: three runs in a row made no payout. */
  readonly paused_reason: 'requested' | 'failures' | null;
  /** `recipient_redacted`: the person that it paid was erased. */
  readonly canceled_reason: 'requested' | 'recipient_redacted' | null;
  readonly interval: 'day' | 'week' | 'month' | 'year';
  /** It runs on every n-th interval. */
  readonly interval_count: number;
  /** The first planned day. */
  readonly starts_on: string;
  /** No run is planned after this day. */
  readonly ends_on: string | null;
  /** How many days are planned in all. */
  readonly count: number | null;
  /** The next planned day. */
  readonly next_run_on: string | null;
  /** Runs that made a payout. */
  readonly runs_count: number;
  /** Runs that made none. */
  readonly failed_count: number;
  /** Planned days that were left out. */
  readonly skipped_count: number;
  /** The planned day of the newest run, successful or not. */
  readonly last_run_on: string | null;
  /** The newest payout. */
  readonly last_payout: string | null;
  /** Why the newest run made no payout; `null` once one made it. */
  readonly last_failure: {
    /** The planned day. */
    readonly planned_on: string;
    /** A code of the errors page. */
    readonly code: string;
    readonly message: string;
  } | null;
  /** Text for the recipient. */
  readonly reference: string | null;
  readonly reference_type: ReferenceType;
  /** Short text for the recipient’s statement. */
  readonly statement_descriptor: string | null;
  readonly category_purpose: CategoryPurpose;
  readonly purpose: Purpose;
  /** When it was completed or canceled. */
  readonly ended_at: number | null;
  readonly ordered_by: CreatedBy;
  readonly created_by: CreatedBy;
  readonly metadata: Metadata;
}

/** Answer to a dry run: new objects have no id. */
export type StandingOrderDryRun = Omit<StandingOrder, 'dry_run' | 'id'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  readonly id: null;
};

/** The result of one planned day of a standing order. */
export interface StandingOrderRun {
  readonly id: string;
  readonly object: 'standing_order_run';
  readonly created: number;
  readonly livemode: boolean;
  readonly standing_order: string;
  /** The number of the planned day, from 1. */
  readonly number: number;
  /** The planned day. */
  readonly planned_on: string;
  readonly status: 'succeeded' | 'failed' | 'skipped';
  /** It ran after its day. */
  readonly made_up: boolean;
  /** The payout that it made. */
  readonly payout: string | null;
  /** Why it made no payout: a code of the errors page. */
  readonly code: string | null;
  /** The same in words. */
  readonly message: string | null;
}

/** A rule for charging. A null member fits anything. Of the rules that fit, the most specific applies: a payment link before a method; a scheme, a method or a bought currency before a currency. */
export interface FeeRule {
  readonly id: string;
  readonly object: 'fee_rule';
  readonly created: number;
  readonly livemode: boolean;
  readonly on: 'payout' | 'exchange' | 'payment';
  readonly currency: string | null;
  readonly scheme: 'sepa' | 'local' | 'swift' | null;
  readonly buy_currency: string | null;
  readonly method: 'bank_transfer' | 'card' | null;
  readonly payment_link: string | null;
  /** The fixed part. */
  readonly amount: Decimal | null;
  readonly amount_minor: number | null;
  readonly basis_points: number;
}

/** A fee that was deleted. */
export interface DeletedFeeRule {
  readonly id: string;
  readonly object: 'fee_rule';
  readonly deleted: true;
}

/** An account of yours at a bank. The bank’s bookings move it. */
export interface BankAccount {
  readonly id: string;
  readonly object: 'bank_account';
  readonly created: number;
  readonly livemode: boolean;
  /** Your name for it. */
  readonly name: string | null;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Country of the account, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Name of the account holder at the bank. */
  readonly holder: string;
  /** Of the account holder. */
  readonly holder_address: Address | null;
  /** Its bank details, not masked. */
  readonly bank_details: Readonly<Record<string, string>>;
  /** `payouts` leave from it, `collections` come in to it. */
  readonly uses: readonly ('payouts' | 'collections')[];
  /** With `hold_bank_accounts`, what payers are not shown yet. It waits for `POST /v1/bank_accounts/:id/approve`. */
  readonly pending_changes: {
    /** The new `uses` or `holder`. */
    readonly changes: {
      readonly holder?: string;
      readonly uses?: readonly ('payouts' | 'collections')[];
    };
    readonly actors: Actors;
    readonly at: number;
    readonly approvals_required: number;
    readonly approvals: Approvals;
    readonly fingerprint: Fingerprint;
  } | null;
  /** The dialect of payment files that its bank takes. */
  readonly profile: 'epc' | 'de_dk' | 'ch_sps' | 'generic';
  /** The business days of its bank. */
  readonly calendar: 'target' | 'ch' | 'gb' | 'us' | 'pl' | 'se' | 'dk' | 'no' | 'cz' | 'hu' | 'ro' | 'weekdays';
  /** Days on which its bank is closed beside those of `calendar`, in their order. */
  readonly holidays: readonly string[];
  /** The bank executes files that come before this time on the same day, `HH:MM`. */
  readonly cut_off: string;
  /** Time zone of `cut_off` and of the days in statements, an IANA name. */
  readonly time_zone: string;
  /** The messages of the bank whose booked entries move the ledger. */
  readonly booked_by: 'camt.053' | 'camt.052' | 'camt.054';
  /** Whether its files ask the bank to verify the names of payees. */
  readonly payee_check: 'off' | 'on';
  /** When payouts leave in a file: when you export, or also before each `cut_off`. */
  readonly exports: 'by_hand' | 'before_cut_off';
  /** What makes a payout `paid`: its booked debit, or the status ACSC of the bank too. */
  readonly paid_by: 'booking' | 'status';
  /** The sign of a reversal (`RvslInd`) in statements of the bank: its own, or the sign of the entry that it undoes. */
  readonly reversal_sign: 'own' | 'original';
  /** Whether debits that the bank marks, by their transaction code, as its own charges go to `fees` by themselves. */
  readonly charges: 'to_fees' | 'by_hand';
  /** What happens when a statement’s balance differs from the ledger’s. `warn`: only an event. `stop_exports`: exports stop until somebody resumes them. */
  readonly on_drift: 'warn' | 'stop_exports';
  /** The sum of the bank’s bookings, in minor units. Below zero is an overdraft. */
  readonly balance: number;
  readonly status: 'open' | 'closed';
  readonly metadata: Metadata;
  /** First day of the first imported statement. Older bookings are in its opening balance. */
  readonly books_from_on: string | null;
  /** The statement whose drift stopped the exports; null while payouts may leave. */
  readonly exports_stopped_by: string | null;
}

/** A file of payments for your bank (pain.001). */
export interface PaymentFile {
  readonly id: string;
  readonly object: 'payment_file';
  readonly created: number;
  readonly livemode: boolean;
  readonly bank_account: string;
  /** `claiming` while it takes payouts, then `sealed`: it can be downloaded and never changes. `abandoning` while its payouts are set free, then `abandoned`. */
  readonly status: 'claiming' | 'sealed' | 'abandoning' | 'abandoned';
  /** How its payments travel. */
  readonly route: string;
  /** The dialect it is written in. */
  readonly profile: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** The day on which the bank should execute it. */
  readonly execution_on: string;
  readonly category_purpose: CategoryPurpose;
  /** Whether it asks your bank to book it as one entry (`BtchBookg`), so that statements show no single payment. */
  readonly batch_booking: boolean;
  /** Number of payouts in it. */
  readonly payouts_count: number;
  /** Sum of the payouts. */
  readonly total: Decimal;
  readonly total_minor: number;
  /** Its id at the bank (`MsgId`), never used twice. */
  readonly message_id: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string | null;
  /** Size in bytes. */
  readonly size_bytes: number | null;
  /** Why it was abandoned. */
  readonly reason: string | null;
  readonly created_by: CreatedBy;
  /** When it was sealed. */
  readonly sealed_at: number | null;
  /** When the bank first reported on a payout in it. From then on it cannot be abandoned. */
  readonly answered_at: number | null;
  /** The reason that the bank gave for the whole of it. */
  readonly bank_reason: {
    /** ISO 20022 code, or a code of the bank. */
    readonly code: string | null;
    /** The bank’s own words. */
    readonly text: string | null;
  } | null | null;
  /** How the names of its payees compare with those of their accounts (verification of payee). */
  readonly payee_check: {
    /** Payouts whose name is that of the account. */
    readonly match_count: number;
    /** Payouts whose name is nearly that of the account. */
    readonly close_match_count: number;
    /** Payouts whose name is another one. */
    readonly no_match_count: number;
    /** Payouts of which the bank of the account did not say. */
    readonly not_possible_count: number;
    /** The first 100 payouts that are no `match`; their `payee_check` says more. */
    readonly payouts: readonly string[];
  } | null | null;
  /** When its last payout was set free. */
  readonly abandoned_at: number | null;
}

/** What a bank account lacks, by its statements so far. */
export interface Shortfall {
  readonly bank_account: string;
  readonly currency: string;
  /** What the bank has booked, minor units. */
  readonly balance: number;
  /** The sum that is missing. */
  readonly amount: Decimal;
  readonly amount_minor: number;
}

/** The payouts that leave, and those that stay. */
export interface PaymentFileExport {
  readonly object: 'payment_file_export';
  readonly livemode: boolean;
  /** It was a dry run: nothing left. */
  readonly dry_run: boolean;
  /** The payouts that leave, file by file. More may follow into the same file until it is sealed. */
  readonly planned: readonly ({
    readonly bank_account: string;
    readonly route: string;
    readonly execution_on: string;
    /** Of all its payouts. */
    readonly category_purpose: string | null;
    /** Whether the bank is asked to book it as one entry. */
    readonly batch_booking: boolean;
    readonly currency: string;
    readonly payouts_count: number;
    readonly total: Decimal;
    readonly total_minor: number;
  })[];
  /** The files that are being filled. */
  readonly files: readonly PaymentFile[];
  /** Payouts that stay, and why. */
  readonly held: readonly ({
    readonly reason: 'frozen' | 'exports_stopped' | 'held' | 'scheduled' | 'no_bank_account' | 'not_payable';
    readonly currency: string;
    readonly payouts_count: number;
    readonly total: Decimal;
    readonly total_minor: number;
    /** The reason in words. If payouts differ, it is that of the first. */
    readonly message: string;
  })[];
  /** Bank accounts that do not cover what has left and what is to leave. They pay all the same. */
  readonly shortfalls: Shortfalls;
}

/** How money is paid into an account by bank transfer. */
export interface DepositInstructions {
  readonly object: 'deposit_instructions';
  readonly account: string;
  readonly currency: string;
  /** The reference that the transfer must name, ISO 11649. It belongs to the account and never changes. If the bank account has a QR-IBAN, it is the QR reference that stands for it. */
  readonly reference: string;
  /** The bank account to pay to. Null if no bank account collects in this currency. */
  readonly bank_account: string | null;
  /** Its holder. */
  readonly holder: string | null;
  /** Its bank details. */
  readonly bank_details: Readonly<Record<string, string>> | null;
}

/** An imported file of a bank. The same bytes are the same file. */
export interface StatementFile {
  readonly id: string;
  readonly object: 'statement_file';
  readonly created: number;
  readonly livemode: boolean;
  /** `importing` while its entries are booked. If you send it again, the import goes on where it stopped. */
  readonly status: 'importing' | 'imported';
  /** Size in bytes. */
  readonly size_bytes: number;
  /** Statements in it that were imported. */
  readonly statements_count: number;
  /** Statements in it that book nothing: their message is not the one in `booked_by` of the bank account, or they are empty and of no bank account that is known. */
  readonly skipped_count: number;
  /** Faults of the file that were tolerated, and what else became of it, a sentence each. */
  readonly notes: readonly string[];
  /** When the last entry was booked. */
  readonly imported_at: number | null;
}

/** A statement of a bank, or a page of one, with the proof of its balances. */
export interface BankStatement {
  readonly id: string;
  readonly object: 'bank_statement';
  readonly created: number;
  readonly livemode: boolean;
  readonly bank_account: string;
  /** The file that first contained it. */
  readonly statement_file: string;
  /** An MT940 books as a camt.053 does, an MT942 as a camt.052. */
  readonly message: 'camt.053' | 'camt.052' | 'camt.054' | 'mt940' | 'mt942';
  /** Its id at the bank. */
  readonly reference: string | null;
  /** Its number at the bank. */
  readonly sequence: string | null;
  /** Page, if the bank divides statements. */
  readonly page: number | null;
  /** The first day that it covers. */
  readonly starts_on: string | null;
  /** Day of the opening balance. */
  readonly opened_on: string | null;
  /** Minor units. */
  readonly opening_balance: number | null;
  /** Day of the closing balance. */
  readonly closed_on: string | null;
  /** Minor units. */
  readonly closing_balance: number | null;
  readonly currency: string;
  /** `before_opening`: it ends before the bank account’s first day in the ledger, so it books nothing. `needs_review`: entries of it wait until you say which are new. `superseded`: it waited, and was read otherwise, or issued again with all of its entries, since. */
  readonly status: 'importing' | 'imported' | 'before_opening' | 'needs_review' | 'superseded';
  /** Booked entries in it. */
  readonly entries_count: number;
  /** Entries that it reported first. */
  readonly new_count: number;
  /** Those of its new entries that found no place by themselves. */
  readonly unmatched_count: number;
  /** `ok`: opening balance and entries give the closing balance, the statement follows on the one before, and the ledger agrees. `failed`: opening balance and entries do not give the closing balance. `gap`: a statement before it is missing. `drift`: the ledger has another balance. `none`: the message has no balances. */
  readonly proof: 'ok' | 'gap' | 'failed' | 'drift' | 'none';
  /** The bank’s balance less the one that its entries, or the ledger, give. */
  readonly difference: Decimal | null;
  readonly difference_minor: number | null;
  /** Entries that wait until it is known whether they are new. */
  readonly waiting_count: number;
  /** If entries wait: which of them may be new. */
  readonly readings: readonly ({
    /** Positions of its new entries, as `1-3,7`; empty: none. */
    readonly entries: string;
    /** Number of its new entries. */
    readonly count: number;
  })[];
  /** Entries of the statement in whose place it was issued again that it does not report. */
  readonly missing_entries: readonly string[];
  /** The statement in whose place it was issued again. */
  readonly supersedes: string | null;
}

/** Entries of a statement that wait. */
export interface WaitingEntries {
  readonly data: readonly ({
    /** Its place in the statement, from 1. */
    readonly position: number;
    readonly direction: 'credit' | 'debit';
    readonly amount: Decimal;
    readonly amount_minor: number;
    readonly currency: string;
    /** Booking day. */
    readonly booked_on: string | null;
    /** Value day. */
    readonly value_on: string | null;
    /** The other side. */
    readonly counterparty: Counterparty;
    /** The payer’s text. */
    readonly text: string | null;
    /** The id that travels with a payment. */
    readonly end_to_end_id: string | null;
    /** The bank’s reference. */
    readonly bank_reference: string | null;
    /** The `readings` in which it is new, from 1. */
    readonly new_in: readonly number[];
  })[];
  readonly has_more: boolean;
}

/** A booking of a bank. It moved the ledger once, in the commit that stored it. */
export interface BankEntry {
  readonly id: string;
  readonly object: 'bank_entry';
  readonly created: number;
  readonly livemode: boolean;
  readonly bank_account: string;
  /** The statement that reported it first. */
  readonly statement: string;
  /** `opening`: the balance with which the first statement began. */
  readonly kind: 'entry' | 'opening';
  /** `credit`: money came in. */
  readonly direction: 'credit' | 'debit';
  readonly amount: Decimal;
  readonly amount_minor: number;
  /** The part of it that has no place. */
  readonly amount_unassigned: Decimal;
  readonly amount_unassigned_minor: number;
  readonly currency: string;
  /** `unmatched`: a part of it has no place. Assign that part. `voided`: it was a wrong booking, and counts nowhere. */
  readonly status: 'unmatched' | 'matched' | 'voided';
  /** What waits for `POST /v1/bank_entries/:id/approve`. */
  readonly pending_changes: {
    /** The `status` that it is to have. */
    readonly changes: {
      readonly status?: 'voided' | 'unmatched';
    };
    /** Why, in the words of who asked. */
    readonly reason: string;
    readonly actors: Actors;
    readonly at: number;
    readonly approvals_required: number;
    readonly approvals: Approvals;
    readonly fingerprint: Fingerprint;
  } | null;
  /** Booking day. */
  readonly booked_on: string | null;
  /** Value day. */
  readonly value_on: string | null;
  /** The other side, as far as the bank names it. */
  readonly counterparty: Counterparty;
  /** Further texts and codes from the bank. */
  readonly remittance: {
    /** The payer’s text. */
    readonly text: string | null;
    /** The id that travels with a payment. */
    readonly end_to_end_id: string | null;
    /** The bank’s reference. */
    readonly bank_reference: string | null;
    /** Domain, family and subfamily, or the bank’s own code. */
    readonly transaction_code: string | null;
    /** ISO 20022 code, if it is a return. */
    readonly return_reason: string | null;
    /** The bank’s own words about the return. */
    readonly return_text: string | null;
  };
  /** What banks took, as far as they say it. */
  readonly charges: readonly ({
    readonly amount: Decimal;
    readonly amount_minor: number;
    readonly currency: string;
    /** ISO 20022 code, or the bank’s own. */
    readonly code: string | null;
    /** The amount of the entry has it in already. */
    readonly included: boolean | null;
  })[];
  /** What was ordered, if that is another amount: before charges, or in another currency. */
  readonly instructed: {
    readonly amount: Decimal;
    readonly amount_minor: number;
    readonly currency: string;
  } | null;
  /** How the bank exchanged it. */
  readonly exchange: {
    /** From this currency. */
    readonly source_currency: string | null;
    /** Into this currency. */
    readonly target_currency: string | null;
    /** The currency of which the rate is the price of one. */
    readonly unit_currency: string | null;
    /** The rate, a decimal. */
    readonly rate: string | null;
  } | null;
  /** What another message of the bank says of its transactions. */
  readonly transactions: readonly ({
    /** Null if it is in another currency. */
    readonly amount: Decimal | null;
    readonly amount_minor: number | null;
    /** The other side. */
    readonly counterparty: Counterparty;
    /** The payer’s text. */
    readonly text: string | null;
    /** The id that travels with a payment. */
    readonly end_to_end_id: string | null;
    /** Where its money went by itself. */
    readonly to: string | null;
  })[];
  /** The statement file that brought `transactions`. */
  readonly transactions_from: string | null;
  /** Your payment file that it debits as a whole, if the bank names one. */
  readonly payment_file: string | null;
  /** The payout that sends it back to its sender. */
  readonly return_payout: string | null;
  /** The places of its money, in order. */
  readonly assignments: readonly ({
    /** An account, payout, payment, bank account or payment file; `fees` or `fx`. A bank entry: a payout was debited once too often, and given back; the two entries close each other. */
    readonly to: string;
    readonly amount: Decimal;
    readonly amount_minor: number;
    /** The transfer that moved it; null where two entries close each other. */
    readonly transfer: string | null;
    /** Who assigned it: a key, or `worker` for the import. */
    readonly actor: string;
    readonly at: number;
    /** Why. */
    readonly reason: string | null;
    /** The transfer that undid it; of entries that closed each other, the one that was voided. */
    readonly undone_by: string | null;
  })[];
  /** How it contradicts the state of a payout, or the currency of what it names, in words. */
  readonly conflict: string | null;
  /** For an entry without a place that you retrieve or list: where it may belong. First a division among everything that it names, if that is clear; then the places with the most reasons. `null` for other entries, in events, and in a CSV without `limit`. A suggestion moves no money. */
  readonly suggestions: readonly ({
    /** The place, in the form that an assignment takes. `null` if there are several; `assignments` has each. */
    readonly to: string | null;
    readonly amount: Decimal;
    readonly amount_minor: number;
    /** `reference`: the entry names it with a typing error, or names others too. `amount`: the place waits for that amount, or sent it. `account`, `name`: earlier money from the same account or name went there, or it belongs to the recipient. `return`: the bank says that it is a return. `charges`: what is above the amount of the payout. */
    readonly reasons: readonly ('reference' | 'amount' | 'account' | 'name' | 'return' | 'charges')[];
    /** Ready for one call of `POST /v1/bank_entries/:id/assign`. Money that names nothing stays without a place. */
    readonly assignments: readonly ({
      /** The place, in the form that an assignment takes. */
      readonly to: string;
      readonly amount: Decimal;
    })[];
  })[] | null;
}

/** Where entries of banks go that name nothing of yours. The oldest rule that fits an entry decides. */
export interface BankRule {
  readonly id: string;
  readonly object: 'bank_rule';
  readonly created: number;
  readonly livemode: boolean;
  /** Its purpose, in your words. */
  readonly name: string;
  /** Only entries of this bank account. */
  readonly bank_account: string | null;
  /** Only money that came in, or went out. */
  readonly direction: 'credit' | 'debit' | null;
  /** Only entries of this currency. */
  readonly currency: string | null;
  /** Pattern of the transaction code of the bank. */
  readonly transaction_code: string | null;
  /** Only entries from, or to, this account: the last four characters of its IBAN. */
  readonly iban_last4: string | null;
  /** Pattern of the other side’s name and text. */
  readonly text: string | null;
  /** Only entries of at least this. */
  readonly min_amount: Decimal | null;
  readonly min_amount_minor: number | null;
  /** Only entries of at most this. */
  readonly max_amount: Decimal | null;
  readonly max_amount_minor: number | null;
  /** Where they go: an account, another bank account, `fees` or `fx`. */
  readonly to: string;
}

/** The newest entries that a rule would have fitted. */
export interface BankRuleDryRun {
  readonly object: 'bank_rule_trial';
  /** Nothing was written. */
  readonly dry_run: true;
  /** Number of entries looked at, the newest 10,000 at most. */
  readonly examined_count: number;
  /** Number of entries that the rule fits. */
  readonly meant_count: number;
  /** Number of those entries that name nothing of yours: the rule would have assigned them. */
  readonly would_assign_count: number;
  /** The newest 100 that it would have assigned. */
  readonly entries: readonly BankEntry[];
}

/** A rule that was deleted. */
export interface DeletedBankRule {
  readonly id: string;
  readonly object: 'bank_rule';
  readonly deleted: true;
}

/** The entries that were assigned, in the order of the request. */
export interface AssignedEntries {
  readonly data: readonly BankEntry[];
}

/** The report of a bank account for a month, by the booking days of its bank. `opening_balance` + `in` - `out` = `closing_balance`. `in` and `out` contain the money that found its `places` in the month, and the growth of `unmatched`. */
export interface Reconciliation {
  readonly object: 'reconciliation';
  readonly livemode: boolean;
  readonly bank_account: string;
  /** Such as 2026-11. */
  readonly month: string;
  readonly currency: string;
  /** The time zone of its bank, in which the month begins and ends. */
  readonly time_zone: string;
  /** `closed`: the month is over. The report then changes only if a file comes late. */
  readonly status: 'open' | 'closed';
  /** Minor units. */
  readonly opening_balance: number;
  /** Money that came in. */
  readonly in: CountedMoney;
  /** Money that went out. */
  readonly out: CountedMoney;
  /** Minor units. */
  readonly closing_balance: number;
  /** Where money came from and went to in the month. An assignment counts in the month in which it is made. */
  readonly places: {
    /** Accounts: deposits, assignments and rules. */
    readonly accounts: MoneyInAndOut;
    /** Payments of payment links. */
    readonly payments: MoneyInAndOut;
    /** Expected payments. */
    readonly expected_payments: MoneyInAndOut;
    /** Payouts: `out` when the bank booked them, `in` when they came back. */
    readonly payouts: MoneyInAndOut;
    /** Other bank accounts of yours. */
    readonly bank_accounts: MoneyInAndOut;
    /** Charges of the bank. */
    readonly fees: MoneyInAndOut;
    /** Exchanges. */
    readonly fx: MoneyInAndOut;
  };
  /** Money without a place. */
  readonly unmatched: {
    /** When the month began. */
    readonly opening: MoneyInAndOut;
    /** When it ended. */
    readonly closing: MoneyInAndOut;
    /** Number of entries with a part that had no place when it ended. */
    readonly entries_count: number;
    /** Booking day of the oldest such entry. */
    readonly oldest_booked_on: string | null;
  };
  /** Payouts in payment files that the bank had not booked when the month ended. */
  readonly in_transit: {
    readonly count: number;
    readonly amount: Decimal;
    readonly amount_minor: number;
    /** By whole days since they left. */
    readonly ages: readonly ({
      readonly from_days: number;
      /** null: no upper bound. */
      readonly to_days: number | null;
      readonly count: number;
      readonly amount: Decimal;
      readonly amount_minor: number;
    })[];
  };
  /** The proof by the bank’s own balances. */
  readonly proof: {
    /** `ok`: statements follow on one another, and the bank’s last balance is that of the ledger. `failed`: a statement contradicts itself. `gap`: a statement is missing. `drift`: the ledger has another balance. `incomplete`: entries come after the last balance. `none`: the bank has sent no balance. */
    readonly status: 'ok' | 'failed' | 'gap' | 'drift' | 'incomplete' | 'none';
    /** Statements with balances that end in the month. */
    readonly statements_count: number;
    readonly gaps_count: number;
    readonly failed_count: number;
    /** Number of entries after the last balance. */
    readonly entries_behind_count: number;
    readonly opening: ProvedBalance | null;
    readonly closing: ProvedBalance | null;
  };
  /** SHA-256, in hex, of this answer up to this member, closed with `}`. */
  readonly sha256: string;
  /** The newest signature, from the audit log. */
  readonly signature: {
    /** The hash that was signed. */
    readonly sha256: string;
    readonly signed_at: number;
    readonly signed_by: CreatedBy;
    /** Whether the report is still the one that was signed. */
    readonly is_current: boolean;
    /** The entry of the audit log. */
    readonly audit_entry: string;
  } | null;
}

/** A signature under a reconciliation. */
export interface ReconciliationSignature {
  readonly object: 'reconciliation_signature';
  readonly livemode: boolean;
  readonly bank_account: string;
  readonly month: string;
  /** The hash that was signed. */
  readonly sha256: string;
  readonly signed_at: number;
  readonly signed_by: CreatedBy;
}

/** A transfer that somebody is expected to make, for example for an invoice. */
export interface ExpectedPayment {
  readonly id: string;
  readonly object: 'expected_payment';
  readonly created: number;
  readonly livemode: boolean;
  /** The expected amount. */
  readonly amount: Decimal;
  readonly amount_minor: number;
  /** The amount that has come so far. */
  readonly amount_received: Decimal;
  readonly amount_received_minor: number;
  readonly currency: string;
  /** `overdue`: the due day has passed by the clock of the environment, and money is missing. `paid`: the whole amount has come, or more. */
  readonly status: 'open' | 'partially_paid' | 'paid' | 'overdue' | 'canceled';
  /** Account credited. */
  readonly account: string;
  /** The reference that the transfer must name (ISO 11649). */
  readonly reference: string;
  /** Who is expected to pay. */
  readonly payer: string | null;
  /** What the payment is for. */
  readonly description: string | null;
  /** The last day on which the payment is in time, in UTC. */
  readonly due_on: string | null;
  /** The last transfer that credited the account. */
  readonly transfer: string | null;
  /** When the whole amount had come. */
  readonly paid_at: number | null;
  readonly metadata: Metadata;
}

/** A page that asks for money. */
export interface PaymentLink {
  readonly id: string;
  readonly object: 'payment_link';
  readonly created: number;
  readonly livemode: boolean;
  /** `open`: the payer chooses the amount. */
  readonly amount_type: 'fixed' | 'open';
  /** Null if the payer chooses the amount. */
  readonly amount: Decimal | null;
  readonly amount_minor: number | null;
  /** The least that a payer may choose. */
  readonly minimum_amount: Decimal | null;
  readonly minimum_amount_minor: number | null;
  /** The most that a payer may choose. */
  readonly maximum_amount: Decimal | null;
  readonly maximum_amount_minor: number | null;
  readonly currency: string;
  /** The page. Everybody who has the address can pay. */
  readonly url: string;
  /** Whether a payment can be started. */
  readonly active: boolean;
  readonly status: 'active' | 'completed' | 'expired' | 'canceled';
  /** Account credited. */
  readonly account: string;
  /** Whether several payments can be made. */
  readonly reusable: boolean;
  /** How many payments a reusable link takes; null: any number. */
  readonly max_payments: number | null;
  /** Payments that were paid in full. */
  readonly payments_count: number;
  /** Payments that wait for money. */
  readonly open_payments_count: number;
  /** The whole amount that came in. Refunds are not taken off. */
  readonly amount_received: Decimal;
  readonly amount_received_minor: number;
  /** What the payment is for; shown to the payer. */
  readonly description: string | null;
  /** Your own reference; shown to the payer. */
  readonly reference: string | null;
  /** The payer’s e-mail address. */
  readonly customer_email: string | null;
  /** The receipt that the payer sees after paying. */
  readonly after_completion: {
    /** Where the receipt leads the payer. */
    readonly redirect: {
      readonly url: string;
    } | null;
    /** A text on the receipt. */
    readonly message: string | null;
  };
  /** From this instant no payment can be started. */
  readonly expires_at: number | null;
  /** When it stopped being active. */
  readonly ended_at: number | null;
  readonly metadata: Metadata;
}

/** Answer to a dry run: new objects have no id. */
export type PaymentLinkDryRun = Omit<PaymentLink, 'dry_run' | 'id' | 'url' | 'account'> & {
  /** Nothing was written. */
  readonly dry_run: true;
  readonly id: null;
  readonly url: string | null;
  readonly account: string | null;
};

/** Money expected or received through a payment link. */
export interface Payment {
  readonly id: string;
  readonly object: 'payment';
  readonly created: number;
  readonly livemode: boolean;
  /** The amount asked for. */
  readonly amount: Decimal;
  readonly amount_minor: number;
  /** The amount that came in. */
  readonly amount_received: Decimal;
  readonly amount_received_minor: number;
  /** The amount that went back. */
  readonly amount_refunded: Decimal;
  readonly amount_refunded_minor: number;
  readonly currency: string;
  /** `partially_paid`, `succeeded`, `overpaid`: less, exactly, or more than the amount asked for has come. */
  readonly status: 'pending' | 'partially_paid' | 'succeeded' | 'overpaid' | 'failed' | 'refunded';
  readonly method: 'bank_transfer' | 'card';
  readonly payment_link: string;
  /** Account credited. */
  readonly account: string;
  /** The reference that the payer names in the transfer (ISO 11649). */
  readonly reference: string;
  /** The payer, as far as known. */
  readonly payer: Counterparty;
  /** The payment that was already paid when this money came, so that this one is a duplicate. `null`: it is none. */
  readonly duplicate_of: string | null;
  readonly failure_code: 'expired' | 'declined' | 'canceled' | null;
  /** The last transfer that credited the account. */
  readonly transfer: string | null;
  /** Fees charged with the incoming money. */
  readonly fees: Fees;
  /** The last payout that refunds it. */
  readonly refund: string | null;
  /** It waits for money until this instant. */
  readonly expires_at: number | null;
  /** When it was paid in full. */
  readonly paid_at: number | null;
  readonly metadata: Metadata;
  /** The objects that `expand[]` asked for, by member. Present only with `expand[]`. */
  readonly expanded?: {
    readonly payment_link?: PaymentLink;
    readonly account?: Account;
    readonly transfer?: Transfer;
  };
}

/** How an environment appears to payers, and what it is told. */
export interface Settings {
  readonly object: 'settings';
  readonly livemode: boolean;
  /** Name shown to payers; null: the merchant’s name. */
  readonly name: string | null;
  /** Whether payers see a logo. */
  readonly has_logo: boolean;
  /** Colour of buttons, as #rrggbb. */
  readonly accent_color: string | null;
  /** Where payers write to. */
  readonly contact_email: string | null;
  /** Where payers call. */
  readonly contact_phone: string | null;
  /** The company’s address, shown to payers. */
  readonly address: Address | null;
  /** The company’s legal notice. */
  readonly legal_url: string | null;
  /** How the company handles data of payers. */
  readonly privacy_url: string | null;
  /** After so many days of waiting, a payment causes `payment.reminder_due`; null: never. */
  readonly payment_reminder_days: number | null;
  /** Whether each day has a statement and the event `daily_statement.created`. */
  readonly daily_statements: boolean;
  readonly metadata: Metadata;
}

/** An address that events are sent to. */
export interface WebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly created: number;
  readonly livemode: boolean;
  /** An address that events are sent to. */
  readonly url: string;
  /** Types, families such as `payout.*`, or `*`. */
  readonly enabled_events: readonly EventFilter[];
  /** A text of your own. */
  readonly description: string | null;
  /** The version of the API in which its events are sent. */
  readonly version: string;
  /** One delivery in flight, in order of `sequence`. */
  readonly ordered: boolean;
  readonly headers: WebhookHeaders;
  readonly status: 'enabled' | 'disabled';
  /** `requested`; `failing`: five days without a success; `gone`: it answered 410. */
  readonly disabled_reason: 'requested' | 'failing' | 'gone' | null;
  /** The first failure since the last success, if the endpoint counts as failing. */
  readonly first_failed_at: number | null;
  readonly metadata: Metadata;
}

/** A webhook endpoint with its signing secret, shown this once. */
export type WebhookEndpointWithSecret = WebhookEndpoint & {
  /** `whsec_…`. Keep it: it cannot be read again, only rolled. A request that is repeated after ten minutes is answered without it. */
  readonly secret?: string;
};

/** Your own headers, which every delivery carries, by name. Values are never shown: each is `****`. */
export type WebhookHeaders = Readonly<Record<string, string>>;

/** A webhook endpoint that was deleted. */
export interface DeletedWebhookEndpoint {
  readonly id: string;
  readonly object: 'webhook_endpoint';
  readonly deleted: true;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly object: 'delivery';
  readonly created: number;
  readonly livemode: boolean;
  readonly webhook_endpoint: string;
  /** `null` after the event was deleted for its age. */
  readonly event: string | null;
  /** What happened, to which kind of object. */
  readonly event_type: EventType | null;
  readonly sequence: number;
  /** `pending`: waits for its next attempt. `failed`: all attempts are used up. `held`: the endpoint was disabled. `parked`: put aside so that an ordered endpoint can go on. All but `succeeded` can be replayed. */
  readonly status: 'pending' | 'succeeded' | 'failed' | 'held' | 'parked';
  /** When the next attempt is due. */
  readonly next_attempt_at: number | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** One attempt. */
export interface DeliveryAttempt {
  readonly started_at: number;
  readonly duration_ms: number;
  readonly outcome: 'succeeded' | 'status' | 'dns' | 'blocked' | 'refused' | 'tls' | 'timeout' | 'too_long' | 'broken';
  readonly http_status: number | null;
  /** The first 4 kB of the answer. */
  readonly response: string | null;
  /** Why it failed, in words. */
  readonly error: string | null;
}

/** A job that sends events again. Their ids stay the same. */
export interface WebhookReplay {
  readonly id: string;
  readonly object: 'webhook_replay';
  readonly created: number;
  readonly livemode: boolean;
  readonly webhook_endpoint: string;
  /** `failed`: deliveries that did not succeed. `all`: every event that the endpoint asks for. `named`: the one event. */
  readonly only: 'failed' | 'all' | 'named';
  /** Events after this one … */
  readonly after_sequence: number;
  /** … up to and with this one. */
  readonly until_sequence: number;
  /** The sequence that the job has reached. */
  readonly reached_sequence: number;
  /** Number of deliveries made due again so far. */
  readonly deliveries_count: number;
  readonly status: 'running' | 'completed';
}

/** The sandbox clock. */
export interface Clock {
  readonly object: 'clock';
  readonly livemode: boolean;
  /** Unix seconds. */
  readonly now: number;
  /** Seconds by which it is ahead of the real clock; below zero: behind. */
  readonly offset_seconds: number;
}

/** Bank accounts in the sandbox and how a payout to them ends. All others are paid. */
export interface TestAccount {
  readonly object: 'test_account';
  /** `failed` before it is paid, `returned` after. */
  readonly outcome: 'paid' | 'failed' | 'returned';
  readonly failure_code: string | null;
  /** Country DE; any accepted currency. */
  readonly iban: string;
  /** Twelve digits: US with any routing number, and wherever twelve digits are accepted. */
  readonly us_account_number: string;
  /** Eight digits: GB with any sort code, and wherever eight digits are accepted. */
  readonly gb_account_number: string;
  /** Country MX. */
  readonly clabe: string;
}

/** All test accounts. */
export interface TestAccountList {
  readonly data: readonly TestAccount[];
}

/** A sandbox that was emptied. */
export interface Reset {
  readonly object: 'reset';
  readonly livemode: boolean;
}

/** A restore of the database from a backup. */
export interface Restore {
  readonly id: string;
  readonly object: 'restore';
  readonly created: number;
  readonly livemode: boolean;
  /** Sequence of the newest event in the restored database. Later events that you have received are gone, and so are the changes that they reported. */
  readonly last_sequence: number;
  /** Sequence of this event. The numbers between the two are never used. */
  readonly next_sequence: number;
}

/** A key of this environment. The key itself is shown once, in the answer that creates it. */
export interface Key {
  readonly id: string;
  readonly object: 'key';
  readonly created: number;
  readonly livemode: boolean;
  /** Its purpose, in your words. */
  readonly name: string;
  /** `sk_`: may do everything. `rk_`: restricted to its scopes. */
  readonly prefix: string;
  /** The last four characters of the key, to recognise it. */
  readonly last4: string;
  /** `null`: everything in its environment. */
  readonly scopes: readonly string[] | null;
  /** The accounts that it may see and use; `null`: all. */
  readonly accounts: readonly string[] | null;
  /** Addresses and networks from which it may be used; `null`: from everywhere. */
  readonly allowed_ips: readonly string[] | null;
  /** The version of the API that counts where a request names none. */
  readonly version: string;
  /** When it stops working, in real time. */
  readonly expires_at: number | null;
  /** When it was revoked, in real time. */
  readonly revoked_at: number | null;
  /** The last use of this very key, to the minute. */
  readonly last_used_at: number | null;
  /** The last use of any key of its line, to the minute: of this key, what it was rolled from and rolled to. */
  readonly line_last_used_at: number | null;
  /** The id of the first key of its line: of what was rolled to this one. Limits, `created_by` and records go by it. */
  readonly line: string;
  readonly created_by: CreatedBy;
  /** Who confirmed that it may approve. A key that another key made approves nothing until a second person confirms it; a key of the command line needs nobody. */
  readonly confirmed_by: string | null;
  /** The key that took its place. */
  readonly rolled_to: string | null;
  readonly status: 'active' | 'expired' | 'revoked';
}

/** A key with its secret, shown this once. */
export type KeyWithSecret = Key & {
  /** The key itself. Keep it: it cannot be read again, only rolled. A request that is repeated after ten minutes is answered without it. */
  readonly secret?: string;
};

/** A person who may sign in to the dashboard of this environment, and what it may do there. */
export interface User {
  readonly id: string;
  readonly object: 'user';
  readonly created: number;
  readonly livemode: boolean;
  /** The address of the person; until somebody has joined, that of the invitation. */
  readonly email: string;
  /** As you call the person, else as the person does. */
  readonly name: string | null;
  /** What it may do: named sets of scopes, which add up. */
  readonly roles: readonly ('viewer' | 'developer' | 'operator' | 'approver' | 'accountant' | 'admin')[];
  /** `invited`: nobody has joined yet. `suspended`: it opens nothing until it is resumed. */
  readonly status: 'invited' | 'active' | 'suspended';
  /** What the person shows beside a password. */
  readonly second_factor: 'none' | 'passkey' | 'totp';
  /** Its last request, to the minute, in real time. */
  readonly last_seen_at: number | null;
  /** Who confirmed that it may approve. Whom somebody let in approves nothing until a third person confirms it; whom the command line let in needs nobody. */
  readonly confirmed_by: string | null;
  readonly created_by: CreatedBy;
}

/** A user with a new link. */
export type UserWithLink = User & {
  /** Where the person joins, within seven days. Hand it over yourself: no mail is sent. It opens once, and cannot be read again. A repeated request answers it again only while it is unused. */
  readonly invitation_url?: string;
  /** Where the person sets a new password or passkey, within a day. Hand it over yourself: no mail is sent. It opens once, and cannot be read again. A repeated request answers it again only while it is unused. */
  readonly reset_url?: string;
};

/** The key or person that asks, its environment, and what it may do there. */
export interface Me {
  readonly object: 'me';
  readonly livemode: boolean;
  /** Of the newest event; 0: there is none. */
  readonly sequence: number;
  /** The clock of the environment, in Unix seconds. That of a sandbox can be moved. */
  readonly now: number;
  /** Whose environment it is. */
  readonly merchant: {
    readonly id: string;
    /** That of the settings; without one, as the operator calls it. */
    readonly name: string;
  };
  /** The id of the environment. */
  readonly environment: string;
  /** Who asks. */
  readonly actor: {
    /** The id of the key, or of the user. */
    readonly id: string;
    readonly name: string | null;
    readonly kind: 'key' | 'user';
  };
  /** What it may do; `null`: everything. */
  readonly scopes: readonly string[] | null;
  /** The only accounts that it may see and use; `null`: all. */
  readonly accounts: readonly string[] | null;
  /** `null`: it is a key. */
  readonly roles: readonly ('viewer' | 'developer' | 'operator' | 'approver' | 'accountant' | 'admin')[] | null;
  /** Until when a factor counts that the person has shown again, in Unix seconds; `null`: none does. */
  readonly stepped_up_until: number | null;
}

/** A key or a user, by its name. */
export interface Actor {
  readonly id: string;
  readonly name: string | null;
  readonly kind: 'key' | 'user';
}

/** An entry of the audit log. */
export interface AuditEntry {
  readonly id: string;
  readonly object: 'audit_entry';
  readonly created: number;
  readonly livemode: boolean;
  /** Counts up by one in each environment, from 1. */
  readonly sequence: number;
  readonly action: 'key.created' | 'key.rolled' | 'key.confirmed' | 'key.revoked' | 'key.refused' | 'settings.updated' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.enabled' | 'webhook_endpoint.disabled' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rolled' | 'environment.restored' | 'sandbox.reset' | 'recipient.redacted' | 'payout_rules.updated' | 'limit.created' | 'limit.deleted' | 'payout_rules.change_requested' | 'payout_rules.change_approved' | 'payout_rules.change_rejected' | 'limit.deletion_requested' | 'limit.deletion_approved' | 'limit.deletion_rejected' | 'payout.approved' | 'payout.rejected' | 'payout.resolved' | 'bank_account.approved' | 'bank_account.rejected' | 'server_secret.rotated' | 'fee_rule.created' | 'fee_rule.deleted' | 'bank_account.created' | 'bank_account.updated' | 'bank_account.closed' | 'statement_file.imported' | 'bank_statement.reviewed' | 'bank_entry.assigned' | 'bank_entry.unassigned' | 'payment_file.opened' | 'payment_file.sealed' | 'payment_file.abandoned' | 'bank_entry.returned' | 'bank_rule.created' | 'bank_rule.deleted' | 'bank_account.exports_stopped' | 'bank_account.exports_resumed' | 'bank_account.reconciled' | 'exchange_settings.updated' | 'payment_link.redacted' | 'payment.redacted' | 'expected_payment.redacted' | 'bank_entry.redacted' | 'bank_entry_details.redacted' | 'bank_entry.change_requested' | 'bank_entry.change_approved' | 'bank_entry.change_rejected' | 'bank_entry.voided' | 'bank_entry.unvoided' | 'key.updated' | 'user.invited' | 'user.joined' | 'user.updated' | 'user.suspended' | 'user.resumed' | 'user.confirmed' | 'user.sessions_ended' | 'user.link_made' | 'user.redacted' | 'user.signed_in' | 'user.signed_out' | 'user.sign_in_failed' | 'user.stepped_up' | 'user.sessions_closed' | 'user.person_changed' | 'user.password_changed' | 'user.passkey_added' | 'user.passkey_removed' | 'user.app_added' | 'user.recovery_code_used' | 'user.credentials_cleared';
  readonly actor: CreatedBy;
  /** The client’s address, if a request caused it. */
  readonly ip: string | null;
  readonly request: string | null;
  /** The id of the object that it is about. */
  readonly subject: string | null;
  /** Details, such as the changed members. */
  readonly details: Readonly<Record<string, unknown>>;
  /** `hash` of the entry before; 64 zeros in the first. */
  readonly previous_hash: string;
  /** SHA-256, in hex, of the previous hash and everything above: a changed, missing or inserted entry breaks the chain. */
  readonly hash: string;
  /** The objects that `expand[]` asked for, by member. Present only with `expand[]`. */
  readonly expanded?: {
    readonly actor?: Actor;
  };
}

/** The result of the last verification of this environment’s books. */
export interface Verification {
  readonly object: 'verification';
  readonly livemode: boolean;
  /** `none`: it has not run since this environment was created. */
  readonly status: 'none' | 'clean' | 'damaged';
  /** When its snapshot was taken. */
  readonly started_at: number | null;
  /** When it ended. */
  readonly finished_at: number | null;
  /** How many rules were checked. */
  readonly rules_count: number;
  /** How many breaks of rules were found. */
  readonly damages_count: number;
  /** The first breaks, at most 50 of each rule. */
  readonly damages: readonly ({
    /** The kind of object, such as `balance`, `payout` or `event`. */
    readonly kind: string;
    /** What must hold. */
    readonly rule: string;
    /** The id of the object, or another name of it, such as `sequence 41`. */
    readonly object: string;
    /** The value that follows from the rest of the books. */
    readonly expected: string;
    /** The value that was found. */
    readonly found: string;
  })[];
}

/** Where an environment stands. */
export interface Summary {
  readonly object: 'summary';
  readonly livemode: boolean;
  /** Until when transfers are counted, environment clock. Unix seconds. */
  readonly as_of: number;
  /** How long ago that is: 0 but for a service that is far behind. */
  readonly lag_seconds: number;
  readonly from: string;
  readonly to: string;
  /** False: of payouts that are held, wait, failed or came back, or of bookings without a place, there are more than are counted here. The oldest 1,000 of a kind are, and of the last 24 hours the newest 1,000 that failed and 1,000 that came back. */
  readonly complete: boolean;
  /** In the order of their codes. */
  readonly currencies: readonly ({
    readonly currency: string;
    /** All accounts together, minor units. */
    readonly balance: number;
    /** The same, under the name that other amounts have. */
    readonly balance_minor: number;
    /** Payouts that have left their account and have not arrived: `pending` and `in_transit`. */
    readonly in_flight: {
      readonly count: number;
      /** Together. */
      readonly amount: Decimal;
      readonly amount_minor: number;
    };
    /** Payouts that wait for approval. */
    readonly held: Held;
    /** Payouts that wait for money. */
    readonly waiting: Held;
    /** Bookings of banks that have no place, or not with all of their amount. */
    readonly unmatched: {
      readonly count: number;
      /** Together. */
      readonly amount: Decimal;
      readonly amount_minor: number;
      /** Booking day of the oldest; null: there is none. */
      readonly oldest_on: string | null;
    };
    /** Fees from `from` to `to`, less those that were given back. */
    readonly fees: Decimal;
    readonly fees_minor: number;
    /** From `from` to `to`, those on which something moved, in order. */
    readonly days: readonly ({
      readonly day: string;
      /** What came from banks. */
      readonly in: Decimal;
      readonly in_minor: number;
      /** In so many transfers. */
      readonly in_count: number;
      /** What went to banks. */
      readonly out: Decimal;
      readonly out_minor: number;
      /** In so many transfers. */
      readonly out_count: number;
    })[];
  })[];
  /** Payouts of all currencies, counted. */
  readonly payouts: {
    /** Wait for approval. */
    readonly held: number;
    /** Wait for money. */
    readonly waiting: number;
    /** Failed in the last 24 hours. */
    readonly failed: number;
    /** Came back in the last 24 hours. */
    readonly returned: number;
  };
  /** What your endpoints lack. */
  readonly webhooks: {
    /** Endpoints whose last attempt failed, or that were disabled for failing. */
    readonly failing: number;
    /** Since when the one that fails longest has failed; null: none fails. */
    readonly first_failed_at: number | null;
    /** When the oldest event happened that an enabled endpoint has not had; null: there is none. */
    readonly oldest_undelivered_at: number | null;
  };
  /** Your open bank accounts, oldest first. */
  readonly bank: readonly ({
    readonly bank_account: string;
    readonly name: string | null;
    readonly currency: string;
    /** Day of the newest balance of the bank that the books prove; null: none is proved. */
    readonly proved_until_on: string | null;
    /** The `proof` of its newest statement with balances; null: there is none. */
    readonly proof: string | null;
    /** What the bank said last less what the ledger says; null: not known. */
    readonly drift: Decimal | null;
    readonly drift_minor: number | null;
    /** Payment files that the bank has said nothing of. */
    readonly unanswered_files: number;
    /** When the oldest of these was sealed; null: there is none. */
    readonly oldest_unanswered_at: number | null;
  })[];
  /** The last verification of the books: see `GET /v1/verification`. */
  readonly verification: {
    /** `none`: it has not run yet. */
    readonly status: 'none' | 'clean' | 'damaged';
    /** When it ended; null: it has not run yet. */
    readonly finished_at: number | null;
    /** How many breaks of rules were found. */
    readonly damages_count: number;
  };
  /** When the last backup of the service ended well; null: none is known. */
  readonly backup_at: number | null;
  /** When the exchange rates in use were fixed; null: there are none. */
  readonly rates_at: number | null;
}

/** What was found. */
export interface SearchResult {
  readonly object: 'search_result';
  /** At most 20, best first. */
  readonly data: readonly ({
    /** Its kind, such as `payout`. */
    readonly object: string;
    readonly id: string;
    /** What it is called: a name, or what it is. */
    readonly title: string;
    /** What tells it from others. */
    readonly subtitle: string | null;
    readonly amount: Decimal | null;
    readonly amount_minor: number | null;
    /** ISO 4217 code. */
    readonly currency: string | null;
    /** Its state, as the object has it. */
    readonly status: string | null;
    /** By what it was found. `account`: the account number. `recipient`: it pays a recipient of that name. */
    readonly matched: 'id' | 'request' | 'account' | 'reference' | 'amount' | 'external_id' | 'idempotency_key' | 'name' | 'recipient';
  })[];
  /** `false`: there is more than is shown. Narrow the search, or use the filters of a list. */
  readonly complete: boolean;
  /** Unix seconds. What is older was not looked through. `null`: everything was. */
  readonly searched_until: number | null;
}

/** A request, and what came of it. */
export interface RequestLog {
  readonly id: string;
  readonly object: 'request_log';
  readonly created: number;
  readonly livemode: boolean;
  readonly actor: CreatedBy;
  /** `api`: with a key. `dashboard`: by a person who is signed in. */
  readonly source: 'api' | 'dashboard';
  readonly method: string;
  /** Without the query. A part that is no id of ours is `•`. */
  readonly path: string;
  /** The path with names for ids. */
  readonly route: string;
  /** Status of the answer. */
  readonly status: number;
  /** Code of the refusal; `null`: it was none. */
  readonly code: string | null;
  /** Milliseconds until the answer. */
  readonly duration_ms: number;
  /** The `Idempotency-Key` as sent; `null`: none, of a payroll, or one that holds an account number, an address of e-mail or a secret. */
  readonly idempotency_key: string | null;
  /** The answer was that of an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean;
  /** The first id in the path; of a path without one, the id of what was made. */
  readonly resource: string | null;
  /** The client’s address. */
  readonly ip: string | null;
  /** How the client calls itself. */
  readonly user_agent: string | null;
  /** Parameters as sent, at most 4 kB. Only amounts, currencies, days, known words and ids are shown, of a payroll no recipient; every other value is `•`. `null`: there were none, or they are not kept (files, CSV, more than 8 kB, a body that could not be read). */
  readonly request: Readonly<Record<string, unknown>> | null;
  /** Of a refusal: `type`, `code`, `param`, `message` and the first ten of `errors`; what a message quotes is `•`. `null`: it was none. */
  readonly error: Readonly<Record<string, unknown>> | null;
}

/** What happened, to which kind of object. */
export type EventType = 'account.created' | 'account.updated' | 'account.closed' | 'balance.updated' | 'exchange.created' | 'exchange.completed' | 'exchange.updated' | 'payout.created' | 'payout.funded' | 'payout.in_transit' | 'payout.paid' | 'payout.failed' | 'payout.canceled' | 'payout.returned' | 'payout.updated' | 'payout.held' | 'payout.approved' | 'payout.rejected' | 'payout_batch.created' | 'payout_batch.completed' | 'standing_order.created' | 'standing_order.updated' | 'standing_order.paused' | 'standing_order.resumed' | 'standing_order.canceled' | 'standing_order.completed' | 'standing_order.run_succeeded' | 'standing_order.run_made_up' | 'standing_order.run_failed' | 'standing_order.run_skipped' | 'daily_statement.created' | 'recipient.created' | 'recipient.updated' | 'recipient.archived' | 'recipient.redacted' | 'settings.updated' | 'key.created' | 'key.rolled' | 'key.updated' | 'key.revoked' | 'payout_rules.updated' | 'limit.created' | 'limit.updated' | 'limit.deleted' | 'fee_rule.created' | 'fee_rule.deleted' | 'payment_link.created' | 'payment_link.updated' | 'payment_link.completed' | 'payment_link.expired' | 'payment_link.canceled' | 'payment.pending' | 'payment.partially_paid' | 'payment.succeeded' | 'payment.duplicate' | 'payment.failed' | 'payment.refunded' | 'payment.updated' | 'payment.reminder_due' | 'expected_payment.created' | 'expected_payment.partially_paid' | 'expected_payment.paid' | 'expected_payment.overdue' | 'expected_payment.canceled' | 'expected_payment.updated' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled' | 'webhook_endpoint.delivery_parked' | 'webhook_endpoint.deleted' | 'bank_account.created' | 'bank_account.updated' | 'bank_account.closed' | 'bank_account.exports_stopped' | 'bank_account.exports_resumed' | 'payment_file.sealed' | 'payment_file.updated' | 'payment_file.payees_checked' | 'payment_file.abandoned' | 'bank_statement.imported' | 'bank_statement.needs_review' | 'bank_statement.proof_failed' | 'bank_statement.drift_detected' | 'bank_entry.unmatched' | 'bank_entry.assigned' | 'bank_entry.updated' | 'bank_entry.voided' | 'bank_entry.unvoided' | 'bank_entry.conflict_detected' | 'environment.restored' | 'ping';

/** The members of every event. */
export interface EventCommon {
  readonly id: string;
  readonly object: 'event';
  readonly created: number;
  readonly sequence: number;
  readonly livemode: boolean;
  /** The version of the API in which it is shown, such as `2026-12-01`. */
  readonly api_version: string;
  /** The request that caused it; null if none did. */
  readonly request: {
    readonly id: string | null;
    readonly idempotency_key: string | null;
    readonly actor: CreatedBy;
  };
}

/** An event about `Account`. */
export type AccountEvent = EventCommon & {
  readonly type: 'account.created' | 'account.updated' | 'account.closed';
  readonly data: {
    readonly object: Account;
    readonly previous_attributes?: PreviousAttributes<Account>;
  };
};

/** An event about `Account`. */
export type BalanceUpdatedEvent = EventCommon & {
  readonly type: 'balance.updated';
  readonly data: {
    readonly object: Account;
    readonly previous_attributes: {
      /** What it was before, in minor units. */
      readonly balance: number;
    };
    /** The transfer that changed the balance. */
    readonly transfer: string;
  };
};

/** An event about `Exchange`. */
export type ExchangeEvent = EventCommon & {
  readonly type: 'exchange.created' | 'exchange.completed' | 'exchange.updated';
  readonly data: {
    readonly object: Exchange;
    readonly previous_attributes?: PreviousAttributes<Exchange>;
  };
};

/** An event about `Payout`. */
export type PayoutEvent = EventCommon & {
  readonly type: 'payout.created' | 'payout.funded' | 'payout.in_transit' | 'payout.paid' | 'payout.failed' | 'payout.canceled' | 'payout.returned' | 'payout.updated' | 'payout.held' | 'payout.approved' | 'payout.rejected';
  readonly data: {
    readonly object: Payout;
    readonly previous_attributes?: PreviousAttributes<Payout>;
  };
};

/** An event about `PayoutBatch`. */
export type PayoutBatchEvent = EventCommon & {
  readonly type: 'payout_batch.created' | 'payout_batch.completed';
  readonly data: {
    readonly object: PayoutBatch;
    readonly previous_attributes?: PreviousAttributes<PayoutBatch>;
  };
};

/** An event about `StandingOrder`. */
export type StandingOrderEvent = EventCommon & {
  readonly type: 'standing_order.created' | 'standing_order.updated' | 'standing_order.paused' | 'standing_order.resumed' | 'standing_order.canceled' | 'standing_order.completed' | 'standing_order.run_succeeded' | 'standing_order.run_made_up' | 'standing_order.run_failed' | 'standing_order.run_skipped';
  readonly data: {
    readonly object: StandingOrder;
    readonly previous_attributes?: PreviousAttributes<StandingOrder>;
  };
};

/** An event about `DailyStatement`. */
export type DailyStatementCreatedEvent = EventCommon & {
  readonly type: 'daily_statement.created';
  readonly data: {
    readonly object: DailyStatement;
    readonly previous_attributes?: PreviousAttributes<DailyStatement>;
  };
};

/** An event about `Recipient`. */
export type RecipientEvent = EventCommon & {
  readonly type: 'recipient.created' | 'recipient.updated' | 'recipient.archived' | 'recipient.redacted';
  readonly data: {
    readonly object: Recipient;
    readonly previous_attributes?: PreviousAttributes<Recipient>;
  };
};

/** An event about `Settings`. */
export type SettingsUpdatedEvent = EventCommon & {
  readonly type: 'settings.updated';
  readonly data: {
    readonly object: Settings;
    readonly previous_attributes?: PreviousAttributes<Settings>;
  };
};

/** An event about `Key`. */
export type KeyEvent = EventCommon & {
  readonly type: 'key.created' | 'key.rolled' | 'key.updated' | 'key.revoked';
  readonly data: {
    readonly object: Key;
    readonly previous_attributes?: PreviousAttributes<Key>;
  };
};

/** An event about `PayoutRules`. */
export type PayoutRulesUpdatedEvent = EventCommon & {
  readonly type: 'payout_rules.updated';
  readonly data: {
    readonly object: PayoutRules;
    readonly previous_attributes?: PreviousAttributes<PayoutRules>;
  };
};

/** An event about `Limit`. */
export type LimitEvent = EventCommon & {
  readonly type: 'limit.created' | 'limit.updated' | 'limit.deleted';
  readonly data: {
    readonly object: Limit;
    readonly previous_attributes?: PreviousAttributes<Limit>;
  };
};

/** An event about `FeeRule`. */
export type FeeRuleEvent = EventCommon & {
  readonly type: 'fee_rule.created' | 'fee_rule.deleted';
  readonly data: {
    readonly object: FeeRule;
    readonly previous_attributes?: PreviousAttributes<FeeRule>;
  };
};

/** An event about `PaymentLink`. */
export type PaymentLinkEvent = EventCommon & {
  readonly type: 'payment_link.created' | 'payment_link.updated' | 'payment_link.completed' | 'payment_link.expired' | 'payment_link.canceled';
  readonly data: {
    readonly object: PaymentLink;
    readonly previous_attributes?: PreviousAttributes<PaymentLink>;
  };
};

/** An event about `Payment`. */
export type PaymentEvent = EventCommon & {
  readonly type: 'payment.pending' | 'payment.partially_paid' | 'payment.succeeded' | 'payment.duplicate' | 'payment.failed' | 'payment.refunded' | 'payment.updated' | 'payment.reminder_due';
  readonly data: {
    readonly object: Payment;
    readonly previous_attributes?: PreviousAttributes<Payment>;
  };
};

/** An event about `ExpectedPayment`. */
export type ExpectedPaymentEvent = EventCommon & {
  readonly type: 'expected_payment.created' | 'expected_payment.partially_paid' | 'expected_payment.paid' | 'expected_payment.overdue' | 'expected_payment.canceled' | 'expected_payment.updated';
  readonly data: {
    readonly object: ExpectedPayment;
    readonly previous_attributes?: PreviousAttributes<ExpectedPayment>;
  };
};

/** An event about `WebhookEndpoint`. */
export type WebhookEndpointEvent = EventCommon & {
  readonly type: 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.failing' | 'webhook_endpoint.disabled' | 'webhook_endpoint.delivery_parked' | 'webhook_endpoint.deleted';
  readonly data: Data;
};

/** An event about `BankAccount`. */
export type BankAccountEvent = EventCommon & {
  readonly type: 'bank_account.created' | 'bank_account.updated' | 'bank_account.closed' | 'bank_account.exports_stopped' | 'bank_account.exports_resumed';
  readonly data: {
    readonly object: BankAccount;
    readonly previous_attributes?: PreviousAttributes<BankAccount>;
  };
};

/** An event about `PaymentFile`. */
export type PaymentFileEvent = EventCommon & {
  readonly type: 'payment_file.sealed' | 'payment_file.updated' | 'payment_file.payees_checked' | 'payment_file.abandoned';
  readonly data: {
    readonly object: PaymentFile;
    readonly previous_attributes?: PreviousAttributes<PaymentFile>;
  };
};

/** An event about `BankStatement`. */
export type BankStatementEvent = EventCommon & {
  readonly type: 'bank_statement.imported' | 'bank_statement.needs_review' | 'bank_statement.proof_failed' | 'bank_statement.drift_detected';
  readonly data: {
    readonly object: BankStatement;
    readonly previous_attributes?: PreviousAttributes<BankStatement>;
  };
};

/** An event about `BankEntry`. */
export type BankEntryEvent = EventCommon & {
  readonly type: 'bank_entry.unmatched' | 'bank_entry.assigned' | 'bank_entry.updated' | 'bank_entry.voided' | 'bank_entry.unvoided';
  readonly data: {
    readonly object: BankEntry;
    readonly previous_attributes?: PreviousAttributes<BankEntry>;
  };
};

/** An event about `BankEntry` or `Payout`. */
export type BankEntryConflictDetectedEvent = EventCommon & {
  readonly type: 'bank_entry.conflict_detected';
  readonly data: {
    readonly object: BankEntry | Payout;
  };
};

/** An event about `Restore`. */
export type EnvironmentRestoredEvent = EventCommon & {
  readonly type: 'environment.restored';
  readonly data: {
    readonly object: Restore;
    readonly previous_attributes?: PreviousAttributes<Restore>;
  };
};

/** An event about `WebhookEndpoint`. */
export type PingEvent = EventCommon & {
  readonly type: 'ping';
  readonly data: Data;
};

export interface AccountList {
  readonly data: readonly Account[];
  readonly has_more?: boolean;
}

export interface TransferList {
  readonly data: readonly Transfer[];
  readonly has_more?: boolean;
}

export interface StatementLineList {
  readonly data: readonly StatementLine[];
  readonly has_more?: boolean;
}

export interface DailyStatementList {
  readonly data: readonly DailyStatement[];
  readonly has_more?: boolean;
}

export interface RecipientList {
  readonly data: readonly Recipient[];
  readonly has_more?: boolean;
}

export interface RecipientVersionList {
  readonly data: readonly RecipientVersion[];
  readonly has_more?: boolean;
}

export interface ExchangeList {
  readonly data: readonly Exchange[];
  readonly has_more?: boolean;
}

export interface PayoutBatchList {
  readonly data: readonly PayoutBatch[];
  readonly has_more?: boolean;
}

export interface PayoutList {
  readonly data: readonly Payout[];
  readonly has_more?: boolean;
}

export interface LimitList {
  readonly data: readonly Limit[];
  readonly has_more?: boolean;
}

export interface StandingOrderList {
  readonly data: readonly StandingOrder[];
  readonly has_more?: boolean;
}

export interface StandingOrderRunList {
  readonly data: readonly StandingOrderRun[];
  readonly has_more?: boolean;
}

export interface FeeRuleList {
  readonly data: readonly FeeRule[];
  readonly has_more?: boolean;
}

export interface BankAccountList {
  readonly data: readonly BankAccount[];
  readonly has_more?: boolean;
}

export interface PaymentFileList {
  readonly data: readonly PaymentFile[];
  readonly has_more?: boolean;
}

export interface BankRuleList {
  readonly data: readonly BankRule[];
  readonly has_more?: boolean;
}

export interface StatementFileList {
  readonly data: readonly StatementFile[];
  readonly has_more?: boolean;
}

export interface BankStatementList {
  readonly data: readonly BankStatement[];
  readonly has_more?: boolean;
}

export interface BankEntryList {
  readonly data: readonly BankEntry[];
  readonly has_more?: boolean;
}

export interface PaymentLinkList {
  readonly data: readonly PaymentLink[];
  readonly has_more?: boolean;
}

export interface PaymentList {
  readonly data: readonly Payment[];
  readonly has_more?: boolean;
}

export interface ExpectedPaymentList {
  readonly data: readonly ExpectedPayment[];
  readonly has_more?: boolean;
}

export interface EventList {
  readonly data: readonly Event[];
  readonly has_more?: boolean;
}

export interface WebhookEndpointList {
  readonly data: readonly WebhookEndpoint[];
  readonly has_more?: boolean;
}

export interface DeliveryList {
  readonly data: readonly Delivery[];
  readonly has_more?: boolean;
}

export interface WebhookReplayList {
  readonly data: readonly WebhookReplay[];
  readonly has_more?: boolean;
}

export interface KeyList {
  readonly data: readonly Key[];
  readonly has_more?: boolean;
}

export interface UserList {
  readonly data: readonly User[];
  readonly has_more?: boolean;
}

export interface AuditEntryList {
  readonly data: readonly AuditEntry[];
  readonly has_more?: boolean;
}

export interface RequestLogList {
  readonly data: readonly RequestLog[];
  readonly has_more?: boolean | undefined;
}

export interface CreateAccountRequest {
  /** ISO 4217 code of its currency; lower case is accepted. */
  readonly currency: string;
  /** Your name for the account. */
  readonly name?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface UpdateAccountRequest {
  /** Your name for the account. */
  readonly name?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface FundAccountRequest {
  /** Fake money to add, in major units of the account’s currency. */
  readonly amount: AmountSent;
}

export interface CreateTransferRequest {
  /** Account that pays. */
  readonly from: string;
  /** Account that receives; it has the same currency. */
  readonly to: string;
  /** In major units of the accounts’ currency. */
  readonly amount: AmountSent;
  /** For your own books. */
  readonly description?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface CreateRecipientRequest {
  readonly name: Name;
  /** A person or an organisation. */
  readonly type: 'individual' | 'company';
  /** The currency it is paid in. */
  readonly currency: string;
  /** Country of the bank account, ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly email?: Email | undefined;
  /** With town and country at least. It replaces the former address as a whole. */
  readonly address?: AddressSent | null | undefined;
  readonly latin_name?: LatinName | undefined;
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  readonly bank_account?: BankAccountSent | undefined;
  /** The account, not masked. Country and currency decide which members it has. */
  readonly bank_details?: BankDetailsSent | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  readonly iban?: Iban | undefined;
  readonly bic?: Bic | undefined;
  readonly account_number?: AccountNumber | undefined;
  readonly routing_number?: RoutingNumber | undefined;
  readonly account_type?: AccountType | undefined;
  readonly sort_code?: SortCode | undefined;
  readonly bsb?: Bsb | undefined;
  readonly ifsc?: Ifsc | undefined;
  readonly clabe?: Clabe | undefined;
  readonly institution_number?: InstitutionNumber | undefined;
  readonly transit_number?: TransitNumber | undefined;
  readonly bank_name?: BankName | undefined;
}

export interface SearchRecipientsRequest {
  /** The account. Blanks do not count. */
  readonly iban?: string | null | undefined;
  /** Beginnings of words of the name, or of a former one. Case and accents do not count, and the order does not either. */
  readonly name?: string | null | undefined;
  /** Only of this currency. */
  readonly currency?: string | null | undefined;
  /** Only recipients with a bank account in this country. */
  readonly country?: string | null | undefined;
  /** Only persons, or only organisations. */
  readonly type?: 'individual' | 'company' | null | undefined;
  /** Only in this state. */
  readonly status?: 'active' | 'archived' | 'redacted' | null | undefined;
  /** How many to return, 1 to 100. */
  readonly limit?: number | null | undefined;
}

export interface MatchRecipientRequest {
  readonly name: Name;
  /** The currency it is paid in. */
  readonly currency: string;
  readonly email?: Email | undefined;
  /** With town and country at least. It replaces the former address as a whole. */
  readonly address?: AddressSent | null | undefined;
  readonly latin_name?: LatinName | undefined;
  /** The account, not masked. Country and currency decide which members it has. */
  readonly bank_details?: BankDetailsSent | null | undefined;
  readonly iban?: Iban | undefined;
  readonly bic?: Bic | undefined;
  readonly account_number?: AccountNumber | undefined;
  readonly routing_number?: RoutingNumber | undefined;
  readonly account_type?: AccountType | undefined;
  readonly sort_code?: SortCode | undefined;
  readonly bsb?: Bsb | undefined;
  readonly ifsc?: Ifsc | undefined;
  readonly clabe?: Clabe | undefined;
  readonly institution_number?: InstitutionNumber | undefined;
  readonly transit_number?: TransitNumber | undefined;
  readonly bank_name?: BankName | undefined;
  /** A person or an organisation. */
  readonly type?: 'individual' | 'company' | null | undefined;
  /** Country of the bank account, ISO 3166-1 alpha-2. */
  readonly country?: string | null | undefined;
}

export interface MatchRecipientBatchRequest {
  /** 1 to 1000 payees. */
  readonly payees: readonly MatchRecipientRequest[];
}

export interface CreateRecipientBatchRequest {
  /** 1 to 1000 recipients. */
  readonly recipients: readonly CreateRecipientRequest[];
  readonly dry_run?: DryRun | undefined;
}

export interface UpdateRecipientRequest {
  readonly name?: Name | undefined;
  readonly email?: Email | undefined;
  /** With town and country at least. It replaces the former address as a whole. */
  readonly address?: AddressSent | null | undefined;
  readonly latin_name?: LatinName | undefined;
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  readonly bank_account?: BankAccountSent | undefined;
  readonly bank_details?: BankDetailsSent | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  readonly iban?: Iban | undefined;
  readonly bic?: Bic | undefined;
  readonly account_number?: AccountNumber | undefined;
  readonly routing_number?: RoutingNumber | undefined;
  readonly account_type?: AccountType | undefined;
  readonly sort_code?: SortCode | undefined;
  readonly bsb?: Bsb | undefined;
  readonly ifsc?: Ifsc | undefined;
  readonly clabe?: Clabe | undefined;
  readonly institution_number?: InstitutionNumber | undefined;
  readonly transit_number?: TransitNumber | undefined;
  readonly bank_name?: BankName | undefined;
}

export interface CreateQuoteRequest {
  /** The currency that you sell. */
  readonly sell_currency: string;
  /** The currency that you buy. */
  readonly buy_currency: string;
  /** In major units of `sell_currency`; with `fixed_side=buy`, of `buy_currency`. */
  readonly amount: AmountSent;
  /** The side that `amount` fixes; the other one is computed. */
  readonly fixed_side?: 'sell' | 'buy' | null | undefined;
  /** For so many seconds the quote can be used. */
  readonly expires_in?: number | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface CreateExchangeRequest {
  /** Book at this quote’s price. Without it, `sell_currency`, `buy_currency` and `amount` are required. */
  readonly quote?: string | null | undefined;
  /** The currency that you sell. */
  readonly sell_currency?: string | null | undefined;
  /** The currency that you buy. */
  readonly buy_currency?: string | null | undefined;
  /** In major units of `sell_currency`; with `fixed_side=buy`, of `buy_currency`. */
  readonly amount?: AmountSent | null | undefined;
  /** The side that `amount` fixes; the other one is computed. Without a quote, `sell` by default. */
  readonly fixed_side?: 'sell' | 'buy' | null | undefined;
  readonly sell_account?: SellAccount | undefined;
  /** Account to credit; by default the oldest open one of the currency. If there is none, one is opened. */
  readonly buy_account?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface UpdateExchangeRequest {
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface UpdateExchangeSettingsRequest {
  /** Currency in which positions are valued. A change starts the result again. */
  readonly base_currency?: string | undefined;
  /** The most that may be open, in major units of `base_currency`. An exchange, or a payout from another currency, that would exceed it is refused with `position_limit_exceeded`. An empty value or null removes the limit. */
  readonly position_limit?: Decimal | null | undefined;
  /** Markups of pairs in basis points, instead of the source’s markup. `markups[EUR_USD]=40` counts when EUR is sold for USD. An empty value or null removes a markup; null (form: `markups=`) removes all. */
  readonly markups?: Readonly<Record<string, number | '' | null>> | null | undefined;
}

export interface CreatePayoutBatchRequest {
  /** 1 to 1000 payouts. */
  readonly payouts: readonly BatchPayoutSent[];
  /** `atomic`, the default: all or nothing. `partial`: item by item. */
  readonly mode?: 'atomic' | 'partial' | null | undefined;
  /** Your own id of the batch, unique for ever in this environment: a second guard against running a file twice. Of a CSV file without one, and without an `Idempotency-Key`, it is `csv-` and 32 hex digits made of the file, unless every row has an `external_id`. */
  readonly external_id?: string | null | undefined;
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  readonly bank_account?: BankAccountSent | undefined;
  /** Whether your bank is asked to book all of its payouts as one entry. By default salaries, bonuses and pensions (`SALA`, `BONU`, `PENS`) are booked so, others one by one. */
  readonly batch_booking?: boolean | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  /** Makes recipients of payees that are none, each in the commit of its payout. A dry run shows which. */
  readonly create_recipients?: boolean | null | undefined;
  /** Pays the same amount twice to a payee with the same reference and day. Otherwise it is a fault. */
  readonly allow_repeated?: boolean | null | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface CreatePayoutRequest {
  /** The amount that arrives, in major units: 250, 250.0 or 250.00. Required without `source_amount` and `quote`. */
  readonly amount?: AmountSent | null | undefined;
  readonly currency: Currency;
  /** The recipient to pay. */
  readonly recipient: string;
  readonly account?: SellAccount | undefined;
  /** Text for the recipient. */
  readonly reference?: string | null | undefined;
  readonly reference_type?: ReferenceTypeSent | undefined;
  readonly statement_descriptor?: StatementDescriptor | undefined;
  readonly external_id?: ExternalId | undefined;
  readonly scheduled_on?: ScheduledOn | undefined;
  /** `standard`, the default. `instant`: within seconds, at any hour (SEPA instant: euro, from IBAN to IBAN). `urgent`: through the settlement system for large payments; the recipient needs a BIC or clearing number. It is refused with `payout_not_payable` if your bank account cannot do it. */
  readonly speed?: Speed | undefined;
  readonly on_insufficient_funds?: OnInsufficientFunds | undefined;
  readonly wait_until_on?: WaitUntilOn | undefined;
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  readonly bank_account?: BankAccountSent | undefined;
  readonly source_currency?: SourceCurrency | undefined;
  readonly source_account?: SourceAccount | undefined;
  /** Instead of `amount`: the amount taken from the source, in major units of its currency. The recipient gets what that buys. */
  readonly source_amount?: AmountSent | null | undefined;
  readonly quote?: Quote | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface UpdatePayoutRequest {
  readonly reference_type?: ReferenceTypeSent | undefined;
  /** Text for the recipient. An empty value or null removes it. */
  readonly reference?: string | null | undefined;
  /** The day on which it should leave, today or later. With null (in a form an empty value) it leaves as soon as possible. */
  readonly scheduled_on?: string | null | undefined;
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  readonly bank_account?: BankAccountSent | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface FailPayoutRequest {
  readonly failure_code?: FailureCode | undefined;
}

export interface ReturnPayoutRequest {
  readonly failure_code?: FailureCode | undefined;
}

export interface UpdatePayoutRulesRequest {
  /** While it is `true`, no payout is made and none leaves. */
  readonly frozen?: boolean | undefined;
  /** Holds payouts if the recipient, its name or its bank details are younger than so many hours. 0 holds none. */
  readonly hold_new_recipients_hours?: number | undefined;
  /** Changes of the bank accounts that payers see wait for a second person: `POST /v1/bank_accounts/:id/approve`. */
  readonly hold_bank_accounts?: boolean | undefined;
  /** How many keys have to approve a held payout or change. It counts for what is held from now on. */
  readonly approvals_required?: number | undefined;
  /** `live`: a sandbox also refuses payouts that no bank account of yours could make, as live always does. `sandbox`: it only asks the bank accounts that exist. */
  readonly routes?: 'sandbox' | 'live' | undefined;
  /** Payouts that wait for money (`on_insufficient_funds=wait`). `in_order`: the money that they need is kept for them, the oldest first, and a new payout waits or is refused. `may_be_passed`: every payout that the balance is enough for is made, so a large one may wait long. */
  readonly waiting_payouts?: 'in_order' | 'may_be_passed' | undefined;
  /** The time zone in which the days of limits begin, an IANA name. */
  readonly time_zone?: string | undefined;
}

export interface CreateLimitRequest {
  /** Only what leaves in this currency, unless `all_currencies` is set. An `amount` needs it. */
  readonly currency?: string | null | undefined;
  /** What leaves in another currency counts too, at its value in `currency`. By default only what leaves in `currency` counts, or everything where there is no `currency`. */
  readonly all_currencies?: boolean | null | undefined;
  /** The largest sum of a day, in major units of `currency`. */
  readonly amount?: AmountSent | null | undefined;
  /** The largest number of payouts a day. */
  readonly count?: number | null | undefined;
  /** Who has the limit: each key, each account, each recipient, or the whole environment. By default it is the environment, or the key, account or recipient that the limit names. */
  readonly per?: 'environment' | 'key' | 'account' | 'recipient' | null | undefined;
  /** Only this key. */
  readonly key?: string | null | undefined;
  /** Only this account. */
  readonly account?: string | null | undefined;
  /** Only this recipient, and others with the same bank account. */
  readonly recipient?: string | null | undefined;
  /** What happens to a payout that would exceed it. An exchange is always refused. */
  readonly action?: 'refuse' | 'hold' | null | undefined;
}

export interface ApprovePayoutRulesRequest {
  readonly fingerprint: FingerprintSent;
}

export interface ApproveLimitDeletionRequest {
  /** The fingerprint from `pending_deletion`. Another one is refused: `approval_outdated`. */
  readonly fingerprint: string;
}

export interface ApprovePayoutRequest {
  /** The fingerprint from `release`. Another one is refused: `approval_outdated`. */
  readonly fingerprint: string;
}

export interface ApprovePayoutsRequest {
  /** 1 to 1000 payouts, each once. */
  readonly payouts: readonly SeenPayout[];
}

export interface RejectPayoutRequest {
  /** Why, in your words. */
  readonly reason?: string | null | undefined;
}

export interface ApprovePayoutBatchRequest {
  /** The fingerprint from `GET /v1/payout_batches/:id/release`. Another one is refused: `approval_outdated`. */
  readonly fingerprint: string;
}

export interface RejectPayoutBatchRequest {
  /** Why, in your words. */
  readonly reason?: string | null | undefined;
}

export interface CreateStandingOrderRequest {
  /** Amount of each payout, in major units: 250, 250.0 or 250.00. */
  readonly amount: AmountSent;
  readonly currency: Currency;
  /** The recipient to pay. */
  readonly recipient: string;
  /** Account to debit; by default the oldest open one of the currency today. */
  readonly account?: string | null | undefined;
  /** Speed of each payout, as in `POST /v1/payouts`; by default `standard`. */
  readonly speed?: Speed | undefined;
  /** The rhythm, together with `interval_count`. */
  readonly interval: 'day' | 'week' | 'month' | 'year';
  /** The order runs on every n-th interval. */
  readonly interval_count?: number | null | undefined;
  /** The first planned day (UTC), today or later. All other days follow from it. */
  readonly starts_on: string;
  /** No run is planned after this day. Not together with `count`. */
  readonly ends_on?: string | null | undefined;
  /** How many days are planned in all. Not together with `ends_on`. */
  readonly count?: number | null | undefined;
  /** Text for the recipient. */
  readonly reference?: string | null | undefined;
  readonly reference_type?: ReferenceTypeSent | undefined;
  readonly statement_descriptor?: StatementDescriptor | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface UpdateStandingOrderRequest {
  readonly category_purpose?: CategoryPurposeSent | undefined;
  readonly purpose?: PurposeSent | undefined;
  /** Amount of each payout from now on, in major units. */
  readonly amount?: AmountSent | undefined;
  /** The new last day, not before the next planned one. It replaces `count`. Null removes it. */
  readonly ends_on?: string | null | undefined;
  /** How many days are planned in all. It replaces `ends_on`. Null removes it. */
  readonly count?: number | null | undefined;
  /** Text for the recipient. */
  readonly reference?: string | null | undefined;
  /** Short text for the recipient’s statement. */
  readonly statement_descriptor?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  readonly reference_type?: ReferenceTypeSent | undefined;
}

export interface CreateFeeRuleRequest {
  /** What is charged: `payout` and `exchange` in addition to the amount that is paid or sold, `payment` out of the money that comes in through a payment link. */
  readonly on: 'payout' | 'exchange' | 'payment';
  /** Only in this currency; for exchanges, the sold one. An `amount` needs it. */
  readonly currency?: string | null | undefined;
  /** Only payouts by this scheme. */
  readonly scheme?: 'sepa' | 'local' | 'swift' | null | undefined;
  /** Only exchanges into this currency. */
  readonly buy_currency?: string | null | undefined;
  /** Only payments by this method. */
  readonly method?: 'bank_transfer' | 'card' | null | undefined;
  /** Only payments through this link. */
  readonly payment_link?: string | null | undefined;
  /** The fixed part, in major units of `currency`. */
  readonly amount?: AmountSent | null | undefined;
  /** Hundredths of a percent of the amount, rounded to the nearest minor unit, half up. 0 without an `amount` charges nothing. */
  readonly basis_points?: number | null | undefined;
}

export interface CreateBankAccountRequest {
  /** Currency of the account. */
  readonly currency: string;
  /** Country of the account, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Name of the account holder at the bank. */
  readonly holder: string;
  readonly bank_details: BankDetailsSent;
  readonly cut_off: CutOff;
  readonly time_zone: TimeZone;
  /** Your name for it. */
  readonly name?: string | null | undefined;
  /** With town and country at least. It replaces the former address as a whole. */
  readonly holder_address?: AddressSent | null | undefined;
  /** Its uses: `payouts` leave from it, `collections` come in to it. By default both. */
  readonly uses?: readonly ('payouts' | 'collections')[] | null | undefined;
  /** The dialect of payment files that your bank takes. By default `de_dk` for Germany, `ch_sps` for Switzerland and Liechtenstein, `epc` for the rest of SEPA, else `generic`. */
  readonly profile?: 'epc' | 'de_dk' | 'ch_sps' | 'generic' | null | undefined;
  /** The business days of your bank: `target` (euro), `ch` (SIC), `gb` (CHAPS), `us` (Fedwire), `pl` (Elixir), `se` (RIX), `dk` (Kronos), `no` (NBO), `cz` (CERTIS), `hu` (GIRO), `ro` (ReGIS), or `weekdays`. By default those of the clearing of its currency. */
  readonly calendar?: 'target' | 'ch' | 'gb' | 'us' | 'pl' | 'se' | 'dk' | 'no' | 'cz' | 'hu' | 'ro' | 'weekdays' | null | undefined;
  readonly holidays?: Holidays | undefined;
  /** The messages whose booked entries move the ledger; by default `camt.053`, the statement of a day. An MT940 counts as a `camt.053`, an MT942 as a `camt.052`. */
  readonly booked_by?: 'camt.053' | 'camt.052' | 'camt.054' | null | undefined;
  /** Whether payment files ask the bank to verify payees; by default `on`. */
  readonly payee_check?: 'off' | 'on' | null | undefined;
  /** When payouts leave. `by_hand`, the default: with each export that you ask for. `before_cut_off`: also half an hour before the cut-off of each business day. */
  readonly exports?: 'by_hand' | 'before_cut_off' | null | undefined;
  /** What makes a payout `paid`. `booking`, the default: its booked debit. `status`: also the bank’s status ACSC (or ACCC). SEPA has no positive final status: ask your bank what it means by this one. */
  readonly paid_by?: 'booking' | 'status' | null | undefined;
  /** The sign of a reversal (`RvslInd`) in statements. `own`, the default: its own, as in ISO 20022. `original`: that of the undone entry. The proofs of statements show which one is right. */
  readonly reversal_sign?: 'own' | 'original' | null | undefined;
  /** Where debits go that the bank marks as its own charges by their transaction code. `to_fees`, the default: to `fees` by themselves. `by_hand`: they wait for a person. */
  readonly charges?: 'to_fees' | 'by_hand' | null | undefined;
  /** What happens when a statement’s balance differs from the ledger’s. `warn`, the default: only the event `bank_statement.drift_detected`. `stop_exports`: no payout leaves the account until somebody resumes the exports. */
  readonly on_drift?: 'warn' | 'stop_exports' | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface UpdateBankAccountRequest {
  /** Name of the account holder at the bank. */
  readonly holder?: string | undefined;
  readonly cut_off?: CutOff | undefined;
  readonly time_zone?: TimeZone | undefined;
  /** Your name for it. */
  readonly name?: string | null | undefined;
  /** With town and country at least. It replaces the former address as a whole. */
  readonly holder_address?: AddressSent | null | undefined;
  /** Its uses: `payouts` leave from it, `collections` come in to it. By default both. */
  readonly uses?: readonly ('payouts' | 'collections')[] | undefined;
  /** The dialect of payment files that your bank takes. By default `de_dk` for Germany, `ch_sps` for Switzerland and Liechtenstein, `epc` for the rest of SEPA, else `generic`. */
  readonly profile?: 'epc' | 'de_dk' | 'ch_sps' | 'generic' | undefined;
  /** The business days of your bank: `target` (euro), `ch` (SIC), `gb` (CHAPS), `us` (Fedwire), `pl` (Elixir), `se` (RIX), `dk` (Kronos), `no` (NBO), `cz` (CERTIS), `hu` (GIRO), `ro` (ReGIS), or `weekdays`. By default those of the clearing of its currency. */
  readonly calendar?: 'target' | 'ch' | 'gb' | 'us' | 'pl' | 'se' | 'dk' | 'no' | 'cz' | 'hu' | 'ro' | 'weekdays' | undefined;
  readonly holidays?: Holidays | undefined;
  /** The messages whose booked entries move the ledger; by default `camt.053`, the statement of a day. An MT940 counts as a `camt.053`, an MT942 as a `camt.052`. */
  readonly booked_by?: 'camt.053' | 'camt.052' | 'camt.054' | undefined;
  /** Whether payment files ask the bank to verify payees; by default `on`. */
  readonly payee_check?: 'off' | 'on' | undefined;
  /** When payouts leave. `by_hand`, the default: with each export that you ask for. `before_cut_off`: also half an hour before the cut-off of each business day. */
  readonly exports?: 'by_hand' | 'before_cut_off' | undefined;
  /** What makes a payout `paid`. `booking`, the default: its booked debit. `status`: also the bank’s status ACSC (or ACCC). SEPA has no positive final status: ask your bank what it means by this one. */
  readonly paid_by?: 'booking' | 'status' | undefined;
  /** The sign of a reversal (`RvslInd`) in statements. `own`, the default: its own, as in ISO 20022. `original`: that of the undone entry. The proofs of statements show which one is right. */
  readonly reversal_sign?: 'own' | 'original' | undefined;
  /** Where debits go that the bank marks as its own charges by their transaction code. `to_fees`, the default: to `fees` by themselves. `by_hand`: they wait for a person. */
  readonly charges?: 'to_fees' | 'by_hand' | undefined;
  /** What happens when a statement’s balance differs from the ledger’s. `warn`, the default: only the event `bank_statement.drift_detected`. `stop_exports`: no payout leaves the account until somebody resumes the exports. */
  readonly on_drift?: 'warn' | 'stop_exports' | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface ResumeExportsRequest {
  /** Why payouts may leave again. The text is kept. */
  readonly reason: string;
}

export interface ApproveBankAccountRequest {
  readonly fingerprint: FingerprintSent;
}

export interface CreatePaymentFilesRequest {
  /** Pay from this bank account; by default from the oldest open one of each currency. Payouts that name a bank account leave only from that one. */
  readonly bank_account?: string | null | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface AbandonPaymentFileRequest {
  /** The reason. The text is kept. */
  readonly reason: string;
}

export interface CreditBankAccountRequest {
  /** Major units of its currency. */
  readonly amount: AmountSent;
  /** The payer’s text, with references or without. */
  readonly text?: string | null | undefined;
  /** Name of the payer. */
  readonly name?: string | null | undefined;
  /** Account of the payer. */
  readonly iban?: string | null | undefined;
}

export interface CreateBankRuleRequest {
  /** Its purpose; it stands in the assignments. */
  readonly name: string;
  /** Where the entries go: an account, another bank account of yours, `fees` or `fx`. */
  readonly to: string;
  /** Only entries of this bank account. */
  readonly bank_account?: string | null | undefined;
  /** Only money that came in, or went out. */
  readonly direction?: 'credit' | 'debit' | null | undefined;
  /** Only entries of this currency. Amounts need it. */
  readonly currency?: string | null | undefined;
  /** Only entries of this `transaction_code`: domain, family and subfamily, or the code of your bank. `*` stands for any characters, `?` for one. */
  readonly transaction_code?: string | null | undefined;
  /** Only entries from, or to, this account. */
  readonly iban?: string | null | undefined;
  /** Only entries whose name and text, with a blank between, match this pattern as a whole. `*` stands for any characters, `?` for one; case does not matter. */
  readonly text?: string | null | undefined;
  /** Only entries of at least this, major units. */
  readonly min_amount?: AmountSent | null | undefined;
  /** Only entries of at most this, major units. */
  readonly max_amount?: AmountSent | null | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface ReviewBankStatementRequest {
  /** The reason, which is kept in the audit log. */
  readonly reason: string;
  /** The number of a way in `readings`, from 1. */
  readonly reading?: number | null | undefined;
  /** Instead of `reading`: the positions of its new entries, as `1-3,7`, or `none`. */
  readonly new_entries?: string | null | undefined;
}

export interface AssignBankEntryRequest {
  /** All are carried out, in order, or none. */
  readonly assignments: readonly AssignmentSent[];
  readonly reason?: Reason | undefined;
}

export interface UnassignBankEntryRequest {
  /** The transfer of the part, from `assignments`; by default the last part. */
  readonly transfer?: string | null | undefined;
  readonly reason?: Reason | undefined;
}

export interface AssignBankEntryBatchRequest {
  /** All are carried out, in order, or none. */
  readonly entries: readonly EntryAssignmentSent[];
  readonly reason?: Reason | undefined;
}

export interface ReturnBankEntryRequest {
  /** The account that pays; by default the oldest open one of the currency. */
  readonly account?: string | null | undefined;
  /** The recipient; by default the IBAN that the money came from. */
  readonly recipient?: string | null | undefined;
  readonly reason?: Reason | undefined;
}

export interface VoidBankEntryRequest {
  /** Why. The second person sees it, and the audit log keeps it. */
  readonly reason: string;
}

export interface ApproveBankEntryRequest {
  readonly fingerprint: FingerprintSent;
}

export interface ResolvePayoutRequest {
  /** What the bank did, as you have found out. `paid`: it has executed the payout. `failed`: it has not and will not. */
  readonly outcome: 'paid' | 'failed';
  /** How you know. The audit log keeps it. */
  readonly reason: string;
}

export interface SignReconciliationRequest {
  /** The month, by the booking days of the bank. */
  readonly month: string;
  /** The `sha256` of the report that you have read. Another report is not signed. */
  readonly sha256?: string | null | undefined;
}

export interface CreatePaymentLinkRequest {
  /** `fixed`: the link has an `amount`. `open`: the payer chooses the amount. */
  readonly amount_type?: 'fixed' | 'open' | null | undefined;
  /** In major units: 250, 250.0 or 250.00. */
  readonly amount?: AmountSent | null | undefined;
  /** The least that a payer may choose; with `amount_type=open`. */
  readonly minimum_amount?: AmountSent | null | undefined;
  /** The most that a payer may choose; with `amount_type=open`. */
  readonly maximum_amount?: AmountSent | null | undefined;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Account to credit; by default the currency’s oldest open one. If there is none, one is opened. */
  readonly account?: string | null | undefined;
  /** Take several payments instead of one. */
  readonly reusable?: boolean | null | undefined;
  /** How many payments a reusable link takes at most. Null: any number. */
  readonly max_payments?: number | null | undefined;
  /** From this instant no payment can be started. Null: it does not expire. */
  readonly expires_at?: number | null | undefined;
  /** What the payment is for; shown to the payer. */
  readonly description?: string | null | undefined;
  /** Your own reference, shown to the payer. */
  readonly reference?: string | null | undefined;
  /** The payer’s e-mail address. */
  readonly customer_email?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  /** The receipt that the payer sees after paying. Null unsets what it says. */
  readonly after_completion?: AfterCompletion | null | undefined;
  readonly dry_run?: DryRun | undefined;
}

export interface UpdatePaymentLinkRequest {
  /** How many payments a reusable link takes at most. Null: any number. */
  readonly max_payments?: number | null | undefined;
  /** From this instant no payment can be started. Null: it does not expire. */
  readonly expires_at?: number | null | undefined;
  /** What the payment is for; shown to the payer. */
  readonly description?: string | null | undefined;
  /** Your own reference, shown to the payer. */
  readonly reference?: string | null | undefined;
  /** The payer’s e-mail address. */
  readonly customer_email?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
  /** The receipt that the payer sees after paying. Null unsets what it says. */
  readonly after_completion?: AfterCompletion | null | undefined;
}

export interface PayPaymentLinkRequest {
  /** The amount that the invented payer sends, in major units; by default the missing amount. */
  readonly amount?: AmountSent | null | undefined;
}

export interface UpdatePaymentRequest {
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface RefundPaymentRequest {
  /** In major units; by default the rest of the payment. */
  readonly amount?: AmountSent | null | undefined;
  /** The recipient of the refund; by default the account that the payment came from. */
  readonly recipient?: string | null | undefined;
}

export interface CreateExpectedPaymentRequest {
  /** The expected amount, in major units. */
  readonly amount: AmountSent;
  /** Its currency. */
  readonly currency: string;
  /** Account to credit; by default the oldest open one of the currency. */
  readonly account?: string | null | undefined;
  /** Who is expected to pay. */
  readonly payer?: string | null | undefined;
  /** What the payment is for. */
  readonly description?: string | null | undefined;
  /** The last day on which the payment is in time, in UTC. */
  readonly due_on?: string | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface UpdateSettingsRequest {
  /** Name shown to payers. */
  readonly name?: string | null | undefined;
  /** A PNG or JPEG of at most 64 kB, in base64. An empty value or null removes it. */
  readonly logo?: string | null | undefined;
  /** Colour of buttons, as #rrggbb. */
  readonly accent_color?: string | null | undefined;
  /** Where payers write to. */
  readonly contact_email?: string | null | undefined;
  /** Where payers call. */
  readonly contact_phone?: string | null | undefined;
  /** With town and country at least. It replaces the former address as a whole. */
  readonly address?: AddressSent | null | undefined;
  /** The company’s legal notice, https. */
  readonly legal_url?: string | null | undefined;
  /** How the company handles data of payers, https. */
  readonly privacy_url?: string | null | undefined;
  /** A payment that still waits for money after so many days causes `payment.reminder_due`. It counts for payments started from now on. 0 or null: never. */
  readonly payment_reminder_days?: number | null | undefined;
  /** Whether each day has a statement and the event `daily_statement.created` once it has ended (UTC, by the clock of the environment). It begins with the day of the change. Off by default. */
  readonly daily_statements?: boolean | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface CreateWebhookEndpointRequest {
  readonly url: UrlSent;
  /** Which events to send; all by default. */
  readonly enabled_events?: readonly EventFilter[] | null | undefined;
  /** A text of your own. */
  readonly description?: string | null | undefined;
  /** The version of the API in which its events are sent; by default the newest. */
  readonly version?: string | null | undefined;
  /** Send one delivery at a time, in order of `sequence`. A delivery that fails delays the later ones for a while. */
  readonly ordered?: boolean | null | undefined;
  /** Headers that every delivery carries beside ours, such as `Authorization`; up to 10. Values are secrets: they are stored sealed and shown as `****`. An empty value or null unsets its header; null (form: `headers=`) unsets all. */
  readonly headers?: HeadersSent | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface UpdateWebhookEndpointRequest {
  readonly url?: UrlSent | undefined;
  /** Which events to send; all by default. */
  readonly enabled_events?: readonly EventFilter[] | undefined;
  /** A text of your own. */
  readonly description?: string | null | undefined;
  /** The version of the API in which its events are sent; by default the newest. */
  readonly version?: string | undefined;
  /** Send one delivery at a time, in order of `sequence`. A delivery that fails delays the later ones for a while. */
  readonly ordered?: boolean | undefined;
  /** Headers that every delivery carries beside ours, such as `Authorization`; up to 10. Values are secrets: they are stored sealed and shown as `****`. An empty value or null unsets its header; null (form: `headers=`) unsets all. */
  readonly headers?: HeadersSent | null | undefined;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null | undefined;
}

export interface RollWebhookSecretRequest {
  /** For so many seconds, up to seven days, the old secret signs too. 0 ends it at once. */
  readonly expires_in?: number | null | undefined;
}

export interface ReplayWebhookEndpointRequest {
  /** Only this event, of any type and with any result. */
  readonly event?: string | null | undefined;
  /** Only events after this one. */
  readonly after_sequence?: number | null | undefined;
  /** Only events up to and with this one. */
  readonly until_sequence?: number | null | undefined;
  /** Only events of this period, in Unix seconds. */
  readonly created?: {
    readonly gt?: InstantSent | undefined;
    readonly gte?: InstantSent | undefined;
    readonly lt?: InstantSent | undefined;
    readonly lte?: InstantSent | undefined;
  } | number | null | undefined;
  /** `failed`, the default: deliveries that did not succeed, including held and parked ones. `all`: every event that the endpoint asks for; this needs a range. */
  readonly only?: 'failed' | 'all' | null | undefined;
}

export interface ResendEventRequest {
  /** Only to this endpoint, whatever types it asks for. */
  readonly webhook_endpoint?: string | null | undefined;
}

export interface CreateKeyRequest {
  /** Its purpose, in your words. */
  readonly name: string;
  /** What it may do; by default what your key may do. */
  readonly scopes?: readonly ('accounts:read' | 'accounts:write' | 'transfers:read' | 'transfers:write' | 'recipients:read' | 'recipients:write' | 'exchanges:read' | 'exchanges:write' | 'payouts:read' | 'payouts:write' | 'standing_orders:read' | 'standing_orders:write' | 'payment_links:read' | 'payment_links:write' | 'payments:read' | 'payments:write' | 'settings:read' | 'settings:write' | 'events:read' | 'events:write' | 'webhook_endpoints:read' | 'webhook_endpoints:write' | 'payout_rules:read' | 'payout_rules:write' | 'payout_approvals:read' | 'payout_approvals:write' | 'limits:read' | 'limits:write' | 'fee_rules:read' | 'fee_rules:write' | 'bank_accounts:read' | 'bank_accounts:write' | 'bank_account_approvals:read' | 'bank_account_approvals:write' | 'statement_files:read' | 'statement_files:write' | 'bank_entries:read' | 'bank_entries:write' | 'payment_files:read' | 'payment_files:write' | 'reconciliation:read' | 'reconciliation:write' | 'keys:read' | 'keys:write' | 'users:read' | 'users:write' | 'audit_log:read' | 'audit_log:write' | 'verification:read' | 'verification:write' | 'summary:read' | 'summary:write' | 'search:read' | 'search:write' | 'request_logs:read' | 'request_logs:write' | 'test_helpers:read' | 'test_helpers:write' | 'payroll:read')[] | null | undefined;
  /** The accounts that it may see and use; by default those of your key. Such a key needs `scopes`, of accounts, transfers, payouts, recipients and payroll only. */
  readonly accounts?: readonly string[] | null | undefined;
  /** Addresses and networks from which it may be used; by default those of your key. */
  readonly allowed_ips?: readonly string[] | null | undefined;
  /** When it stops working, in Unix seconds of real time; by default when your key does. */
  readonly expires_at?: number | null | undefined;
  /** The version of the API that counts where a request names none; by default the newest. */
  readonly version?: string | null | undefined;
}

export interface UpdateKeyRequest {
  /** Its purpose, in your words. */
  readonly name?: string | undefined;
  /** The version of the API that counts where a request names none; by default the newest. */
  readonly version?: string | undefined;
}

export interface RollKeyRequest {
  /** For so many seconds, up to seven days, the old key works too. 0 ends it at once. */
  readonly expires_in?: number | null | undefined;
}

export interface CreateUserRequest {
  /** Where the invitation goes. You hand it over; no mail is sent. */
  readonly email: string;
  readonly roles: Roles;
  /** How you call the person. Left out: as the person does. */
  readonly name?: string | null | undefined;
}

export interface UpdateUserRequest {
  /** How you call the person. Left out: as the person does. */
  readonly name?: string | null | undefined;
  readonly roles?: Roles | undefined;
}

export interface AdvanceClockRequest {
  /** How far to move the sandbox clock forward. */
  readonly seconds: number;
}

export interface ResetSandboxRequest {
  /** Whether the sandbox is filled as at the first start. By default it stays empty. */
  readonly seed?: boolean | null | undefined;
  /** Where the clock begins: seconds ahead of the real clock, so below zero is in the past. By default 0. */
  readonly offset_seconds?: number | null | undefined;
}

export interface RehearseRestoreRequest {
  /** So many numbers the event sequence leaves out, as if so many events could have been lost. */
  readonly skip?: number | null | undefined;
}

export interface SearchRequest {
  /** An id, the id that a bank quotes, an IBAN, a creditor reference, an amount, your own id, an idempotency key, a reference, or the beginning of words of a name. */
  readonly q: string;
}

export interface ErrorDetail {
  readonly type: 'invalid_request_error' | 'authentication_error' | 'permission_error' | 'rate_limit_error' | 'idempotency_error' | 'api_error';
  /** The code: decide by it. */
  readonly code: 'body_invalid' | 'body_too_large' | 'body_too_deep' | 'content_type_unsupported' | 'http_version_unsupported' | 'parameter_missing' | 'parameter_unknown' | 'parameter_repeated' | 'parameter_invalid' | 'parameter_conflict' | 'text_invalid' | 'text_too_long' | 'card_number_refused' | 'metadata_invalid' | 'amount_invalid' | 'amount_too_small' | 'amount_too_large' | 'currency_unsupported' | 'country_unsupported' | 'iban_invalid' | 'bic_invalid' | 'routing_number_invalid' | 'sort_code_invalid' | 'account_number_invalid' | 'batch_invalid' | 'api_key_invalid' | 'session_required' | 'sign_in_refused' | 'step_up_required' | 'second_factor_required' | 'environment_not_open' | 'link_invalid' | 'link_not_yours' | 'password_weak' | 'passkey_invalid' | 'code_invalid' | 'credential_last' | 'request_cross_site' | 'host_unknown' | 'scope_missing' | 'key_too_wide' | 'key_of_others' | 'user_too_wide' | 'user_elsewhere' | 'ip_not_allowed' | 'account_not_allowed' | 'sandbox_only' | 'rate_limited' | 'version_unknown' | 'resource_missing' | 'path_unknown' | 'method_not_allowed' | 'idempotency_key_invalid' | 'idempotency_key_reused' | 'balance_insufficient' | 'balance_too_large' | 'account_missing' | 'statement_empty' | 'account_closed' | 'account_not_empty' | 'account_currency_mismatch' | 'account_same' | 'recipient_not_allowed' | 'recipient_archived' | 'recipient_redacted' | 'recipient_has_open_payouts' | 'retention_required' | 'recipient_currency_mismatch' | 'recipient_name_mismatch' | 'recipient_ambiguous' | 'payout_repeated' | 'currency_pair_invalid' | 'quote_expired' | 'quote_already_used' | 'quote_mismatch' | 'rate_unavailable' | 'position_limit_exceeded' | 'fx_markup_count' | 'payout_not_cancelable' | 'payouts_frozen' | 'wait_until_on_invalid' | 'payout_held' | 'payout_not_held' | 'change_not_held' | 'approval_by_creator' | 'approval_key_unconfirmed' | 'approval_repeated' | 'approval_outdated' | 'limit_exceeded' | 'bank_account_exists' | 'bank_account_count' | 'bank_account_closed' | 'bank_account_not_empty' | 'bank_account_currency_mismatch' | 'bank_account_not_paying' | 'exports_stopped' | 'exports_not_stopped' | 'bank_month_open' | 'reconciliation_changed' | 'bank_account_unknown' | 'statement_file_invalid' | 'bank_statement_incomplete' | 'bank_statement_reviewed' | 'payment_file_state_invalid' | 'payment_file_answered' | 'payment_file_sum_mismatch' | 'bank_entry_assigned' | 'expected_payment_ended' | 'epc_code_unavailable' | 'bank_rule_count' | 'bank_entry_voided' | 'bank_entry_not_voided' | 'bank_entry_not_voidable' | 'bank_entry_not_returnable' | 'sender_unknown' | 'bank_assignment_final' | 'fee_exists' | 'fee_count' | 'limit_count' | 'payout_not_payable' | 'payout_state_invalid' | 'payout_not_overdue' | 'standing_order_state_invalid' | 'external_id_used' | 'scheduled_on_invalid' | 'sequence_unknown' | 'payment_method_not_configured' | 'expires_at_invalid' | 'redirect_url_invalid' | 'logo_invalid' | 'payment_link_ended' | 'payment_state_invalid' | 'refund_too_large' | 'refund_recipient_missing' | 'key_rolled' | 'key_count' | 'key_not_confirmable' | 'key_ended' | 'user_exists' | 'user_count' | 'user_joined' | 'user_suspended' | 'user_not_confirmable' | 'user_last_admin' | 'user_self' | 'webhook_url_refused' | 'webhook_endpoint_limit' | 'webhook_header_limit' | 'webhook_endpoint_disabled' | 'webhook_endpoint_none' | 'webhook_secret_limit' | 'internal_error' | 'stored_data_untrusted' | 'overloaded' | 'database_unavailable';
  /** For people: the fault, the value that was sent, the allowed values. */
  readonly message: string;
  /** The parameter, as it is written in a form: `payouts[0][amount]`. */
  readonly param?: string;
  /** Where the code is explained. */
  readonly doc_url: string;
  readonly request_id: string;
  readonly allowed?: readonly string[];
  /** What the account has for it. */
  readonly available_minor?: number;
  readonly current_status?: string;
  readonly resource_id?: string;
  /** In a CSV file, the line on which the row begins. */
  readonly line?: number;
  /** In a CSV file, the column. */
  readonly column?: number;
  /** Its name in the header. */
  readonly column_name?: string;
  /** All faults of a request that has more than one, by parameter, at most 50. The first is the error itself. For a batch, its faults by item. */
  readonly errors?: readonly ({
    /** In a batch, the item, from 0. */
    readonly index?: number;
    /** The parameter. In a batch it has the name within the item: `metadata[a]`. */
    readonly param?: string;
    readonly code: string;
    readonly message: string;
    readonly resource_id?: string;
    /** If the whole batch needs more money than there is: the account. */
    readonly account?: string;
    /** What the account has for it. */
    readonly available_minor?: number;
    /** The amount that the batch needs from it. */
    readonly needed_minor?: number;
    /** In a CSV file, the line on which the row begins. */
    readonly line?: number;
    /** In a CSV file, the column. */
    readonly column?: number;
    /** Its name in the header. */
    readonly column_name?: string;
  })[];
}

/** Why the money moved. */
export type Cause = 'funding' | 'transfer' | 'exchange' | 'exchange_fee' | 'payout' | 'payout_settlement' | 'payout_reversal' | 'payout_fee' | 'payout_fee_reversal' | 'payment' | 'payment_fee' | 'bank_entry' | 'bank_assignment' | 'bank_entry_void' | 'bank_entry_unvoid' | 'payout_settlement_void' | 'payout_reversal_void' | 'payment_void' | 'payment_fee_reversal';

/** Who asked for it: an API key by the id of the first key of its line (rolling a key keeps its line), a user by its id, or `worker`, `visitor`, `acquirer`, `cli`, `second_person`. `null` on objects that are older than this member. */
export type CreatedBy = string | null;

/** Only the fields it has. `iban`, `account_number` and `clabe` show their last four characters. */
export interface BankDetails {
  /** International Bank Account Number. Blanks are removed; length, format and check digits are verified. */
  readonly iban?: string;
  /** Business Identifier Code (SWIFT code) of the bank, 8 or 11 characters, in the country of the account. */
  readonly bic?: string;
  /** Account number in the form of its country. Blanks and hyphens are removed. */
  readonly account_number?: string;
  /** United States: ABA routing number, nine digits with a check digit. */
  readonly routing_number?: string;
  /** United States: `checking` (the default) or `savings`. */
  readonly account_type?: string;
  /** United Kingdom: six digits, with or without hyphens. */
  readonly sort_code?: string;
  /** Australia: Bank State Branch number, six digits, with or without a hyphen. */
  readonly bsb?: string;
  /** India: Indian Financial System Code, eleven characters. */
  readonly ifsc?: string;
  /** Mexico: CLABE, 18 digits with a check digit. */
  readonly clabe?: string;
  /** Canada: number of the bank, three digits. */
  readonly institution_number?: string;
  /** Canada: number of the branch, five digits. */
  readonly transit_number?: string;
  /** Name of the bank, up to 140 characters; for your own reference. */
  readonly bank_name?: string;
}

export interface Address {
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postal_code: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
}

/** The category by which banks process it (ISO 20022), such as `SALA` for a salary. */
export type CategoryPurpose = 'BONU' | 'CASH' | 'CBLK' | 'CCRD' | 'CGWV' | 'CIPC' | 'CONC' | 'CORT' | 'CTDF' | 'DCRD' | 'DIVI' | 'DVPM' | 'EPAY' | 'FCDT' | 'FCIN' | 'FCOL' | 'GOVT' | 'GP2P' | 'HEDG' | 'ICCP' | 'IDCP' | 'INTC' | 'INTE' | 'LBOX' | 'LOAN' | 'MP2B' | 'MP2P' | 'OTHR' | 'PENS' | 'RPRE' | 'RRCT' | 'RVPM' | 'SALA' | 'SAVG' | 'SECU' | 'SSBE' | 'SUPP' | 'SWEP' | 'TAXS' | 'TOPG' | 'TRAD' | 'TREA' | 'VATX' | 'VOST' | 'WHLD' | 'ZABA' | null;

/** What the payee is told that it is for (ISO 20022). */
export type Purpose = string | null;

/** Your bank account that pays. `null`: none is named, and the oldest open one of its currency pays. */
export type RecipientBankAccount = string | null;

/** The possible values of `speed`, from the bank account that pays in this currency. `urgent` in euro needs the BIC. */
export type Speeds = readonly ('standard' | 'instant' | 'urgent')[];

/** Why a payout at the speed `standard` would be refused now, whoever the recipient is. */
export type Errors = readonly ErrorsItem[];

/** Why a payout would be refused. */
export interface ErrorsItem {
  readonly param: Param;
  readonly code: 'payout_not_payable';
  readonly message: string;
}

/** Of the payout, the recipient, or your bank account (`holder`, `holder_address`). */
export type Param = string;

/** The faults of an `invalid` payee. */
export type RecipientValidationErrors = readonly RecipientValidationErrorsItem[];

export interface RecipientValidationErrorsItem {
  readonly param: string;
  /** A code of the errors page. */
  readonly code: string;
  readonly message: string;
}

/** The side of the request. The other side was computed: a buy side is rounded down, a sell side up. */
export type FixedSide = 'sell' | 'buy';

/** Buy units per one sell unit: the mid-market rate less the markup, rounded down to ten significant digits. The amounts follow from this text exactly. */
export type ExchangeQuoteRate = string;

/** Sell units per one buy unit: 1 / `rate`, rounded up to ten significant digits. For reading. */
export type InverseRate = string;

/** Where the rate came from; `sandbox` for the fixed table. */
export type RateSource = string;

/** The fixing behind the price: `GET /v1/rates?at=` with its `at` lists it. */
export interface Fixing {
  readonly source: RateSource;
  /** When the source fixed it. */
  readonly at: number;
}

export type Fees = readonly FeesItem[];

export interface FeesItem {
  /** What charged it. */
  readonly fee_rule: string;
  readonly amount: Decimal;
  readonly amount_minor: number;
  readonly currency: string;
  readonly transfer: ExchangeQuoteTransfer;
  /** The transfer that gave it back. */
  readonly reversal: string | null;
}

/** The transfer that took it; `null` before it is taken. */
export type ExchangeQuoteTransfer = string | null;

/** What the reference is: words (`text`), or a structured reference with check digits. `null` without a reference. */
export type ReferenceType = 'text' | 'rf' | 'qrr' | 'bba' | 'kid' | 'fi' | 'si' | null;

export type Shortfalls = readonly Shortfall[];

/** Rejected (partial mode). */
export interface RejectedItem {
  readonly index: number;
  readonly status: 'rejected';
  readonly error: ErrorDetail;
}

/** Everybody who asked for a part of it. */
export type Actors = readonly CreatedBy[];

/** One of each family that has approved it. */
export type Approvals = readonly ApprovalsItem[];

/** Who approved it, and when. */
export interface ApprovalsItem {
  readonly actor: CreatedBy;
  readonly at: number;
}

/** It stands for what is changed. An approval sends it. */
export type Fingerprint = string;

export interface Counterparty {
  /** Name. */
  readonly name: string | null;
  /** The last four characters of the account. */
  readonly account_last4: string | null;
}

export interface CountedMoney {
  readonly count: number;
  readonly amount: Decimal;
  readonly amount_minor: number;
}

export interface MoneyInAndOut {
  readonly in: Decimal;
  readonly in_minor: number;
  readonly out: Decimal;
  readonly out_minor: number;
}

export interface ProvedBalance {
  readonly statement: string;
  readonly closed_on: string;
  /** The bank’s balance, minor units. */
  readonly closing_balance: number;
  /** The ledger’s balance on that day, minor units. */
  readonly ledger_balance: number;
  /** The bank’s balance less the ledger’s. */
  readonly difference: Decimal;
  readonly difference_minor: number;
}

export interface Held {
  readonly count: number;
  /** Together. */
  readonly amount: Decimal;
  readonly amount_minor: number;
  /** When the oldest was made; null: there is none. */
  readonly oldest_at: number | null;
}

export interface Data {
  readonly object: WebhookEndpoint;
  readonly previous_attributes?: PreviousAttributes<WebhookEndpoint>;
}

/** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
export type MetadataSent = Readonly<Record<string, string | null>>;

export type AmountSent = Decimal;

/** Name of the account holder at the bank. */
export type Name = string;

/** For notices. */
export type Email = string | null;

/** With town and country at least. It replaces the former address as a whole. */
export interface AddressSent {
  readonly line1?: Line1;
  readonly line2?: Line2;
  readonly postal_code?: PostalCode;
  readonly city: City;
  readonly state?: State;
  readonly country: Country;
}

/** Street and number. */
export type Line1 = string | null;

/** Flat, floor, building. */
export type Line2 = string | null;

/** Postal code. */
export type PostalCode = string | null;

/** Town. */
export type City = string;

/** State, province or canton. */
export type State = string | null;

/** ISO 3166-1 alpha-2. */
export type Country = string;

/** The name in letters that every bank can write (A to Z, digits, / - ? : ( ) . , ' +), for names in other scripts. */
export type LatinName = string | null;

/** The category by which banks process it (ISO 20022, `ExternalCategoryPurpose1Code`). A payout takes its own, else its batch’s, else its recipient’s. */
export type CategoryPurposeSent = 'BONU' | 'CASH' | 'CBLK' | 'CCRD' | 'CGWV' | 'CIPC' | 'CONC' | 'CORT' | 'CTDF' | 'DCRD' | 'DIVI' | 'DVPM' | 'EPAY' | 'FCDT' | 'FCIN' | 'FCOL' | 'GOVT' | 'GP2P' | 'HEDG' | 'ICCP' | 'IDCP' | 'INTC' | 'INTE' | 'LBOX' | 'LOAN' | 'MP2B' | 'MP2P' | 'OTHR' | 'PENS' | 'RPRE' | 'RRCT' | 'RVPM' | 'SALA' | 'SAVG' | 'SECU' | 'SSBE' | 'SUPP' | 'SWEP' | 'TAXS' | 'TOPG' | 'TRAD' | 'TREA' | 'VATX' | 'VOST' | 'WHLD' | 'ZABA' | null;

/** What the payee is told that it is for (ISO 20022, `ExternalPurpose1Code`). A payout takes its own, else its batch’s, else its recipient’s. */
export type PurposeSent = string | null;

/** Your bank account that pays. A payout takes its own, else its batch’s, else its recipient’s. By default the oldest open one of its currency. */
export type BankAccountSent = string | null;

/** The account, not masked. Country and currency decide which members it has. */
export interface BankDetailsSent {
  readonly iban?: Iban;
  readonly bic?: Bic;
  readonly account_number?: AccountNumber;
  readonly routing_number?: RoutingNumber;
  readonly account_type?: AccountType;
  readonly sort_code?: SortCode;
  readonly bsb?: Bsb;
  readonly ifsc?: Ifsc;
  readonly clabe?: Clabe;
  readonly institution_number?: InstitutionNumber;
  readonly transit_number?: TransitNumber;
  readonly bank_name?: BankName;
}

/** International Bank Account Number. Blanks are removed; length, format and check digits are verified. */
export type Iban = string | null;

/** Business Identifier Code (SWIFT code) of the bank, 8 or 11 characters, in the country of the account. */
export type Bic = string | null;

/** Account number in the form of its country. Blanks and hyphens are removed. */
export type AccountNumber = string | null;

/** United States: ABA routing number, nine digits with a check digit. */
export type RoutingNumber = string | null;

/** United States: `checking` (the default) or `savings`. */
export type AccountType = string | null;

/** United Kingdom: six digits, with or without hyphens. */
export type SortCode = string | null;

/** Australia: Bank State Branch number, six digits, with or without a hyphen. */
export type Bsb = string | null;

/** India: Indian Financial System Code, eleven characters. */
export type Ifsc = string | null;

/** Mexico: CLABE, 18 digits with a check digit. */
export type Clabe = string | null;

/** Canada: number of the bank, three digits. */
export type InstitutionNumber = string | null;

/** Canada: number of the branch, five digits. */
export type TransitNumber = string | null;

/** Name of the bank, up to 140 characters; for your own reference. */
export type BankName = string | null;

/** Check everything, answer as if it had happened, write nothing. */
export type DryRun = boolean | null;

/** Account to debit; by default the oldest open one of the currency. */
export type SellAccount = string | null;

export interface BatchPayoutSent {
  /** The amount that arrives, in major units: 250, 250.0 or 250.00. Required without `source_amount` and `quote`. */
  readonly amount?: AmountSent | null;
  readonly currency: Currency;
  /** The recipient to pay. */
  readonly recipient?: string | null;
  readonly account?: SellAccount;
  /** Text for the recipient. */
  readonly reference?: string | null;
  readonly reference_type?: ReferenceTypeSent;
  readonly statement_descriptor?: StatementDescriptor;
  readonly external_id?: ExternalId;
  readonly scheduled_on?: ScheduledOn;
  /** `standard`, the default. `instant`: within seconds, at any hour (SEPA instant: euro, from IBAN to IBAN). `urgent`: through the settlement system for large payments; the recipient needs a BIC or clearing number. It is refused with `payout_not_payable` if your bank account cannot do it. */
  readonly speed?: Speed;
  readonly on_insufficient_funds?: OnInsufficientFunds;
  readonly wait_until_on?: WaitUntilOn;
  readonly category_purpose?: CategoryPurposeSent;
  readonly purpose?: PurposeSent;
  readonly bank_account?: BankAccountSent;
  readonly source_currency?: SourceCurrency;
  readonly source_account?: SourceAccount;
  /** Instead of `amount`: the amount taken from the source, in major units of its currency. The recipient gets what that buys. */
  readonly source_amount?: AmountSent | null;
  readonly quote?: Quote;
  /** Your own keys and values. An update unsets a key whose value is empty or null, and with null (form: `metadata=`) all keys. */
  readonly metadata?: MetadataSent | null;
  /** Name of the account holder at the bank. */
  readonly name?: string | null;
  readonly iban?: Iban;
  readonly bic?: Bic;
  /** A person or an organisation. */
  readonly type?: 'individual' | 'company' | null;
  /** Country of the bank account, ISO 3166-1 alpha-2. */
  readonly country?: string | null;
  readonly email?: Email;
}

/** ISO 4217 code of the currency that the recipient is paid in. */
export type Currency = string;

/** `rf` (ISO 11649), `qrr` (Swiss QR-bill), `bba` (Belgium), `kid` (Norway), `fi` (Finland), `si` (Slovenia): the check digits of `reference` are verified, and it is sent as structured. `text`: it is sent as words. By default it follows from the reference and the recipient’s country; `kid` and `fi` must be said. */
export type ReferenceTypeSent = 'text' | 'rf' | 'qrr' | 'bba' | 'kid' | 'fi' | 'si' | null;

/** Short text for the recipient’s statement. */
export type StatementDescriptor = string | null;

/** Your own id, unique for ever in this environment: a second guard against paying twice. */
export type ExternalId = string | null;

/** The day on which it should leave, today or later. The account is debited at once. */
export type ScheduledOn = string | null;

export type Speed = 'standard' | 'instant' | 'urgent' | null;

/** `wait`: if the account does not hold enough, the payout is `waiting`. It is debited as soon as the account holds enough, in order of creation. By default it is refused. What waiting payouts of the account need is kept for them, unless `waiting_payouts` of the payout rules lets them be passed. */
export type OnInsufficientFunds = 'refuse' | 'wait' | null;

/** With `on_insufficient_funds=wait`: the last day on which it waits; 30 days from now by default. */
export type WaitUntilOn = string | null;

/** Pays from an account in this currency: the exchange is booked in the same commit, at the current rate or `quote`. */
export type SourceCurrency = string | null;

/** The account that pays for the exchange; by default the oldest open one of `source_currency`. */
export type SourceAccount = string | null;

/** Books the exchange at this quote’s price. `amount` may be left out then. */
export type Quote = string | null;

/** Why it fails. */
export type FailureCode = 'account_closed' | 'account_frozen' | 'bank_account_restricted' | 'bank_ownership_changed' | 'could_not_process' | 'debit_not_authorized' | 'declined' | 'insufficient_funds' | 'invalid_account_number' | 'incorrect_account_holder_name' | 'incorrect_account_holder_address' | 'incorrect_account_holder_tax_id' | 'invalid_currency' | 'no_account' | 'unsupported_card' | 'recipient_name_mismatch' | 'amount_limit_exceeded' | 'compliance_rejected' | 'timeout' | null;

/** The fingerprint from `pending_changes`. Another one is refused: `approval_outdated`. */
export type FingerprintSent = string;

/** A payout as it was seen. */
export interface SeenPayout {
  /** The payout. */
  readonly id: string;
  /** The fingerprint from `release`. Another one is refused: `approval_outdated`. */
  readonly fingerprint: string;
}

/** Your bank executes payment files that come before this time on the same day, `HH:MM`. Ask your bank. */
export type CutOff = string;

/** The time zone of your bank, an IANA name: of `cut_off`, and of the days of instants in statements. */
export type TimeZone = string;

/** Days on which your bank is closed beside those of `calendar`, each once: what a government adds for one year, or your bank by itself. All of them; null, in a form an empty value, unsets them. Nothing is executed on them. */
export type Holidays = readonly string[] | null;

/** A part of the entry. */
export interface AssignmentSent {
  /** The place: an account, a payment, an expected payment, another bank account of yours, `fees` or `fx`. A payout takes its debit or its returned money. A payment file takes the debit of all its payouts that are under way. */
  readonly to: string;
  /** Major units; by default all that is left. */
  readonly amount?: AmountSent | null;
}

/** The reason, which is kept with the assignment. */
export type Reason = string | null;

/** An entry and its place. */
export interface EntryAssignmentSent {
  /** The entry. Each entry may stand here once. */
  readonly entry: string;
  /** The place, as in an assignment. */
  readonly to: string;
  /** Major units; by default all that is left. */
  readonly amount?: AmountSent | null;
}

/** The receipt that the payer sees after paying. Null unsets what it says. */
export interface AfterCompletion {
  /** A button on the receipt that leads the payer on. Null removes it. */
  readonly redirect?: Redirect | null;
  /** A text on the receipt. */
  readonly message?: string | null;
}

/** A button on the receipt that leads the payer on. Null removes it. */
export interface Redirect {
  readonly url?: Url;
}

/** Where the payer goes after paying. `https://`; in the sandbox `http://` as well. */
export type Url = string | null;

/** Where to send events. `https://`; in the sandbox `http://localhost` as well. */
export type UrlSent = string;

/** Headers that every delivery carries beside ours, such as `Authorization`; up to 10. Values are secrets: they are stored sealed and shown as `****`. An empty value or null unsets its header; null (form: `headers=`) unsets all. */
export type HeadersSent = Readonly<Record<string, string | null>>;

/** Unix seconds. */
export type InstantSent = number | null;

/** What the person may do; roles add up. `viewer` sees balances, payouts, payments, banks and events, and changes nothing; `developer` sees what a viewer sees, makes keys and webhook endpoints; in a sandbox it may do everything; `operator` makes recipients, payouts, exchanges, payment links and standing orders, works with the files of banks, and sees whom salaries pay; `approver` says yes or no to payouts and changes that others asked for, once a second person has confirmed it; `accountant` sees the audit log and whom salaries pay, and closes months; `admin` lets people in, and sets the rules, limits, fees, bank accounts and keys. */
export type Roles = readonly ('viewer' | 'developer' | 'operator' | 'approver' | 'accountant' | 'admin')[];

/** What `cause` may be. */
export type ListTransfersCause = 'funding' | 'transfer' | 'exchange' | 'exchange_fee' | 'payout' | 'payout_settlement' | 'payout_reversal' | 'payout_fee' | 'payout_fee_reversal' | 'payment' | 'payment_fee' | 'bank_entry' | 'bank_assignment' | 'bank_entry_void' | 'bank_entry_unvoid' | 'payout_settlement_void' | 'payout_reversal_void' | 'payment_void' | 'payment_fee_reversal';

/** The member whose object to add. */
export type ListExchangesExpand = 'sell_account' | 'buy_account' | 'sell_transfer' | 'buy_transfer';

/** What `category_purpose` may be. */
export type CreatePayoutBatchCategory_purpose = 'BONU' | 'CASH' | 'CBLK' | 'CCRD' | 'CGWV' | 'CIPC' | 'CONC' | 'CORT' | 'CTDF' | 'DCRD' | 'DIVI' | 'DVPM' | 'EPAY' | 'FCDT' | 'FCIN' | 'FCOL' | 'GOVT' | 'GP2P' | 'HEDG' | 'ICCP' | 'IDCP' | 'INTC' | 'INTE' | 'LBOX' | 'LOAN' | 'MP2B' | 'MP2P' | 'OTHR' | 'PENS' | 'RPRE' | 'RRCT' | 'RVPM' | 'SALA' | 'SAVG' | 'SECU' | 'SSBE' | 'SUPP' | 'SWEP' | 'TAXS' | 'TOPG' | 'TRAD' | 'TREA' | 'VATX' | 'VOST' | 'WHLD' | 'ZABA';

/** The member whose object to add. */
export type ListPayoutsExpand = 'recipient' | 'account' | 'batch' | 'exchange' | 'transfer' | 'reversal' | 'created_by' | 'flags';

/** One thing that happened, written in the transaction of the change. `sequence` has no gaps and follows commit order. `type` tells the kind of `data.object`: read an event of a known type as a `KnownEvent`, and pass over others. */
export type Event = AccountEvent | BalanceUpdatedEvent | ExchangeEvent | PayoutEvent | PayoutBatchEvent | StandingOrderEvent | DailyStatementCreatedEvent | RecipientEvent | SettingsUpdatedEvent | KeyEvent | PayoutRulesUpdatedEvent | LimitEvent | FeeRuleEvent | PaymentLinkEvent | PaymentEvent | ExpectedPaymentEvent | WebhookEndpointEvent | BankAccountEvent | PaymentFileEvent | BankStatementEvent | BankEntryEvent | BankEntryConflictDetectedEvent | EnvironmentRestoredEvent | PingEvent;

export type ErrorCode = ErrorDetail['code'];
/** The event of a type: `EventOf<'payout.paid'>`. */
export type EventOf<T extends EventType> = OfType<Event, T>;
type OfType<E, T> = E extends { readonly type: infer U } ? ([T & U] extends [never] ? never : E & { readonly type: T }) : never;
type FamilyOf<T> = T extends `${infer Family}.${string}` ? `${Family}.*` : never;
/** What chooses events: a type, a family such as `payout.*`, or `*`. Any other text too, for types of a newer server. */
export type EventFilter = EventType | FamilyOf<EventType> | '*' | (string & {});
/** Former values of what changed. Of metadata, the changed keys: null is a key that did not exist. */
export type PreviousAttributes<T> = {
  readonly [K in Exclude<keyof T, 'id' | 'object' | 'created' | 'livemode' | 'created_by' | 'currency'>]?: K extends 'metadata'
    ? Readonly<Record<string, string | null>>
    : T[K];
};

export interface ListAccountsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only in this state. */
  readonly status?: 'open' | 'closed' | readonly ('open' | 'closed')[] | undefined;
}

export interface RetrieveAccountParams {
  /** The balance at this instant: Unix seconds, an ISO instant, or a day, which means its end (UTC). Seconds are included. It may not be in the future; today means now. The sandbox’s own clock counts. */
  readonly at?: string | undefined;
}

export interface RetrieveBalancesParams {
  /** The balance at this instant: Unix seconds, an ISO instant, or a day, which means its end (UTC). Seconds are included. It may not be in the future; today means now. The sandbox’s own clock counts. */
  readonly at?: string | undefined;
  /** Only of this currency. */
  readonly currency?: string | undefined;
}

export interface ListTransfersParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only transfers of this cause. */
  readonly cause?: ListTransfersCause | readonly ListTransfersCause[] | undefined;
}

export interface ListAccountTransfersParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only transfers of this cause. */
  readonly cause?: ListTransfersCause | readonly ListTransfersCause[] | undefined;
}

export interface RetrieveStatementParams {
  /** Where it begins: a day (UTC), an ISO instant or Unix seconds; by default the first day of the month. */
  readonly from?: string | undefined;
  /** Where it ends, including that day or second; by default the last day of the month of `from`. */
  readonly to?: string | undefined;
}

export interface RetrieveAccountStatementsParams {
  /** Where it begins: a day (UTC), an ISO instant or Unix seconds; by default the first day of the month. */
  readonly from?: string | undefined;
  /** Where it ends, including that day or second; by default the last day of the month of `from`. */
  readonly to?: string | undefined;
}

export interface ListDailyStatementsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only the statement of this day. */
  readonly day?: string | undefined;
}

export interface RetrieveStatementContentParams {
  /** Only this account. Without it, all accounts are in one document. */
  readonly account?: string | undefined;
}

export interface ListRecipientsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only recipients with a bank account in this country. */
  readonly country?: string | readonly string[] | undefined;
  /** Only persons, or only organisations. */
  readonly type?: 'individual' | 'company' | readonly ('individual' | 'company')[] | undefined;
  /** Only in this state. */
  readonly status?: 'active' | 'archived' | 'redacted' | readonly ('active' | 'archived' | 'redacted')[] | undefined;
}

export interface RetrieveRecipientRequirementsParams {
  /** Country of the bank account, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The currency it is paid in. */
  readonly currency: string;
}

export interface ListRecipientVersionsParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
}

export interface ListExchangesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only exchanges that gave this currency. */
  readonly sell_currency?: string | readonly string[] | undefined;
  /** Only exchanges that received this currency. */
  readonly buy_currency?: string | readonly string[] | undefined;
  /** Only the exchange booked on this quote. */
  readonly quote?: string | readonly string[] | undefined;
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ListExchangesExpand[] | undefined;
}

export interface RetrieveExchangeParams {
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ListExchangesExpand[] | undefined;
}

export interface ListRatesParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
  /** Only rates for selling this currency. */
  readonly sell_currency?: string | undefined;
  /** Only rates for buying this currency. */
  readonly buy_currency?: string | undefined;
  /** The rates that were good at this instant: Unix seconds, an ISO instant, or a day, which means its end (UTC). Seconds are included. It may not be in the future; today means now. The real clock counts, also in the sandbox, whose rates never change. */
  readonly at?: string | undefined;
}

export interface ListPayoutBatchesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'processing' | 'completed' | 'completed_with_failures' | readonly ('processing' | 'completed' | 'completed_with_failures')[] | undefined;
  /** Only batches of this mode. */
  readonly mode?: 'atomic' | 'partial' | readonly ('atomic' | 'partial')[] | undefined;
  /** Only the batch with your own id. */
  readonly external_id?: string | undefined;
}

export interface ListPayoutsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'waiting' | 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled' | 'returned' | readonly ('waiting' | 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled' | 'returned')[] | undefined;
  /** Only payouts whose `release.status` this is. */
  readonly release?: 'held' | 'approved' | 'rejected' | 'ended' | readonly ('held' | 'approved' | 'rejected' | 'ended')[] | undefined;
  /** Only payouts that debit this account. */
  readonly account?: string | readonly string[] | undefined;
  /** Only payouts to this recipient. */
  readonly recipient?: string | readonly string[] | undefined;
  /** Only payouts of this batch. */
  readonly batch?: string | readonly string[] | undefined;
  /** Only payouts that this standing order made. */
  readonly standing_order?: string | readonly string[] | undefined;
  /** Only payouts that this key made, or one that it was rolled from or to; or this user. */
  readonly created_by?: string | readonly string[] | undefined;
  /** Only payouts of this amount in major units. Needs one `currency`. */
  readonly amount?: Decimal | readonly Decimal[] | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only payouts that failed or came back for this reason. */
  readonly failure_code?: 'account_closed' | 'account_frozen' | 'bank_account_restricted' | 'bank_ownership_changed' | 'could_not_process' | 'debit_not_authorized' | 'declined' | 'insufficient_funds' | 'invalid_account_number' | 'incorrect_account_holder_name' | 'incorrect_account_holder_address' | 'incorrect_account_holder_tax_id' | 'invalid_currency' | 'no_account' | 'unsupported_card' | 'recipient_name_mismatch' | 'amount_limit_exceeded' | 'compliance_rejected' | 'timeout' | readonly ('account_closed' | 'account_frozen' | 'bank_account_restricted' | 'bank_ownership_changed' | 'could_not_process' | 'debit_not_authorized' | 'declined' | 'insufficient_funds' | 'invalid_account_number' | 'incorrect_account_holder_name' | 'incorrect_account_holder_address' | 'incorrect_account_holder_tax_id' | 'invalid_currency' | 'no_account' | 'unsupported_card' | 'recipient_name_mismatch' | 'amount_limit_exceeded' | 'compliance_rejected' | 'timeout')[] | undefined;
  /** Only payouts of this category. */
  readonly category_purpose?: CreatePayoutBatchCategory_purpose | readonly CreatePayoutBatchCategory_purpose[] | undefined;
  /** Only payouts with exactly this text for the recipient. */
  readonly reference?: string | undefined;
  /** Only the payout with your own id. */
  readonly external_id?: string | undefined;
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ListPayoutsExpand[] | undefined;
}

export interface RetrievePayoutParams {
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ListPayoutsExpand[] | undefined;
}

export interface ListLimitsParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
}

export interface ListStandingOrdersParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'active' | 'paused' | 'completed' | 'canceled' | readonly ('active' | 'paused' | 'completed' | 'canceled')[] | undefined;
  /** Only orders that pay this recipient. */
  readonly recipient?: string | readonly string[] | undefined;
  /** Only orders that debit this account. */
  readonly account?: string | readonly string[] | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only orders whose payouts this key has ordered, or one that it was rolled from or to; or this user. */
  readonly ordered_by?: string | readonly string[] | undefined;
}

export interface ListStandingOrderRunsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only runs of this order. */
  readonly standing_order?: string | readonly string[] | undefined;
}

export interface ListFeeRulesParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
}

export interface ListBankAccountsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only in this state. */
  readonly status?: 'open' | 'closed' | readonly ('open' | 'closed')[] | undefined;
}

export interface ListPaymentFilesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only files of this bank account. */
  readonly bank_account?: string | readonly string[] | undefined;
  /** Only in this state. */
  readonly status?: 'claiming' | 'sealed' | 'abandoning' | 'abandoned' | readonly ('claiming' | 'sealed' | 'abandoning' | 'abandoned')[] | undefined;
}

export interface NextBankStatementParams {
  /** Incoming money that the statement also has, in major units. */
  readonly deposit?: string | undefined;
  /** The payer’s text, for example a reference. */
  readonly text?: string | undefined;
}

export interface ListBankRulesParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
}

export interface ListWaitingEntriesParams {
  /** Most entries to answer; 100 by default. */
  readonly limit?: number | undefined;
  /** Only entries behind this position. */
  readonly after?: number | undefined;
}

export interface ImportStatementFileParams {
  /** The encoding of the file, if it does not say its own or lies about it; in a ZIP that of each file. By default what the file says. */
  readonly encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'iso-8859-1' | 'iso-8859-2' | 'iso-8859-7' | 'iso-8859-9' | 'iso-8859-13' | 'iso-8859-15' | 'windows-1250' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1257' | undefined;
}

export interface ListStatementFilesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
}

export interface ListBankStatementsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only objects of this bank account. */
  readonly bank_account?: string | readonly string[] | undefined;
  /** Only in this state. */
  readonly status?: 'importing' | 'imported' | 'before_opening' | 'needs_review' | 'superseded' | readonly ('importing' | 'imported' | 'before_opening' | 'needs_review' | 'superseded')[] | undefined;
  /** Only statements of this message. */
  readonly message?: 'camt.053' | 'camt.052' | 'camt.054' | 'mt940' | 'mt942' | readonly ('camt.053' | 'camt.052' | 'camt.054' | 'mt940' | 'mt942')[] | undefined;
  /** Only statements with this result of the proof. */
  readonly proof?: 'ok' | 'gap' | 'failed' | 'drift' | 'none' | readonly ('ok' | 'gap' | 'failed' | 'drift' | 'none')[] | undefined;
}

export interface ListBankEntriesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only objects of this bank account. */
  readonly bank_account?: string | readonly string[] | undefined;
  /** Only entries that this statement reported first. */
  readonly statement?: string | readonly string[] | undefined;
  /** Only in this state. */
  readonly status?: 'unmatched' | 'matched' | 'voided' | readonly ('unmatched' | 'matched' | 'voided')[] | undefined;
  /** Only money that came in, or went out. */
  readonly direction?: 'credit' | 'debit' | readonly ('credit' | 'debit')[] | undefined;
}

export interface RetrieveReconciliationParams {
  /** The month, by the booking days of the bank. */
  readonly month: string;
}

export interface ListPaymentLinksParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'active' | 'completed' | 'expired' | 'canceled' | readonly ('active' | 'completed' | 'expired' | 'canceled')[] | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only links that credit this account. */
  readonly account?: string | readonly string[] | undefined;
  /** Only links for several payments, or only those for one. */
  readonly reusable?: boolean | undefined;
  /** Only links with your own reference. */
  readonly reference?: string | undefined;
}

export interface ListPaymentsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'pending' | 'partially_paid' | 'succeeded' | 'overpaid' | 'failed' | 'refunded' | readonly ('pending' | 'partially_paid' | 'succeeded' | 'overpaid' | 'failed' | 'refunded')[] | undefined;
  /** Only payments through this link. */
  readonly payment_link?: string | readonly string[] | undefined;
  /** Only payments by this method. */
  readonly method?: 'bank_transfer' | 'card' | readonly ('bank_transfer' | 'card')[] | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only the payment with this reference, and its duplicates. */
  readonly reference?: string | undefined;
  /** Only payments that are duplicates, which have `duplicate_of`; or only those that are none. */
  readonly duplicate?: boolean | undefined;
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ('payment_link' | 'account' | 'transfer')[] | undefined;
}

export interface RetrievePaymentParams {
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ('payment_link' | 'account' | 'transfer')[] | undefined;
}

export interface ListExpectedPaymentsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'open' | 'partially_paid' | 'paid' | 'overdue' | 'canceled' | readonly ('open' | 'partially_paid' | 'paid' | 'overdue' | 'canceled')[] | undefined;
  /** Only of this currency. */
  readonly currency?: string | readonly string[] | undefined;
  /** Only expected payments that credit this account. */
  readonly account?: string | readonly string[] | undefined;
  /** Only the expected payment with this creditor reference. */
  readonly reference?: string | undefined;
}

export interface CodeOfExpectedPaymentParams {
  /** The picture. Without it, `Accept` decides; `svg` if that names none. */
  readonly format?: 'svg' | 'png' | undefined;
}

export interface ListEventsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** A type, or a family of types such as `payout.*`. */
  readonly type?: string | readonly string[] | undefined;
  /** Several types or families. */
  readonly types?: readonly EventFilter[] | undefined;
  /** Only events about the object with this id. */
  readonly related_object?: string | undefined;
  /** Only events after this one; with `order=asc` it catches up. */
  readonly after_sequence?: number | undefined;
  /** `true`: only events without an unfinished delivery: all webhook deliveries have succeeded, or no endpoint asked for the event. `false`: only events with a delivery that is pending, failed, held or parked. */
  readonly delivery_success?: boolean | undefined;
}

export interface StreamEventsParams {
  /** A type, or a family of types such as `payout.*`. */
  readonly type?: string | readonly string[] | undefined;
  /** Several types or families. */
  readonly types?: readonly EventFilter[] | undefined;
  /** Only events about the object with this id. */
  readonly related_object?: string | undefined;
  /** Begin after this event instead of now. A `Last-Event-ID` header wins over it. */
  readonly after_sequence?: number | undefined;
}

export interface ListWebhookEndpointsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only in this state. */
  readonly status?: 'enabled' | 'disabled' | readonly ('enabled' | 'disabled')[] | undefined;
}

export interface ListDeliveriesParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only those to this endpoint, which may be a deleted one. */
  readonly webhook_endpoint?: string | readonly string[] | undefined;
  /** Only in this state. */
  readonly status?: 'pending' | 'succeeded' | 'failed' | 'held' | 'parked' | readonly ('pending' | 'succeeded' | 'failed' | 'held' | 'parked')[] | undefined;
}

export interface ListEventDeliveriesParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
}

export interface ListWebhookReplaysParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only those to this endpoint, which may be a deleted one. */
  readonly webhook_endpoint?: string | readonly string[] | undefined;
}

export interface ListKeysParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only keys with this status. */
  readonly status?: 'active' | 'expired' | 'revoked' | readonly ('active' | 'expired' | 'revoked')[] | undefined;
}

export interface ListUsersParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
}

export interface ListAuditLogParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only this action. */
  readonly action?: 'key.created' | 'key.rolled' | 'key.confirmed' | 'key.revoked' | 'key.refused' | 'settings.updated' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.enabled' | 'webhook_endpoint.disabled' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rolled' | 'environment.restored' | 'sandbox.reset' | 'recipient.redacted' | 'payout_rules.updated' | 'limit.created' | 'limit.deleted' | 'payout_rules.change_requested' | 'payout_rules.change_approved' | 'payout_rules.change_rejected' | 'limit.deletion_requested' | 'limit.deletion_approved' | 'limit.deletion_rejected' | 'payout.approved' | 'payout.rejected' | 'payout.resolved' | 'bank_account.approved' | 'bank_account.rejected' | 'server_secret.rotated' | 'fee_rule.created' | 'fee_rule.deleted' | 'bank_account.created' | 'bank_account.updated' | 'bank_account.closed' | 'statement_file.imported' | 'bank_statement.reviewed' | 'bank_entry.assigned' | 'bank_entry.unassigned' | 'payment_file.opened' | 'payment_file.sealed' | 'payment_file.abandoned' | 'bank_entry.returned' | 'bank_rule.created' | 'bank_rule.deleted' | 'bank_account.exports_stopped' | 'bank_account.exports_resumed' | 'bank_account.reconciled' | 'exchange_settings.updated' | 'payment_link.redacted' | 'payment.redacted' | 'expected_payment.redacted' | 'bank_entry.redacted' | 'bank_entry_details.redacted' | 'bank_entry.change_requested' | 'bank_entry.change_approved' | 'bank_entry.change_rejected' | 'bank_entry.voided' | 'bank_entry.unvoided' | 'key.updated' | 'user.invited' | 'user.joined' | 'user.updated' | 'user.suspended' | 'user.resumed' | 'user.confirmed' | 'user.sessions_ended' | 'user.link_made' | 'user.redacted' | 'user.signed_in' | 'user.signed_out' | 'user.sign_in_failed' | 'user.stepped_up' | 'user.sessions_closed' | 'user.person_changed' | 'user.password_changed' | 'user.passkey_added' | 'user.passkey_removed' | 'user.app_added' | 'user.recovery_code_used' | 'user.credentials_cleared' | readonly ('key.created' | 'key.rolled' | 'key.confirmed' | 'key.revoked' | 'key.refused' | 'settings.updated' | 'webhook_endpoint.created' | 'webhook_endpoint.updated' | 'webhook_endpoint.enabled' | 'webhook_endpoint.disabled' | 'webhook_endpoint.deleted' | 'webhook_endpoint.secret_rolled' | 'environment.restored' | 'sandbox.reset' | 'recipient.redacted' | 'payout_rules.updated' | 'limit.created' | 'limit.deleted' | 'payout_rules.change_requested' | 'payout_rules.change_approved' | 'payout_rules.change_rejected' | 'limit.deletion_requested' | 'limit.deletion_approved' | 'limit.deletion_rejected' | 'payout.approved' | 'payout.rejected' | 'payout.resolved' | 'bank_account.approved' | 'bank_account.rejected' | 'server_secret.rotated' | 'fee_rule.created' | 'fee_rule.deleted' | 'bank_account.created' | 'bank_account.updated' | 'bank_account.closed' | 'statement_file.imported' | 'bank_statement.reviewed' | 'bank_entry.assigned' | 'bank_entry.unassigned' | 'payment_file.opened' | 'payment_file.sealed' | 'payment_file.abandoned' | 'bank_entry.returned' | 'bank_rule.created' | 'bank_rule.deleted' | 'bank_account.exports_stopped' | 'bank_account.exports_resumed' | 'bank_account.reconciled' | 'exchange_settings.updated' | 'payment_link.redacted' | 'payment.redacted' | 'expected_payment.redacted' | 'bank_entry.redacted' | 'bank_entry_details.redacted' | 'bank_entry.change_requested' | 'bank_entry.change_approved' | 'bank_entry.change_rejected' | 'bank_entry.voided' | 'bank_entry.unvoided' | 'key.updated' | 'user.invited' | 'user.joined' | 'user.updated' | 'user.suspended' | 'user.resumed' | 'user.confirmed' | 'user.sessions_ended' | 'user.link_made' | 'user.redacted' | 'user.signed_in' | 'user.signed_out' | 'user.sign_in_failed' | 'user.stepped_up' | 'user.sessions_closed' | 'user.person_changed' | 'user.password_changed' | 'user.passkey_added' | 'user.passkey_removed' | 'user.app_added' | 'user.recovery_code_used' | 'user.credentials_cleared')[] | undefined;
  /** Only entries of this actor: a key by its id, with what it was rolled from and to, a user by its id, or `worker`, `visitor`, `acquirer`, `cli`. */
  readonly actor?: string | readonly string[] | undefined;
  /** Only entries about the object with this id. */
  readonly subject?: string | undefined;
  /** Adds these objects to the answer, in `expanded`. */
  readonly expand?: readonly ('actor')[] | undefined;
}

export interface RetrieveSummaryParams {
  /** The first day (UTC); by default 29 days before `to`. */
  readonly from?: string | undefined;
  /** The last day (UTC), which counts too; by default today. From `from` on at most 400 days. */
  readonly to?: string | undefined;
}

export interface ListTestAccountsParams {
  /** How many to return, the first 1 to 100. Left out: all. There are no pages. */
  readonly limit?: number | undefined;
}

export interface ListRequestLogsParams {
  /** How many to return, 1 to 100. */
  readonly limit?: number | undefined;
  /** The page begins after this id. */
  readonly starting_after?: string | undefined;
  /** The page ends before this id. */
  readonly ending_before?: string | undefined;
  /** By creation: newest first, or oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
  /** Created at, or within bounds, in Unix seconds. */
  readonly created?: {
    /** Unix seconds. */
    readonly gt?: number | undefined;
    /** Unix seconds. */
    readonly gte?: number | undefined;
    /** Unix seconds. */
    readonly lt?: number | undefined;
    /** Unix seconds. */
    readonly lte?: number | undefined;
  } | undefined;
  /** Only this status of the answer; `refused`: any refusal. */
  readonly status?: 'refused' | '200' | '400' | '401' | '403' | '404' | '405' | '413' | '415' | '421' | '429' | '500' | '503' | readonly ('refused' | '200' | '400' | '401' | '403' | '404' | '405' | '413' | '415' | '421' | '429' | '500' | '503')[] | undefined;
  /** Only this method. */
  readonly method?: 'GET' | 'POST' | 'DELETE' | readonly ('GET' | 'POST' | 'DELETE')[] | undefined;
  /** Only paths that begin with this: whole parts, such as `/v1/payouts` or one with an id. */
  readonly path?: string | undefined;
  /** Only refusals with this code. */
  readonly code?: string | undefined;
  /** Only requests of this actor: a key by its id, with what it was rolled from and to, or a user. */
  readonly actor?: string | readonly string[] | undefined;
  /** Only requests with this `Idempotency-Key`. */
  readonly idempotency_key?: string | undefined;
  /** Only requests about the object with this id. */
  readonly resource?: string | undefined;
}
