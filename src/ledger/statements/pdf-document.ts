/**
 * A statement on paper: for each account a heading with its balances, the lines with the balance after each, and what they come to. Every page
 * says whose it is and which of how many. Runs in the thread of `pdf-worker.ts`; where texts are put: `platform/paper/paper.ts`; words: `pdf-words.ts`.
 */
import type { Cover, Line, StatementHead } from './lines.ts';
import { logoBytes } from '../../platform/paper/logo.ts';
import { BAND, GREY, INK, PAGE, Paper, RULE, type TextStyle, WARNING } from '../../platform/paper/paper.ts';
import { dayText, instantText, moneyText, shortDayText, UNSHOWN } from '../../platform/paper/text.ts';
import { wordsOf } from './pdf-words.ts';

/** Where the columns of amounts end, and where texts begin. */
const COLUMNS = { date: PAGE.left + 6, text: PAGE.left + 66, out: 375, into: 458, balance: PAGE.right - 6 } as const;
/** Room between columns of amounts: longer ones are set smaller. */
const AMOUNT_WIDTH = 78;
const TEXT_WIDTH = COLUMNS.out - AMOUNT_WIDTH - COLUMNS.text - 8;
const SMALL: TextStyle = { size: 7, colour: GREY };
const LEGIBLE_SIZE = 8.5;
const LOGO: readonly [number, number] = [150, 44];

interface Open {
  readonly head: StatementHead;
  balance: bigint;
  out: bigint;
  into: bigint;
  lines: number;
}

export class PdfStatement {
  readonly #paper: Paper;
  readonly #cover: Cover;
  readonly #logo: Buffer | null;
  #open: Open | null = null;
  /** Where the next thing on the page goes. */
  #y = 0;

  constructor(cover: Cover) {
    this.#cover = cover;
    this.#logo = logoBytes(cover.issuer.logo);
    const title = `Account statement, ${dayText(cover.fromMs)} to ${dayText(this.#lastMs)}`;
    this.#paper = new Paper({ title, author: cover.issuer.name, atMs: cover.atMs, language: 'en' });
  }

  /** Bytes since the last call. */
  take(): Uint8Array[] {
    return this.#paper.take();
  }

  /** The period that is shown: one that has not ended is known until now. */
  get #lastMs(): number {
    const { fromMs, untilMs, atMs } = this.#cover;
    return Math.max(fromMs, Math.min(untilMs - 1, atMs));
  }

  begin(head: StatementHead): void {
    this.#open = { head, balance: head.opening, out: 0n, into: 0n, lines: 0 };
    this.#paper.hasUnshown = false;
    this.#page();
    this.#letterhead();
    this.#facts(head);
    this.#tableHead();
  }

  add(line: Line): void {
    const open = this.#open as Open;
    const paper = this.#paper;
    const { currency } = open.head;
    const { title, details } = wordsOf(line, (name) => paper.isShowable(name, true));
    const bold = paper.shown(title, true);
    const texts = details.map((each) => paper.shown(each));
    const styles = { size: LEGIBLE_SIZE, isBold: true };
    const height =
      paper.heightOf(bold, TEXT_WIDTH, styles) +
      texts.reduce((sum, text) => sum + paper.heightOf(text, TEXT_WIDTH, SMALL), 0);
    if (this.#y + height + 10 > PAGE.bottom) this.#continue();
    const top = this.#y + 5;
    paper.text(shortDayText(line.transfer.createdAt), COLUMNS.date, top);
    this.#amount(moneyText(line.signed, currency), line.signed < 0n ? COLUMNS.out : COLUMNS.into, top);
    this.#amount(moneyText(line.balanceAfter, currency), COLUMNS.balance, top);
    let y = paper.text(bold, COLUMNS.text, top, { ...styles, width: TEXT_WIDTH });
    for (const text of texts) y = paper.text(text, COLUMNS.text, y, { ...SMALL, width: TEXT_WIDTH });
    this.#y = y + 5;
    paper.rule(this.#y, RULE, 0.4);
    open.balance = line.balanceAfter;
    open.lines += 1;
    if (line.signed < 0n) open.out -= line.signed;
    else open.into += line.signed;
  }

  finish(): void {
    const { head, out, into, lines } = this.#open as Open;
    const paper = this.#paper;
    if (this.#y + 90 > PAGE.bottom) this.#continue();
    const top = this.#y + 6;
    const moved = lines === 0 ? 'No movements in this period' : `${lines} ${lines === 1 ? 'movement' : 'movements'}`;
    paper.text(moved, COLUMNS.text, top, { colour: GREY });
    if (lines > 0) {
      this.#amount(moneyText(out, head.currency), COLUMNS.out, top);
      this.#amount(moneyText(into, head.currency), COLUMNS.into, top);
    }
    this.#y = top + 18;
    paper.box(PAGE.left, this.#y, PAGE.right - PAGE.left, 24, BAND);
    paper.text(`Closing balance on ${dayText(this.#lastMs)}`, COLUMNS.date, this.#y + 6, { isBold: true, size: 9 });
    this.#amount(`${head.currency} ${moneyText(head.closing, head.currency)}`, COLUMNS.balance, this.#y + 6, true, 190);
    this.#y += 32;
    if (paper.hasUnshown) {
      const note = `${UNSHOWN} stands for a character that this document has no letter for. The same statement as JSON, CSV or camt.053 has the text as it is.`;
      this.#y = paper.text(note, PAGE.left + 6, this.#y, { ...SMALL, width: PAGE.right - PAGE.left - 12 });
    }
    this.#open = null;
  }

  async end(): Promise<void> {
    if (this.#paper.pages === 0) {
      this.#page();
      this.#letterhead();
      this.#paper.text('There was no account in this period.', PAGE.left + 6, this.#y + 12, { colour: GREY });
    }
    await this.#paper.end();
  }

  /** An amount that ends at `x`, smaller where it is long. */
  #amount(text: string, x: number, y: number, isBold = false, most = AMOUNT_WIDTH): void {
    const full = isBold ? 9 : LEGIBLE_SIZE;
    const width = this.#paper.widthOf(text, { size: full, isBold });
    const size = width > most ? (full * most) / width : full;
    this.#paper.text(text, x, y + (full - size), { size, isBold, isRight: true });
  }

  /** A new page with its foot, empty above. */
  #page(): void {
    const paper = this.#paper;
    const { issuer, livemode } = this.#cover;
    paper.newPage();
    const y = PAGE.height - 44;
    paper.rule(y - 6);
    const head = this.#open?.head;
    const name = fitted(paper, paper.shown(issuer.name), 190);
    const of = head === undefined ? name : `${name}  ·  ${head.account}  ·  ${head.currency}`;
    paper.text(of, PAGE.left, y, { size: 7.5, colour: GREY });
    paper.pageNumber(y);
    if (!livemode) {
      const sandbox = 'Sandbox: no real money';
      paper.text(sandbox, PAGE.right, 26, { size: 7.5, isBold: true, colour: WARNING, isRight: true });
    }
    this.#y = PAGE.top;
  }

  #continue(): void {
    const { balance, head } = this.#open as Open;
    this.#page();
    this.#tableHead();
    const top = this.#y + 5;
    this.#paper.text('Balance brought forward', COLUMNS.text, top, { colour: GREY });
    this.#amount(moneyText(balance, head.currency), COLUMNS.balance, top);
    this.#y = top + 17;
    this.#paper.rule(this.#y, RULE, 0.4);
  }

  #letterhead(): void {
    const paper = this.#paper;
    const { issuer } = this.#cover;
    const top = PAGE.top + 4;
    const size = this.#logo && paper.picture(this.#logo, PAGE.left, top, LOGO);
    const x = size === null ? PAGE.left : PAGE.left + size[0] + 12;
    const height = size?.[1] ?? 0;
    const name = paper.shown(issuer.name, true);
    const width = 330 - x;
    const style = { size: 13, isBold: true };
    const nameHeight = paper.heightOf(name, width, style);
    paper.text(name, x, top + Math.max(0, (height - nameHeight) / 2), { ...style, width });
    paper.text('Account statement', PAGE.right, top - 2, { size: 19, isRight: true });
    paper.text(`${dayText(this.#cover.fromMs)} – ${dayText(this.#lastMs)}`, PAGE.right, top + 24, {
      size: 9,
      colour: GREY,
      isRight: true,
    });
    this.#y = top + Math.max(height, nameHeight, 40) + 14;
    paper.rule(this.#y, issuer.accent ?? INK, 1.6);
    this.#y += 14;
  }

  #facts(head: StatementHead): void {
    const paper = this.#paper;
    const { fromMs, untilMs, atMs } = this.#cover;
    const facts: (readonly [string, string])[] = [
      ['Account', head.name === null ? `${head.currency} account` : paper.shown(head.name)],
      ['Account number', head.account],
      ['Currency', head.currency],
      ['Made on', instantText(atMs)],
    ];
    if (untilMs > atMs) facts.push(['Period', 'It has not ended: movements may follow.']);
    let y = this.#y;
    for (const [label, value] of facts) {
      paper.text(label, PAGE.left + 6, y, { size: 8, colour: GREY });
      y = paper.text(value, PAGE.left + 90, y, { size: 8, width: PAGE.right - PAGE.left - 96 }) + 2;
    }
    y += 8;
    const half = (PAGE.right - PAGE.left - 10) / 2;
    const balances = [
      ['Opening balance', fromMs, head.opening],
      ['Closing balance', this.#lastMs, head.closing],
    ] as const;
    balances.forEach(([label, dayMs, minor], index) => {
      const x = PAGE.left + index * (half + 10);
      paper.box(x, y, half, 44, BAND);
      paper.text(`${label} on ${dayText(dayMs)}`, x + 10, y + 7, { size: 7.5, colour: GREY });
      paper.text(`${head.currency} ${moneyText(minor, head.currency)}`, x + 10, y + 20, { size: 13, isBold: true });
    });
    this.#y = y + 58;
  }

  #tableHead(): void {
    const paper = this.#paper;
    const style: TextStyle = { size: 7.5, isBold: true, colour: GREY };
    const y = this.#y;
    paper.text('Date', COLUMNS.date, y, style);
    paper.text('Description', COLUMNS.text, y, style);
    paper.text('Out', COLUMNS.out, y, { ...style, isRight: true });
    paper.text('In', COLUMNS.into, y, { ...style, isRight: true });
    paper.text('Balance', COLUMNS.balance, y, { ...style, isRight: true });
    this.#y = y + 14;
    paper.rule(this.#y, INK, 0.8);
  }
}

/** Cut where it is too long for a line, which shows: for what stands in full elsewhere. */
function fitted(paper: Paper, text: string, most: number): string {
  const style = { size: 7.5 };
  if (paper.widthOf(text, style) <= most) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && paper.widthOf(`${characters.join('')}…`, style) > most) characters.pop();
  return `${characters.join('')}…`;
}
