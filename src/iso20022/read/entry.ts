/**
 * One entry of a statement (`Ntry`). Its amount and sign book money: they are there once and exact, or the file is refused. Its details
 * were read before it ended (`document.ts`). Next: `detail.ts`.
 */
import { chargesOf, exchangedAmountOf, transactionCodeOf } from './detail.ts';
import type { Batch, Detail, EntryItem, Message } from './items.ts';
import type { Notes } from './notes.ts';
import { namedIn } from '../../core/rails/named-references.ts';
import { all, at, type Element, textAt, wordsAt } from './tree.ts';
import {
  dayOf,
  exactAmount,
  explainingAmount,
  explainingSign,
  flagOf,
  numberOf,
  refuse,
  signOf,
  single,
} from './values.ts';

export interface DocumentFacts {
  readonly message: Message;
  /** `null` where it is not known. */
  readonly version: number | null;
  readonly notes: Notes;
}

/** From this version on, statuses are a choice of code and proprietary. */
const STATUS_CHOICE_SINCE = 7;
const STATUSES: ReadonlySet<string> = new Set(['BOOK', 'PDNG', 'INFO', 'FUTR']);
const ORDER = 'NtryRef Amt CdtDbtInd RvslInd Sts BookgDt ValDt AcctSvcrRef Avlbty BkTxCd NtryDtls AddtlNtryInf'.split(
  ' ',
);

/** `null` for an entry over zero. */
export function readEntry(element: Element, details: readonly Detail[], facts: DocumentFacts): EntryItem | null {
  const { notes } = facts;
  const amountElement = single(element, 'Amt') ?? refuse(element, 'The entry has no amount.');
  const signElement =
    single(element, 'CdtDbtInd') ?? refuse(element, 'The entry does not say whether it is CRDT or DBIT.');
  const { minor, currency } = exactAmount(amountElement, notes);
  const sign = signOf(signElement);
  const reversal = reversalOf(element);
  const status = statusOf(element, facts);
  noteOrder(element, notes);
  if (minor === 0n) {
    notes.add('zero_entry', element.line);
    return null;
  }
  const bookingDay = dayOf(single(element, 'BookgDt'), notes);
  if (bookingDay === null) notes.add('booking_day_missing', element.line);
  const amounts = at(element, 'AmtDtls');
  const additionalText = wordsAt(element, 'AddtlNtryInf');
  return {
    type: 'entry',
    line: element.line,
    amount: minor,
    currency,
    sign,
    reversal,
    status,
    bookingDay,
    valueDay: dayOf(single(element, 'ValDt'), notes),
    servicerReference: textAt(element, 'AcctSvcrRef'),
    reference: textAt(element, 'NtryRef'),
    transactionCode: transactionCodeOf(at(element, 'BkTxCd')),
    additionalText,
    namedByBank: namedIn(additionalText ?? ''),
    batches: batchesOf(element, notes),
    charges: chargesOf(element, notes),
    instructed: exchangedAmountOf(at(amounts, 'InstdAmt'), notes),
    counterValue: exchangedAmountOf(at(amounts, 'CntrValAmt'), notes),
    details,
  };
}

function reversalOf(entry: Element): boolean {
  const element = single(entry, 'RvslInd');
  if (element === undefined || element.text === '') return false;
  return flagOf(element) ?? refuse(element, 'This must be true or false.');
}

function statusOf(entry: Element, { message, version, notes }: DocumentFacts): EntryItem['status'] {
  const element = single(entry, 'Sts');
  const code = element && single(element, 'Cd');
  const text = code?.text ?? element?.text ?? '';
  if (text === '' && at(element, 'Prtry') === undefined) {
    notes.add('status_missing', entry.line);
    return message === 'camt.053' ? 'BOOK' : null;
  }
  if (!STATUSES.has(text)) {
    notes.add('status_unknown', entry.line);
    return null;
  }
  if (version !== null && code !== undefined && version < STATUS_CHOICE_SINCE) notes.add('status_as_code', entry.line);
  if (version !== null && code === undefined && version >= STATUS_CHOICE_SINCE) notes.add('status_as_text', entry.line);
  return text as EntryItem['status'];
}

/** In `NtryDtls`, or directly in version 01. */
function batchesOf(entry: Element, notes: Notes): Batch[] {
  const parts = [...all(entry, 'Btch'), ...all(entry, 'NtryDtls').flatMap((part) => all(part, 'Btch'))];
  return parts.map((part) => ({
    messageId: textAt(part, 'MsgId'),
    paymentInformationId: textAt(part, 'PmtInfId'),
    count: numberOf(at(part, 'NbOfTxs'), notes),
    total: explainingAmount(at(part, 'TtlAmt'), notes),
    sign: explainingSign(at(part, 'CdtDbtInd')),
  }));
}

/** Notes once that known children stand in another order. */
function noteOrder(element: Element, notes: Notes): void {
  let reached = -1;
  for (const child of element.children ?? []) {
    const rank = ORDER.indexOf(child.name);
    if (rank === -1) continue;
    if (rank < reached) return notes.add('out_of_order', child.line);
    reached = rank;
  }
}
