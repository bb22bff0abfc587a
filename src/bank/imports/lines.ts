/**
 * From items of a statement file to what the import books: entries with our ids and references. Nothing is
 * guessed: text that is no id or reference of ours stays text. Pure.
 */
import { beginningOf } from '../../core/values/beginning.ts';
import { isReturnCode } from '../../core/rails/failures.ts';
import { A_PART } from '../../core/rails/named-references.ts';
import { ourIdIn } from '../../core/rails/our-ids.ts';
import { ibanOf } from '../../core/rails/iban.ts';
import type { Detail, EntryItem, TransactionCode } from '../../iso20022/read/items.ts';
import { payoutOfUetr } from '../../iso20022/write/identifiers.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import type { Likeness } from '../../core/deduplication/pairs.ts';
import { isNumberOf } from './account-numbers.ts';
import type { BankLine, NamedPayout } from '../statements/slice.ts';
import { type ExplainedPart, type Explanation, MOST_ASSIGNMENTS } from '../statements/fields.ts';

/** As {@link likenessOf} has it of the line. */
export function likenessIn(entry: EntryItem): Likeness {
  const { amount, sign: direction, bookingDay: bookedOn, valueDay: valueOn } = entry;
  const named = fileIn(entry);
  const file = named !== null && payoutsIn(entry).length === 0 ? named : null;
  const explanation = { ...otherSideOf(entry), bankReference: bankReferenceOf(entry) };
  return likenessOf({ direction, amount, bookedOn, valueOn, file, explanation });
}

const bankReferenceOf = ({ servicerReference, details }: EntryItem): string | null =>
  servicerReference ?? (details.length === 1 ? (details[0]?.references.servicerReference ?? null) : null);

/** The only transaction of an entry says from or to whom it is. */
function otherSideOf({ details, sign }: EntryItem): Pick<Explanation, 'name' | 'account' | 'endToEndId'> {
  const only = details.length === 1 ? details[0] : undefined;
  const party = sign === 'credit' ? only?.debtor : only?.creditor;
  return {
    name: party?.name ?? party?.ultimateName ?? null,
    account: party?.iban ?? party?.other ?? null,
    endToEndId: only?.references.endToEndId ?? null,
  };
}

/** Enough to see that an entry names more than one thing. */
const MOST_REFERENCES = 20;

/**
 * What an entry names, each once. If only a part of a collective entry names something, `A_PART` stands beside it, so that it is not
 * taken for the only one. The bank's own words count only where the payer wrote none.
 */
function referencesOf({ details, namedByBank, batches }: EntryItem): readonly string[] {
  const found = new Set<string>();
  let isPart = batches.some(({ count }) => (count ?? 0n) > details.length);
  let hasWords = false;
  for (const { remittance } of details) {
    const { named, texts, references, additionalTexts } = remittance;
    hasWords ||= texts.length + references.length + additionalTexts.length > 0;
    isPart ||= named.length === 0;
    if (found.size < MOST_REFERENCES) for (const each of named) found.add(each);
  }
  if (found.size > 0 && isPart) found.add(A_PART);
  if (found.size > 0 || hasWords) return [...found];
  for (const each of [namedByBank, ...details.map((detail) => detail.namedByBank)]) {
    if (found.size < MOST_REFERENCES) for (const named of each) found.add(named);
  }
  return [...found];
}

/** A booked entry of a bank account. `position`: among those of its statement, from 1. */
export function lineOf(entry: EntryItem, position: number): BankLine {
  const { amount, sign, bookingDay, valueDay } = entry;
  const payouts = payoutsIn(entry);
  return {
    position,
    direction: sign,
    amount,
    bookedOn: bookingDay,
    valueOn: valueDay,
    explanation: explanationOf(entry),
    payouts,
    file: payouts.length > 0 ? null : fileIn(entry),
    references: sign === 'credit' ? referencesOf(entry) : [],
  };
}

/** As many as a payment file has. */
const MOST_PAYOUTS = 10_000;

/** Payouts that details name, each once, with its amount in the currency of the account. */
function payoutsIn(entry: EntryItem): BankLine['payouts'] {
  const { details, amount, currency, sign } = entry;
  const found = new Map<string, NamedPayout>();
  for (const detail of details) {
    const { references, amount: part, instructed } = detail;
    const named = ourIdIn('po', references.endToEndId) ?? ourIdIn('po', references.instructionId);
    const payout = named ?? payoutOfUetr(references.uetr);
    // Charges may be on top of the instructed amount, or taken off the returned one.
    const isAsked = instructed?.currency === currency && instructed.minor <= amount;
    const asked = isAsked && (sign === 'debit' || part === null) ? instructed : part;
    const only = details.length === 1 ? amount : null;
    const said = asked?.currency !== currency || (only !== null && asked.minor > only) ? only : asked.minor;
    if (payout !== null && said !== null && said > 0n) {
      const how = { ...(named === null && { byUetr: true as const }), ...(sign === 'credit' && signOf(entry, detail)) };
      found.set(payout, { payout, amount: said, ...how });
    }
    if (found.size === MOST_PAYOUTS) break; // what the rest of it is about waits for a person
  }
  return [...found.values()];
}

/** Whether the bank says that it came back: a reason, a reversal, or the code of a return. */
function signOf(entry: EntryItem, { returned, transactionCode, debtor }: Detail): Partial<NamedPayout> {
  const codes = [entry.transactionCode, transactionCode];
  if (returned !== null || entry.reversal || codes.some((code) => code !== null && isReturnCode(code))) {
    return { isReturn: true };
  }
  const payer = debtor.iban ?? debtor.other;
  return payer === null ? {} : { payer };
}

/** A payout as it was made: its amount, and the bank details that it went to. */
export interface Payee {
  readonly amount: bigint;
  readonly currency: string;
  readonly details: Readonly<Record<string, string>>;
}

/** Credits that come from the payee's own account and are over all of the payout are returns too. */
export function withPayees<Line extends Pick<BankLine, 'payouts'>>(
  line: Line,
  currency: string,
  payees: ReadonlyMap<string, Payee>,
): Line {
  const isPayee = ({ payout, amount, payer }: NamedPayout): boolean => {
    const payee = payees.get(payout);
    if (payer === undefined || payee?.amount !== amount || payee.currency !== currency) return false;
    const iban = ibanOf(payer);
    return isNumberOf(payee.details, { iban, other: iban === null ? payer : null });
  };
  if (!line.payouts.some(isPayee)) return line;
  return { ...line, payouts: line.payouts.map((each) => (isPayee(each) ? { ...each, isReturn: true } : each)) };
}

/** The one payment file of ours that is named instead of payouts: the bank books the file as a whole. */
function fileIn({ batches, details, sign }: EntryItem): string | null {
  if (sign === 'credit') return null;
  const named = [...batches, ...details.map(({ references }) => references)];
  const files = new Set(
    named.flatMap((each) => ourIdIn('pf', each.paymentInformationId) ?? ourIdIn('pf', each.messageId) ?? []),
  );
  const [file = null] = files;
  return files.size > 1 ? null : file;
}

/** The debit of a whole file with its payouts under way, if they add up to its amount. */
export function wholeOf<Line extends Pick<BankLine, 'amount' | 'payouts'>>(
  line: Line,
  underWay: readonly NamedPayout[],
): Line {
  const total = underWay.reduce((sum, { amount }) => sum + amount, 0n);
  return total === line.amount ? { ...line, payouts: underWay } : line;
}

const MOST_CHARACTERS = 2_000;

function explanationOf(entry: EntryItem): Explanation {
  const { details, additionalText } = entry;
  const only: Detail | undefined = details.length === 1 ? details[0] : undefined;
  const { texts = [], references = [] } = only?.remittance ?? {};
  const words = [...texts, ...references.map(({ reference }) => reference)].join(' ').trim();
  const text = words === '' ? (only?.additionalText ?? additionalText) : words;
  const returned = details.find((detail) => detail.returned !== null)?.returned;
  return {
    ...otherSideOf(entry),
    text: beginningOf(text ?? '', MOST_CHARACTERS) || null,
    bankReference: bankReferenceOf(entry),
    transactionCode: codeOf(entry.transactionCode ?? only?.transactionCode ?? null),
    returnReason: returned?.code ?? returned?.proprietary ?? null,
    returnText: beginningOf(returned?.texts.join(' ') ?? '', MOST_CHARACTERS) || null,
    ...amountsOf(entry, only),
    ...partsOf(entry),
  };
}

/** That are kept; banks name one or two. */
const MOST_CHARGES = 20;

/** What the entry, or its only transaction, says of charges, of the amount that was ordered, and of the exchange. */
function amountsOf(
  entry: EntryItem,
  only: Detail | undefined,
): Pick<Explanation, 'charges' | 'instructed' | 'exchange'> {
  const { amount, currency } = entry;
  const { total = null, records = [] } = entry.charges ?? only?.charges ?? {};
  const taken = records.filter(({ sign }) => sign !== 'credit');
  const unnamed = total === null ? [] : [{ amount: total, code: null, included: null }];
  const charges = (taken.length > 0 ? taken : unnamed)
    .filter((charge) => charge.amount.minor > 0n)
    .slice(0, MOST_CHARGES)
    .map(({ amount: sum, code, included }) => ({ amount: String(sum.minor), currency: sum.currency, code, included }));
  const instructed = entry.instructed ?? only?.instructed ?? null;
  const isOther = instructed !== null && (instructed.minor !== amount || instructed.currency !== currency);
  const exchange = [instructed, entry.counterValue, only?.counterValue].find(
    (each) => each?.exchange != null,
  )?.exchange;
  return {
    ...(charges.length > 0 && { charges }),
    ...(isOther && { instructed: { amount: String(instructed.minor), currency: instructed.currency } }),
    ...(exchange && { exchange }),
  };
}

/** For suggestions; the import itself divides nothing. */
function partsOf({ sign, details, currency }: EntryItem): Pick<Explanation, 'parts'> {
  if (sign === 'debit' || details.length < 2) return {};
  const parts: ExplainedPart[] = [];
  for (const { remittance, amount, instructed } of details) {
    const said = [amount, instructed].find((each) => each?.currency === currency);
    if (said == null || remittance.named.length === 0) continue;
    if (parts.length === MOST_ASSIGNMENTS) return {};
    parts.push({ references: remittance.named, amount: String(said.minor) });
  }
  return parts.length === 0 ? {} : { parts };
}

function codeOf(code: TransactionCode | null): string | null {
  if (code === null || code.domain === null) return code?.proprietary ?? null;
  return [code.domain, code.family, code.subfamily].filter((part) => part !== null).join('-');
}
