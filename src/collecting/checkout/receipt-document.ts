/** A receipt on one sheet of paper: who was paid, the amount, and the facts. Runs in the thread of `receipt-worker.ts`. */
import { logoBytes } from '../../platform/paper/logo.ts';
import { GREY, INK, PAGE, Paper, RULE, WARNING } from '../../platform/paper/paper.ts';
import type { Receipt } from './receipt.ts';

const WIDTH = PAGE.right - PAGE.left;
const LABEL_WIDTH = 150;
const LOGO: readonly [number, number] = [150, 44];
const SMALL = { size: 9, colour: GREY } as const;

/** The bytes of the document. */
export async function layOut(receipt: Receipt): Promise<Uint8Array> {
  const { language, title, company, logo, atMs } = receipt;
  const paper = new Paper({ title, author: company.name, atMs, language });
  paper.newPage();
  let y = letterhead(paper, receipt, logoBytes(logo));
  y = paper.text(paper.shown(receipt.headline), PAGE.left, y, { size: 11, colour: GREY }) + 2;
  y = paper.text(paper.shown(receipt.amount, true), PAGE.left, y, { size: 26, isBold: true }) + 10;
  if (receipt.description !== null)
    y = paper.text(paper.shown(receipt.description), PAGE.left, y, { size: 11, width: WIDTH }) + 8;
  for (const [label, value] of receipt.rows) {
    paper.rule(y, RULE, 0.4);
    const low = paper.text(paper.shown(label), PAGE.left, y + 7, { ...SMALL, width: LABEL_WIDTH - 10 });
    const text = { size: 10, width: WIDTH - LABEL_WIDTH };
    y = Math.max(low, paper.text(paper.shown(value), PAGE.left + LABEL_WIDTH, y + 6, text)) + 7;
  }
  paper.rule(y, RULE, 0.4);
  await paper.end();
  return Buffer.concat(paper.take());
}

/** Logo, name and address of the company, and what the sheet is. Returns the `y` below. */
function letterhead(paper: Paper, { title, company, testMode }: Receipt, logo: Buffer | null): number {
  const top = PAGE.top + 4;
  if (testMode !== null)
    paper.text(paper.shown(testMode), PAGE.right, 26, { size: 8, isBold: true, colour: WARNING, isRight: true });
  paper.text(paper.shown(title), PAGE.right, top - 2, { size: 19, isRight: true });
  const size = logo && paper.picture(logo, PAGE.left, top, LOGO);
  let y = size === null ? top : top + size[1] + 10;
  y = paper.text(paper.shown(company.name, true), PAGE.left, y, { size: 12, isBold: true, width: 300 }) + 2;
  for (const line of company.lines) y = paper.text(paper.shown(line), PAGE.left, y, { ...SMALL, width: 300 });
  paper.rule(y + 14, company.accent ?? INK, 1.6);
  return y + 30;
}
