/**
 * A receipt as PDF, for a payer to keep. Laid out in a thread, because a page takes some 100 ms of work. Next: `receipt-worker.ts`,
 * `receipt-document.ts`.
 */
import { once } from 'node:events';
import { RequestError } from '../../core/values/errors.ts';
import { startThread } from '../../platform/workers/thread.ts';
import { showAmount, showInstant, showInstantIn } from './html/amounts.ts';
import { addressLines } from './html/company.ts';
import { receiptAmount, receiptRows } from './html/receipt.ts';
import { WORDS } from './html/render.ts';
import type { PagePayment, PageView } from './html/view.ts';

/** What a receipt says, ready to be set. */
export interface Receipt {
  readonly language: string;
  readonly title: string;
  readonly headline: string;
  readonly amount: string;
  readonly description: string | null;
  readonly rows: readonly (readonly [label: string, value: string])[];
  readonly company: { readonly name: string; readonly lines: readonly string[]; readonly accent: string | null };
  /** A PNG or JPEG as base64. */
  readonly logo: string | null;
  /** That it is a test; null: it is not. */
  readonly testMode: string | null;
  readonly atMs: number;
}

/** `zone`: the payer's, of the tz database; as a browser sent it, so it may be anything. */
export function receiptOf(
  view: PageView,
  payment: PagePayment,
  logo: string | null,
  zone: string | undefined,
): Receipt {
  const { language, merchant, company, currency, livemode, nowMs } = view;
  const words = WORDS[language];
  const { email, phone, address } = company;
  const at = (ms: number) => (zone === undefined ? showInstant(ms, language) : showInstantIn(ms, language, zone));
  return {
    language,
    title: words.receipt,
    headline: payment.status === 'refunded' ? words.headline.refunded : words.headline.paid,
    amount: showAmount(receiptAmount(payment), currency, language),
    description: view.description,
    rows: receiptRows(view, payment, words).map(({ label, value }) => [
      label,
      'atMs' in value ? at(value.atMs) : value.text,
    ]),
    company: {
      name: merchant.name,
      lines: [...(address === null ? [] : addressLines(address, language)), email, phone].filter(
        (line) => line !== null,
      ),
      accent: merchant.accent,
    },
    logo,
    testMode: livemode ? null : words.testMode,
    atMs: nowMs,
  };
}

/** Made at once in this process: each takes a thread and some 60 MB, and visitors need no key. */
const MOST = 2;
/** Memory of the thread, megabytes. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 };
let making = 0;

/** The bytes of the document. Throws `rate_limited` where too many are being made. */
export async function writeReceipt(receipt: Receipt): Promise<Buffer> {
  if (making >= MOST) throw new RequestError('rate_limited', 'Too many receipts are being made. Wait a moment.');
  making += 1;
  const worker = startThread('collecting/checkout/receipt-worker', receipt, MEMORY);
  try {
    const ended = once(worker, 'exit').then(([code]) => {
      throw new Error(`The thread that lays out a receipt ended with ${String(code)}.`);
    });
    ended.catch(() => undefined); // it ends behind its message too
    const [bytes] = (await Promise.race([once(worker, 'message'), ended])) as [Uint8Array];
    return Buffer.from(bytes);
  } finally {
    making -= 1;
    await worker.terminate();
  }
}
