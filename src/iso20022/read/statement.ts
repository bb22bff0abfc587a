/** A statement without its entries: heading, balances, what the bank counted. Next: `document.ts`. */
import { nameOf } from './detail.ts';
import type { BalanceItem, StatementAccount, StatementEndItem, StatementItem, Total } from './items.ts';
import type { Notes } from './notes.ts';
import { at, type Element, textAt } from './tree.ts';
import {
  accountNumberOf,
  bicOf,
  dayOf,
  exactAmount,
  explainingSum,
  instantOf,
  numberOf,
  pageOf,
  refuse,
  signOf,
  single,
} from './values.ts';

export type Heading = { -readonly [Field in keyof StatementItem]: StatementItem[Field] };

export const newHeading = (line: number): Heading => ({
  type: 'statement',
  line,
  id: null,
  electronicSequence: null,
  legalSequence: null,
  page: null,
  created: null,
  copy: null,
  from: null,
  to: null,
  account: { iban: null, other: null, currency: null, owner: null, bic: null },
});

type HeadingReader = (heading: Heading, element: Element, notes: Notes) => void;

const setPage: HeadingReader = (heading, element, notes) => (heading.page = pageOf(element, notes));

/** The parts of a statement that make its heading. */
export const HEADING_PARTS: ReadonlyMap<string, HeadingReader> = new Map<string, HeadingReader>([
  ['Id', (heading, element) => (heading.id = element.text === '' ? null : element.text)],
  ['StmtPgntn', setPage],
  ['RptPgntn', setPage],
  ['NtfctnPgntn', setPage],
  ['ElctrncSeqNb', (heading, element, notes) => (heading.electronicSequence = numberOf(element, notes))],
  ['LglSeqNb', (heading, element, notes) => (heading.legalSequence = numberOf(element, notes))],
  ['CreDtTm', (heading, element, notes) => (heading.created = instantOf(element, notes))],
  [
    'FrToDt',
    (heading, element, notes) => {
      heading.from = instantOf(at(element, 'FrDtTm') ?? at(element, 'FrDt'), notes);
      heading.to = instantOf(at(element, 'ToDtTm') ?? at(element, 'ToDt'), notes);
    },
  ],
  ['CpyDplctInd', (heading, element) => (heading.copy = copyOf(element))],
  ['Acct', (heading, element, notes) => (heading.account = readAccount(element, notes))],
]);

/** A copy that is taken for an original would be booked again, so an unknown mark is refused. */
function copyOf(element: Element): StatementItem['copy'] {
  const { text } = element;
  if (text === '') return null;
  if (text === 'COPY' || text === 'DUPL' || text === 'CODU') return text;
  return refuse(element, 'This must be COPY, DUPL or CODU.');
}

function readAccount(element: Element, notes: Notes): StatementAccount {
  const id = single(element, 'Id');
  if (id !== undefined) single(id, 'IBAN');
  return {
    ...accountNumberOf(element, notes),
    currency: textAt(element, 'Ccy'),
    owner: nameOf(at(element, 'Ownr')) ?? textAt(element, 'Nm'),
    bic: bicOf(at(element, 'Svcr')),
  };
}

export function readBalance(element: Element, notes: Notes): BalanceItem {
  const amountElement = single(element, 'Amt') ?? refuse(element, 'The balance has no amount.');
  const { minor, currency } = exactAmount(amountElement, notes);
  const signElement = single(element, 'CdtDbtInd');
  if (signElement === undefined) notes.add('balance_sign_missing', element.line);
  const type = at(element, 'Tp');
  const day = dayOf(single(element, 'Dt'), notes);
  if (day === null) notes.add('balance_day_missing', element.line);
  const choice = at(type, 'CdOrPrtry') ?? type;
  return {
    type: 'balance',
    line: element.line,
    code: textAt(choice, 'Cd'),
    proprietary: textAt(choice, 'Prtry'),
    subtype: textAt(type, 'SubTp', 'Cd') ?? textAt(type, 'SubTp', 'Prtry'),
    amount: signElement !== undefined && signOf(signElement) === 'debit' ? -minor : minor,
    currency,
    day,
  };
}

/** `currency`: of the account, else the only one that the statement speaks of. */
export function readSummary(element: Element, currency: string | null, notes: Notes): StatementEndItem['summary'] {
  const total = (name: string): Total | null => {
    const part = at(element, name);
    if (part === undefined) return null;
    return { count: numberOf(at(part, 'NbOfNtries'), notes), sum: explainingSum(at(part, 'Sum'), currency, notes) };
  };
  return { currency, all: total('TtlNtries'), credits: total('TtlCdtNtries'), debits: total('TtlDbtNtries') };
}
