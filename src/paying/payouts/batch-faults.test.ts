/**
 * Random batches with planted faults: the faults that the refusal names are exactly the planted ones, and after it nothing has
 * changed. Controls: an answer that leaves one out, names one too many or stops at the first is noticed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { account, idAt, payoutOrder, payout, recipient } from '../../../test/support/harness/literals.ts';
import type { ItemFault } from '../../core/values/errors.ts';
import type { BatchItem, Fault, Readable } from './batch-faults.ts';
import type { PayoutOrder } from './decide.ts';

const DOLLARS = idAt('rcp', 2);
const ARCHIVED = idAt('rcp', 3);
const REDACTED = idAt('rcp', 4);
const CLOSED = idAt('acct', 2);
const IN_DOLLARS = idAt('acct', 3);
const TAKEN = 'taken';
const HELD = 1_000n;

const world = () =>
  given(
    account({ balance: HELD }),
    account({ id: CLOSED, status: 'closed', balance: 0n }),
    account({ id: IN_DOLLARS, currency: 'USD' }),
    recipient(),
    recipient({ id: DOLLARS, currency: 'USD' }),
    recipient({ id: ARCHIVED, status: 'archived' }),
    recipient({ id: REDACTED, status: 'redacted' }),
    payout({ externalId: TAKEN }),
  );

/** What may be wrong: how it gets into an order, and what must be said of it. */
type Plant = readonly [keyof PayoutOrder, string | null, string, string];
const RECIPIENTS: readonly Plant[] = [
  ['recipient', idAt('rcp', 9), 'resource_missing', 'recipient'],
  ['recipient', DOLLARS, 'recipient_currency_mismatch', 'currency'],
  ['recipient', ARCHIVED, 'recipient_archived', 'recipient'],
  ['recipient', REDACTED, 'recipient_redacted', 'recipient'],
];
const ACCOUNTS: readonly Plant[] = [
  ['account', idAt('acct', 9), 'resource_missing', 'account'],
  ['account', CLOSED, 'account_closed', 'account'],
  ['account', IN_DOLLARS, 'account_currency_mismatch', 'account'],
];
const EXTERNAL_IDS: readonly Plant[] = [['externalId', TAKEN, 'external_id_used', 'external_id']];
const DAYS: readonly Plant[] = [['scheduledOn', '2020-01-01', 'scheduled_on_invalid', 'scheduled_on']];

/** Mostly none, so that batches without a fault are among them. */
const rarely = <T>(values: readonly T[]): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
const planted = fc.record({
  amount: fc.bigInt(1n, 400n),
  plants: fc.tuple(rarely(RECIPIENTS), rarely(ACCOUNTS), rarely(EXTERNAL_IDS), rarely(DAYS)),
  /** The text could not be read, beside all else. */
  malformed: rarely([true]),
  /** An external id that items of the batch share. */
  shared: rarely(['a', 'b']),
});
type Planted = typeof planted extends fc.Arbitrary<infer T> ? T : never;

const REFERENCE: Fault = { param: 'reference', code: 'text_too_long', message: 'Too long.' };

function itemOf({ amount, plants, malformed, shared }: Planted): BatchItem {
  const said = plants.flatMap((plant) => (plant ? [[plant[0], plant[1]]] : []));
  const order = payoutOrder({ amount, externalId: shared, ...(Object.fromEntries(said) as Partial<PayoutOrder>) });
  const { currency, recipient: to, account: from, externalId, scheduledOn } = order;
  const read: Readable = { amount, currency, recipient: to, account: from, externalId, scheduledOn };
  return malformed ? { faults: [REFERENCE], read } : order;
}

/** What must be said, as `index code param`, in no order. Counted by itself, from the plants alone. */
function expectedOf(batch: readonly Planted[]): string[] {
  const seen = new Set<string>();
  const expected: string[] = [];
  let needed = 0n;
  for (const [index, { amount, plants, malformed, shared }] of batch.entries()) {
    const found = new Set<string>();
    for (const plant of plants) if (plant) found.add(`${plant[2]} ${plant[3]}`);
    if (malformed) found.add('text_too_long reference');
    const id = plants[2]?.[1] ?? shared;
    if (id !== null && seen.has(id)) found.add('external_id_used external_id');
    if (id !== null) seen.add(id);
    for (const each of found) expected.push(`${index} ${each}`);
    if (plants[1] === null) needed += amount; // else it is no money of the account
  }
  if (needed > HELD) expected.push(`0 balance_insufficient amount ${needed}`);
  return expected.sort();
}

/** The one of the money says the sum instead of the item. */
const saidOf = (errors: readonly ItemFault[]): string[] =>
  errors
    .map(({ index, code, param, needed_minor: needed }) =>
      needed === undefined ? `${index} ${code} ${param}` : `0 ${code} ${param} ${needed}`,
    )
    .sort();

const decideOn = (batch: readonly Planted[]) => {
  const before = world();
  const outcome = before.when({
    type: 'create_payout_batch',
    orders: batch.map(itemOf),
    places: null,
    mode: 'atomic',
    externalId: null,
    metadata: undefined,
    settlementDelayMs: null,
  });
  return { before, outcome, said: saidOf((outcome.refusal?.details.errors ?? []) as readonly ItemFault[]) };
};

const BATCHES = fc.array(planted, { minLength: 1, maxLength: 12 });
const SETTINGS = { numRuns: 400, seed: 37 };

/** What an answer would have to be mistaken in, for the property to fail. */
const holds = (change: (said: readonly string[]) => readonly string[]) =>
  fc.check(
    fc.property(BATCHES, (batch) => {
      expect(change(decideOn(batch).said)).toEqual(expectedOf(batch));
    }),
    SETTINGS,
  );

describe('planted faults', () => {
  it('are named, all of them and no other, and a refused batch changes nothing', () => {
    fc.assert(
      fc.property(BATCHES, (batch) => {
        const { before, outcome, said } = decideOn(batch);
        expect(said).toEqual(expectedOf(batch));
        if (outcome.refusal === undefined) return;
        expect(outcome.now(account().id)).toEqual(account({ balance: HELD }));
        const { created, updated, events, transfers, tables } = before.state;
        expect([created.size, updated.size, events.length, transfers.length, tables.payout.size]).toEqual([
          0, 0, 0, 0, 1,
        ]);
      }),
      SETTINGS,
    );
  });

  it('control: an answer that stops at the first fault, leaves the last one out, or makes one up is noticed', () => {
    expect(holds((said) => said).failed).toBe(false);
    expect(holds((said) => said.slice(0, 1)).failed).toBe(true);
    expect(holds((said) => said.slice(0, -1)).failed).toBe(true);
    expect(holds((said) => [...said, '0 account_closed account'].sort()).failed).toBe(true);
  });

  it('batches of all kinds are among them', () => {
    const kinds = fc.sample(BATCHES, SETTINGS).map((batch) => decideOn(batch).said.length);
    expect([kinds.includes(0), kinds.includes(1), kinds.some((count) => count > 10)]).toEqual([true, true, true]);
  });
});
