/**
 * One booking of an MT940 or MT942 as an entry: its line (`:61:`) books, its information (`:86:`) is the one transaction that explains it.
 * Called by `mt-document.ts`.
 */
import { ibanOf } from '../../core/rails/iban.ts';
import { namedIn, referencesIn } from '../../core/rails/named-references.ts';
import { currencyOf } from '../../core/values/currencies.ts';
import type { Field } from '../../swift-mt/fields.ts';
import { informationOf } from '../../swift-mt/information.ts';
import { slashWords } from '../../swift-mt/slashes.ts';
import type { StatementLine } from '../../swift-mt/statement-line.ts';
import { AMOUNT, decimalOf } from '../../swift-mt/values.ts';
import type { Information, Word } from '../../swift-mt/words.ts';
import type { Amount, Detail, EntryItem, Party, Reason, TransactionCode } from './items.ts';
import { refuse } from './mt-message.ts';
import type { Notes } from './notes.ts';
import { cut, firstOf, MOST_OF_WORDS } from './tree.ts';
import { minorOf, unknownCurrency } from './values.ts';

export interface Booking {
  readonly line: StatementLine;
  readonly field: Field;
  /** Of `:86:`. */
  readonly lines: readonly string[];
}

/** Minor units of an amount that books or proves: exact, or the file is refused. */
export function minorAt(decimal: string, currency: string, field: Field): bigint {
  const known = currencyOf(currency);
  const minor = known === undefined ? unknownCurrency(currency) : minorOf(decimal, known.code, known.exponent);
  return typeof minor === 'string' ? refuse('value', minor, field) : minor;
}

/** `null` for an entry over zero. */
export function entryOf({ line, field, lines }: Booking, currency: string, notes: Notes): EntryItem | null {
  const amount = minorAt(line.amount, currency, field);
  if (line.isWhole) notes.add('amount_without_comma', field.line);
  if (amount === 0n) {
    notes.add('zero_entry', field.line);
    return null;
  }
  if (line.valueDay === null) notes.add('value_left_out', field.line);
  const { words, texts } = informationOf(lines);
  const beside = slashWords(line.supplement);
  const said = { words: new Map([...words, ...(beside?.words ?? [])]), texts };
  const byBank = [said.words.get('kind'), beside === null ? line.supplement : '']
    .filter((text) => text !== undefined && text !== '')
    .join(' ');
  const additionalText = byBank === '' ? null : cut(byBank, MOST_OF_WORDS);
  return {
    type: 'entry',
    line: field.line,
    amount,
    currency,
    sign: line.isDebit ? 'debit' : 'credit',
    reversal: line.isReversal,
    status: line.isExpected ? 'PDNG' : 'BOOK',
    bookingDay: line.entryDay,
    valueDay: line.valueDay,
    servicerReference: shown(line.bankReference),
    reference: null,
    transactionCode: codeOf(line, said.words),
    additionalText,
    namedByBank: namedIn(additionalText ?? ''),
    batches: [],
    charges: null,
    instructed: null,
    counterValue: null,
    details: [detailOf({ line, field }, said, currency, notes)],
  };
}

/** As German banks write it in a camt: `NTRF+166+9310+997`. */
function codeOf({ type }: StatementLine, words: Information['words']): TransactionCode | null {
  const parts = [type, words.get('code'), words.get('journal'), words.get('extension')];
  const proprietary = cut(parts.filter((part) => part !== undefined && part !== '').join('+'));
  return proprietary === '' ? null : { domain: null, family: null, subfamily: null, proprietary, issuer: null };
}

const shown = (text: string | null | undefined): string | null => (text ? cut(text) : null);

function detailOf(
  { line, field }: Pick<Booking, 'line' | 'field'>,
  { words, texts }: Information,
  currency: string,
  notes: Notes,
): Detail {
  const of = (word: Word): string | null => shown(words.get(word));
  const explaining = (word: Word): Amount | null => {
    const text = words.get(word);
    return text === undefined ? null : explainingAmount(text, currency, field.line, notes);
  };
  const reference = of('creditorReference');
  const references = reference === null ? [] : [reference];
  const charges = explaining('charges');
  const original = explaining('original');
  return {
    line: field.line,
    references: {
      messageId: null,
      paymentInformationId: of('paymentId'),
      instructionId: shown(line.ownReference),
      endToEndId: of('endToEndId'),
      transactionId: null,
      uetr: null,
      mandateId: of('mandateId'),
      clearingSystemReference: null,
      servicerReference: null,
    },
    amount: null,
    sign: null,
    instructed: original === null ? null : { ...original, exchange: null },
    counterValue: null,
    charges: charges === null ? null : { total: charges, records: [] },
    transactionCode: null,
    debtor: { ...(line.isDebit ? NOBODY : partyOf(words)), ultimateName: of('ultimateDebtor') },
    creditor: { ...(line.isDebit ? partyOf(words) : NOBODY), ultimateName: of('ultimateCreditor') },
    remittance: {
      texts: firstOf(texts),
      references: references.map((each) => ({ type: null, reference: each })),
      additionalTexts: [],
      named: referencesIn({ texts, references, additionalTexts: [] }),
    },
    returned: returnOf(line, words),
    purpose: purposeOf(words.get('purpose')),
    additionalText: null,
    namedByBank: [],
  };
}

const NOBODY: Party = { name: null, ultimateName: null, iban: null, other: null, bic: null };

function partyOf(words: Information['words']): Party {
  const account = words.get('account') ?? '';
  const iban = ibanOf(account);
  return {
    ...NOBODY,
    name: shown(words.get('name')),
    iban,
    other: iban === null ? shown(account) : null,
    bic: shown(words.get('bic')),
  };
}

function purposeOf(text: string | undefined): Detail['purpose'] {
  const code = text === undefined ? null : (/^[A-Z]{4}(?![A-Z])/.exec(text)?.[0] ?? null);
  return code === null ? null : { code, proprietary: null };
}

const EXPLAINING = new RegExp(`^([A-Z]{3})?(${AMOUNT})(?![\\d,])`);

function explainingAmount(text: string, own: string, line: number, notes: Notes): Amount | null {
  const [, code = own, amount] = EXPLAINING.exec(text.trim()) ?? [];
  const currency = currencyOf(code);
  const minor = amount === undefined || !currency ? '' : minorOf(decimalOf(amount), code, currency.exponent);
  if (typeof minor === 'bigint') return { minor, currency: code };
  notes.add('amount_left_out', line);
  return null;
}

/**
 * Codes of German banks (Geschäftsvorfallcodes): credit transfers that come back 159, instant ones 160; direct debits 108 and 109, and what is
 * given back of them 181 and 184. Source: Deutsche Kreditwirtschaft, DFÜ agreement, annex 3, by lists of banks.
 */
const RETURNS: ReadonlySet<string> = new Set(['108', '109', '159', '160', '181', '184']);

/** `RTI` is SWIFT's code for returned items. */
function returnOf({ type }: StatementLine, words: Information['words']): Reason | null {
  const reason = words.get('returnReason');
  if (reason !== undefined) {
    const isCode = /^[A-Z]{2}\d{2}$/.test(reason);
    return { code: isCode ? reason : null, proprietary: isCode ? null : cut(reason), texts: [] };
  }
  const code = words.get('code') ?? '';
  if (!RETURNS.has(code) && !type.endsWith('RTI')) return null;
  return { code: null, proprietary: shown(words.get('extension')) ?? (code === '' ? type : cut(code)), texts: [] };
}
