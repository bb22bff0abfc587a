/**
 * Which message of its file a statement stands in. A ZIP, or a text of several documents, holds many messages, and these may repeat one another
 * as files do; within one message equal entries are bookings of their own. Pure. Who compares: `core/deduplication/plan.ts`.
 */
import type { DocumentItem, StatementItem } from '../../iso20022/read/items.ts';

/** Counts from 1, in the order of the file. What a message marks as a copy repeats what stands elsewhere, so its copies are another message. */
export class MessageNumbers {
  #last = 0;
  /** Of the message that is open; 0: none of its statements has come yet. */
  #own = 0;
  #copies = 0;
  #isMt = false;

  begin({ message }: Pick<DocumentItem, 'message'>): void {
    this.#isMt = message.startsWith('mt');
    [this.#own, this.#copies] = [0, 0];
  }

  /** The number of the next statement. Each message of SWIFT MT is one statement, and many are one document. */
  of({ copy }: Pick<StatementItem, 'copy'>): number {
    if (this.#isMt) return this.#next();
    if (copy !== null) return (this.#copies ||= this.#next());
    return (this.#own ||= this.#next());
  }

  #next(): number {
    this.#last += 1;
    return this.#last;
  }
}
