/** Answers whose types the generated client does not have: of the door, and of operations that are newer than it. */

/** Unix seconds, or ISO 8601. */
export type Instant = number | string;

export type Mode = 'sandbox' | 'live';

export interface Environment {
  readonly id: string;
  readonly merchant: { readonly id: string; readonly name: string };
  readonly livemode: boolean;
  readonly mode: Mode;
  readonly roles: readonly string[];
  readonly status: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly second_factor: 'none' | 'passkey' | 'totp';
  readonly methods: readonly string[];
}

/** `GET /dashboard/api/session`. */
export interface SessionAnswer {
  readonly person: Person | null;
  readonly environments?: readonly Environment[];
  readonly ends_at?: Instant;
  readonly stepped_up_until?: Instant | null;
  readonly needs?: null | 'enrol';
}

/** `GET /v1/me`. */
export interface Me {
  readonly object: 'me';
  readonly livemode: boolean;
  /** Of the newest event: it moves when anything changed. */
  readonly sequence: number;
  /** By the environment's clock. */
  readonly now: Instant;
  readonly merchant: { readonly id: string; readonly name: string };
  readonly environment: string;
  readonly actor: { readonly id: string; readonly name: string; readonly kind: 'key' | 'user' };
  /** `null`: everything. */
  readonly scopes: readonly string[] | null;
  readonly accounts: readonly string[] | null;
  readonly roles: readonly string[] | null;
  readonly stepped_up_until: Instant | null;
}

export interface Sum {
  readonly count: number;
  readonly amount_minor: number;
}

export interface SummaryDay {
  /** UTC. */
  readonly day: string;
  readonly in_minor: number;
  readonly in_count: number;
  readonly out_minor: number;
  readonly out_count: number;
}

export interface CurrencySummary {
  readonly currency: string;
  readonly balance_minor: number;
  readonly in_flight: Sum;
  readonly held: Sum & { readonly oldest_at: Instant | null };
  readonly waiting: Sum & { readonly oldest_at: Instant | null };
  readonly unmatched: Sum & { readonly oldest_on: string | null };
  readonly fees_minor: number;
  readonly days: readonly SummaryDay[];
}

/** `GET /v1/summary`. */
export interface Summary {
  readonly object: 'summary';
  readonly livemode: boolean;
  readonly as_of: Instant;
  readonly lag_seconds: number;
  readonly from: string;
  readonly to: string;
  readonly currencies: readonly CurrencySummary[];
  /** `failed` and `returned`: within the last 24 hours. */
  readonly payouts: {
    readonly held: number;
    readonly waiting?: number;
    readonly failed: number;
    readonly returned: number;
  };
  readonly webhooks: {
    readonly failing: number;
    readonly failing_since?: Instant | null;
    readonly oldest_undelivered_at: Instant | null;
  };
  readonly bank: readonly {
    readonly bank_account: string;
    readonly name: string | null;
    readonly currency: string;
    readonly proved_until_on: string | null;
    /** `null`: not known. */
    readonly drift_minor: number | null;
    readonly unanswered_files: number;
    readonly unanswered_since?: Instant | null;
  }[];
  readonly verification: {
    readonly status: 'none' | 'clean' | 'damaged';
    readonly finished_at: Instant | null;
    readonly damages_count: number;
  } | null;
  readonly backup_at: Instant | null;
  readonly rates_at: Instant | null;
}

/** `POST /v1/search`. */
export interface SearchResult {
  readonly object: 'search_result';
  readonly data: readonly Hit[];
  /** Whether everything was looked at. */
  readonly complete: boolean;
  readonly searched_until: Instant | null;
}

export interface Hit {
  readonly object: string;
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly status: string | null;
  readonly matched: string;
}

/** `GET /v1/payouts/:id/history`. */
export interface History {
  readonly object: 'payout_history';
  /** Where the money is now, and what to do. */
  readonly summary: string;
  /** Each amount as it stands in the sentences: `2232.28 EUR`. */
  readonly amounts?: readonly string[];
  readonly data: readonly HistoryEntry[];
}

export interface HistoryEntry {
  readonly at: Instant;
  readonly kind: string;
  readonly actor: string | null;
  readonly actor_name: string | null;
  readonly text: string;
  readonly refs: Readonly<Record<string, string | null>>;
}

/** `GET /v1/request_logs`. */
export interface RequestLog {
  readonly object: 'request_log';
  readonly id: string;
  readonly created: Instant;
  readonly actor: string | null;
  readonly source: 'api' | 'dashboard' | 'page';
  readonly method: string;
  readonly path: string;
  readonly route: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly duration_ms: number;
  readonly idempotency_key: string | null;
  readonly replayed: boolean;
  readonly resource: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request: unknown;
  readonly error: unknown;
}

/** `GET /v1/users`. */
export interface User {
  readonly object: 'user';
  readonly id: string;
  readonly livemode: boolean;
  readonly created: Instant;
  readonly email: string | null;
  /** `null`: the person has not chosen one yet. */
  readonly name: string | null;
  readonly roles: readonly string[];
  readonly status: 'invited' | 'active' | 'suspended';
  readonly second_factor: 'none' | 'passkey' | 'totp';
  readonly last_seen_at: Instant | null;
  readonly confirmed_by: string | null;
  readonly created_by: string | null;
  /** Of the answer to a creation alone. */
  readonly invitation_url?: string;
  /** Of the answer to `reset_link` alone. */
  readonly reset_url?: string;
}
