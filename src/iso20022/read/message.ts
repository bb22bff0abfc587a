/** Which message a document is: by its namespace, and by its first element. Next: `document.ts`. */
import type { XmlMessage } from './items.ts';

export interface MessageName {
  readonly message: XmlMessage;
  readonly version: string | null;
  readonly variant: string | null;
}

const NAMESPACE = /(?:^|[^a-z0-9])([a-z]{4}\.\d{3})\.001\.(\d{2})(?:[._]([A-Za-z0-9._]{1,30}?))?(?:\.xsd)?$/;
const ELEMENTS: ReadonlyMap<string, XmlMessage> = new Map<string, XmlMessage>([
  ['BkToCstmrAcctRpt', 'camt.052'],
  ['BkToCstmrStmt', 'camt.053'],
  ['BkToCstmrDbtCdtNtfctn', 'camt.054'],
  ['CstmrPmtStsRpt', 'pain.002'],
]);
/** Versions whose schemas this was written against. */
const TRIED: Readonly<Record<XmlMessage, readonly [from: number, to: number]>> = {
  'camt.052': [1, 13],
  'camt.053': [1, 13],
  'camt.054': [1, 13],
  'pain.002': [3, 14],
};
/** What people send instead. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['CstmrCdtTrfInitn', 'a payment order (pain.001)'],
  ['CstmrDrctDbtInitn', 'a direct debit order (pain.008)'],
  ['FIToFICstmrCdtTrf', 'a payment between banks (pacs.008)'],
  ['FIToFIPmtStsRpt', 'a status between banks (pacs.002)'],
  ['RsltnOfInvstgtn', 'the answer to an investigation (camt.029)'],
  ['BkToCstmrAcctRptReq', 'a request for a report'],
]);

/** `urn:iso:std:iso:20022:tech:xsd:camt.053.001.08`, and what markets make of it; `undefined` where it names no message. */
export function messageOfNamespace(
  namespace: string,
): { name: string; version: string; variant: string | null } | undefined {
  const match = NAMESPACE.exec(namespace.trim());
  return match ? { name: match[1] as string, version: match[2] as string, variant: match[3] ?? null } : undefined;
}

/** The message of a first element: `BkToCstmrStmt`, `BkToCstmrAcctRptV01`. */
export function messageOfElement(name: string): XmlMessage | undefined {
  return ELEMENTS.get(name.replace(/V\d\d$/, ''));
}

export function isTried(message: XmlMessage, version: string): boolean {
  const [from, to] = TRIED[message];
  return Number(version) >= from && Number(version) <= to;
}

export function refusalOf(name: string): string {
  const what = OTHERS.get(name) ?? 'another message';
  return `This is ${what}: camt.052, camt.053, camt.054 and pain.002 are read.`;
}
