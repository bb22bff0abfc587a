/**
 * The commands of the docs against a server, a few blocks at a time, and `bursar verify` behind each. What starts a PostgreSQL of its own, and what `test/soak/bank-cli.test.ts`
 * and the tests of keys run too: `test/long/commands.test.ts`. How a block runs: `test/support/docs/commands.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksRunBy } from '../test/support/docs/block-runners.ts';
import { type Commands, commands } from '../test/support/docs/commands.ts';

let scene: Commands;
beforeAll(async () => {
  scene = await commands();
});
afterAll(() => scene?.end());

const blocks = blocksRunBy('examples/commands.soak.test.ts');
const isLast = (text: string) => text.startsWith('for ') || text === 'bursar restored';
const shown = blocks.map(({ page, block: { text } }) => [page, text] as const);

async function expectRuns(text: string): Promise<void> {
  if (text.startsWith('for ')) scene.fillOut();
  const { status, said } = await scene.run(text);
  expect([status, said]).toEqual([0, said]);
  expect(await scene.damages()).toEqual([]);
}

describe.concurrent('side by side', () => {
  it.each(shown.filter(([, text]) => !isLast(text)))('%s: %s', (_, text) => expectRuns(text));

  it('control: a command that is refused is seen, in the middle of a block too', async () => {
    expect(await scene.run('bursar payouts lst\nbursar accounts list')).toMatchObject({ status: 2 });
    expect(await scene.run('bursar accounts list')).toMatchObject({ status: 0 });
  });
});

describe('alone, since they empty folders and mark the database', () => {
  it.each(shown.filter(([, text]) => isLast(text)))('%s: %s', (_, text) => expectRuns(text));
});
