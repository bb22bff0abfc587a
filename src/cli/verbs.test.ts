/** Help of every verb, and of every verb below it: each shows an example of itself. */
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { VERBS } from './verbs.ts';

interface Shown {
  /** `bursar payouts create` */
  readonly line: string;
  readonly help: string;
}

function helpOf(command: Command, above: string): readonly Shown[] {
  const line = `${above} ${command.name()}`;
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return [{ line, help }, ...command.commands.flatMap((each) => helpOf(each, line))];
}

const exampleOf = ({ help }: Shown): string => /Examples?[^\n]*:\n([\s\S]+)$/.exec(help)?.[1] ?? '';

describe.each(Object.entries(VERBS))('%s', (name, { help: about, load }) => {
  it('shows an example of itself and of each verb below it', async () => {
    const shown = helpOf(await load(), 'bursar');
    expect(shown[0]?.line).toBe(`bursar ${name}`);
    expect(about.length).toBeGreaterThan(5);
    const without = shown.filter((each) => !exampleOf(each).includes(each.line)).map(({ line }) => line);
    expect(without).toEqual([]);
  });
});
