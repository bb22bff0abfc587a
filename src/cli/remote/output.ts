/** How commands look and what they ask: their help, tables on a terminal and tab separated lines elsewhere, questions. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../operator/exit.ts';
import { answerTo, printCells, printJson, printJsonText, printTable, say, sayText } from './terminal.ts';

export type Json = Readonly<Record<string, unknown>>;

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A table on a terminal, tab separated lines elsewhere. */
export async function printRows(head: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void> {
  const cells = rows.map((row) => row.map(cell));
  if (!process.stdout.isTTY) cells.forEach(printCells);
  else if (rows.length === 0) say('Nothing.');
  else await printTable(head, cells);
}

/** One object: readable on a terminal, a line elsewhere. `text` is JSON as the server wrote it. */
export function printObject(text: string, json = false): void {
  if (process.stdout.isTTY && !json) printJson(JSON.parse(text));
  else printJsonText(text);
}

/** Gives a command its help. `example` begins with the verb; `before` stands between the options and the example. */
export const described = (command: Command, description: string, example: string, before = ''): Command =>
  command.description(description).addHelpText('after', `${before && `\n${before}\n`}\nExample:\n  bursar ${example}`);

export const withJson = (command: Command): Command => command.option('--json', 'as JSON, for programs');

/** Parses an option that is a number: `A whole number of days, 1 to 7.` */
export const wholeNumber =
  (least: number, most: number, unit = '') =>
  (value: string) => {
    const number = /^\d+$/.test(value) && value.length <= `${most}`.length ? Number(value) : -1;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`A whole number${unit}, ${least} to ${most}.`);
  };

/** Collects options that are `name=value`. */
export function pairs(value: string, before: readonly Pair[]): readonly Pair[] {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Say name=value.');
  return [...before, [value.slice(0, at), value.slice(at + 1)]];
}
export type Pair = readonly [name: string, value: string];

/** Whether the answer typed at the terminal fits. Throws `UsageError` where nobody can be asked. */
export async function isConfirmed(question: string, wanted: RegExp): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('Say --yes where nobody can be asked.');
  return wanted.test(await answerTo(question));
}

/** A secret: typed at a terminal without being shown, else the first line that is piped in. Throws `UsageError` without one. */
export async function secretAnswer(question: string): Promise<string> {
  const { stdin } = process;
  const output = new Writable({ write: (_chunk, _encoding, done) => done() }); // where it would be shown
  const terminal = createInterface({ input: stdin, output, terminal: stdin.isTTY });
  if (stdin.isTTY) sayText(question);
  const answer = await new Promise<string>((resolve) => {
    terminal.once('line', resolve);
    terminal.once('close', () => resolve('')); // Ctrl-C, or nothing is piped in
  });
  terminal.close();
  if (stdin.isTTY) say('');
  else stdin.destroy(); // who writes into the pipe may hold it open
  if (answer.trim() === '') throw new UsageError('Nothing came from standard input.');
  return answer.trim();
}

/** Ctrl-C and SIGTERM abort it, so that a command ends after what is under way. */
export function endSignal(): AbortSignal {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
  return ended.signal;
}
