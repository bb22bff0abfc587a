/**
 * From elements to items, while they come: the state of one XML file. Headings, balances and entries are small trees (`part.ts`), the rest
 * passes by. It must never hold a whole document. Next: `entry.ts`, `statement.ts`, `payment-status.ts`.
 */
import { StatementFileError, type Place } from './bank-file-error.ts';
import { type DocumentFacts, readEntry } from './entry.ts';
import type { DocumentItem, Item } from './items.ts';
import type { Limits } from './limits.ts';
import { isTried, type MessageName, messageOfElement, messageOfNamespace, refusalOf } from './message.ts';
import { type NoteCode, Notes } from './notes.ts';
import { Part, readCurrency } from './part.ts';
import {
  isEbicsProtocol,
  newPaymentStatus,
  type OpenPaymentStatus,
  PAYMENT_PARTS,
  readReport,
  readTransactionStatus,
} from './payment-status.ts';
import { type Heading, HEADING_PARTS, newHeading, readBalance, readSummary } from './statement.ts';
import { at, Element, placeOf, textAt } from './tree.ts';
import { instantOf, pageOf } from './values.ts';
import { WaitingItems } from './waiting-items.ts';

type Kind = 'envelope' | 'document' | 'message' | 'statement' | 'payment' | 'part' | 'skipped';

interface Frame {
  readonly element: Element;
  readonly kind: Kind;
  /** Namespaces of ISO 20022 that hold here, above the message; the nearest first. An envelope may name those of all that is in it. */
  readonly namespaces: readonly string[];
}

interface OpenHeading {
  /** Releases of items before it: while they are as many, the heading may change. */
  readonly since: number;
  /** Names of its parts that were read. */
  readonly seen: Set<string>;
}

interface OpenDocument extends OpenHeading {
  readonly facts: DocumentFacts;
  readonly item: { -readonly [Field in keyof DocumentItem]: DocumentItem[Field] };
  isIgnored: boolean;
  statements: number;
}

interface OpenStatement extends OpenHeading {
  readonly heading: Heading;
  readonly currencies: Set<string>;
  summary: Element | undefined;
  /** Where the last part stands in the order of the schema. */
  rank: number;
  elements: number;
  entries: number;
  zeroEntries: number;
}

interface OpenPayment extends OpenHeading {
  readonly item: OpenPaymentStatus;
}

const STATEMENTS: ReadonlySet<string> = new Set(['Stmt', 'Rpt', 'Ntfctn']);

export class DocumentReader {
  readonly #file: string | null;
  readonly #limits: Limits;
  readonly #waiting: WaitingItems;
  readonly #early: readonly NoteCode[];
  #stack: Frame[] = [];
  #part: Part | undefined;
  #document: OpenDocument | undefined;
  #statement: OpenStatement | undefined;
  #payment: OpenPayment | undefined;
  /** Notes of the last document, which has ended. */
  #ended: Notes | undefined;
  #documents = 0;

  /** `early`: notes from before the first element. */
  constructor(file: string | null, limits: Limits, early: readonly NoteCode[]) {
    this.#file = file;
    this.#limits = limits;
    this.#early = early;
    this.#waiting = new WaitingItems(limits.maxWaitingItems);
  }

  place(line: number): Place {
    const top = this.#part?.current ?? this.#stack.at(-1)?.element;
    return { line, path: top === undefined ? '/' : placeOf(top).path };
  }

  take(): Item[] {
    return this.#waiting.take();
  }

  /** `name` is local. */
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    if (this.#stack.length + (this.#part?.depth ?? 0) >= this.#limits.maxDepth) {
      throw new StatementFileError('limit', `Elements stand deeper than ${this.#limits.maxDepth}.`, this.place(line));
    }
    if (this.#part !== undefined) return this.#part.open(name, attributes, line);
    const top = this.#stack.at(-1);
    const element = new Element(name, line, top?.element);
    const above = top?.kind ?? 'envelope';
    const isAbove = above === 'envelope' || above === 'document';
    const namespaces = isAbove ? [...namespacesOf(attributes), ...(top?.namespaces ?? [])] : [];
    const kind = this.#kindOf(above, element, namespaces);
    if (kind === 'part') {
      readCurrency(element, attributes);
      this.#part = new Part(element, this.#limits, (this.#document as OpenDocument).facts.notes);
    } else this.#stack.push({ element, kind, namespaces });
  }

  text(text: string): void {
    this.#part?.text(text);
  }

  close(): void {
    if (this.#part !== undefined) {
      this.#part.close();
      if (this.#part.current === undefined) this.#closePart(this.#part);
      return;
    }
    const { kind } = this.#stack.pop() as Frame;
    if (kind === 'statement') this.#endStatement();
    else if (kind === 'payment') this.#endPayment();
    else if (kind === 'message') this.#endDocument();
  }

  /** After the last element. `late`: notes from behind it. */
  end(late: readonly { readonly code: NoteCode; readonly line: number }[]): void {
    for (const { code, line } of late) this.#ended?.add(code, line);
    this.#closeDocument();
    if (this.#documents > 0) return;
    const sentence =
      'There is no message of ISO 20022 in this XML: camt.052, camt.053, camt.054 and pain.002 are read.';
    throw new StatementFileError('message', sentence);
  }

  #kindOf(above: Kind, element: Element, namespaces: readonly string[]): Kind {
    const { name } = element;
    switch (above) {
      case 'envelope':
        if (name === 'Document') return 'document';
        return messageOfElement(name) === undefined ? 'envelope' : this.#beginMessage(element, namespaces);
      case 'document':
        return this.#beginMessage(element, namespaces);
      case 'message':
        return this.#kindInMessage(element, this.#document as OpenDocument);
      case 'statement':
        return kindInStatement(element, this.#statement as OpenStatement);
      case 'payment':
        return name === 'TxInfAndSts' || PAYMENT_PARTS.has(name) ? 'part' : 'skipped';
      default:
        return above;
    }
  }

  #beginMessage(element: Element, namespaces: readonly string[]): Kind {
    const named = messageNameOf(element, namespaces);
    const notes = new Notes();
    const item = { type: 'document' as const, ...named, id: null, created: null, page: null, file: this.#file };
    const version = named.version === null ? null : Number(named.version);
    this.#closeDocument();
    this.#documents += 1;
    this.#waiting.add(item);
    this.#document = {
      facts: { message: named.message, version, notes },
      item,
      since: this.#waiting.releases,
      seen: new Set(),
      isIgnored: false,
      statements: 0,
    };
    if (this.#documents === 1) for (const code of this.#early) notes.add(code, 1);
    if (named.version === null) notes.add('namespace_missing', element.line);
    else if (!isTried(named.message, named.version)) notes.add('version_unknown', element.line);
    if (this.#stack.some(({ kind }) => kind === 'envelope')) notes.add('envelope', element.line);
    return 'message';
  }

  #kindInMessage(element: Element, document: OpenDocument): Kind {
    const { name, line } = element;
    if (document.isIgnored) return 'skipped';
    if (name === 'GrpHdr') return 'part';
    if (document.facts.message === 'pain.002') {
      if (name === 'OrgnlGrpInfAndSts' || name === 'TxInfAndSts') return 'part';
      if (name !== 'OrgnlPmtInfAndSts') return 'skipped';
      const item = newPaymentStatus(line);
      document.statements += 1;
      element.ordinal = document.statements;
      this.#waiting.add(item);
      this.#payment = { item, since: this.#waiting.releases, seen: new Set() };
      return 'payment';
    }
    if (!STATEMENTS.has(name)) return 'skipped';
    const heading = newHeading(line);
    document.statements += 1;
    element.ordinal = document.statements;
    this.#waiting.add(heading);
    this.#statement = {
      heading,
      since: this.#waiting.releases,
      seen: new Set(),
      currencies: new Set(),
      summary: undefined,
      rank: 0,
      elements: 0,
      entries: 0,
      zeroEntries: 0,
    };
    return 'statement';
  }

  #closePart(part: Part): void {
    this.#part = undefined;
    if (this.#statement !== undefined) this.#takeInStatement(this.#statement, part);
    else if (this.#payment !== undefined) this.#takeInPayment(this.#payment, part.root);
    else this.#takeInMessage(this.#document as OpenDocument, part.root);
  }

  /** A part of a heading stands once, before items behind the heading have left. */
  #note({ seen, since }: OpenHeading, part: Element): void {
    if (seen.has(part.name)) throw twice(part);
    seen.add(part.name);
    if (since === this.#waiting.releases) return;
    const sentence = `${part.name} stands after too much of what it is the heading of.`;
    throw new StatementFileError('order', sentence, placeOf(part));
  }

  #takeInMessage(document: OpenDocument, element: Element): void {
    const { item, facts } = document;
    if (element.name === 'TxInfAndSts') return this.#waiting.add(readTransactionStatus(element, facts.notes));
    this.#note(document, element);
    if (element.name === 'GrpHdr') {
      if (document.statements > 0 || document.seen.has('OrgnlGrpInfAndSts'))
        facts.notes.add('out_of_order', element.line);
      item.id = textAt(element, 'MsgId');
      item.created = instantOf(at(element, 'CreDtTm'), facts.notes);
      item.page = pageOf(at(element, 'MsgPgntn'), facts.notes);
      return;
    }
    const report = readReport(element, facts.notes);
    if (isEbicsProtocol(report)) {
      document.isIgnored = true;
      this.#waiting.drop();
      const sentence = 'A protocol of the EBICS server in the shape of a pain.002: it says nothing of payments.';
      this.#waiting.add({ type: 'ignored', reason: 'ebics_protocol', sentence, file: item.file });
      return;
    }
    if (document.statements > 0) facts.notes.add('out_of_order', element.line);
    this.#waiting.add(report);
  }

  #takeInStatement(statement: OpenStatement, { root, details }: Part): void {
    const { facts } = this.#document as OpenDocument;
    const rank = root.name === 'Ntry' ? 3 : root.name === 'TxsSummry' ? 2 : root.name === 'Bal' ? 1 : 0;
    if (rank < statement.rank) facts.notes.add('out_of_order', root.line);
    statement.rank = Math.max(rank, statement.rank);
    const readHeading = HEADING_PARTS.get(root.name);
    if (readHeading !== undefined) {
      this.#note(statement, root);
      readHeading(statement.heading, root, facts.notes);
    } else if (root.name === 'Ntry') {
      const entry = readEntry(root, details, facts);
      if (entry === null) statement.zeroEntries += 1;
      else {
        statement.entries += 1;
        statement.currencies.add(entry.currency);
        this.#waiting.add(entry);
      }
    } else if (root.name === 'Bal') {
      const balance = readBalance(root, facts.notes);
      statement.currencies.add(balance.currency);
      this.#waiting.add(balance);
    } else {
      if (statement.summary !== undefined) throw twice(root);
      statement.summary = root;
    }
  }

  #takeInPayment(payment: OpenPayment, element: Element): void {
    const { notes } = (this.#document as OpenDocument).facts;
    const { name } = element;
    if (name === 'TxInfAndSts') return this.#waiting.add(readTransactionStatus(element, notes));
    if (name === 'StsRsnInf') payment.seen.delete(name); // there may be several
    this.#note(payment, element);
    PAYMENT_PARTS.get(name)?.(payment.item, element, notes);
    if (payment.item.reasons.length <= this.#limits.maxReasons) return;
    const sentence = `More than ${this.#limits.maxReasons} reasons for one status.`;
    throw new StatementFileError('limit', sentence, placeOf(element));
  }

  #endStatement(): void {
    const { heading, currencies, summary, entries, zeroEntries } = this.#statement as OpenStatement;
    const { facts, seen } = this.#document as OpenDocument;
    const { account, line } = heading;
    this.#statement = undefined;
    if (account.iban === null && account.other === null) facts.notes.add('account_missing', line);
    const currency = account.currency ?? (currencies.size === 1 ? ([...currencies][0] as string) : null);
    const counted = summary === undefined ? null : readSummary(summary, currency, facts.notes);
    this.#waiting.add({ type: 'statement_end', entries, zeroEntries, summary: counted });
    if (seen.has('GrpHdr')) this.#waiting.release();
  }

  #endPayment(): void {
    const { seen } = this.#document as OpenDocument;
    this.#payment = undefined;
    if (seen.has('GrpHdr') && seen.has('OrgnlGrpInfAndSts')) this.#waiting.release();
  }

  #endDocument(): void {
    const { isIgnored, facts } = this.#document as OpenDocument;
    this.#ended = isIgnored ? undefined : facts.notes;
    this.#waiting.release();
    this.#document = undefined;
  }

  #closeDocument(): void {
    if (this.#ended === undefined) return;
    this.#waiting.add({ type: 'document_end', notes: this.#ended.all() });
    this.#waiting.release();
    this.#ended = undefined;
  }
}

function messageNameOf(element: Element, namespaces: readonly string[]): MessageName {
  const message = messageOfElement(element.name);
  if (message === undefined) throw new StatementFileError('message', refusalOf(element.name), placeOf(element));
  const named = namespaces.flatMap((each) => messageOfNamespace(each) ?? []);
  const own = named.find(({ name }) => name === message);
  if (own === undefined && named.some(({ name }) => !name.startsWith('head.'))) {
    const sentence = 'The namespace and the first element name different messages.';
    throw new StatementFileError('message', sentence, placeOf(element));
  }
  return { message, version: own?.version ?? null, variant: own?.variant ?? null };
}

function kindInStatement(element: Element, statement: OpenStatement): Kind {
  const { name } = element;
  if (name === 'Ntry') {
    statement.elements += 1;
    element.ordinal = statement.elements;
  }
  return name === 'Ntry' || name === 'Bal' || name === 'TxsSummry' || HEADING_PARTS.has(name) ? 'part' : 'skipped';
}

function namespacesOf(attributes: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(attributes).filter((name) => name === 'xmlns' || name.startsWith('xmlns:'));
  return names.map((name) => attributes[name] ?? '').filter((value) => messageOfNamespace(value) !== undefined);
}

const twice = (element: Element): StatementFileError =>
  new StatementFileError('value', `${element.name} stands here twice.`, placeOf(element));
