/** Limits in one batch with what changes whom they are about: what was used is known, whichever command came before. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditDatabase } from '../../test/support/model/audit.ts';
import { payoutOrder } from '../../test/support/harness/literals.ts';
import { startWriting, statementsOf, type Writing } from '../../test/support/harness/writer.ts';
import type { Command } from './slices.ts';

const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'DE02120300000000202051';

let writing: Writing;
let environmentId: string;
beforeAll(async () => {
  writing = await startWriting();
});
afterAll(async () => {
  expect(await auditDatabase(writing.url)).toEqual([]);
  await writing.stop();
});
beforeEach(async () => {
  environmentId = await writing.environment();
});

const outcomeOf = ({ status, body }: { readonly status: number; readonly body: string }) =>
  status === 200 ? '200' : `${status} ${(JSON.parse(body) as { error: { code: string } }).error.code}`;
/** All in one batch, which is decided once. */
async function atOnce(...commands: readonly Command[]): Promise<readonly string[]> {
  let outcomes: readonly string[] = [];
  const names = await statementsOf(writing, async () => {
    const sent = commands.map((command) => writing.send(environmentId, command));
    outcomes = (await Promise.all(sent)).map(outcomeOf);
  });
  const ends = names.filter((name) => ['COMMIT', 'ROLLBACK'].includes(name));
  expect(ends).toHaveLength(1);
  return outcomes;
}
async function make(command: Command): Promise<string> {
  const { body } = await writing.send(environmentId, command);
  return (JSON.parse(body) as { id: string }).id;
}

const recipientWith = (iban: string): Command => ({
  type: 'create_recipient',
  name: 'Ada',
  recipientType: 'individual',
  country: 'DE',
  currency: 'EUR',
  email: null,
  bankDetails: { iban },
  metadata: undefined,
});
/** In minor units. */
const pay = (recipient: string, amount: bigint): Command => ({
  type: 'create_payout',
  order: payoutOrder({ recipient, amount }),
  settlementDelayMs: null,
});
const LIMIT: Command = {
  type: 'create_limit',
  per: 'recipient',
  of: null,
  currency: 'EUR',
  allCurrencies: false,
  amount: 10_000n,
  count: null,
  action: 'refuse',
};
async function fund(): Promise<void> {
  const account = await make({ type: 'create_account', currency: 'EUR', name: null, metadata: undefined });
  await make({ type: 'fund_account', account, amount: '1000' });
}

describe('a limit per recipient', () => {
  it('knows what was used of an account that a recipient gets in the same batch, however it is written', async () => {
    await fund();
    await make(LIMIT);
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(OTHER_IBAN))];
    expect(await atOnce(pay(one, 6_000n))).toEqual(['200']);
    const moved: Command = {
      type: 'update_recipient',
      recipient: two,
      name: undefined,
      email: undefined,
      metadata: undefined,
      address: undefined,
      latinName: undefined,
      bankDetails: { iban: 'de89 3704 0044 0532 0130 00' },
    };
    const together = await atOnce(moved, pay(two, 4_001n), pay(two, 4_000n));
    expect(together).toEqual(['200', '400 limit_exceeded', '200']);
    expect(await atOnce(pay(one, 1n))).toEqual(['400 limit_exceeded']);
    expect(writing.faults).toEqual([]);
  });

  it('counts from the batch on in which it is made, as the first of its environment too', async () => {
    await fund();
    const [one, two] = [await make(recipientWith(IBAN)), await make(recipientWith(IBAN))];
    expect(await atOnce(LIMIT, pay(one, 6_000n))).toEqual(['200', '200']);
    expect(await atOnce(pay(two, 4_001n), pay(two, 4_000n))).toEqual(['400 limit_exceeded', '200']);
    expect(writing.faults).toEqual([]);
  });
});
