/**
 * Approvals of many payouts that race each other, from two servers: each request names two payouts that others name as well, and goes through whole or
 * not at all. Forty: `src/paying/payouts/approve-many.test.ts`; 1,000: `test/long/approval-race.test.ts`.
 */
import { expect } from 'vitest';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { codeOf } from '../generators/contract.ts';
import type { Json } from '../harness/http.ts';
import { idIn, must } from '../harness/tenant-fixture.ts';
import type { RaceStage } from './limit-race.ts';

/** Minor units. */
const EACH = 100n;

/** Leaves a limit behind that holds everything. */
export async function raceOfApprovals(
  { application, second, account, recipient }: RaceStage,
  size: { readonly payouts: number; readonly requests: number },
): Promise<void> {
  const { client } = application.sandbox;
  must(await client.post('/v1/limits', { count: 0, action: 'hold' }));
  const limit = idIn(await client.post('/v1/limits', { currency: 'EUR', amount: 1_000_000 }));
  const item = { amount: 1, currency: 'EUR', recipient, account };
  const batch = { payouts: Array.from({ length: size.payouts }, () => item), allow_repeated: true };
  const made = must(await client.post('/v1/payouts/batch', batch)).json['results'] as unknown as { payout: Json }[];
  const seen = made.map(({ payout }) => ({
    id: payout['id'] as string,
    fingerprint: (payout['release'] as Json)['fingerprint'] as string,
  }));
  const approvers = await Promise.all([0, 1, 2].map(() => application.key({ scopes: ['payout_approvals:write'] })));
  const pair = (n: number) => [seen[n % seen.length], seen[(n + 1) % seen.length]] as typeof seen;
  const replies = await Promise.all(
    Array.from({ length: size.requests }, async (_, n) => {
      const at = n % 2 === 0 ? application.address : second.address;
      const approver = approvers[n % approvers.length] as (typeof approvers)[number];
      const reply = await approver.client.post('/v1/payouts/approve', { payouts: pair(n) }, { at });
      return { reply, ids: pair(n).map(({ id }) => id) };
    }),
  );
  const through = replies.filter(({ reply }) => reply.status === 200);
  const codes = replies.filter(({ reply }) => reply.status !== 200).map(({ reply }) => codeOf(reply.text));
  expect(new Set(codes)).toEqual(new Set(['payout_not_held']));
  const approved = through.flatMap(({ ids }) => ids);
  expect(new Set(approved).size).toBe(approved.length); // no payout by two requests
  // Of three neighbours at least one is approved: else the request that names two of them had gone through.
  expect(approved.length).toBeGreaterThanOrEqual(Math.floor(size.payouts / 3));
  const [usage] = await application.sql('SELECT used_amount, used_count FROM limit_usages WHERE limit_id = $1', [
    uuidOf(limit),
  ]);
  expect(usage).toEqual({ used_amount: EACH * BigInt(approved.length), used_count: approved.length });
  const rows = await application.sql(
    `SELECT id FROM payouts WHERE batch_id = $1 AND release ->> 'status' = 'approved' AND jsonb_array_length(release -> 'approvals') = 1`,
    [uuidOf(made.map(({ payout }) => payout['batch'] as string)[0] ?? '')],
  );
  expect(new Set(rows.map((row) => row['id']))).toEqual(new Set(approved.map(uuidOf)));
  const [events] = await application.sql(
    "SELECT count(*)::int4 AS count FROM events WHERE type = 'payout.approved' AND object_id = ANY ($1::uuid[])",
    [approved.map(uuidOf)],
  );
  expect(events).toEqual({ count: approved.length });
}
