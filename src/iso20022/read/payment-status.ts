/** The three levels of a pain.002: the file that was sent, a `PmtInf` of it, a transaction of that. Codes stay texts. Next: `document.ts`. */
import type { PaymentStatusItem, Reason, ReportItem, TransactionStatusItem } from './items.ts';
import type { Notes } from './notes.ts';
import { all, at, cut, type Element, firstOf, textAt, textsOf } from './tree.ts';
import { decimalOf, explainingAmount, numberOf, single } from './values.ts';

export const readReport = (element: Element, notes: Notes): ReportItem => ({
  type: 'report',
  line: element.line,
  originalMessageId: textAt(element, 'OrgnlMsgId'),
  originalName: textAt(element, 'OrgnlMsgNmId'),
  status: statusOf(element, 'GrpSts'),
  reasons: reasonsOf(element),
  count: numberOf(at(element, 'OrgnlNbOfTxs'), notes),
  sum: decimalOf(at(element, 'OrgnlCtrlSum'), notes),
  counts: all(element, 'NbOfTxsPerSts').flatMap((part) => countOf(part, notes)),
});

/** Protocols of the EBICS server come in the shape of a pain.002, and say nothing of payments. */
export function isEbicsProtocol({ originalName, originalMessageId }: ReportItem): boolean {
  return originalName?.toUpperCase() === 'EBICS' || (originalName === null && originalMessageId === 'EBICS');
}

export type OpenPaymentStatus = Omit<
  { -readonly [Field in keyof PaymentStatusItem]: PaymentStatusItem[Field] },
  'reasons' | 'counts'
> & { readonly reasons: Reason[]; readonly counts: Count[] };

export const newPaymentStatus = (line: number): OpenPaymentStatus => ({
  type: 'payment_status',
  line,
  originalPaymentInformationId: null,
  status: null,
  reasons: [],
  count: null,
  sum: null,
  counts: [],
});

type PartReader = (payment: OpenPaymentStatus, element: Element, notes: Notes) => void;

/** The parts of `OrgnlPmtInfAndSts` beside its transactions. */
export const PAYMENT_PARTS: ReadonlyMap<string, PartReader> = new Map<string, PartReader>([
  ['OrgnlPmtInfId', (payment, { text }) => (payment.originalPaymentInformationId = text === '' ? null : cut(text))],
  ['OrgnlNbOfTxs', (payment, element, notes) => (payment.count = numberOf(element, notes))],
  ['OrgnlCtrlSum', (payment, element, notes) => (payment.sum = decimalOf(element, notes))],
  ['PmtInfSts', (payment, { text }) => (payment.status = text === '' ? null : cut(text))],
  ['NbOfTxsPerSts', (payment, element, notes) => payment.counts.push(...countOf(element, notes))],
  ['StsRsnInf', (payment, element) => payment.reasons.push(reasonOf(element))],
]);

export function readTransactionStatus(element: Element, notes: Notes): TransactionStatusItem {
  const amount = at(element, 'OrgnlTxRef', 'Amt');
  return {
    type: 'transaction_status',
    line: element.line,
    originalInstructionId: textAt(element, 'OrgnlInstrId'),
    originalEndToEndId: textAt(element, 'OrgnlEndToEndId'),
    originalTransactionId: textAt(element, 'OrgnlTxId'),
    uetr: textAt(element, 'OrgnlUETR'),
    status: statusOf(element, 'TxSts'),
    reasons: reasonsOf(element),
    amount: explainingAmount(at(amount, 'InstdAmt') ?? at(amount, 'EqvtAmt', 'Amt'), notes),
    clearingSystemReference: textAt(element, 'ClrSysRef'),
    servicerReference: textAt(element, 'AcctSvcrRef'),
  };
}

/** A status decides about payouts, so a second one is refused. */
function statusOf(element: Element, name: string): string | null {
  const text = single(element, name)?.text ?? '';
  return text === '' ? null : cut(text);
}

type Count = ReportItem['counts'][number];

/** One of `NbOfTxsPerSts`. */
function countOf(element: Element, notes: Notes): Count[] {
  const status = textAt(element, 'DtldSts');
  const count = numberOf(at(element, 'DtldNbOfTxs'), notes);
  return status === null || count === null ? [] : [{ status, count }];
}

/** Of one status; banks give one or two. */
const MOST_REASONS = 100;
/** Of the words of a reason. */
const MOST_CHARACTERS = 500;

const reasonsOf = (element: Element): Reason[] => all(element, 'StsRsnInf').slice(0, MOST_REASONS).map(reasonOf);

function reasonOf(element: Element): Reason {
  const reason = at(element, 'Rsn');
  return {
    code: textAt(reason, 'Cd'),
    proprietary: textAt(reason, 'Prtry'),
    texts: firstOf(textsOf(element, 'AddtlInf'), MOST_CHARACTERS),
  };
}
