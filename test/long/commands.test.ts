/**
 * The commands of the docs that start a PostgreSQL of their own: `bursar dev`, a restore into a folder, and a look into it with psql. And the
 * long rows of commands for keys and banks. All others: `examples/commands.soak.test.ts`. How a block runs: `test/support/docs/commands.ts`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { blocksRunBy } from '../support/docs/block-runners.ts';
import { type Commands, commands, lacksPsql } from '../support/docs/commands.ts';

let scene: Commands;
beforeAll(async () => {
  scene = await commands();
});
afterAll(() => scene?.end());

const shown = blocksRunBy('test/long/commands.test.ts').map(({ page, block: { text } }) => [page, text] as const);

it.each(shown)('%s: %s', async (_, text) => {
  if (text.startsWith('PGPASSWORD') && lacksPsql())
    return console.error('psql was not found, so its block was not run: apt-get install postgresql-client');
  const { status, said } = await (text.startsWith('PGPASSWORD') ? scene.beside(text) : scene.run(text));
  expect([status, said]).toEqual([0, said]);
  expect(await scene.damages()).toEqual([]);
});

it.skipIf(lacksPsql())('control: psql with a wrong password is refused', async () => {
  const refused = await scene.beside('PGPASSWORD=wrong psql -h "$PWD/data/postgres" -U bursar bursar');
  expect(refused).toMatchObject({ status: 2 });
});
