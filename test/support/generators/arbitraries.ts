/**
 * Random commands for the ledger properties. A throw of the dice is small numbers without meaning, so that fast-check
 * shrinks it to something readable (`random-choices.ts`); `commandOf` gives it a meaning among the objects that exist by then. Now
 * and then it names what does not exist, sends what is malformed, or asks for a dry run. Next: `arbitrary-payments.ts`,
 * `test/support/model/model.ts`, `test/support/model/model-check.ts`.
 */
import fc from 'fast-check';
import { never } from '../../../src/core/values/assert.ts';
import { MAX_AMOUNT_MINOR } from '../../../src/core/values/money.ts';
import { DAY_MS, isoDay } from '../../../src/core/values/time.ts';
import type { CreatePayoutBatch } from '../../../src/paying/payouts/batch.ts';
import type { StepPayout } from '../../../src/paying/payouts/connector-decide.ts';
import type { PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import { isPaymentType, paymentCommandOf } from './arbitrary-payments.ts';
import {
  choose,
  CURRENCIES,
  currencyAt,
  type Item,
  type Known,
  metadataOf,
  type MoneyCommand,
  textOf,
  type Throw,
} from './random-choices.ts';
import { AT } from '../harness/literals.ts';

/** How often each command comes, out of the sum. */
const WEIGHTS: Readonly<Record<MoneyCommand['type'], number>> = {
  create_account: 3,
  update_account: 2,
  close_account: 2,
  fund_account: 6,
  create_transfer: 8,
  create_recipient: 2,
  update_recipient: 2,
  archive_recipient: 1,
  create_quote: 6,
  create_exchange: 10,
  update_exchange: 4,
  create_payout: 14,
  update_payout: 2,
  fund_payout: 9,
  cancel_payout: 5,
  step_payout: 16,
  create_payout_batch: 8,
  cancel_payout_batch: 3,
  create_payment_link: 7,
  update_payment_link: 3,
  deactivate_payment_link: 1,
  expire_payment_link: 4,
  start_payment: 13,
  receive_payment: 16,
  pay_payment_link: 4,
  fail_payment: 5,
  attach_session: 3,
  update_payment: 1,
  refund_payment: 12,
  advance_clock: 6,
  create_fee: 7,
  delete_fee: 2,
};
const TYPES = (Object.keys(WEIGHTS) as MoneyCommand['type'][]).flatMap((type) =>
  Array<MoneyCommand['type']>(WEIGHTS[type]).fill(type),
);

const item = {
  pick: fc.nat(15),
  currency: fc.nat(15),
  amount: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 3000 }).map(BigInt) },
    { weight: 4, arbitrary: fc.integer({ min: 20_000, max: 200_000 }).map(BigInt) },
    { weight: 1, arbitrary: fc.constantFrom(MAX_AMOUNT_MINOR, MAX_AMOUNT_MINOR - 1n) },
  ),
  variant: fc.nat(31),
};
const thrown: fc.Arbitrary<Throw> = fc.record({
  type: fc.constantFrom(...TYPES),
  ...item,
  other: fc.nat(15),
  items: fc.array(fc.record(item), { minLength: 1, maxLength: 4 }),
  dryRun: fc.nat(15).map((n) => n === 15),
});

/** Up to `most` commands. */
export function throws(most: number): fc.Arbitrary<Throw[]> {
  return fc.array(thrown, { minLength: 1, maxLength: most, size: 'max' });
}

export function commandOf(choices: Throw, known: Known, atMs: number): MoneyCommand {
  const { type, pick, other, variant, amount } = choices;
  if (isPaymentType(type)) return paymentCommandOf({ ...choices, type }, known, atMs);
  const account = choose('acct', known.accounts, pick);
  const metadata = metadataOf(variant);
  switch (type) {
    case 'create_account':
      return { type, currency: currencyAt(choices.currency), name: null, metadata };
    case 'update_account':
      return { type, account, name: [undefined, null, 'Main'][other % 3], metadata };
    case 'close_account':
      return { type, account };
    case 'fund_account':
      return { type, account, amount: textOf(amount, known.currencyOf(account), variant) };
    case 'create_transfer': {
      const likely = known.accounts.filter(
        (id) => id !== account && known.currencyOf(id) === known.currencyOf(account),
      );
      const to = choose('acct', variant % 4 === 3 ? known.accounts : likely, other);
      return {
        type,
        from: account,
        to,
        amount: textOf(amount, known.currencyOf(account), variant),
        description: null,
        metadata,
      };
    }
    case 'create_recipient': {
      const currency = currencyAt(choices.currency);
      const who = {
        name: 'Ada',
        recipientType: 'individual',
        country: 'DE',
        email: null,
        bankDetails: { iban: 'x' },
      } as const;
      return { type, ...who, currency, metadata };
    }
    case 'update_recipient': {
      const name = other % 2 === 0 ? undefined : `Ada ${other % 3}`;
      return {
        type,
        recipient: choose('rcp', known.recipients, pick),
        name,
        email: undefined,
        bankDetails: undefined,
        address: undefined,
        latinName: undefined,
        metadata,
      };
    }
    case 'archive_recipient':
      return { type, recipient: choose('rcp', known.recipients, pick) };
    case 'create_quote':
      return { type, ...wanted(choices), expiresInMs: variant % 2 === 0 ? 30_000 : 1_800_000, metadata };
    case 'create_exchange':
      return exchangeOf(choices, known);
    case 'update_exchange':
      return { type, exchange: choose('exc', known.exchanges, pick), metadata };
    case 'create_payout':
      return { type, order: convertedOrderOf(choices, known, atMs), settlementDelayMs: 3000 };
    case 'update_payout':
      return { type, payout: choose('po', known.payouts, pick), ...UNCHANGED, metadata, settlementDelayMs: 3000 };
    case 'fund_payout':
      return { type, payout: choose('po', known.payouts, pick), settlementDelayMs: 3000 };
    case 'cancel_payout':
      return { type, payout: choose('po', known.payouts, pick) };
    case 'step_payout': {
      const to = (['next', 'next', 'in_transit', 'paid', 'failed', 'returned'] as const)[other % 6] as StepPayout['to'];
      return { type, payout: choose('po', known.payouts, pick), to, failureCode: null, nextDelayMs: null };
    }
    case 'create_payout_batch':
      return batchOf(choices, known, atMs);
    case 'cancel_payout_batch':
      return { type, batch: choose('pob', known.batches, pick) };
    case 'create_fee':
      return feeOf(choices, known);
    case 'delete_fee':
      return { type, fee: choose('fee', known.fees, pick) };
    case 'advance_clock':
      return { type, seconds: variant === 31 ? 400_000_000 : variant > 22 ? 15 * 86_400 : (variant + 1) * 20 };
    default:
      return never(type);
  }
}

const BASIS_POINTS = [0, 1, 50, 333, 2_500, 10_000] as const;

/** Mostly a small fee for a narrow case. */
function feeOf({ pick, other, variant, amount, currency: n }: Throw, known: Known): MoneyCommand {
  const on = (['payout', 'exchange', 'payment'] as const)[other % 3] ?? 'payout';
  const fixed =
    variant % 3 === 0 || (on === 'exchange' && variant % 4 !== 1) ? 0n : amount > 3_000n ? amount : amount % 60n;
  const currency = fixed > 0n || variant % (on === 'exchange' ? 8 : 2) === 0 ? currencyAt(n) : null;
  const buyCurrency = on === 'exchange' && pick % 4 === 0 ? currencyAt(pick) : null;
  return {
    type: 'create_fee',
    on,
    currency,
    scheme: on === 'payout' && pick % 3 === 0 ? (variant % 4 === 0 ? 'swift' : 'sepa') : null,
    buyCurrency: buyCurrency === currency ? null : buyCurrency,
    method: on === 'payment' && pick % 3 === 1 ? (variant % 4 === 0 ? 'card' : 'bank_transfer') : null,
    paymentLink: on === 'payment' && pick % 4 === 3 ? choose('plink', known.links, pick) : null,
    fixed,
    basisPoints: BASIS_POINTS[variant % BASIS_POINTS.length] ?? 0,
  };
}

/** A mid-market rate that prints as it is: no markup, few digits. */
const RATES = ['1.25', '0.8', '150', '0.0065', '1', '0.000001'] as const;

function wanted({ currency, variant, amount, other }: Throw) {
  const sellCurrency = currencyAt(currency);
  const buyCurrency = variant === 31 ? sellCurrency : (CURRENCIES.find((code) => code !== sellCurrency) as string);
  const midRate = RATES[other % RATES.length] as string;
  const rate = variant === 30 ? { unavailable: 'it is stale' } : { midRate, markupBps: 0, source: 'test', at: AT };
  return { sellCurrency, buyCurrency, amount, fixedSide: variant % 3 === 0 ? 'buy' : 'sell', rate } as const;
}

function exchangeOf(choices: Throw, known: Known): MoneyCommand {
  const { pick, other, variant, amount } = choices;
  const named = (n: number) => (n > 9 ? choose('acct', known.accounts, n) : null);
  const booking = {
    type: 'create_exchange',
    sellAccount: named(pick),
    buyAccount: named(choices.currency),
    metadata: undefined,
  } as const;
  if (variant % 2 === 1) return { ...booking, ...wanted(choices), quote: null };
  const beside = { sellCurrency: null, buyCurrency: null, amount: null, fixedSide: null };
  const odd = [
    { sellCurrency: 'EUR' },
    { buyCurrency: 'USD' },
    { fixedSide: 'buy' as const },
    { amount: textOf(amount, 'EUR', 0) },
    { amount: '1e3' },
  ];
  return { ...booking, ...beside, ...odd[variant % 16], quote: choose('quo', known.quotes, other) };
}

function orderOf({ pick, currency, variant, amount: drawn }: Item, known: Known, atMs: number): PayoutOrder {
  const waits = variant % 7 === 3 || variant % 7 === 5;
  const amount = waits && variant % 2 === 1 && drawn <= 3_000n ? drawn * 60n : drawn; // so that it does wait
  const days = [null, null, null, null, 1, null, 366, null, -2, null, 368][variant % 11] ?? null;
  const recipient = choose('rcp', known.recipients, pick);
  return {
    amount,
    currency: variant % 8 === 7 ? currencyAt(currency) : known.currencyOf(recipient),
    recipient,
    account: variant > 22 ? choose('acct', known.accounts, (variant + pick) % 16) : null,
    reference: null,
    statementDescriptor: null,
    externalId: variant % 5 === 0 ? `ext ${(variant + pick) % 9}` : null,
    scheduledOn: days === null ? null : isoDay(atMs + days * DAY_MS),
    metadata: undefined,
    ...(waits && { waiting: { until: variant % 2 === 0 ? null : isoDay(atMs + DAY_MS) } }),
  };
}

/** What the model does not keep of a payout. */
const UNCHANGED = { reference: undefined, scheduledOn: undefined };

/** One in four is paid for from another currency. */
function convertedOrderOf(choices: Throw, known: Known, atMs: number): PayoutOrder {
  const order = orderOf(choices, known, atMs);
  const { other, variant, pick } = choices;
  if (other % 4 !== 3 || order.waiting) return order;
  const account = variant % 5 === 1 ? choose('acct', known.accounts, pick) : null;
  if (variant % 3 === 1) {
    const amount = variant % 2 === 0 ? null : order.amount;
    const sellCurrency = variant % 7 === 0 ? 'EUR' : null;
    const quote = choose('quo', known.quotes, other);
    return { ...order, amount, conversion: { quote, account, sellCurrency, buyCurrency: order.currency, amount } };
  }
  const asked = wanted(choices);
  const amount = asked.fixedSide === 'buy' ? order.amount : null;
  return { ...order, amount, conversion: { ...asked, buyCurrency: order.currency, quote: null, account } };
}

function batchOf(choices: Throw, known: Known, atMs: number): CreatePayoutBatch {
  const mode = choices.variant % 2 === 0 ? 'atomic' : 'partial';
  const fault = { code: 'amount_invalid', message: 'No amount.' } as const;
  const orders = choices.items.map((each) =>
    mode === 'partial' && each.variant === 31 ? { faults: [fault], read: {} } : orderOf(each, known, atMs),
  );
  return {
    type: 'create_payout_batch',
    mode,
    orders,
    places: null,
    externalId: null,
    metadata: undefined,
    settlementDelayMs: null,
  };
}
