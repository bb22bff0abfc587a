/**
 * Messages of SWIFT (MT940, MT942) as the items that a camt would give: fields in, items out. A field that books or proves is read exactly, or
 * the file is refused; fields that are not known are left. Messages of one kind in a row are one document. What fields say: `swift-mt/`. An
 * entry: `mt-entry.ts`. Why it is so: docs/decisions/0081.
 */
import { currencyOf } from '../../core/values/currencies.ts';
import type { Field, FieldReader } from '../../swift-mt/fields.ts';
import { statementLineOf } from '../../swift-mt/statement-line.ts';
import { type Balance, balanceOf, totalOf } from '../../swift-mt/values.ts';
import { StatementFileError } from './bank-file-error.ts';
import type { BalanceItem, Item, MtMessage } from './items.ts';
import type { Limits } from './limits.ts';
import { entryOf, minorAt } from './mt-entry.ts';
import { HEADING, newMessage, NO_BALANCE, type OpenMessage, refuse } from './mt-message.ts';
import { Notes } from './notes.ts';
import type { Heading } from './statement.ts';
import { safeText } from './tree.ts';

const MESSAGES: ReadonlyMap<string, MtMessage> = new Map([
  ['940', 'mt940'],
  ['942', 'mt942'],
]);

/** The last page of a statement that goes on with the next message. */
interface Continued {
  readonly account: string;
  readonly statement: bigint | null;
  readonly id: string | null;
}

export class MtDocument implements FieldReader {
  readonly #file: string | null;
  readonly #limits: Limits;
  #ready: Item[] = [];
  #document: { readonly message: MtMessage; readonly notes: Notes } | undefined;
  /** Of the message that is open, for a document that begins with it. */
  #notes = new Notes();
  #message: OpenMessage | undefined;
  #continued: Continued | undefined;
  #isEncodingAssumed = false;

  constructor(file: string | null, limits: Limits) {
    this.#file = file;
    this.#limits = limits;
  }

  take(): Item[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  noteEncoding(): void {
    this.#isEncodingAssumed = true;
  }

  begin(type: string | null, line: number): void {
    const kind = type === null ? null : MESSAGES.get(type);
    if (kind === undefined) {
      const sentence = `This is an MT${type}: MT940 and MT942 are read.`;
      throw new StatementFileError('message', sentence, { line, path: '{2:' });
    }
    this.#message = newMessage(kind, line);
  }

  field({ tag, lines, line }: Field): void {
    const message = this.#message as OpenMessage;
    const field = { tag, line, lines: lines.map((each) => safeText(each, line, this.#document?.notes ?? this.#notes)) };
    if (tag === '86') return this.#explain(message, field);
    if (tag === 'NS') return;
    this.#endEntry(message);
    const reader = HEADING.get(tag.slice(0, 2));
    if (reader !== undefined) {
      this.#once(message, field);
      if (message.isGiven) refuse('order', `:${tag}: stands after what it is the heading of.`, field);
      reader(message, field);
    } else if (tag === '61') this.#beginEntry(message, field);
    else if (/^6[245]/.test(tag)) this.#takeBalance(message, field);
    else if (tag === '90D' || tag === '90C') this.#takeTotal(message, field);
  }

  end(isCut: boolean, line: number): void {
    const message = this.#message as OpenMessage;
    const place = { tag: '62F', lines: [], line };
    this.#endEntry(message);
    if (isCut) refuse('mt', 'The file ends before its message does: it may have been cut off.', place);
    if (message.kind === 'mt940' && message.closing === null)
      refuse('mt', 'The MT940 has no closing balance: it may have been cut off.', place);
    this.#give(message, null, place);
    const { heading, entries, zeroEntries, credits, debits, currency } = message;
    const summary = credits === null && debits === null ? null : { currency, all: null, credits, debits };
    this.#ready.push({ type: 'statement_end', entries, zeroEntries, summary });
    const { account, electronicSequence, id } = heading;
    const isContinued = message.closing === 'M';
    this.#continued = isContinued ? { account: nameOf(account), statement: electronicSequence, id } : undefined;
    this.#message = undefined;
  }

  tooLong(tag: string | null, line: number): never {
    const sentence = `A line or a field is longer than ${this.#limits.maxTextCharacters} characters.`;
    throw new StatementFileError('limit', sentence, { line, path: tag === null ? '/' : `:${tag}:` });
  }

  /** After the last field. */
  finish(): void {
    if (this.#document === undefined) throw new StatementFileError('mt', 'There is no MT940 or MT942 in this file.');
    if (this.#isEncodingAssumed) this.#document.notes.add('encoding_assumed', 1);
    this.#endDocument();
  }

  #endDocument(): void {
    if (this.#document !== undefined) this.#ready.push({ type: 'document_end', notes: this.#document.notes.all() });
    this.#document = undefined;
  }

  /** Of the two forms that a field has, one stands once: two balances would be a choice. */
  #once({ seen }: OpenMessage, field: Field): void {
    const name = field.tag.slice(0, 2);
    if (seen.has(name) && name !== '34') refuse('value', `:${field.tag}: stands here twice.`, field);
    seen.add(name);
  }

  /** Gives the statement away, before its first entry or closing balance, of `day`. */
  #give(message: OpenMessage, day: string | null, field: Field): void {
    if (message.isGiven) return;
    const { heading, kind, opening, page } = message;
    if (kind === null)
      return refuse('mt', 'There is neither an opening balance (:60F:) nor a floor limit (:34F:) before this.', field);
    if (kind === 'mt940' && opening === null) return refuse('mt', 'The MT940 has no opening balance (:60F:).', field);
    message.isGiven = true;
    const { account } = heading;
    message.currency ??= account.currency;
    heading.account = { ...account, currency: account.currency ?? message.currency };
    const isPage = opening?.field.tag === '60M';
    // A statement that begins with its opening balance is no later page, whatever banks count there.
    const number = heading.electronicSequence === null || (!isPage && page !== 1n) ? null : page;
    heading.page = number === null ? null : { number, last: null };
    const before = this.#continued;
    const goesOn =
      isPage && before?.account === nameOf(heading.account) && before.statement === heading.electronicSequence;
    if (goesOn) heading.id = before.id;
    this.#openDocument(kind);
    this.#ready.push(heading);
    const { notes } = this.#document as { readonly notes: Notes };
    if (heading.account.iban === null && heading.account.other === null) notes.add('account_missing', heading.line);
    if (opening === null) return;
    const { balance } = opening;
    const isPrevious = balance.day !== null && day !== null && day > balance.day;
    this.#giveBalance(isPage ? 'ITBD' : isPrevious ? 'PRCD' : 'OPBD', balance, opening.field);
  }

  #openDocument(message: MtMessage): void {
    if (this.#document?.message === message) return;
    this.#endDocument();
    this.#document = { message, notes: this.#notes };
    this.#notes = new Notes();
    const unsaid = { version: null, variant: null, id: null, created: null, page: null };
    this.#ready.push({ type: 'document', message, ...unsaid, file: this.#file });
  }

  #giveBalance(code: string, { isDebit, day, currency, amount }: Balance, field: Field): void {
    const { notes } = this.#document as { readonly notes: Notes };
    const minor = minorAt(amount, currency, field);
    if (day === null) notes.add('balance_day_missing', field.line);
    const item: BalanceItem = {
      type: 'balance',
      line: field.line,
      code,
      proprietary: null,
      subtype: null,
      amount: isDebit ? -minor : minor,
      currency,
      day,
    };
    this.#ready.push(item);
  }

  #takeBalance(message: OpenMessage, field: Field): void {
    const { tag, lines } = field;
    const isClosing = tag.startsWith('62');
    if (isClosing) this.#once(message, field);
    const balance = balanceOf(lines[0] ?? '') ?? refuse('value', NO_BALANCE, field);
    this.#give(message, balance.day, field);
    if (balance.currency !== message.currency)
      refuse('value', `The balance is in ${balance.currency}, and the opening balance in ${message.currency}.`, field);
    if (isClosing) message.closing = tag.slice(2);
    const code = isClosing ? (tag === '62M' ? 'ITBD' : 'CLBD') : tag.startsWith('64') ? 'CLAV' : 'FWAV';
    this.#giveBalance(code, balance, field);
  }

  #takeTotal(message: OpenMessage, field: Field): void {
    message.kind ??= 'mt942';
    const total = totalOf(field.lines[0] ?? '');
    const known = total === null ? undefined : currencyOf(total.currency);
    message.currency ??= known?.code ?? null;
    this.#give(message, null, field);
    if (total === null || known?.code !== message.currency) {
      this.#document?.notes.add('value_left_out', field.line);
      return;
    }
    const counted = { count: total.count, sum: minorAt(total.amount, total.currency, field) };
    if (field.tag === '90C') message.credits = counted;
    else message.debits = counted;
  }

  #beginEntry(message: OpenMessage, field: Field): void {
    const line = statementLineOf(field.lines) ?? refuse('value', NO_LINE, field);
    if (message.closing !== null) refuse('order', 'A booking stands after the closing balance.', field);
    this.#give(message, line.entryDay, field);
    message.entry = { line, field, lines: [], characters: 0 };
  }

  /** Behind a booking. What stands elsewhere is about the whole statement. */
  #explain({ entry }: OpenMessage, { tag, lines, line }: Field): void {
    if (entry === null) return;
    for (const each of lines) {
      entry.lines.push(each);
      entry.characters += each.length;
    }
    if (entry.characters > this.#limits.maxTextCharacters) this.tooLong(tag, line);
  }

  #endEntry(message: OpenMessage): void {
    const { entry, currency } = message;
    if (entry === null) return;
    message.entry = null;
    const { notes } = this.#document as { readonly notes: Notes };
    const item = entryOf(entry, currency ?? refuse('mt', 'No field says the currency of this.', entry.field), notes);
    if (item === null) message.zeroEntries += 1;
    else {
      message.entries += 1;
      this.#ready.push(item);
    }
  }
}

const NO_LINE =
  'This is not a booking: value day, day of the entry, C, D, RC or RD, an amount with a comma, and the type of the booking.';

const nameOf = ({ iban, other }: Heading['account']): string => iban ?? other ?? '';
