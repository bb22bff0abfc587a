/**
 * A statement file as facts; `read.ts` makes them. Absent is `null`. Texts are trimmed, cut to what the standard allows, and as the bank
 * wrote them: `NOTPROVIDED` is a text like any other. Amounts are `bigint` minor units of their currency (decision 0002). Days are
 * `2026-03-31`, or instants as written (`2026-03-31T23:59:59+02:00`): what day that is depends on the bank account.
 */

export type Item =
  | DocumentItem
  | StatementItem
  | BalanceItem
  | EntryItem
  | StatementEndItem
  | ReportItem
  | PaymentStatusItem
  | TransactionStatusItem
  | DocumentEndItem
  | IgnoredItem;

type Texts<Names extends string> = { readonly [Name in Names]: string | null };

export type XmlMessage = 'camt.052' | 'camt.053' | 'camt.054' | 'pain.002';
/** Of SWIFT: the statement of a day and the report within it. Their fields are given as the elements of ISO 20022 that mean the same. */
export type MtMessage = 'mt940' | 'mt942';
export type Message = XmlMessage | MtMessage;
export type Sign = 'credit' | 'debit';

export interface Amount {
  /** Minor units, zero or more. */
  readonly minor: bigint;
  readonly currency: string;
}

/** The first item of a document. A file may hold several, as a ZIP or one after another. */
export interface DocumentItem {
  readonly type: 'document';
  readonly message: Message;
  /** As in the namespace: `08`. `null` where it says none. */
  readonly version: string | null;
  /** Of a market: `ch.02`, `GBIC_4`. */
  readonly variant: string | null;
  readonly id: string | null;
  readonly created: string | null;
  /** Pages of the message; those of a statement are its own. */
  readonly page: Page | null;
  /** Within a ZIP; `null` for a file of its own. It may hold an account number: not for logs. */
  readonly file: string | null;
}

export interface Page {
  readonly number: bigint;
  readonly last: boolean | null;
}

/** A statement (053, MT940), report (052, MT942) or notification (054). Its balances and entries follow, then `statement_end`. */
export interface StatementItem {
  readonly type: 'statement';
  readonly line: number;
  readonly id: string | null;
  readonly electronicSequence: bigint | null;
  readonly legalSequence: bigint | null;
  /** Its own; a message may count pages too. */
  readonly page: Page | null;
  readonly created: string | null;
  /** `COPY`: for somebody else; `DUPL`: sent again; `CODU`: both. */
  readonly copy: 'COPY' | 'DUPL' | 'CODU' | null;
  /** Day or instant, as written. */
  readonly from: string | null;
  readonly to: string | null;
  readonly account: StatementAccount;
}

export interface AccountNumber {
  /** Upper case, without blanks. */
  readonly iban: string | null;
  /** A number that is no IBAN. */
  readonly other: string | null;
}

/** `bic`: of the bank that keeps the account. */
export interface StatementAccount extends AccountNumber, Texts<'currency' | 'owner' | 'bic'> {}

export interface BalanceItem {
  readonly type: 'balance';
  readonly line: number;
  /** `OPBD`, `CLBD`, `ITBD`, `PRCD`, …; `null` where the bank has a name of its own. */
  readonly code: string | null;
  readonly proprietary: string | null;
  /** `INTM`: of a page, not of the day. */
  readonly subtype: string | null;
  /** Minor units; below zero where the account is overdrawn. */
  readonly amount: bigint;
  readonly currency: string;
  readonly day: string | null;
}

/** Only `amount` with `sign` books money. Everything else explains: amounts of details differ by charges and currency. */
export interface EntryItem {
  readonly type: 'entry';
  readonly line: number;
  /** Minor units, above zero. An entry over zero is left out, with a note. */
  readonly amount: bigint;
  readonly currency: string;
  readonly sign: Sign;
  /** Undoes an earlier entry; `sign` is that of this one. */
  readonly reversal: boolean;
  /** Only `BOOK` is money. `null`: missing (but in a camt.053 that means `BOOK`), or not known. */
  readonly status: 'BOOK' | 'PDNG' | 'INFO' | 'FUTR' | null;
  readonly bookingDay: string | null;
  readonly valueDay: string | null;
  /** `AcctSvcrRef`: neither always there nor unique. */
  readonly servicerReference: string | null;
  readonly reference: string | null;
  readonly transactionCode: TransactionCode | null;
  readonly additionalText: string | null;
  /** Creditor references in `additionalText`. */
  readonly namedByBank: readonly string[];
  readonly batches: readonly Batch[];
  readonly charges: Charges | null;
  readonly instructed: ExchangedAmount | null;
  readonly counterValue: ExchangedAmount | null;
  readonly details: readonly Detail[];
}

export type TransactionCode = Texts<'domain' | 'family' | 'subfamily' | 'proprietary' | 'issuer'>;

export interface Batch extends Texts<'messageId' | 'paymentInformationId'> {
  readonly count: bigint | null;
  readonly total: Amount | null;
  readonly sign: Sign | null;
}

export interface Charges {
  readonly total: Amount | null;
  readonly records: readonly Charge[];
}

export interface Charge {
  readonly amount: Amount;
  readonly sign: Sign | null;
  /** Whether the amount of the entry has it in already. */
  readonly included: boolean | null;
  readonly code: string | null;
}

export interface ExchangedAmount extends Amount {
  /** `rate` is decimal text. */
  readonly exchange: Texts<'source' | 'target' | 'unit' | 'rate'> | null;
}

/** One transaction of an entry. */
export interface Detail {
  readonly line: number;
  readonly references: References;
  readonly amount: Amount | null;
  readonly sign: Sign | null;
  readonly instructed: ExchangedAmount | null;
  readonly counterValue: ExchangedAmount | null;
  readonly charges: Charges | null;
  readonly transactionCode: TransactionCode | null;
  readonly debtor: Party;
  readonly creditor: Party;
  readonly remittance: Remittance;
  readonly returned: Reason | null;
  readonly purpose: Texts<'code' | 'proprietary'> | null;
  readonly additionalText: string | null;
  /** Creditor references in `additionalText`. */
  readonly namedByBank: readonly string[];
}

export interface References
  extends Texts<'messageId' | 'paymentInformationId' | 'instructionId' | 'endToEndId' | 'transactionId'>,
    Texts<'uetr' | 'mandateId' | 'clearingSystemReference' | 'servicerReference'> {}

/** `ultimateName`: on whose behalf (`UltmtDbtr`, `UltmtCdtr`). `bic`: of the party's bank. */
export interface Party extends AccountNumber, Texts<'name' | 'ultimateName' | 'bic'> {}

export interface Remittance {
  readonly texts: readonly string[];
  readonly references: readonly CreditorReference[];
  readonly additionalTexts: readonly string[];
  /** Creditor references in all of it, and what only looks like one (`core/rails/named-references.ts`). */
  readonly named: readonly string[];
}

export interface CreditorReference {
  /** `SCOR`, `QRR`, … */
  readonly type: string | null;
  readonly reference: string;
}

/** Why something came back or has a status. */
export interface Reason extends Texts<'code' | 'proprietary'> {
  readonly texts: readonly string[];
}

export interface StatementEndItem {
  readonly type: 'statement_end';
  /** It was put together from pages that each repeat its balances (`bank/imports/pages.ts`). */
  readonly isJoined?: true;
  /** Entries in the items, and entries over zero that were left out. */
  readonly entries: number;
  readonly zeroEntries: number;
  /** What the bank counted (`TxsSummry`). Sums are in `currency`, `null` where the statement does not say which one. */
  readonly summary: {
    readonly currency: string | null;
    readonly all: Total | null;
    readonly credits: Total | null;
    readonly debits: Total | null;
  } | null;
}

export interface Total {
  readonly count: bigint | null;
  /** Minor units. */
  readonly sum: bigint | null;
}

interface Answer {
  readonly line: number;
  readonly status: string | null;
  readonly reasons: readonly Reason[];
  readonly count: bigint | null;
  /** Decimal text over all currencies, as in the file that was sent. */
  readonly sum: string | null;
  /** Numbers of payments by status (`NbOfTxsPerSts`). */
  readonly counts: readonly { readonly status: string; readonly count: bigint }[];
}

/** What a pain.002 says of the whole file that was sent. `originalName`: `pain.001.001.09`. */
export interface ReportItem extends Answer, Texts<'originalMessageId' | 'originalName'> {
  readonly type: 'report';
}

/** What it says of one `PmtInf` of that file; statuses of single transactions follow. */
export interface PaymentStatusItem extends Answer, Texts<'originalPaymentInformationId'> {
  readonly type: 'payment_status';
}

export interface TransactionStatusItem
  extends Texts<'originalInstructionId' | 'originalEndToEndId' | 'originalTransactionId' | 'uetr' | 'status'>,
    Texts<'clearingSystemReference' | 'servicerReference'> {
  readonly type: 'transaction_status';
  readonly line: number;
  readonly reasons: readonly Reason[];
  readonly amount: Amount | null;
}

export interface DocumentEndItem {
  readonly type: 'document_end';
  readonly notes: readonly Note[];
}

/** Something that should not be so and was tolerated, once for all its occurrences. */
export interface Note {
  readonly code: string;
  readonly sentence: string;
  readonly count: number;
  /** Of the first one. */
  readonly line: number;
}

/** Instead of a document: something that says nothing about money. */
export interface IgnoredItem {
  readonly type: 'ignored';
  readonly reason: 'ebics_protocol' | 'not_xml';
  readonly sentence: string;
  readonly file: string | null;
}
