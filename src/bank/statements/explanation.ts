/** What explains an entry of a bank, beside its amount and days. Next: `fields.ts`. */

/** What explains an entry. Sealed at rest: names, accounts and words of other people. */
export interface Explanation {
  readonly name: string | null;
  /** IBAN or another number. */
  readonly account: string | null;
  readonly text: string | null;
  readonly endToEndId: string | null;
  readonly bankReference: string | null;
  readonly transactionCode: string | null;
  readonly returnReason: string | null;
  /** The bank's own words about it. Entries of before this member have none. */
  readonly returnText?: string | null;
  /** What banks took, where they say it. */
  readonly charges?: readonly ExplainedCharge[];
  /** What was ordered, where that is another amount: before charges, or in another currency. */
  readonly instructed?: { readonly amount: string; readonly currency: string };
  /** At what rate it was exchanged. */
  readonly exchange?: Readonly<Record<'source' | 'target' | 'unit' | 'rate', string | null>>;
  /** Payments of a collective credit that name something; none where one call could not assign them all. */
  readonly parts?: readonly ExplainedPart[];
  /** What another message of the bank said of its transactions (decision 0089). */
  readonly details?: ExplainedDetails;
}

/** The transactions of an entry, as a message says them that does not book it. */
export interface ExplainedDetails {
  /** The document that brought them. */
  readonly document: string;
  readonly message: string;
  readonly transactions: readonly ExplainedTransaction[];
}

/** One transaction of an entry. */
export interface ExplainedTransaction {
  /** Minor units of the entry's currency, as text for JSON; `null`: not said in that currency. */
  readonly amount: string | null;
  readonly name: string | null;
  /** IBAN or another number. */
  readonly account: string | null;
  readonly text: string | null;
  readonly endToEndId: string | null;
  /** What it names, as `core/rails/named-references.ts` finds it; none where it names a payout. */
  readonly references: readonly string[];
  /** Where its money went with the details; `null`: nowhere by itself. */
  readonly to: string | null;
  /** That moved it there. */
  readonly transfer: string | null;
}

export interface ExplainedCharge {
  /** Minor units, as text for JSON. */
  readonly amount: string;
  readonly currency: string;
  /** Of ISO 20022, or of the bank. */
  readonly code: string | null;
  /** `null`: the bank does not say. */
  readonly included: boolean | null;
}

export interface ExplainedPart {
  readonly references: readonly string[];
  /** Minor units, as text for JSON. */
  readonly amount: string;
}

export const NOTHING_EXPLAINED: Explanation = {
  name: null,
  account: null,
  text: null,
  endToEndId: null,
  bankReference: null,
  transactionCode: null,
  returnReason: null,
  returnText: null,
};
