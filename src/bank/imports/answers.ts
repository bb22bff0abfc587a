/** What a pain.002 says about payouts: of the whole file that was sent, of its one group, or of single payments (`decision 0049`). */
import { isPayeeCheck } from '../../core/bank-answer.ts';
import { beginningOf } from '../../core/values/beginning.ts';
import { tellingReason } from '../../core/rails/failures.ts';
import { ourIdIn } from '../../core/rails/our-ids.ts';
import type { Item, ReportItem } from '../../iso20022/read/items.ts';
import type { Answer } from '../../paying/payouts/facts-decide.ts';
import { MOST_NOTES } from '../statements/fields.ts';
import { payoutOfUetr } from '../../iso20022/write/identifiers.ts';

/** `payout: null`: all payouts of the file but `except`. */
export type FoundAnswer = Omit<Answer, 'payout'> & {
  readonly payout: string | null;
  readonly except?: ReadonlySet<string>;
};

/** Collects the answers of documents, item by item. */
export class Answers {
  readonly found: FoundAnswer[] = [];
  /** Of files as a whole, in their order. */
  readonly ofFiles: FoundAnswer[] = [];
  readonly notes: string[] = [];
  #file: string | null = null;
  /** The bank's name of the file, in a report that is open. */
  #unknown: string | null = null;
  /** Of the file or its group. */
  #whole: FoundAnswer | null = null;
  #counts: ReportItem['counts'] = [];
  #single = new Set<string>();

  take(item: Item): void {
    switch (item.type) {
      case 'report':
        this.#end();
        this.#file = ourIdIn('pf', item.originalMessageId);
        this.#unknown = item.originalMessageId ?? 'without an id';
        this.#whole = this.#answer(item, null);
        this.#counts = item.counts;
        break;
      case 'payment_status': {
        // Some banks name the file by its group only. A group may have a status without a reason, which stands above it then.
        const named = ourIdIn('pf', item.originalPaymentInformationId);
        if (named !== null && this.#file !== null && named !== this.#file) this.#end();
        this.#file = named ?? this.#file;
        const answer = this.#answer(item, null);
        if (item.counts.length > 0) this.#counts = item.counts;
        if (answer !== null) this.#whole = { ...answer, reason: answer.reason ?? this.#whole?.reason ?? null };
        break;
      }
      case 'transaction_status': {
        const payout =
          ourIdIn('po', item.originalEndToEndId) ??
          ourIdIn('po', item.originalInstructionId) ??
          payoutOfUetr(item.uetr);
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
   * whole stands for all payments or, if some are named, only sums them up. Payees that match are counted and not named.
   */
  #end(): void {
    const [whole, single] = [this.#whole, this.#single];
    if (whole !== null) this.ofFiles.push(whole);
    if (whole !== null && single.size === 0) this.found.push(whole);
    else if (whole?.status === 'RJCT') this.found.push({ ...whole, except: single });
    else if (whole !== null && isPayeeCheck(whole.status) && this.#othersMatch())
      this.found.push({ ...whole, status: MATCH, except: single });
    if (this.#file === null && this.#unknown !== null) {
      if (this.notes.length < MOST_NOTES)
        this.notes.push(`It reports on a file that was not made here (${this.#unknown}).`);
    }
    this.#file = this.#unknown = this.#whole = null;
    this.#counts = [];
    this.#single = new Set();
  }

  /** The report counts payees that match beside others, and names as many payments as these (DK, Anlage 3, version 3.9, section 2.2.6). */
  #othersMatch(): boolean {
    const others = this.#counts.filter(({ status }) => status !== MATCH);
    const total = others.reduce((sum, { count }) => sum + count, 0n);
    return others.length < this.#counts.length && total === BigInt(this.#single.size);
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

const MATCH = 'RCVC';

const MOST_CHARACTERS = 500;
/** Of which the words are looked at. */
const MOST_REASONS = 100;
