/** What a statement is made of, whatever its format. Read by `reading.ts`; written by `schema.ts`, `camt.ts` and `pdf.ts`. */
import type { Transfer } from '../../core/transfer.ts';

/** Whose statement it is, as people read it. */
export interface Issuer {
  readonly name: string;
  /** A PNG or JPEG as base64. */
  readonly logo: string | null;
  /** `#rrggbb` */
  readonly accent: string | null;
}

/** What holds for the whole document. Instants are milliseconds, `untilMs` is excluded. */
export interface Cover {
  /** An id that the document's own is made of: of the account, of the environment, or of the daily statement. */
  readonly id: string;
  readonly environmentId: string;
  readonly livemode: boolean;
  readonly issuer: Issuer;
  readonly fromMs: number;
  readonly untilMs: number;
  /** When it was made, environment clock. */
  readonly atMs: number;
  /** Of all accounts; else of one. */
  readonly isOfAll: boolean;
}

/** What is known of an account before its first line is read. Balances are minor units. */
export interface StatementHead {
  readonly account: string;
  readonly name: string | null;
  readonly currency: string;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** One movement as the account sees it. */
export interface Line {
  readonly transfer: Transfer;
  /** Minor units; negative where the account paid. */
  readonly signed: bigint;
  readonly balanceAfter: bigint;
  /** What names it; null where the key may not read payouts or payments. */
  readonly names: Names;
}

/** A format that is text: written as its pieces come. */
export interface Renderer {
  open(cover: Cover): string;
  /** `isFirst`: no other account stands before it. */
  head(head: StatementHead, cover: Cover, isFirst: boolean): string;
  /** `isFirst`: no other line of the account stands before it. */
  line(line: Line, head: StatementHead, isFirst: boolean): string;
  tail(head: StatementHead, cover: Cover): string;
  close(cover: Cover): string;
}

/** A document is, account by account, a head, lines (none, or several times some) and a tail. */
export type Piece =
  | { readonly type: 'head'; readonly head: StatementHead }
  | { readonly type: 'lines'; readonly lines: readonly Line[] }
  | { readonly type: 'tail' };

const NAMES = [
  'recipient',
  'recipientName',
  'recipientLatinName',
  'reference',
  'externalId',
  'paymentLink',
  'refundOf',
  'counterpartyName',
  'text',
] as const;
export type Names = Readonly<Record<(typeof NAMES)[number], string | null>>;
export const NO_NAMES = Object.fromEntries(NAMES.map((name) => [name, null])) as Names;
