/** Recipients in one request, given / when / then. Random ones: all of them or none; the control makes those that are good. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../../test/support/harness/given.ts';
import { idAt, recipient } from '../../../test/support/harness/literals.ts';
import type { CreateRecipientBatch, RecipientItem } from './batch-decide.ts';
import type { CreateRecipient } from './decide.ts';

const IBANS = ['DE89370400440532013000', 'NL91ABNA0417164300', 'FR1420041010050500013M02606'] as const;
const item = (n: number, fields: Partial<CreateRecipient> = {}): CreateRecipient => ({
  type: 'create_recipient',
  name: `Person ${n}`,
  recipientType: 'individual',
  currency: 'EUR',
  country: (IBANS[n % IBANS.length] as string).slice(0, 2),
  email: null,
  bankDetails: { iban: IBANS[n % IBANS.length] as string },
  metadata: undefined,
  ...fields,
});
const FAULTY: RecipientItem = {
  faults: [
    { param: 'name', code: 'parameter_missing', message: 'name is required.' },
    { param: 'iban', code: 'iban_invalid', message: 'The check digits are wrong.' },
  ],
};
const batch = (...items: readonly RecipientItem[]): CreateRecipientBatch => ({ type: 'create_recipient_batch', items });

function madeBy(command: CreateRecipientBatch, ...known: readonly ReturnType<typeof recipient>[]) {
  const { reply } = given(...known).when(command);
  if (reply.object !== 'recipient_batch') throw new Error('a batch answers with its recipients');
  return reply.recipients;
}

describe('recipients in one request', () => {
  it('are made in order, each with its event', () => {
    const outcome = given().when(batch(item(0), item(1)));
    outcome.thenAccepts({
      reply: { object: 'recipient_batch', recipients: [{ name: 'Person 0' }, { name: 'Person 1' }] },
    });
    expect(outcome.events.map(({ type, object }) => [type, (object as { name?: string }).name])).toEqual([
      ['recipient.created', 'Person 0'],
      ['recipient.created', 'Person 1'],
    ]);
  });

  it('name the oldest active one with the account, known or of the same batch', () => {
    const archived = recipient({ id: idAt('rcp', 1), status: 'archived', bankDetails: { iban: IBANS[0] } });
    const known = recipient({ id: idAt('rcp', 2), bankDetails: { iban: IBANS[0] } });
    const [first, second, third] = madeBy(batch(item(0), item(1), item(1, { name: 'Her husband' })), archived, known);
    expect([first?.duplicateOf, second?.duplicateOf, third?.duplicateOf]).toEqual([known.id, null, second?.id]);
  });

  it('with a fault make nobody, and all faults are named', () => {
    const unknown = idAt('ba', 9);
    const outcome = given().when(batch(item(0), FAULTY, item(1, { bankAccount: unknown })));
    outcome.thenRefuses('batch_invalid', { param: 'recipients' });
    expect(outcome.refusal?.details.errors).toMatchObject([
      { index: 1, param: 'name', code: 'parameter_missing' },
      { index: 1, param: 'iban', code: 'iban_invalid' },
      { index: 2, param: 'bank_account', code: 'resource_missing' },
    ]);
    expect(outcome.refusal?.message).toContain('has 3 faults; nothing was created');
    expect(outcome.refusal?.isUnrecorded).toBe(true);
    expect(outcome.state.tables.recipient.size).toBe(0);
  });

  it('keep their idempotency key where all could be read', () => {
    const outcome = given().when(batch(item(1, { bankAccount: idAt('ba', 9) })));
    expect(outcome.refusal?.isUnrecorded).toBeUndefined();
  });
});

describe('random lists', () => {
  const items = fc.array(fc.record({ n: fc.nat(9), isFaulty: fc.boolean() }), { minLength: 1, maxLength: 12 });
  const isAllOrNothing = (decide: (list: readonly RecipientItem[]) => readonly RecipientItem[]) =>
    !fc.check(
      fc.property(items, (list) => {
        const asked = list.map(({ n, isFaulty }) => (isFaulty ? FAULTY : item(n)));
        const made = given().when(batch(...decide(asked))).state.tables.recipient.size;
        return made === (list.some(({ isFaulty }) => isFaulty) ? 0 : list.length);
      }),
    ).failed;

  it('are made as a whole, or not at all', () => {
    expect(isAllOrNothing((list) => list)).toBe(true);
  });
  it('control: where faulty ones are left out, some are made', () => {
    expect(isAllOrNothing((list) => list.filter((each) => !('faults' in each)))).toBe(false);
  });
});
