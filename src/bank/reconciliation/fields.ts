/** What is read of a bank account for the reconciliation of a month. Amounts are minor units, days ISO dates. Next: `report.ts`. */

/** A month where the bank is. Instants are those of the environment's clock. */
export interface Month {
  readonly currency: string;
  readonly timeZone: string;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly startsMs: number;
  readonly endsMs: number;
  /** Its end, or now where it is not over. */
  readonly untilMs: number;
  readonly isClosed: boolean;
}

export interface Sides {
  readonly in: bigint;
  readonly out: bigint;
}

export interface Counted {
  readonly count: number;
  readonly amount: bigint;
}

/** The last balance that the bank had reported by a day, and the balance of the ledger on that day. */
export interface Proved {
  readonly statement: string;
  readonly closedOn: string;
  readonly closing: bigint;
  readonly ledger: bigint;
}

export interface Figures {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly in: Counted;
  readonly out: Counted;
  readonly places: ReadonlyMap<string, Sides>;
  /** What had none when the month began, and when it ended. */
  readonly unmatched: {
    readonly before: Sides;
    readonly after: Sides;
    readonly count: number;
    readonly oldest: string | null;
  };
  /** The payouts and payment files that the bank has debited. */
  readonly booked: ReadonlySet<string>;
  /** Statements with balances that end in the month, and the proofs that failed. */
  readonly statements: number;
  readonly gaps: number;
  readonly failed: number;
  /** Entries behind the last statement with a balance. */
  readonly behind: number;
  readonly provedBefore: Proved | null;
  readonly provedAtEnd: Proved | null;
}

/** A payout that has left and may not have arrived. */
export interface UnderWay {
  readonly payout: string;
  readonly file: string;
  readonly amount: bigint;
  /** By now, or returned from there. */
  readonly isPaid: boolean;
  readonly departedMs: number;
}
