/** Hundreds of broken files of banks: each is read or refused, in the process and in a thread. Thousands: `test/long/bank-files.test.ts`. */
import { describe, expect, it } from 'vitest';
import { readInWorker } from '../../src/iso20022/read/in-worker.ts';
import { readStatementFile } from '../../src/iso20022/read/read.ts';
import { fuzz } from '../support/bank/fuzz.ts';
import { brokenMessages } from '../support/bank/messages.ts';
import { newSeed } from '../support/generators/seeded.ts';

describe('broken files', () => {
  it('200 are read or refused', async () => {
    const seed = newSeed();
    const { read, refused, complaints } = await fuzz(readStatementFile, 200, seed);
    process.stderr.write(`200 broken files (seed ${seed}): ${read} read, ${refused} refused\n`);
    expect(complaints).toEqual([]);
  });

  it('1,000 messages of SWIFT are read or refused', async () => {
    const seed = newSeed();
    const messages = brokenMessages(1_000, seed);
    const { read, refused, complaints } = await fuzz(readStatementFile, 1_000, seed, undefined, messages);
    process.stderr.write(`1,000 broken messages (seed ${seed}): ${read} read, ${refused} refused\n`);
    expect(complaints).toEqual([]);
  });

  it('5 in a thread', async () => {
    const { complaints } = await fuzz(readInWorker, 5, newSeed());
    expect(complaints).toEqual([]);
  });
});
