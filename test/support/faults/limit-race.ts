/**
 * Payouts that race against a limit, from two servers at once: exactly as many are made as it has room for, and without it all are. 200:
 * `src/paying/payouts/rules.long.test.ts`; 1,000: `test/long/limit-race.test.ts`.
 */
import { expect } from 'vitest';
import { uuidOf } from '../../../src/core/values/ids.ts';
import type { Application } from '../harness/application.ts';
import { outcome } from '../harness/probe-client.ts';
import type { SecondServer } from '../harness/second-server.ts';
import { idIn, must } from '../harness/tenant-fixture.ts';

export interface RaceStage {
  readonly application: Application;
  readonly second: SecondServer;
  /** In the sandbox of the application, with the money of all payouts. */
  readonly account: string;
  readonly recipient: string;
}

export interface RaceSize {
  /** Of one euro each; the limit has room for half. */
  readonly payouts: number;
  /** In the control, once the limit is gone. */
  readonly without: number;
}

/** Leaves no limit behind. */
export async function raceAgainstLimit(
  { application, second, account, recipient }: RaceStage,
  size: RaceSize,
): Promise<void> {
  const { client } = application.sandbox;
  const balance = async () => must(await client.get(`/v1/accounts/${account}`)).json['balance'] as number;
  const race = async (count: number) => {
    const before = await balance();
    const order = { amount: 1, currency: 'EUR', recipient, account };
    const at = (i: number) => (i % 2 === 0 ? application.address : second.address);
    const replies = await Promise.all(
      Array.from({ length: count }, (_, i) => client.post('/v1/payouts', order, { at: at(i) })),
    );
    const paid = replies.filter(({ status }) => status === 200).length;
    expect(before - (await balance())).toBe(paid * 100);
    return { paid, codes: new Set(replies.filter(({ status }) => status !== 200).map(outcome)) };
  };
  const room = size.payouts / 2;
  const id = idIn(await client.post('/v1/limits', { currency: 'EUR', amount: room }));
  expect(await race(size.payouts)).toEqual({ paid: room, codes: new Set(['400 limit_exceeded']) });
  const [usage] = await application.sql('SELECT used_amount, used_count FROM limit_usages WHERE limit_id = $1', [
    uuidOf(id),
  ]);
  expect(usage).toEqual({ used_amount: BigInt(room) * 100n, used_count: room });
  await client.send('DELETE', `/v1/limits/${id}`, '', {});
  expect((await race(size.without)).paid).toBe(size.without);
}
