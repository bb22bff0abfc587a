/** What remote commands print: tables on a terminal, tab separated lines in pipes, JSON where it is asked for. */
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
