/** What a pain.002 says about payouts: of the whole file that was sent, of its one group, or of single payments (`decision 0049`). */
import { beginningOf } from '../../core/values/beginning.ts';
import { tellingReason } from '../../core/rails/failures.ts';
import { ourIdIn } from '../../core/rails/our-ids.ts';
import type { Item, ReportItem } from '../../iso20022/read/items.ts';
import type { Answer } from '../../paying/payouts/facts-decide.ts';
import { MOST_NOTES } from './fields.ts';

/** `payout: null`: all payouts of the file but `except`. */
export type FoundAnswer = Omit<Answer, 'payout'> & {
  readonly payout: string | null;
  readonly except?: ReadonlySet<string>;
};

/** Collects the answers of documents, item by item. */
export class Answers {
  readonly found: FoundAnswer[] = [];
  readonly notes: string[] = [];
  #file: string | null = null;
  /** The bank's name of the file, in a report that is open. */
  #unknown: string | null = null;
  /** Of the file or its group. */
  #whole: FoundAnswer | null = null;
  #single = new Set<string>();

  take(item: Item): void {
    switch (item.type) {
      case 'report':
        this.#end();
        this.#file = ourIdIn('bf', item.originalMessageId);
        this.#unknown = item.originalMessageId ?? 'without an id';
        this.#whole = this.#answer(item, null);
        break;
      case 'payment_status': {
        // Some banks name the file by its group only. A group may have a status without a reason, which stands above it then.
        const named = ourIdIn('bf', item.originalPaymentInformationId);
        if (named !== null && this.#file !== null && named !== this.#file) this.#end();
        this.#file = named ?? this.#file;
        const answer = this.#answer(item, null);
        if (answer !== null) this.#whole = { ...answer, reason: answer.reason ?? this.#whole?.reason ?? null };
        break;
      }
      case 'transaction_status': {
        const payout = ourIdIn('po', item.originalEndToEndId) ?? ourIdIn('po', item.originalInstructionId);
        const answer = payout === null ? null : this.#answer(item, payout);
        if (payout === null || answer === null) break;
        this.found.push(answer);
        this.#single.add(payout);
        break;
      }
      case 'document_end':
        this.#end();
        break;
      default:
        break;
    }
  }

  /**
   * A rejection of the whole stands for every payment that has no status of its own: the bank executes none. Any other status of the
   * whole stands for all payments or, if some are named, only sums them up.
   */
  #end(): void {
    const [whole, single] = [this.#whole, this.#single];
    if (whole !== null && single.size === 0) this.found.push(whole);
    else if (whole?.status === 'RJCT') this.found.push({ ...whole, except: single });
    if (this.#file === null && this.#unknown !== null) {
      if (this.notes.length < MOST_NOTES)
        this.notes.push(`It reports on a file that was not made here (${this.#unknown}).`);
    }
    this.#file = this.#unknown = this.#whole = null;
    this.#single = new Set();
  }

  #answer({ status, reasons }: Pick<ReportItem, 'status' | 'reasons'>, payout: string | null): FoundAnswer | null {
    if (this.#file === null || status === null) return null;
    const words = reasons
      .slice(0, MOST_REASONS)
      .flatMap(({ texts }) => texts)
      .join(' ');
    return {
      file: this.#file,
      payout,
      status,
      reason: tellingReason(reasons.flatMap(({ code, proprietary }) => code ?? proprietary ?? [])),
      reasonText: words === '' ? null : beginningOf(words, MOST_CHARACTERS),
    };
  }
}

const MOST_CHARACTERS = 500;
/** Of which the words are looked at. */
const MOST_REASONS = 100;
