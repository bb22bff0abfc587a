/**
 * Paper: an A4 document with our fonts, on which texts are put at a place, and the number of all pages, which is known at the
 * end, on each of them. Pages leave as soon as they are full. What stands on them: `ledger/statements/pdf-document.ts`,
 * `collecting/checkout/receipt-document.ts`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Pdf from 'pdfkit';
import { type Glyphs, showable, UNSHOWN } from './text.ts';

/** Points, 72 an inch. */
export const PAGE = { width: 595.28, height: 841.89, left: 48, right: 547.28, top: 44, bottom: 778 } as const;

export const INK = '#1b1f24';
export const GREY = '#5b6470';
export const RULE = '#d5dae0';
export const BAND = '#f3f5f7';
export const WARNING = '#b3261e';

/** What of a document of pdfkit its types leave out. */
interface Inside {
  ref(data: object): Reference;
  addContent(code: string): void;
  openImage(bytes: Buffer): { readonly width: number; readonly height: number };
  readonly page: { readonly xobjects: Record<string, Reference>; readonly fonts: Record<string, Reference> };
}
interface Font {
  readonly font: Glyphs;
  /** Every word that was laid out, for ever unless it is emptied. */
  layoutCache: Record<string, unknown>;
  ref(): Reference;
  encode(text: string): readonly [glyphs: readonly string[], positions: unknown];
}
interface Reference {
  end(code: string): void;
}

export interface TextStyle {
  readonly size?: number;
  readonly isBold?: boolean;
  readonly colour?: string;
  /** Where the text may be broken into lines; without it, it is one line. */
  readonly width?: number;
  /** It ends at `x` instead of beginning there. */
  readonly isRight?: boolean;
}

const FOOT_SIZE = 7.5;
/** Words that were laid out are kept for so many pages: most come again (4 times as fast as without). */
const PAGES_OF_WORDS = 50;

export class Paper {
  hasUnshown = false;
  pages = 0;
  readonly #document: PDFKit.PDFDocument;
  readonly #inside: Inside;
  readonly #total: Reference;
  readonly #fonts: Font[] = [];
  #chunks: Uint8Array[] = [];

  constructor(info: {
    readonly title: string;
    readonly author: string;
    readonly atMs: number;
    readonly language: string;
  }) {
    const at = new Date(info.atMs);
    this.#document = new Pdf({
      autoFirstPage: false,
      margin: 0,
      size: 'A4',
      lang: info.language,
      displayTitle: true,
      info: {
        Title: info.title,
        Author: info.author,
        Producer: 'Bursar',
        Creator: 'Bursar',
        CreationDate: at,
        ModDate: at,
      },
    });
    this.#document.on('data', (chunk: Uint8Array) => this.#chunks.push(chunk));
    this.#inside = this.#document as unknown as Inside;
    for (const weight of ['SemiBold', 'Regular']) {
      this.#document.registerFont(weight, readFileSync(join(fontsFolder(), `NotoSans-${weight}.ttf`))).font(weight);
      this.#fonts.push(this.#font);
    }
    this.#total = this.#inside.ref({
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, -4, 60, 12],
      Resources: { Font: { F: this.#font.ref() } },
    });
  }

  /** The font that was chosen last, as pdfkit keeps it. */
  get #font(): Font {
    return Reflect.get(this.#document, '_font') as Font;
  }

  /** What was laid out since it was last asked for. */
  take(): Uint8Array[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  newPage(): void {
    this.#document.addPage();
    this.pages += 1;
    if (this.pages % PAGES_OF_WORDS === 0) for (const font of this.#fonts) font.layoutCache = {};
  }

  shown(text: string, isBold = false): string {
    const shown = this.#showable(text, isBold);
    if (shown.includes(UNSHOWN)) this.hasUnshown = true;
    return shown;
  }

  isShowable(text: string, isBold: boolean): boolean {
    return !this.#showable(text, isBold).includes(UNSHOWN);
  }

  #showable(text: string, isBold: boolean): string {
    this.#document.font(isBold ? 'SemiBold' : 'Regular');
    return showable(text, this.#font.font);
  }

  /** Puts a text that {@link shown} gave at a place; returns the `y` below it. */
  text(text: string, x: number, y: number, style: TextStyle = {}): number {
    const { size = 8.5, isBold = false, colour = INK, width, isRight = false } = style;
    const document = this.#document;
    document.font(isBold ? 'SemiBold' : 'Regular', size).fillColor(colour);
    if (width !== undefined) {
      document.text(text, x, y, { width });
      return document.y;
    }
    const from = isRight ? x - document.widthOfString(text) : x;
    document.text(text, from, y, { lineBreak: false });
    return y + document.currentLineHeight();
  }

  /** Points. */
  heightOf(text: string, width: number, { size = 8.5, isBold = false }: TextStyle = {}): number {
    return this.#document.font(isBold ? 'SemiBold' : 'Regular', size).heightOfString(text, { width });
  }

  widthOf(text: string, { size = 8.5, isBold = false }: TextStyle = {}): number {
    return this.#document.font(isBold ? 'SemiBold' : 'Regular', size).widthOfString(text);
  }

  rule(y: number, colour: string = RULE, thickness = 0.6): void {
    this.#document.moveTo(PAGE.left, y).lineTo(PAGE.right, y).lineWidth(thickness).strokeColor(colour).stroke();
  }

  box(x: number, y: number, width: number, height: number, colour: string): void {
    this.#document.rect(x, y, width, height).fillColor(colour).fill();
  }

  /** The picture within that size. Returns its width and height; `null`: it is broken, and nothing was put. */
  picture(bytes: Buffer, x: number, y: number, fit: readonly [number, number]): readonly [number, number] | null {
    try {
      const image = this.#inside.openImage(bytes);
      const scale = Math.min(fit[0] / image.width, fit[1] / image.height, 1);
      const size = [image.width * scale, image.height * scale] as const;
      this.#document.image(image as unknown as string, x, y, { width: size[0], height: size[1] });
      return size;
    } catch {
      return null;
    }
  }

  /** `Page 3 of 7`, at the right. The last number is put there at the end, by {@link end}. */
  pageNumber(y: number): void {
    const { right } = PAGE;
    const room = 15;
    this.text(`Page ${this.pages} of`, right - room, y, { size: FOOT_SIZE, colour: GREY, isRight: true });
    const baseline = y + FOOT_SIZE * 1.069;
    this.#inside.page.xobjects['Total'] = this.#total;
    // Paper has its origin above and the object its own below.
    this.#inside.addContent(`q 1 0 0 -1 ${(right - room + 2).toFixed(2)} ${baseline.toFixed(2)} cm /Total Do Q`);
  }

  async end(): Promise<void> {
    this.#document.font('Regular');
    const [glyphs] = this.#font.encode(String(this.pages));
    const [red, green, blue] = [1, 3, 5].map((at) => (Number.parseInt(GREY.slice(at, at + 2), 16) / 255).toFixed(3));
    this.#total.end(`${red} ${green} ${blue} rg BT /F ${FOOT_SIZE} Tf <${glyphs.join('')}> Tj ET`);
    const ended = new Promise((resolve) => this.#document.once('end', resolve));
    this.#document.end();
    await ended;
  }
}

/** `assets/fonts/` of the package, from the sources and from dist/ alike. */
function fontsFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'assets/fonts');
    if (folder === dirname(folder)) throw new Error('The folder assets/ is missing from this installation.');
  }
}
