/**
 * Batches to payees, who are known by name and account. Random ones pay as a batch by ids does, to the cent; the control is a world in which
 * accounts have changed places.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given, movement, type Outcome } from '../../../test/support/harness/given.ts';
import { ACCOUNT, account, idAt, payoutOrder, recipient } from '../../../test/support/harness/literals.ts';
import type { ItemFault } from '../../core/values/errors.ts';
import type { CreatePayoutBatch } from './batch.ts';
import type { NamedOrder } from './batch-faults.ts';
import type { PayoutOrder } from './decide.ts';

const IBANS = [
  'DE89370400440532013000',
  'NL91ABNA0417164300',
  'FR1420041010050500013M02606',
  'ES9121000418450200051332',
  'PT50000201231234567890154',
] as const;
const NAMES = ['Ada Lovelace', 'Jörg Müller', 'Zoë O’Brien-Núñez', 'Łukasz Żółć', 'Weiß & Söhne KG'] as const;
const SPELLINGS = [
  (name: string) => name,
  (name: string) => name.toUpperCase(),
  (name: string) => name.normalize('NFKD').replaceAll(/\p{M}/gu, ''),
  (name: string) => name.replaceAll(/[^\p{L}]/gu, ' '),
] as const;

const person = (n: number) =>
  recipient({
    id: idAt('rcp', n + 1),
    name: NAMES[n] as string,
    country: (IBANS[n] as string).slice(0, 2),
    bankDetails: { iban: IBANS[n] as string },
    bankSummary: null,
  });

const batch = (orders: CreatePayoutBatch['orders'], more: Partial<CreatePayoutBatch> = {}): CreatePayoutBatch => ({
  type: 'create_payout_batch',
  orders,
  places: null,
  externalId: null,
  mode: 'atomic',
  metadata: undefined,
  settlementDelayMs: null,
  ...more,
});

function toPayee(n: number, fields: Partial<PayoutOrder> & { readonly name?: string } = {}): NamedOrder {
  const { name, recipient: meant = null, ...others } = fields;
  const iban = IBANS[n] as string;
  const payee = {
    name: name ?? NAMES.at(n) ?? '',
    recipientType: 'individual',
    currency: 'EUR',
    country: iban.slice(0, 2),
    email: null,
    bankDetails: { iban },
  } as const;
  return { ...payoutOrder({ amount: 100n, ...others }), recipient: meant, payee };
}

/** What left to which account, and what stayed. */
function paidIn({ state }: Outcome): object {
  const payouts = [...state.tables.payout.values()].map((payout) => [
    state.tables.recipient.get(payout.recipient)?.bankDetails['iban'],
    payout.amount,
    payout.reference,
    payout.destination?.last4,
  ]);
  return { payouts, transfers: state.transfers.map(movement), left: state.tables.account.get(ACCOUNT)?.balance };
}

const item = fc.record({
  to: fc.nat(NAMES.length - 1),
  amount: fc.bigInt(1n, 500n),
  spelling: fc.nat(SPELLINGS.length - 1),
});

/** The first `known` are recipients already; the others become ones. */
function compared(
  items: readonly (typeof item extends fc.Arbitrary<infer T> ? T : never)[],
  known: number,
  places: readonly number[],
) {
  const orders = items.map(({ to, amount, spelling }, index) =>
    toPayee(to, {
      amount,
      reference: `row ${index}`,
      name: (SPELLINGS[spelling] as (name: string) => string)(NAMES[to] as string),
    }),
  );
  const byIds = items.map(({ to, amount }, index) =>
    payoutOrder({ amount, reference: `row ${index}`, recipient: idAt('rcp', to + 1) }),
  );
  const people = NAMES.map((_, n) => person(n));
  const moved = people.map((each, n) => ({ ...each, bankDetails: person(places[n] as number).bankDetails }));
  const named = given(account(), ...people.slice(0, known)).when(batch(orders, { mayCreateRecipients: true }));
  return [paidIn(named), paidIn(given(account(), ...moved).when(batch(byIds)))] as const;
}

const IN_PLACE = [0, 1, 2, 3, 4];

describe('a batch by names', () => {
  it('pays what the batch by ids pays, to the cent, whoever is new', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 30 }), fc.nat(NAMES.length), (items, known) => {
        const [byNames, byIds] = compared(items, known, IN_PLACE);
        expect(byNames).toEqual(byIds);
      }),
    );
  });

  it('control: accounts that have changed places are noticed', () => {
    const items = IN_PLACE.map((to) => ({ to, amount: 7n, spelling: 0 }));
    const [byNames, byIds] = compared(items, 5, [1, 0, 2, 3, 4]);
    expect(byNames).not.toEqual(byIds);
  });
});

const errorsOf = (outcome: Outcome): readonly ItemFault[] =>
  (outcome.refusal?.details.errors ?? []) as readonly ItemFault[];
const saidOf = (outcome: Outcome) => errorsOf(outcome).map(({ index, code, param }) => `${index} ${code} ${param}`);

describe('whoever is no recipient', () => {
  it('is a fault, named with all others, and no message has a name or an account', () => {
    const doubles = [person(1), { ...person(1), id: idAt('rcp', 8) }];
    const outcome = given(account({ balance: 350n }), person(0), ...doubles).when(
      batch([
        toPayee(2),
        toPayee(0, { name: 'Grace Hopper' }),
        toPayee(1),
        toPayee(0, { scheduledOn: '2020-01-01' }),
        { faults: [{ code: 'text_too_long', message: 'Too long.', param: 'reference' }], read: toPayee(3) },
        toPayee(0, { reference: 'x' }),
      ]),
    );
    outcome.thenRefuses('batch_invalid');
    expect(saidOf(outcome)).toEqual([
      '0 resource_missing iban',
      '1 recipient_name_mismatch name',
      '2 recipient_ambiguous iban',
      '2 balance_insufficient amount', // items that are not made need money all the same
      '3 scheduled_on_invalid scheduled_on',
      '4 text_too_long reference',
      '4 resource_missing iban',
    ]);
    const text = errorsOf(outcome)
      .map(({ message }) => message)
      .join();
    for (const secret of [...NAMES, 'Grace', ...IBANS.map((iban) => iban.slice(0, -4))])
      expect(text).not.toContain(secret);
    expect(text).toContain('******************3000');
  });

  it('becomes one in the same commit, once, before the first payout', () => {
    const outcome = given(account()).when(
      batch([toPayee(0, { reference: 'a' }), toPayee(0, { reference: 'b' })], { mayCreateRecipients: true }),
    );
    outcome.thenAccepts({
      reply: {
        results: [
          { status: 'created', match: 'new' },
          { status: 'created', match: 'found' },
        ],
      },
      events: [
        'recipient.created',
        'balance.updated',
        'payout.created',
        'balance.updated',
        'payout.created',
        'payout_batch.created',
      ],
    });
    expect([...outcome.state.created.values()].filter(({ object }) => object === 'recipient')).toMatchObject([
      { name: NAMES[0], type: 'individual', currency: 'EUR', country: 'DE', bankDetails: { iban: IBANS[0] } },
    ]);
  });

  it('becomes none without a payout, and the one of another currency is named as a duplicate', () => {
    const dollars = { ...person(0), currency: 'USD' };
    const outcome = given(account({ balance: 100n }), dollars).when(
      batch([toPayee(1, { amount: 101n }), toPayee(0)], { mode: 'partial', mayCreateRecipients: true }),
    );
    outcome.thenAccepts({
      reply: { results: [{ status: 'rejected' }, { status: 'created', match: 'new' }] },
      events: ['recipient.created', 'balance.updated', 'payout.created', 'payout_batch.created'],
    });
    expect(outcome.events.map(({ sequence }) => sequence)).toEqual([42n, 43n, 44n, 45n]);
    expect([...outcome.state.created.values()].filter(({ object }) => object === 'recipient')).toMatchObject([
      { name: NAMES[0], duplicateOf: dollars.id },
    ]);
  });
});

describe('which recipient is meant', () => {
  const world = () => given(account(), person(0), { ...person(0), id: idAt('rcp', 8), name: 'William King' });
  it('may be said beside the name, which may differ', () => {
    const meant = { name: 'Countess of Lovelace', recipient: person(0).id };
    world()
      .when(batch([toPayee(0, meant)]))
      .thenAccepts({
        reply: { results: [{ match: 'found', payout: { recipient: person(0).id } }] },
      });
  });
  it('has to have the account', () => {
    const outcome = world().when(
      batch([toPayee(1, { recipient: person(0).id }), toPayee(1, { recipient: idAt('rcp', 9) })]),
    );
    expect(saidOf(outcome)).toEqual(['0 parameter_conflict iban', '1 resource_missing recipient']);
  });
});

describe('the same twice', () => {
  const rows = [toPayee(0, { reference: 'May' }), toPayee(0, { name: 'ADA LOVELACE', reference: 'May' })];
  const world = () => given(account(), person(0));
  it('is a fault, unless both are meant', () => {
    expect(saidOf(world().when(batch(rows)))).toEqual(['1 payout_repeated undefined']);
    world()
      .when(batch(rows, { mayRepeat: true }))
      .thenAccepts({ now: { [ACCOUNT]: { balance: 99_800n } } });
  });
  it('is not another reference, amount or day', () => {
    const others = [{ reference: 'June' }, { reference: 'May', amount: 7n }, { reference: 'May', scheduledOn: null }];
    const [june, seven] = others.map((each) => toPayee(0, each));
    world()
      .when(batch([rows[0] as NamedOrder, june as NamedOrder, seven as NamedOrder]))
      .thenAccepts({});
  });
});
