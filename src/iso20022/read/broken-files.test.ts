import { describe, expect, it } from 'vitest';
import { fuzz } from '../../../test/support/bank/fuzz.ts';
import { readStatementFile } from './read.ts';

describe('300 broken files', () => {
  it('are read or refused', async () => {
    const { complaints, read, refused, codes } = await fuzz(readStatementFile, 300, 1);
    expect(complaints).toEqual([]);
    // Control: they were broken in many ways, and not so that nothing could be read.
    expect([read > 30, refused > 100]).toEqual([true, true]);
    expect([...codes].sort()).toEqual(expect.arrayContaining(['encoding', 'format', 'limit', 'value', 'xml', 'zip']));
  });

  it('control: a reader that throws something else, or an entry that books nothing, is noticed', async () => {
    const thrown = await fuzz(
      // It stands for a reader that throws before its first entry, so there is nothing to yield.
      // oxlint-disable-next-line require-yield
      async function* () {
        throw new TypeError('undefined is not a function');
      },
      3,
      1,
    );
    expect(thrown.complaints).toHaveLength(3);
    const wrong = await fuzz(
      async function* (source) {
        for await (const item of readStatementFile(source)) {
          yield item.type === 'entry' ? { ...item, amount: 0n } : item;
        }
      },
      30,
      1,
    );
    expect(wrong.complaints).not.toEqual([]);
  });
});
