/** Objects of events as they are stored: smaller, and the same bytes when they come back, whatever they hold. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACCOUNT } from '../../core/account.ts';
import { PAYOUT } from '../../paying/payouts/fields.ts';
import type { Actor } from '../../core/actor.ts';
import { idSource, newId, uuidOf } from '../../core/values/ids.ts';
import type { Account } from '../../core/account.ts';
import type { Payout } from '../../paying/payouts/fields.ts';
import { encode, ENCODINGS, decode } from './event-codec.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'null', '"', '\u001f', ',"statement_descriptor":', '","metadata":{},"batch":null', '\\'),
);
/** The instant inside the ids below. */
const MADE_MS = 1_795_324_570_123;
const ids = idSource(MADE_MS);
/** The actor of the events. */
const ME = newId('key') as Actor;
const metadata = fc.dictionary(text, text, { maxKeys: 3 });
const atMs = fc.integer({ min: 0, max: 4_102_444_800_000 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const FEE = { rule: newId('fee'), amount: 25n, currency: 'EUR', transfer: newId('trf'), reversal: newId('trf') };
const payouts: fc.Arbitrary<Payout> = fc.record({
  object: fc.constant('payout' as const),
  id: fc.constantFrom(ids.next('po'), ids.next('po')),
  account: fc.constant(newId('acct')),
  recipient: fc.constant(newId('rcp')),
  recipientVersion: fc.constant(1),
  amount: fc.bigInt(1n, 9_007_199_254_740_991n),
  currency: fc.constantFrom('EUR', 'JPY', 'BHD'),
  status: fc.constantFrom('pending', 'in_transit', 'paid', 'failed'),
  transfer: fc.constant(newId('trf')),
  reversal: maybe(fc.constant(newId('trf'))),
  amountReturned: fc.constantFrom(0n, 0n, 300n),
  refundOf: maybe(fc.constant(newId('pay'))),
  fees: fc.oneof(fc.constant([]), fc.constant([FEE])),
  batch: maybe(fc.constant(newId('pob'))),
  standingOrder: maybe(fc.constant(newId('so'))),
  exchange: maybe(fc.constant(newId('exc'))),
  reference: maybe(text),
  referenceType: maybe(fc.constantFrom('text', 'rf')),
  statementDescriptor: maybe(text),
  externalId: maybe(text),
  scheduledOn: maybe(fc.constant('2026-12-01')),
  speed: fc.constantFrom('standard', 'standard', 'instant'),
  categoryPurpose: fc.constantFrom(null, null, null, 'SALA'),
  purpose: fc.constantFrom(null, null, null, 'BONU'),
  bankAccount: fc.constantFrom(null, null, null, newId('ba')),
  expectedExecutionOn: maybe(fc.constant('2026-12-02')),
  waitUntilOn: maybe(fc.constant('2026-12-24')),
  destination: fc.record({
    name: text.filter((name) => name !== ''),
    scheme: fc.constantFrom('sepa', 'swift'),
    country: fc.constant('DE'),
    bank: maybe(fc.constant('COBADEFFXXX')),
    last4: fc.constant('3000'),
  }),
  failureCode: maybe(fc.constant('account_closed')),
  bankAnswer: maybe(
    fc.record({
      reason: maybe(fc.record({ code: maybe(fc.constant('AC04')), text: maybe(text) })),
      acceptedAt: maybe(atMs),
      payeeCheck: maybe(fc.record({ result: fc.constantFrom('match', 'close_match'), name: maybe(text) })),
    }),
  ),
  release: maybe(
    fc.constant({
      status: 'held',
      reasons: ['new_recipient'],
      approvalsRequired: 1,
      approvals: [],
      rejection: null,
    } as const),
  ),
  createdBy: fc.constantFrom<Actor | null>(null, 'worker', ME, newId('key') as Actor),
  changedBy: fc.constantFrom(null, [ME]),
  metadata,
  dueAt: maybe(atMs),
  shares: fc.constant(null),
  inTransitAt: maybe(atMs),
  endedAt: maybe(atMs),
  createdAt: fc.oneof(atMs, fc.constant(MADE_MS)),
});
const FIRST = fc.sample(payouts, { numRuns: 1, seed: 1 })[0] as Payout;
const untouched = {
  fees: [],
  waitUntilOn: null,
  release: null,
  reversal: null,
  amountReturned: 0n,
  refundOf: null,
  failureCode: null,
  bankAnswer: null,
  inTransitAt: null,
  endedAt: null,
} as const;
const newPayouts = payouts.map((payout): Payout => ({ ...payout, ...untouched, status: 'pending' }));
const accounts: fc.Arbitrary<Account> = fc.record({
  object: fc.constant('account' as const),
  id: fc.constant(ids.next('acct')),
  currency: fc.constantFrom('EUR', 'JPY'),
  balance: fc.bigInt(0n, 9_007_199_254_740_991n),
  name: maybe(text),
  status: fc.constantFrom('open', 'closed'),
  metadata,
  createdAt: fc.oneof(atMs, fc.constant(MADE_MS)),
  closedAt: maybe(atMs),
  waiting: fc.constantFrom(null, { count: 2, amount: '300' }),
});

const isPlain = (object: Account | Payout) =>
  object.object === 'account' && object.status === 'open' && Object.keys(object.metadata).length === 0;
const isNew = (object: Account | Payout) => {
  if (object.object === 'account' || object.status !== 'pending') return false;
  const { fees, amountReturned, ...nulls } = untouched;
  return (
    object.fees.length === fees.length &&
    object.amountReturned === amountReturned &&
    (Object.keys(nulls) as (keyof typeof nulls)[]).every((name) => object[name] === null)
  );
};

/** How many members of a payout its encoding says. */
function saidOf(payout: Payout, isLive: boolean): number {
  if (payout.fees.length > 0 || payout.speed !== 'standard' || payout.amountReturned > 0n) return 0;
  const purposes = [payout.categoryPurpose, payout.purpose, payout.bankAccount];
  if (purposes.some((each) => each !== null)) return 0;
  const day = !isLive && payout.expectedExecutionOn === null ? 1 : 0;
  return 3 + purposes.length + day + (isNew(payout) ? 12 : 0);
}

describe('what is stored', () => {
  it.each([
    [
      'payouts',
      fc
        .tuple(fc.oneof(payouts, newPayouts), fc.boolean())
        .map(([payout, live]) => [payout, PAYOUT.render(payout, live)] as const),
    ],
    [
      'accounts',
      fc.tuple(accounts, fc.boolean()).map(([account, live]) => [account, ACCOUNT.render(account, live)] as const),
    ],
  ])('%s come back byte for byte, and none of their names is stored', (_name, objects) => {
    fc.assert(
      fc.property(objects, ([object, json]) => {
        const encoded = encode(object, json, ME);
        expect(decode(encoded, uuidOf(object.id), ME)).toBe(json);
        expect(encoded.encoding).not.toBeNull();
        const shown = JSON.parse(json) as Record<string, unknown>;
        const inside = object.object === 'payout' ? 4 : 0; // a destination has five members
        const names = Object.keys(shown).length - 3 + inside; // without id, object and livemode
        const said = isPlain(object)
          ? 2
          : object.object === 'payout'
            ? saidOf(object, json.includes('"livemode":true'))
            : 0;
        expect(encoded.text.split('\u001f').length).toBe(names - said);
        expect(encoded.text).not.toContain('"livemode":');
        expect(encoded.text.startsWith('\u001f')).toBe(Math.floor(object.createdAt / 1000) === 1_795_324_570);
      }),
      { numRuns: 500 },
    );
  });

  it('payouts that are older than their destination come back too', () => {
    const json = PAYOUT.render({ ...FIRST, destination: null }, true);
    expect(decode(encode(FIRST, json, ME), uuidOf(FIRST.id), ME)).toBe(json);
  });

  it('what has gained a member, or lost one, comes back too', () => {
    const id = newId('acct');
    const comesBack = (json: string) =>
      expect(decode(encode({ id, object: 'account' }, json, ME), uuidOf(id), ME)).toBe(json);
    const head = `{"id":"${id}","object":"account","created":1,"livemode":true,"currency":"EUR"`;
    comesBack(`${head},"iban":null,"balance":5,"name":null,"status":"open","metadata":{}}`);
    comesBack(`${head},"balance":5,"name":null,"status":"open","metadata":{},"closed":null}`);
    comesBack(`${head},"balance":5,"status":"open","metadata":{}}`);
    comesBack(`{"id":"${newId('acct')}","object":"account","created":1}`);
    comesBack(
      `{"id":"${id}","object":"account","created":1,"livemode":true,"currency":"","balance":5,"name":null,"status":"open","metadata":{}}`,
    );
    comesBack(`${head},"balance":5,"name":null,"status":"open","metadata":{}} `);
    comesBack(`${head},"balance":5,"name":"\u001f","status":"open","metadata":{}}`);
    comesBack('{}');
  });

  it('is the JSON itself for kinds without an encoding', () => {
    expect(encode({ id: newId('rcp'), object: 'recipient' }, '{"id":"x"}', ME)).toEqual({
      encoding: null,
      text: '{"id":"x"}',
    });
  });
});

it('a payout from before it said who created it comes back, under its old encoding', () => {
  const id = newId('po');
  const json = PAYOUT.render({ ...FIRST, ...untouched, status: 'pending', id }, true);
  const old = json
    .replace(/,"bank_reason":null.*"release":null/, '')
    .replace(/,"amount_returned":.*(?=,"refund_of")/, '')
    .replace(/,"created_by":[^,]*,/, ',')
    .replace('"scheduled_on"', '"scheduled_for"')
    .replace('"wait_until_on"', '"wait_until"')
    .replace('"expected_execution_on"', '"expected_execution_date"')
    .replace('"expected_arrival_on"', '"expected_arrival"');
  expect(old).not.toBe(json);
  const encoded = encode({ id, object: 'payout' }, old, ME);
  expect(encoded.encoding).toBe(8);
  expect(decode(encoded, uuidOf(id), null)).toBe(old);
});

it('the creator is kept as a sign where it is the actor of the event, and whole where it is not', () => {
  const id = newId('po');
  const keep = (createdBy: Actor | null) =>
    encode(
      { id, object: 'payout' },
      PAYOUT.render({ ...FIRST, ...untouched, status: 'pending', id, createdBy }, true),
      ME,
    );
  const creators = [ME, 'worker', null] as const;
  expect(creators.map((creator) => keep(creator).text.split('\u001f').at(-2))).toEqual(['=', '"worker"', '']);
});

it('encodings that were ever used stay as they are: databases hold events that name them', () => {
  const uuid = '01a20189-3149-7000-8077-5748c5d52129';
  const texts = Array.from(ENCODINGS, ([number, { before }]) =>
    decode({ encoding: number, text: before.map((_, place) => `value ${place}`).join('\u001f') }, uuid, ME),
  );
  const print = texts.map((json) => createHash('sha256').update(json).digest('hex').slice(0, 12));
  const numbers = Array.from({ length: 24 }, (_, at) => 23 + at);
  expect([...ENCODINGS.keys()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, ...numbers]);
  expect(print).toEqual([
    '0dc479dfb798',
    '2ff3cd7ee3ce',
    '15d4d9ea2870',
    'db9d23587fd5',
    '4c5036a12b08',
    '0d96438cadca',
    '1ed5a22c445a',
    '77cd6108ea86',
    '161ab956dfb7',
    'f281b07be21d',
    'd58cbec8ad84',
    '0aa6c1688ae4',
    '26bfe1fb123f',
    'b5bf78e1d70f',
    '376cdd97510e',
    'e9f3e506d5b0',
    '0d0ac714d62c',
    '2485ca3585bc',
    '864d20603c0b',
    '41ffbcc0ccfd',
    'b26f0a161b2a',
    '96dc63b230a5',
    '259056f4c909',
    'd98d38d95225',
    'aee0dc49bfb3',
    '9dd04d6afd69',
    '61fbc13b7fd6',
    '460bf723221e',
    '35d9b51985a3',
    '0d67081079e0',
    '2933b260f2f5',
    '146271c8fdba',
  ]);
});

it('an encoding that is not known fails', () => {
  expect(() => decode({ encoding: 999, text: '' }, uuidOf(newId('po')), ME)).toThrow('encoding 999 is known');
  expect(() => decode({ encoding: 1, text: 'too few' }, uuidOf(newId('acct')), ME)).toThrow('has 6 values');
});
