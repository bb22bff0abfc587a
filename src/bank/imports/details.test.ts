/** Details by messages that do not book, notified to a ledger in memory in any order: what they divide, and what they only explain. */
import { describe, expect, it } from 'vitest';
import { camt, type Written, type WrittenStatement } from '../../../test/support/bank/camt.ts';
import { bareMessage } from '../../../test/support/bank/messages.ts';
import { MemoryBank } from '../../../test/support/bank/memory-bank.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { account } from '../../../test/support/harness/literals.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import type { Stored } from '../../core/objects.ts';

const IBAN = 'DE89370400440532013000';
const DAY = '2026-03-02';
const [ADA, BEN] = [
  account({ id: 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa', balance: 0n }),
  account({ id: 'acct_01jd3v9q4pe8v8k3w2m6r5t7xb', balance: 0n }),
];
const ada = { amount: '2.00', creditorReference: depositReference(ADA.id), name: 'Ada', iban: 'NL91ABNA0417164300' };
const ben = { amount: '3.00', text: `Invoice ${depositReference(BEN.id)}`, name: 'Ben' };
const COLLECTIVE: Written = { amount: '5.00', reference: 'REF-1', batch: { count: 2 } };

const bank = (fields: Partial<Stored['bank_account']> = {}): MemoryBank => {
  const made = new MemoryBank([bankAccount(fields)]);
  for (const each of [ADA, BEN]) made.state.put(each);
  return made;
};
const booking = (entries: readonly Written[] = [COLLECTIVE], said: Partial<WrittenStatement> = {}): string => {
  const sum = entries.reduce((total, { amount }) => total + Number(amount), 0);
  return camt([{ iban: IBAN, day: DAY, opening: '10.00', closing: (10 + sum).toFixed(2), entries, ...said }]);
};
const notice = (entries: readonly Written[] = [{ ...COLLECTIVE, details: [ada, ben] }], id = 'N1'): string =>
  camt([{ iban: IBAN, day: DAY, id, entries }], 'camt.054');
const entryOf = ({ entries }: MemoryBank) => entries.find(({ kind }) => kind === 'entry');
const balances = ({ state }: MemoryBank) => [ADA, BEN].map(({ id }) => state.tables.account.get(id)?.balance);
const placesOf = (made: MemoryBank) => entryOf(made)?.assignments.map(({ to, amount }) => [to, amount]);
const waitingIn = ({ state }: MemoryBank) =>
  [...state.tables.bank_entry_details.values()].map((each) => each.isWaiting);

const ORDERS = [
  ['before', [notice(), booking()]],
  ['behind', [booking(), notice()]],
] as const;

describe.each(ORDERS)('details that come %s the entry', (_, files) => {
  it('divide it among what their transactions name', async () => {
    const made = bank();
    const documents = [];
    for (const file of files) documents.push(await made.import(file));
    expect(balances(made)).toEqual([200n, 300n]);
    expect(placesOf(made)).toEqual([
      [ADA.id, 200n],
      [BEN.id, 300n],
    ]);
    const [notification] = documents.filter(({ skippedCount }) => skippedCount === 1);
    const entry = entryOf(made);
    expect(entry).toMatchObject({ status: 'matched', conflict: null });
    expect(entry?.explanation.details).toMatchObject({ document: notification?.id, message: 'camt.054' });
    expect(entry?.explanation.details?.transactions).toMatchObject([
      { amount: '200', name: 'Ada', account: ada.iban, to: ADA.id },
      { amount: '300', name: 'Ben', text: ben.text, to: BEN.id },
    ]);
    expect(waitingIn(made)).toEqual([false]);
    expect(documents.flatMap(({ notes }) => notes)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/so this camt\.054 books nothing\. .*: 1\.$/),
        `Entries that have their transactions from document ${notification?.id}: 1.`,
      ]),
    );
  });

  it('change nothing when they come again, in the same file or another one', async () => {
    const made = bank();
    for (const file of [...files, ...files, `${notice()}\n`, notice(undefined, 'N2')]) await made.import(file);
    expect(balances(made)).toEqual([200n, 300n]);
    expect(entryOf(made)?.assignments).toHaveLength(2);
    expect(waitingIn(made)).toEqual([false]);
  });

  const withRule = (): MemoryBank => {
    const made = bank();
    const rule = { object: 'bank_rule', id: 'br_01jd3v9q4ng8v8k3w2m6r5t7xa', name: 'All', bankAccount: null } as const;
    const nothing = { currency: null, transactionCode: null, textPattern: null, least: null, most: null, iban: null };
    made.state.put({ ...rule, ...nothing, direction: 'credit', target: 'fees', status: 'active', createdAt: 0 });
    return made;
  };

  it('come before rules, if they are known and name something', async () => {
    const made = withRule();
    for (const file of files) await made.import(file);
    const isFirst = files[0] === notice();
    expect(entryOf(made)?.assignments.map(({ to }) => to)).toEqual(isFirst ? [ADA.id, BEN.id] : ['fees']);
    expect(entryOf(made)?.explanation.details?.transactions).toHaveLength(2);
  });

  it('and name nothing leave the entry to rules', async () => {
    const made = withRule();
    const eve = notice([{ ...COLLECTIVE, details: [{ amount: '5.00', text: 'thanks', name: 'Eve' }] }]);
    for (const file of files) await made.import(file === notice() ? eve : file);
    expect(entryOf(made)?.assignments.map(({ to }) => to)).toEqual(['fees']);
    expect(entryOf(made)?.explanation.details?.transactions).toHaveLength(1);
  });
});

it('what names nothing of ours waits, with the rest of the entry', async () => {
  const made = bank();
  await made.import(booking());
  await made.import(notice([{ ...COLLECTIVE, details: [ada, { amount: '3.00', text: 'thanks', name: 'Eve' }] }]));
  expect(entryOf(made)).toMatchObject({
    status: 'unmatched',
    explanation: { details: { transactions: [{}, { to: null }] } },
  });
  expect(balances(made)).toEqual([200n, 0n]);
});

it('one transaction over all of the entry is placed too', async () => {
  const made = bank();
  await made.import(booking([{ amount: '5.00', reference: 'REF-1' }]));
  await made.import(notice([{ amount: '5.00', reference: 'REF-1', details: [{ ...ada, amount: '5.00' }] }]));
  expect(placesOf(made)).toEqual([[ADA.id, 500n]]);
});

describe('a report that does not book brings transactions too', () => {
  const whole = { ...COLLECTIVE, details: [{ ...ada, amount: '5.00' }] };
  it.each([
    ['camt.052', camt([{ iban: IBAN, day: DAY, id: 'R1', entries: [whole] }], 'camt.052')],
    [
      'MT942',
      bareMessage(
        ':20:STARTDISPE',
        ':25:37040044/532013000',
        ':28C:0',
        ':34F:EUR0,',
        ':13D:2603021815+0100',
        ':61:260302C5,NTRFNONREF//REF-1',
        `:86:166?00GUTSCHRIFT?20${depositReference(ADA.id)}?32Ada`,
      ),
    ],
  ])('%s', async (_, report) => {
    const made = bank();
    await made.import(booking());
    await made.import(report);
    expect(placesOf(made)).toEqual([[ADA.id, 500n]]);
    expect(entryOf(made)?.explanation.details?.transactions).toMatchObject([{ name: 'Ada' }]);
  });
});

it('a transaction of a payout does not say whom it pays, or paid: the payout does', async () => {
  const made = bank();
  const endToEndId = outgoingId('po_01jd3v9q4ne8v8k3w2m6r5t7xa');
  await made.import(booking([{ ...COLLECTIVE, amount: '-5.00' }]));
  const quoting = { ...ada, endToEndId };
  await made.import(notice([{ ...COLLECTIVE, amount: '-5.00', details: [quoting, ben] }]));
  expect(entryOf(made)?.explanation.details?.transactions).toMatchObject([
    { amount: '200', name: null, account: null, text: null, endToEndId },
    { name: 'Ben' },
  ]);
});

/** Both orders of a booking statement and a notification. */
const inOrders = (name: string, booked: string, notified: string, check: (made: MemoryBank) => void): void => {
  it.each([
    ['before', [notified, booked]],
    ['behind', [booked, notified]],
  ])(`${name}: %s`, async (_, files) => {
    const made = bank();
    for (const file of files) await made.import(file);
    expect(balances(made)).toEqual([0n, 0n]);
    check(made);
  });
};

describe('details explain, and divide nothing', () => {
  const details = [ada, { ...ben, amount: '2.50' }];
  inOrders('their sum is another one', booking(), notice([{ ...COLLECTIVE, details }]), (made) => {
    expect(entryOf(made)).toMatchObject({ status: 'unmatched', assignments: [] });
    expect(entryOf(made)?.explanation.details?.transactions.map(({ amount }) => amount)).toEqual(['200', '250']);
    expect(entryOf(made)?.explanation.parts).toHaveLength(2);
  });
  const debit: Written = { ...COLLECTIVE, amount: '-5.00', details: [ada, ben] };
  inOrders('money went out', booking([{ ...debit, details: [] }]), notice([debit]), (made) => {
    expect(entryOf(made)).toMatchObject({ direction: 'debit', assignments: [] });
    expect(entryOf(made)?.explanation.details?.transactions).toHaveLength(2);
  });
});

describe('details name no entry', () => {
  const notified = (changed: Partial<Written>): string => notice([{ ...COLLECTIVE, details: [ada, ben], ...changed }]);
  const nothing = (made: MemoryBank) => {
    expect(made.entries.flatMap(({ assignments, explanation }) => [assignments.length, explanation.details])).toEqual(
      made.entries.flatMap(() => [0, undefined]),
    );
  };
  const other = { ...ben, amount: '4.00' };
  inOrders('another amount', booking(), notified({ amount: '6.00', details: [ada, other] }), nothing);
  inOrders('another sign', booking(), notified({ amount: '-5.00' }), nothing);
  inOrders('another day', booking(), notified({ day: '2026-03-03' }), nothing);
  inOrders('another reference', booking(), notified({ reference: 'REF-2' }), nothing);
  inOrders(
    'no reference',
    booking([{ ...COLLECTIVE, reference: 'NONREF' }]),
    notified({ reference: 'NONREF' }),
    nothing,
  );
  inOrders(
    'a reference that repeats where it is booked',
    booking([COLLECTIVE, { amount: '1.00', reference: 'REF-1' }]),
    notified({}),
    nothing,
  );
  const again: Written = { amount: '1.00', reference: 'REF-1', details: [{ amount: '1.00', text: 'x' }] };
  inOrders(
    'a reference that repeats in the notification',
    booking(),
    notice([{ ...COLLECTIVE, details: [ada, ben] }, again]),
    nothing,
  );
  inOrders('two equal entries', booking([COLLECTIVE, COLLECTIVE]), notified({}), nothing);
  inOrders('an entry that is not booked yet', booking(), notified({ status: 'PDNG' }), nothing);
});

it('entries of two statements have one reference, amount and day: details name neither', async () => {
  const made = bank();
  await made.import(booking([COLLECTIVE], { id: 'S1', opening: '10.00', closing: '15.00' }));
  await made.import(booking([COLLECTIVE], { id: 'S2', opening: '15.00', closing: '20.00' }));
  expect(made.entries.filter(({ kind }) => kind === 'entry')).toHaveLength(2);
  await made.import(notice());
  expect(balances(made)).toEqual([0n, 0n]);
});

describe('two documents', () => {
  const swapped = [
    { ...ada, amount: '3.00' },
    { ...ben, amount: '2.00' },
  ];
  const inexact = [ada, { ...ben, amount: '2.50' }];
  const orders = (one: readonly object[], other: readonly object[]) => {
    const [first, second] = [one, other].map((details, at) => notice([{ ...COLLECTIVE, details }], `N${at}`)) as [
      string,
      string,
    ];
    return [
      [first, second, booking()],
      [first, booking(), second],
      [booking(), first, second],
    ];
  };

  it.each(orders([ada, ben], swapped))(
    'that differ: the first that comes to the amount counts, and the other is noted',
    async (...files) => {
      const made = bank();
      const notes = [];
      for (const file of files) notes.push(...(await made.import(file)).notes);
      expect(balances(made)).toEqual([200n, 300n]);
      expect(notes.filter((note) => note.includes('are others than in document'))).toHaveLength(1);
    },
  );

  it.each(orders(inexact, [ada, ben]))('of which only the second comes to the amount: it counts', async (...files) => {
    const made = bank();
    for (const file of files) await made.import(file);
    expect(balances(made)).toEqual([200n, 300n]);
    expect(waitingIn(made)).toEqual([false, false]);
    expect(entryOf(made)?.explanation.details?.transactions.map(({ to }) => to)).toEqual([ADA.id, BEN.id]);
  });
});

it('transactions that the booking message had itself are left to a person, as without details', async () => {
  const made = bank();
  await made.import(booking([{ ...COLLECTIVE, details: [ada, ben] }]));
  await made.import(notice());
  expect(entryOf(made)).toMatchObject({ status: 'unmatched', assignments: [] });
  expect(entryOf(made)?.explanation.details?.transactions).toHaveLength(2);
});
