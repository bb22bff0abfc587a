/**
 * All that commands print. What comes from outside (a server, a bank, a file, a database) must never steer the terminal or turn its
 * reading round: a control character is shown as `\u001b`, which in JSON is the same content. What commands ask and how they look:
 * `output.ts`.
 */
import { createInterface } from 'node:readline/promises';

// C0, DEL and C1; marks of direction; separators of lines and paragraphs.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from outside, in one line. */
export const visible = (text: string): string =>
  text.replaceAll(CONTROLS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);

const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');

/** One line. */
export const print = (line: string): void => void process.stdout.write(`${visible(line)}\n`);
/** One line for people, beside what programs read. */
export const say = (line: string): void => void process.stderr.write(`${visible(line)}\n`);

/** Text whose line breaks are our own, also the last one. */
export const printText = (text: string): void => void process.stdout.write(visibleLines(text));
export const sayText = (text: string): void => void process.stderr.write(visibleLines(text));

export const printJson = (value: unknown): void => printText(`${JSON.stringify(value, null, 2)}\n`);

const BREAKS = /[\t\n\r]/g;

/** JSON as the server wrote it, in one line. */
export const printJsonText = (json: string): void => print(json.replaceAll(BREAKS, ' ')); // between its tokens

/** A file: as it is into a pipe, and readable on a terminal. */
export const printFile = (bytes: Buffer): void =>
  process.stdout.isTTY ? printText(`${bytes.toString()}\n`) : void process.stdout.write(bytes);

/** Tab separated: a cell never breaks a line or a column. */
export const printCells = (cells: readonly string[]): void =>
  void process.stdout.write(`${cells.map((each) => visible(each.replaceAll(BREAKS, ' '))).join('\t')}\n`);

/** On a terminal with a bold head; without colours elsewhere. */
export async function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  colAligns: ('left' | 'right')[] = [],
): Promise<void> {
  const { default: Table } = await import('cli-table3');
  const style = process.stdout.isTTY ? { head: ['bold'] } : { head: [], border: [] };
  const table = new Table({ head: head.map(visible), colAligns, style });
  table.push(...rows.map((row) => row.map((each) => visible(String(each)))));
  process.stdout.write(`${table.toString()}\n`);
}

/** What a person types behind this question, in one line. */
export async function answerTo(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question(visible(question))).trim();
  } finally {
    terminal.close();
  }
}

/** Who reads the output may leave before its end (`| head`): then nothing is left to say, and nothing is wrong. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit();
    });
  }
}

/** Replaces the line of progress on a terminal. '' takes it away. */
export function showProgress(line: string): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\u001b[K${visible(line).slice(0, (process.stderr.columns || 80) - 1)}`);
}

/** With one decimal. `startedMs` is of `performance.now()`. */
export const secondsSince = (startedMs: number): number => Number(((performance.now() - startedMs) / 1000).toFixed(1));
