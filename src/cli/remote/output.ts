/** What commands say and ask: their help, and for remote commands tables on a terminal, tab separated lines in pipes, or JSON. */
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../operator/exit.ts';

export type Json = Readonly<Record<string, unknown>>;

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** For people, beside what programs read. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** In a pipe a cell never breaks a line or a column. */
export async function printRows(head: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void> {
  const cells = rows.map((row) => row.map(cell));
  if (!process.stdout.isTTY) {
    for (const row of cells) print(row.map((each) => each.replaceAll(/[\t\n\r]/g, ' ')).join('\t'));
    return;
  }
  if (rows.length === 0) return say('Nothing.');
  const { default: Table } = await import('cli-table3');
  const table = new Table({ head: [...head], style: { head: ['bold'] } });
  table.push(...cells);
  print(table.toString());
}

/** One object: readable on a terminal, a line elsewhere. `text` is JSON as the server wrote it. */
export function printObject(text: string, json = false): void {
  const isPretty = process.stdout.isTTY && !json;
  print(isPretty ? JSON.stringify(JSON.parse(text), null, 2) : text);
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
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return wanted.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}

/** Ctrl-C and SIGTERM abort it, so that a command ends after what is under way. */
export function endSignal(): AbortSignal {
  const ended = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort());
  return ended.signal;
}
