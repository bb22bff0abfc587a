/**
 * The wire to PostgreSQL is cut some forty times while clients pay, without any help from them. Small:
 * `test/soak/cut-wire.test.ts`.
 */
import { expect, test } from 'vitest';
import { payOverCuts } from '../support/faults/cut-database.ts';

/** Long enough for a batch to be read back once in a while, short enough to cut most of them. */
const SPAN = { least: 2_000, most: 7_000 };

test('every command is answered once it is done, and done once', async () => {
  expect(await payOverCuts({ payments: 700, leastCuts: 15, span: SPAN })).toEqual([]);
});

test('control: where outcomes are not written down, the server itself pays twice', async () => {
  expect((await payOverCuts({ payments: 500, leastCuts: 15, span: SPAN, fault: 'no_records' })).join()).toContain(
    'were acknowledged',
  );
});
