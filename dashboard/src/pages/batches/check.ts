/** Rows → what the service is asked, and its answers → what stands beside each row. Pure. The rows: `rows.ts`; the page: `new-batch.tsx`. */
import type { Row } from './rows.ts';

/** What a person decided about a row, by its line. */
export interface Decisions {
  readonly leftOut: ReadonlySet<number>;
  /** Doubles that are meant. */
  readonly kept: ReadonlySet<number>;
  /** Whose name differs and who is meant all the same: the id of the recipient. */
  readonly meant: ReadonlyMap<number, string>;
}

export const UNDECIDED: Decisions = { leftOut: new Set(), kept: new Set(), meant: new Map() };

export const sentRows = (rows: readonly Row[], { leftOut }: Decisions): readonly Row[] =>
  rows.filter(({ line }) => !leftOut.has(line));

/** Rows that have to be mended, kept or left out before anything can be tried. */
export const openRows = (rows: readonly Row[], decisions: Decisions): readonly Row[] =>
  sentRows(rows, decisions).filter((row) => row.faults.length > 0 || isOpenDouble(row, rows, decisions));

/** A double whose first row is left out is none. */
export function isOpenDouble({ line, sameAs }: Row, rows: readonly Row[], { leftOut, kept }: Decisions): boolean {
  if (sameAs === null || kept.has(line) || leftOut.has(line)) return false;
  return !leftOut.has(sameAs) && rows.some((row) => row.line === sameAs);
}

export interface Terms {
  /** The name of the run. */
  readonly externalId: string;
  /** `SALA`, or '' for none. */
  readonly category: string;
  /** '' for the oldest of each currency. */
  readonly account: string;
  /** The bank account; '' for the oldest of each currency. */
  readonly bank: string;
  /** On the statement of the bank: one entry for all, or an entry each; '' for what is usual for the category. */
  readonly booking: 'one' | 'each' | '';
}

const said = (values: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** The batch as it is tried and made; new recipients come with their payouts. */
export function batchOf(rows: readonly Row[], decisions: Decisions, terms: Terms) {
  const { externalId, category, account, bank, booking } = terms;
  const payouts = sentRows(rows, decisions).map(({ line, cells, amount, currency }) => ({
    ...said({ name: cells.name, iban: cells.iban, bic: cells.bic, email: cells.email, reference: cells.reference }),
    ...said({ external_id: cells.external_id, account, recipient: decisions.meant.get(line) }),
    amount: amount ?? '',
    currency,
  }));
  return {
    payouts,
    create_recipients: true,
    ...(decisions.kept.size > 0 && { allow_repeated: true }),
    ...said({ external_id: externalId.trim(), category_purpose: category, bank_account: bank }),
    ...(booking !== '' && { batch_booking: booking === 'one' }),
  };
}

export const payeesOf = (rows: readonly Row[], decisions: Decisions) =>
  sentRows(rows, decisions).map(({ cells: { name, iban, bic, email }, currency }) => ({
    ...said({ name, iban, bic, email }),
    currency,
  }));

/** Of the answers, what is looked at. */
export interface Tried {
  readonly results: readonly {
    readonly index: number;
    readonly recipient_match?: 'found' | 'new';
    readonly error?: { readonly message: string; readonly errors?: readonly { readonly message: string }[] };
  }[];
  readonly totals: readonly {
    readonly currency: string;
    readonly payouts_count: number;
    readonly amount_minor: number;
    readonly fees_minor: number;
    readonly held_count: number;
  }[];
  readonly accounts:
    | readonly {
        readonly account: string | null;
        readonly currency: string;
        readonly balance_minor: number;
        readonly balance_after_minor: number;
      }[]
    | null;
  readonly warnings: readonly { readonly index: number; readonly code: string; readonly payout: string | null }[];
}
export interface Matched {
  readonly results: readonly {
    readonly status: string;
    readonly recipient: { readonly id: string; readonly name: string } | null;
    readonly candidates: readonly { readonly id: string; readonly name: string }[];
  }[];
}

export interface Verdict {
  readonly isNew: boolean;
  /** Who has the account under another name, or those who share it: one of them may be meant. */
  readonly choices: readonly { readonly id: string; readonly name: string }[];
  /** Why the service would refuse it. */
  readonly faults: readonly string[];
  /** A payout of the last days that pays the same. */
  readonly paidBefore: string | null;
}

/** By line, in the order in which the rows were sent. */
export function verdictsOf(
  rows: readonly Row[],
  decisions: Decisions,
  tried: Tried,
  matched: Matched,
): ReadonlyMap<number, Verdict> {
  const before = new Map<number, string>();
  for (const { index, payout } of tried.warnings) if (payout !== null) before.set(index, payout);
  return new Map(
    sentRows(rows, decisions).map(({ line }, index) => {
      const { recipient_match, error } = tried.results[index] ?? {};
      const match = matched.results[index];
      const named = match?.status === 'found_with_another_name' && match.recipient !== null ? [match.recipient] : [];
      const choices = match?.status === 'ambiguous' ? match.candidates : named;
      const faults = error === undefined ? [] : (error.errors ?? [error]).map(({ message }) => message);
      const isNew = recipient_match === 'new';
      return [line, { isNew, choices, faults, paidBefore: before.get(index) ?? null }];
    }),
  );
}
