/** What a receipt says, as texts: the paid page shows it, and a document has the same (`collecting/checkout/receipt.ts`). Next: `sections.ts`. */
import { inFours } from './account.ts';
import { showAmount } from './amounts.ts';
import type { PagePayment, PageView } from './view.ts';
import type { Words } from './words-en.ts';

export interface ReceiptRow {
  readonly label: string;
  /** Minor units are formatted, and instants are milliseconds: who shows them knows the time zone. */
  readonly value: { readonly text: string; readonly isForeign?: boolean } | { readonly atMs: number };
}

/** The rows of a receipt, in their order. */
export function receiptRows(view: PageView, payment: PagePayment, words: Words): readonly ReceiptRow[] {
  const { amount, received, refunded, status, paidAtMs, method, rf } = payment;
  const money = (minor: bigint) => ({ text: showAmount(minor, view.currency, view.language) });
  const foreign = (text: string) => ({ text, isForeign: true });
  const rows: (ReceiptRow | false)[] = [
    { label: words.paidTo, value: foreign(view.merchant.name) },
    view.reference !== null && { label: words.regarding, value: foreign(view.reference) },
    received !== amount && { label: words.received, value: money(received) },
    refunded > 0n && status !== 'refunded' && { label: words.refunded, value: money(refunded) },
    paidAtMs !== null && { label: words.paidOn, value: { atMs: paidAtMs } },
    { label: words.paidBy, value: { text: words.method[method] } },
    { label: words.rf, value: { text: inFours(rf) } },
  ];
  return rows.filter((row) => row !== false);
}

/** The amount of a receipt: what was to be paid; of a refunded payment what was sent back. Minor units. */
export const receiptAmount = ({ status, refunded, amount }: PagePayment): bigint =>
  status === 'refunded' ? refunded : amount;
