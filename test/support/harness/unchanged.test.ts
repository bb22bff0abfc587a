/** Controls: work that changes something is noticed, whatever others write; others' writes alone are not taken for the work's. */
import { expect, it } from 'vitest';
import { unchangedBy } from './unchanged.ts';

it('takes a write of others for theirs', async () => {
  let [rows, writes] = [0, 3];
  const contents = async () => ({ rows });
  const beside = async () => void (writes-- > 0 && (rows += 1));
  expect(await unchangedBy(contents, beside)).toEqual({ rows: 3 });
});

it('notices work that changes something, and names it', async () => {
  const tables: Record<string, number> = { accounts: 1, payouts: 1 };
  const contents = async () => ({ ...tables });
  const changing = unchangedBy(contents, async () => void (tables['payouts'] = (tables['payouts'] as number) + 1));
  await expect(changing).rejects.toThrow('Changed in each of 10 rounds, now: payouts.');
  const adding = unchangedBy(contents, async () => void (tables[`new ${Object.keys(tables).length}`] = 1));
  await expect(adding).rejects.toThrow('now: new');
});
