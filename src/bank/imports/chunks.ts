/** The entries of a statement, sent to the write path in chunks. */
import type { EntryItem } from '../../iso20022/read/items.ts';
import { likenessOf } from '../../core/deduplication/likeness.ts';
import { markOf } from '../statements/fields.ts';
import type { BankLine, NamedPayout } from '../statements/slice.ts';
import type { ImportBankEntries } from '../statements/slice.ts';
import { lineOf, type Payee, wholeOf, withPayees } from './lines.ts';
import type { Planning } from './planning.ts';
import { accepted, type SendingParts } from './sending.ts';

/** Of one commit, which holds the event loop for a moment: entries, each with the payouts that it names and a part for its text. */
const CHUNK_WEIGHT = 200;
/** A rule of the operator looks at every character. */
const CHARACTERS_OF_ONE = 200;

const weightOf = ({ payouts, explanation: { text } }: BankLine): number =>
  1 + payouts.length + Math.floor((text?.length ?? 0) / CHARACTERS_OF_ONE);

export interface ChunkParts extends SendingParts {
  underWayOf(this: void, file: string): Promise<readonly NamedPayout[]>;
  /** Those of these payouts that are there. */
  payeesOf(this: void, payouts: readonly string[]): Promise<ReadonlyMap<string, Payee>>;
  /** Which of these marks of entries have details that wait, and name something. */
  marksWaiting(this: void, bankAccount: string, marks: readonly string[]): Promise<ReadonlySet<string>>;
}

export class Chunks {
  #planning: Planning;
  readonly #parts: ChunkParts;
  #lines: BankLine[] = [];
  #weight = 0;
  #position = 0;
  #isBegun: boolean;
  /** Payouts under way of files that lines of this chunk name. They change with its commit. */
  #underWay = new Map<string, Promise<readonly NamedPayout[]>>();
  /** Nothing more of the statement is taken: it was imported before, or ends before the ledger begins. */
  #isKnown = false;

  constructor(planning: Planning, parts: ChunkParts) {
    this.#planning = planning;
    this.#isBegun = planning.plan === null;
    this.#parts = parts;
  }

  /** An entry of a file, as it is meant. */
  async add(entry: EntryItem): Promise<void> {
    this.#position += 1;
    if (!this.#isKnown) await this.addLine(lineOf(entry, this.#position));
  }

  async addLine(named: BankLine): Promise<void> {
    // Until it is begun the plan may change.
    if (this.#isKnown || (this.#isBegun && !this.#isPlanned(named))) return;
    let line = await this.#whole(named);
    if (this.#lines.length > 0 && this.#weight + weightOf(line) > CHUNK_WEIGHT) {
      await this.send({ isLast: false });
      if (this.#isKnown || !this.#isPlanned(named)) return;
      line = await this.#whole(named);
    }
    this.#lines.push(line);
    this.#weight += weightOf(line);
  }

  #isPlanned({ position }: BankLine): boolean {
    const { added, waiting } = this.#planning;
    return added.has(position) || waiting.has(position);
  }

  async #whole(line: BankLine): Promise<BankLine> {
    const { file } = line;
    if (file === null) return line;
    const known = this.#underWay.get(file) ?? this.#parts.underWayOf(file);
    this.#underWay.set(file, known);
    return wholeOf(line, await known);
  }

  /** What of the lines is new, with what only the payees' accounts say: asked once a chunk, since strangers may quote many payouts. */
  async #newLines(): Promise<readonly BankLine[]> {
    const { added, account } = this.#planning;
    const lines = await this.#withDetails(this.#lines.filter(({ position }) => added.has(position)));
    const asked = lines.flatMap(({ payouts }) => payouts.filter(({ payer }) => payer !== undefined));
    if (asked.length === 0) return lines;
    const payees = await this.#parts.payeesOf(asked.map(({ payout }) => payout));
    return lines.map((line) => withPayees(line, account.currency, payees));
  }

  /** A rule never beats a reference: what another message has said already is asked before rules are. */
  async #withDetails(lines: readonly BankLine[]): Promise<readonly BankLine[]> {
    const marks = new Map<BankLine, string>();
    for (const line of lines) {
      const mark = line.direction === 'credit' ? markOf(likenessOf(line)) : null;
      if (mark !== null) marks.set(line, mark);
    }
    if (marks.size === 0) return lines;
    const waiting = await this.#parts.marksWaiting(this.#planning.account.id, [...marks.values()]);
    return lines.map((line) => (waiting.has(marks.get(line) ?? '') ? { ...line, isDetailed: true } : line));
  }

  /** Sends the rest. Answers what a reader of the document should know, in sentences. */
  async end(): Promise<readonly string[]> {
    if (!this.#isKnown) await this.send({ isLast: true });
    return this.#planning.notes;
  }

  /** Sends what was added. `waited`: the row of lines that have waited, and are among these if they are new. */
  async send({ isLast, waited = null }: Partial<Pick<ImportBankEntries, 'waited'>> & { readonly isLast: boolean }) {
    for (;;) {
      const { account, head: statement, document, heldBefore, waiting: wait } = this.#planning;
      const plan = this.#isBegun ? null : this.#planning.plan;
      const lines = await this.#newLines();
      const waiting = this.#lines.filter(({ position }) => wait.has(position));
      const chunk = { document, bankAccount: account.id, statement, plan, heldBefore, lines, waiting, waited, isLast };
      const answer = JSON.parse(await accepted(this.#parts, { type: 'import_bank_entries', ...chunk })) as Answer;
      this.#isKnown = answer.object === 'bank_statement' && answer.status !== 'importing';
      if (answer.object === 'bank_statement') break;
      this.#planning = await this.#planning.again();
    }
    this.#isBegun = true;
    this.#lines = [];
    this.#weight = 0;
    this.#underWay.clear();
  }
}

interface Answer {
  readonly object: 'bank_statement' | 'bank_account';
  readonly status: string;
}
