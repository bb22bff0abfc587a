/** What a history of a payout is made of, and what it is. Payout and events are as the caller is shown them. Made by `story.ts`. */

type Members = Readonly<Record<string, unknown>>;

/** The members of a payout that its history tells of, as answers have them. Instants are Unix seconds. */
export interface ShownPayout extends Members {
  readonly id: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly amount_minor: number;
  readonly amount_returned_minor: number;
  readonly currency: string;
  readonly status: string;
  readonly account: string;
  readonly destination: { readonly name: string; readonly last4: string } | null;
  readonly scheduled_on: string | null;
  readonly wait_until_on: string | null;
  readonly expected_arrival_on: string | null;
  readonly batch: string | null;
  readonly standing_order: string | null;
  readonly exchange: string | null;
  readonly refund_of: string | null;
  readonly transfer: string | null;
  readonly reversal: string | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly bank_reason: { readonly code: string | null; readonly text: string | null } | null;
  readonly payee_check: { readonly result: string; readonly name: string | null } | null;
  readonly release: {
    readonly status: string;
    readonly reasons: readonly string[];
    readonly approvals_required: number;
    readonly approvals: readonly { readonly actor: string; readonly at: number; readonly proof?: string }[];
    readonly rejection: { readonly actor: string; readonly at: number; readonly reason: string | null } | null;
  } | null;
  readonly in_transit_at: number | null;
  readonly ended_at: number | null;
  readonly created_by: string | null;
}

/** An event about it. */
export interface PastEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: {
    readonly object: ShownPayout;
    readonly previous_attributes?: Members;
  };
  readonly request: { readonly actor: string | null };
}

/** The payment file that it is in. */
export interface OfFile {
  readonly id: string;
  readonly messageId: string;
  readonly bankAccount: string;
  readonly executionOn: string;
}

/** A booking of the bank that was assigned to it. */
export interface OfEntry {
  readonly id: string;
  readonly direction: 'credit' | 'debit';
  /** Minor units. */
  readonly amount: bigint;
  readonly bookedOn: string | null;
  /** When it was imported, Unix seconds. */
  readonly at: number;
}

/** A delivery of one of its events that has not succeeded. */
export interface OfDelivery {
  readonly id: string;
  readonly endpoint: string;
  /** Without path: that may hold a secret. */
  readonly host: string;
  readonly event: string;
  readonly eventType: string;
  readonly status: string;
  readonly attempts: number;
  readonly at: number;
  readonly error: string | null;
}

export interface Facts {
  readonly payout: ShownPayout;
  /** In order of their sequence; those older than events are kept are missing. */
  readonly events: readonly PastEvent[];
  /** What the merchant calls it; `null`: it has no name, or the caller may not know it. */
  readonly accountName: string | null;
  readonly batchName: string | null;
  readonly bankName: string | null;
  readonly file: OfFile | null;
  readonly entries: readonly OfEntry[];
  readonly deliveries: readonly OfDelivery[];
  /** By actor. */
  readonly names: ReadonlyMap<string, string>;
}

export const KINDS = [
  'created',
  'held',
  'approved',
  'rejected',
  'funded',
  'changed',
  'sent',
  'bank',
  'booked',
  'paid',
  'failed',
  'canceled',
  'returned',
  'delivery',
] as const;
export type Kind = (typeof KINDS)[number];

/** A line of a history. */
export interface Line {
  /** Unix seconds. */
  readonly at: number;
  readonly kind: Kind;
  readonly actor: string | null;
  readonly text: string;
  /** Ids by what they are of. */
  readonly refs: Readonly<Record<string, string>>;
}
