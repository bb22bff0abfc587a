/**
 * docs/guides/going-live.md and then its reference, requests and commands pasted as they stand there, in order, at a first start: the live key
 * is the one that the page makes. How a block is pasted: `test/support/docs/page.ts`. The commands of the reference: `commands.soak.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksRunBy } from '../support/docs/block-runners.ts';
import { newReader, type Reader } from '../support/docs/page.ts';

type Answer = Readonly<Record<string, unknown>>;

const isTutorial = ({ page }: { readonly page: string }) => page.endsWith('/going-live.md');
const blocks = blocksRunBy('test/long/going-live.test.ts').toSorted(
  (a, b) => Number(isTutorial(b)) - Number(isTutorial(a)),
);

let reader: Reader;
const answers: Answer[] = [];
beforeAll(async () => {
  reader = await newReader();
});
afterAll(() => reader?.end());

describe.skipIf(spawnSync('bash', ['-c', 'command -v curl']).status !== 0)('the guide', () => {
  it('has commands, and a block that makes the live key', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(10);
    expect(blocks[0]?.block.text).toMatch(/^bursar keys create --live/);
  });

  it.each(blocks.map((shown) => [shown.block.text, shown] as const))('%s', async (_, { page, block }) => {
    const pasted = await reader.paste(page, block);
    expect([pasted.status, pasted.said]).toEqual([0, pasted.said]);
    answers.push(...pasted.answers.filter((text) => text.startsWith('{')).map((text) => JSON.parse(text) as Answer));
    expect(await reader.damages()).toEqual([]);
  });

  it('ends where it says it does', async () => {
    const get = async (path: string): Promise<Answer> => {
      const { BURSAR_URL, BURSAR_KEY } = reader.known;
      const reply = await fetch(`${BURSAR_URL}${path}`, { headers: { authorization: `Bearer ${BURSAR_KEY}` } });
      return (await reply.json()) as Answer;
    };
    expect(reader.known['BURSAR_KEY']).toMatch(/^sk_live_/);
    expect(answers.filter(({ object }) => object === 'payout').map(({ status }) => status)).toEqual([
      'pending',
      'paid',
      'pending',
      'failed',
    ]);
    const [first] = answers.filter(({ object }) => object === 'payout');
    expect(await get(`/v1/payouts/${first?.['id'] as string}`)).toMatchObject({
      status: 'returned',
      failure_code: 'account_closed',
    });
    expect(await get(`/v1/payouts/${reader.known['PAYOUT']}`)).toMatchObject({
      status: 'failed',
      failure_code: 'account_frozen',
    });
    expect(await get(`/v1/accounts/${reader.known['ACCOUNT']}`)).toMatchObject({ balance: 1_050_000 });
    expect(await get('/v1/bank_entries?status=unmatched')).toEqual({ data: [] });
    const proofs = ((await get('/v1/bank_statements'))['data'] as readonly Answer[]).map(({ proof }) => proof);
    expect(proofs).toEqual(['failed', 'ok', 'ok', 'ok']);
  });
});
