/** Decisions about quotes and exchanges: given what exists, when a command comes, then this and nothing else. */
import { NO_FX } from '../../core/fx.ts';
import { describe, expect, it } from 'vitest';
import { type Decided, decided, isRefusal } from '../../core/decision.ts';
import type { ErrorDetails } from '../../core/values/errors.ts';
import { idSource, newId } from '../../core/values/ids.ts';
import { houseAccount } from '../../core/house-accounts.ts';
import { MAX_AMOUNT_MINOR, MAX_BALANCE_MINOR } from '../../core/values/money.ts';
import type { StoredObject } from '../../core/objects.ts';
import type { Exchange, Quote } from './fields.ts';
import type { Account } from '../../core/account.ts';
import { Draft } from '../../core/draft.ts';
import { apply, State } from '../../core/state.ts';
import {
  type CreateExchange,
  type CreateQuote,
  type ExchangeNow,
  type ExchangeOnQuote,
  quoteStatus,
  type UpdateExchange,
} from './decide.ts';
import * as decide from './decide.ts';

const AT = 1_800_000_000_000;
const RATE = { midRate: '1.0842', markupBps: 25, source: 'sandbox', at: AT - 20_000 };
/** Rising: what is made first here is older. */
const IDS = idSource(AT - 1);
const ORIGIN = { actor: 'worker' as const, requestId: null, idempotencyKey: null };

function given(...objects: readonly StoredObject[]): State {
  const environment = {
    id: newId('env'),
    livemode: false,
    lastSequence: 7n,
    lastAtMs: AT,
    clockOffsetMs: 0,
    endpointsVersion: 0n,
    payoutRules: null,
    fees: [],
    payingBanks: [],
    fx: NO_FX,
  };
  const state = new State(environment);
  for (const object of objects) state.put(object);
  return state;
}
const at = (state: State, atMs = AT) => new Draft(state, { atMs, ids: idSource(atMs), actor: 'worker' });

function account(currency: string, balance: bigint, rest: Partial<Account> = {}): Account {
  return {
    object: 'account',
    id: IDS.next('acct'),
    currency,
    balance,
    name: null,
    status: 'open',
    metadata: {},
    createdAt: AT - 1,
    closedAt: null,
    waiting: null,
    ...rest,
  };
}

const quoteCommand = (rest: Partial<CreateQuote> = {}): CreateQuote => ({
  type: 'create_quote',
  sellCurrency: 'EUR',
  buyCurrency: 'USD',
  amount: 10_000n,
  fixedSide: 'sell',
  rate: RATE,
  expiresInMs: 1_800_000,
  metadata: undefined,
  ...rest,
});
const now = (rest: Partial<ExchangeNow> = {}): ExchangeNow => ({
  type: 'create_exchange',
  quote: null,
  sellCurrency: 'EUR',
  buyCurrency: 'USD',
  amount: 10_000n,
  fixedSide: 'sell',
  rate: RATE,
  sellAccount: null,
  buyAccount: null,
  metadata: undefined,
  ...rest,
});
const on = (quote: Quote, rest: Partial<ExchangeOnQuote> = {}): ExchangeOnQuote => ({
  type: 'create_exchange',
  quote: quote.id,
  sellCurrency: null,
  buyCurrency: null,
  amount: null,
  fixedSide: null,
  sellAccount: null,
  buyAccount: null,
  metadata: undefined,
  ...rest,
});

const createQuote = (draft: Draft, command: CreateQuote) => decided(draft, decide.createQuote(draft, command));
const createExchange = (draft: Draft, command: CreateExchange) => decided(draft, decide.createExchange(draft, command));
const updateExchange = (draft: Draft, command: UpdateExchange) => decided(draft, decide.updateExchange(draft, command));

function aQuote(rest: Partial<CreateQuote> = {}): Quote {
  const decision = createQuote(at(given()), quoteCommand(rest));
  if (!decision.accepted) throw new Error(decision.refusal.message);
  return decision.reply as Quote;
}

function refusalOf(decision: Decided): { code: string } & ErrorDetails {
  if (decision.accepted) throw new Error('was accepted');
  expect(isRefusal(decision.refusal)).toBe(true);
  return { code: decision.refusal.code, ...decision.refusal.details };
}
function changesOf(decision: Decided) {
  if (!decision.accepted) throw new Error(decision.refusal.message);
  return decision.changes;
}
const eventsOf = (decision: Decided) =>
  changesOf(decision).flatMap((change) => (change.kind === 'event' ? [change.event] : []));
const transfersOf = (decision: Decided) =>
  changesOf(decision).flatMap((change) => (change.kind === 'transfer' ? [change.transfer] : []));
const exchangeOf = (decision: Decided): Exchange => {
  if (!decision.accepted || decision.reply.object !== 'exchange') throw new Error('no exchange');
  return decision.reply;
};

describe('a quote', () => {
  it('promises a price, moves nothing, needs no account and makes no event', () => {
    const decision = createQuote(at(given()), quoteCommand({ metadata: { order: '1', unset: '' } }));
    expect(changesOf(decision)).toHaveLength(1);
    expect(decision).toMatchObject({
      changes: [{ kind: 'object', isNew: true }],
      reply: {
        object: 'exchange_quote',
        sellAmount: 10_000n,
        buyAmount: 10_814n,
        rate: '1.0814895',
        midMarketRate: '1.0842',
        markupBps: 25,
        rateSource: 'sandbox',
        rateAt: AT - 20_000,
        expiresAt: AT + 1_800_000,
        exchangeId: null,
        metadata: { order: '1' },
        createdAt: AT,
      },
    });
  });

  it.each([
    ['the same currency twice', { buyCurrency: 'EUR' }, { code: 'currency_pair_invalid', param: 'buy_currency' }],
    ['no rate', { rate: { unavailable: 'it is stale' } }, { code: 'rate_unavailable' }],
    [
      'a computed side of zero',
      { buyCurrency: 'KWD', rate: { ...RATE, midRate: '0.01' }, amount: 1n },
      { code: 'amount_too_small', param: 'amount' },
    ],
    [
      'a computed side above the largest amount',
      { rate: { ...RATE, midRate: '2' }, amount: MAX_AMOUNT_MINOR },
      { code: 'amount_too_large', param: 'amount' },
    ],
  ])('is refused for %s', (_, rest, refusal) => {
    expect(refusalOf(createQuote(at(given()), quoteCommand(rest)))).toEqual(refusal);
  });

  it('is active through its last instant, then expired; used for ever', () => {
    const quote = aQuote();
    expect(quoteStatus(quote, quote.expiresAt)).toBe('active');
    expect(quoteStatus(quote, quote.expiresAt + 1)).toBe('expired');
    expect(quoteStatus({ ...quote, exchangeId: newId('exc') }, quote.expiresAt + 1)).toBe('used');
  });
});

describe('an exchange at the current rate', () => {
  it('moves both sides through the fx house accounts and says so in order', () => {
    const [eur, usd] = [account('EUR', 10_000n), account('USD', 5n)];
    const decision = createExchange(at(given(eur, usd)), now({ metadata: { order: '1' } }));
    const exchange = exchangeOf(decision);
    expect(exchange).toMatchObject({
      quoteId: null,
      sellAccount: eur.id,
      buyAccount: usd.id,
      sellAmount: 10_000n,
      buyAmount: 10_814n,
      metadata: { order: '1' },
      createdAt: AT,
    });
    const shared = { cause: 'exchange', causeId: exchange.id, createdAt: AT };
    expect(transfersOf(decision)).toMatchObject([
      {
        ...shared,
        id: exchange.sellTransfer,
        debitAccount: eur.id,
        creditAccount: houseAccount('fx', 'EUR'),
        amount: 10_000n,
        currency: 'EUR',
        debitBalanceAfter: 0n,
        creditBalanceAfter: null,
      },
      {
        ...shared,
        id: exchange.buyTransfer,
        debitAccount: houseAccount('fx', 'USD'),
        creditAccount: usd.id,
        amount: 10_814n,
        currency: 'USD',
        debitBalanceAfter: null,
        creditBalanceAfter: 10_819n,
      },
    ]);
    const events = eventsOf(decision);
    expect(events.map((event) => [event.type, event.sequence])).toEqual([
      ['balance.updated', 8n],
      ['balance.updated', 9n],
      ['exchange.created', 10n],
      ['exchange.completed', 11n],
    ]);
    expect(events[2]?.object).toBe(exchange);
    expect(events[3]?.object).toBe(exchange);
  });

  it('with the buy side fixed takes what that costs, rounded up', () => {
    const state = given(account('EUR', 9_247n), account('USD', 0n));
    expect(exchangeOf(createExchange(at(state), now({ fixedSide: 'buy' })))).toMatchObject({
      sellAmount: 9_247n,
      buyAmount: 10_000n,
    });
    const short = given(account('EUR', 9_246n), account('USD', 0n));
    expect(refusalOf(createExchange(at(short), now({ fixedSide: 'buy' }))).code).toBe('balance_insufficient');
  });

  it('uses the named accounts, else the oldest open ones', () => {
    const [oldEur, newEur] = [account('EUR', 10_000n), account('EUR', 10_000n)];
    const [oldUsd, newUsd] = [account('USD', 0n), account('USD', 0n)];
    const state = given(newEur, oldEur, newUsd, oldUsd);
    expect(exchangeOf(createExchange(at(state), now()))).toMatchObject({
      sellAccount: oldEur.id,
      buyAccount: oldUsd.id,
    });
    const named = now({ sellAccount: newEur.id, buyAccount: newUsd.id });
    expect(exchangeOf(createExchange(at(state), named))).toMatchObject({
      sellAccount: newEur.id,
      buyAccount: newUsd.id,
    });
  });

  it('opens an account to buy into where there is no open one', () => {
    const closed = account('USD', 0n, { status: 'closed', closedAt: AT - 1 });
    const state = given(account('EUR', 10_000n), closed);
    const decision = createExchange(at(state), now());
    expect(eventsOf(decision).map((event) => event.type)).toEqual([
      'account.created',
      'balance.updated',
      'balance.updated',
      'exchange.created',
      'exchange.completed',
    ]);
    apply(state, changesOf(decision), ORIGIN);
    const opened = state.tables.account.get(exchangeOf(decision).buyAccount);
    expect(opened).toMatchObject({ currency: 'USD', balance: 10_814n, status: 'open', createdAt: AT });
    // The next exchange of the batch finds it instead of opening another one.
    const eur = account('EUR', 10_000n);
    state.put(eur);
    const next = createExchange(at(state), now({ sellAccount: eur.id }));
    expect(exchangeOf(next).buyAccount).toBe(opened?.id);
  });

  const eur = account('EUR', 10_000n);
  const usd = account('USD', 0n);
  const closedEur = account('EUR', 0n, { status: 'closed', closedAt: AT - 1 });
  const closedUsd = account('USD', 0n, { status: 'closed', closedAt: AT - 1 });
  const fullUsd = account('USD', MAX_BALANCE_MINOR - 10_813n);
  const absent = newId('acct');
  it.each([
    ['the same currency twice', { buyCurrency: 'EUR' }, { code: 'currency_pair_invalid', param: 'buy_currency' }],
    ['no rate', { rate: { unavailable: 'it is stale' } }, { code: 'rate_unavailable' }],
    ['an unknown sell account', { sellAccount: absent }, { code: 'resource_missing', param: 'sell_account' }],
    ['an unknown buy account', { buyAccount: absent }, { code: 'resource_missing', param: 'buy_account' }],
    [
      'no account to pay from',
      { sellCurrency: 'GBP', fixedSide: 'sell' as const },
      { code: 'account_missing', param: 'sell_currency' },
    ],
    [
      'a sell account of another currency',
      { sellAccount: usd.id },
      { code: 'account_currency_mismatch', param: 'sell_account' },
    ],
    [
      'a buy account of another currency',
      { buyAccount: eur.id },
      { code: 'account_currency_mismatch', param: 'buy_account' },
    ],
    [
      'a closed sell account',
      { sellAccount: closedEur.id },
      { code: 'account_closed', param: 'sell_account', current_status: 'closed' },
    ],
    [
      'a closed buy account',
      { buyAccount: closedUsd.id },
      { code: 'account_closed', param: 'buy_account', current_status: 'closed' },
    ],
    [
      'a computed side of zero',
      { rate: { ...RATE, midRate: '0.00001' }, amount: 1n },
      { code: 'amount_too_small', param: 'amount' },
    ],
    [
      'a computed side above the largest amount',
      { rate: { ...RATE, midRate: '3' }, amount: MAX_AMOUNT_MINOR },
      { code: 'amount_too_large', param: 'amount' },
    ],
    [
      'too little money',
      { amount: 10_001n },
      { code: 'balance_insufficient', available_minor: 10_000n, resource_id: eur.id },
    ],
    ['a full buy account', { buyAccount: fullUsd.id }, { code: 'balance_too_large', resource_id: fullUsd.id }],
  ])('is refused for %s, and leaves no trace', (_, rest, refusal) => {
    const draft = at(given(eur, usd, closedEur, closedUsd, fullUsd));
    expect(refusalOf(createExchange(draft, now(rest)))).toEqual(refusal);
    expect(draft.changes).toEqual([]);
  });

  it('control: without any of those it is accepted', () => {
    expect(createExchange(at(given(eur, usd, closedEur, closedUsd, fullUsd)), now()).accepted).toBe(true);
  });

  it('is checked in order: existence, state, limits, funds', () => {
    const poor = account('EUR', 0n);
    const state = given(poor, closedUsd);
    const tiny = { rate: { ...RATE, midRate: '0.00001' }, amount: 1n };
    const check = (rest: Partial<ExchangeNow>) => refusalOf(createExchange(at(state), now({ ...tiny, ...rest }))).code;
    expect(check({ sellAccount: poor.id, buyAccount: absent })).toBe('resource_missing');
    expect(check({ sellAccount: poor.id, buyAccount: closedUsd.id })).toBe('account_closed');
    expect(check({ sellAccount: poor.id })).toBe('amount_too_small');
    expect(check({ sellAccount: poor.id, amount: 1_000_000n })).toBe('balance_insufficient');
  });
});

describe('an exchange on a quote', () => {
  const eur = account('EUR', 20_000n);
  const usd = account('USD', 0n);

  it('is booked at the quote’s price, whatever the rate is now, and uses the quote up', () => {
    const quote = aQuote({ metadata: { of: 'the quote' } });
    const state = given(eur, usd, quote);
    const decision = createExchange(at(state, quote.expiresAt), on(quote, { metadata: { of: 'the exchange' } }));
    const exchange = exchangeOf(decision);
    expect(exchange).toEqual({
      object: 'exchange',
      id: exchange.id,
      sellCurrency: 'EUR',
      buyCurrency: 'USD',
      sellAmount: 10_000n,
      buyAmount: 10_814n,
      fixedSide: 'sell',
      rate: '1.0814895',
      inverseRate: '0.9246506786',
      midMarketRate: '1.0842',
      markupBps: 25,
      rateSource: 'sandbox',
      rateAt: AT - 20_000,
      quoteId: quote.id,
      sellAccount: eur.id,
      buyAccount: usd.id,
      sellTransfer: exchange.sellTransfer,
      buyTransfer: exchange.buyTransfer,
      fees: [],
      metadata: { of: 'the exchange' },
      createdAt: quote.expiresAt,
    });
    apply(state, changesOf(decision), ORIGIN);
    expect(state.tables.exchange_quote.get(quote.id)).toEqual({ ...quote, exchangeId: exchange.id });

    // A second time, in the same batch or a year later: the first exchange is named.
    for (const atMs of [quote.expiresAt, quote.expiresAt + 1_000_000]) {
      expect(refusalOf(createExchange(at(state, atMs), on(quote)))).toEqual({
        code: 'quote_already_used',
        param: 'quote',
        current_status: 'used',
        resource_id: exchange.id,
      });
    }
  });

  it('takes parameters that repeat the quote, in any spelling of the amount', () => {
    const sold = aQuote();
    const bought = aQuote({ fixedSide: 'buy' });
    const repeated = { sellCurrency: 'EUR', buyCurrency: 'USD', amount: '100.000' } as const;
    expect(createExchange(at(given(eur, usd, sold)), on(sold, { ...repeated, fixedSide: 'sell' })).accepted).toBe(true);
    expect(createExchange(at(given(eur, usd, bought)), on(bought, { ...repeated, fixedSide: 'buy' })).accepted).toBe(
      true,
    );
  });

  it.each([
    ['sell_currency', { sellCurrency: 'USD' }, 'EUR'],
    ['buy_currency', { buyCurrency: 'GBP' }, 'USD'],
    ['fixed_side', { fixedSide: 'buy' as const }, 'sell'],
    ['amount', { amount: '100.01' }, '100.00'],
    ['amount', { amount: '108.14' }, '100.00'],
  ])('is refused where %s differs from the quote', (param, rest, promised) => {
    const quote = aQuote();
    const draft = at(given(eur, usd, quote));
    expect(refusalOf(createExchange(draft, on(quote, rest)))).toEqual({
      code: 'quote_mismatch',
      param,
      allowed: [promised],
      resource_id: quote.id,
    });
    expect(draft.changes).toEqual([]);
  });

  it('is refused for an unknown quote, an expired one and an amount that is none', () => {
    const quote = aQuote();
    const state = given(eur, usd, quote);
    expect(refusalOf(createExchange(at(given(eur, usd)), on(quote)))).toEqual({
      code: 'resource_missing',
      param: 'quote',
    });
    expect(refusalOf(createExchange(at(state, quote.expiresAt + 1), on(quote)))).toEqual({
      code: 'quote_expired',
      param: 'quote',
      current_status: 'expired',
    });
    for (const amount of ['1e2', '100.001', '-100']) {
      expect(refusalOf(createExchange(at(state), on(quote, { amount })))).toEqual({
        code: 'amount_invalid',
        param: 'amount',
      });
    }
  });

  it('is refused for want of an account or of money, and leaves the quote as it was', () => {
    const quote = aQuote();
    expect(refusalOf(createExchange(at(given(usd, quote)), on(quote)))).toEqual({
      code: 'account_missing',
      param: 'sell_currency',
    });
    const poor = account('EUR', 9_999n);
    const draft = at(given(poor, usd, quote));
    expect(refusalOf(createExchange(draft, on(quote)))).toEqual({
      code: 'balance_insufficient',
      available_minor: 9_999n,
      resource_id: poor.id,
    });
    expect(draft.changes).toEqual([]);
    const absent = on(quote, { buyAccount: newId('acct') });
    expect(refusalOf(createExchange(at(given(eur, quote), quote.expiresAt + 1), absent)).code).toBe('resource_missing');
  });
});

describe('an update', () => {
  const booked = (state: State) => {
    const decision = createExchange(at(state), now({ metadata: { a: '1', b: '2' } }));
    apply(state, changesOf(decision), ORIGIN);
    return exchangeOf(decision);
  };

  it('changes metadata only, and says what was there before', () => {
    const state = given(account('EUR', 10_000n));
    const exchange = booked(state);
    const decision = updateExchange(at(state), {
      type: 'update_exchange',
      exchange: exchange.id,
      metadata: { a: '', b: '3', c: '4' },
    });
    expect(exchangeOf(decision)).toEqual({ ...exchange, metadata: { b: '3', c: '4' } });
    expect(eventsOf(decision)).toMatchObject([
      { type: 'exchange.updated', previous: { metadata: { a: '1', b: '2', c: null } } },
    ]);
    const same = updateExchange(at(state), { type: 'update_exchange', exchange: exchange.id, metadata: { a: '1' } });
    expect(changesOf(same)).toEqual([]);
  });

  it('is refused for an unknown exchange and for too much metadata', () => {
    const state = given(account('EUR', 10_000n));
    const exchange = booked(state);
    const update = (id: string, metadata: Record<string, string>) =>
      refusalOf(updateExchange(at(state), { type: 'update_exchange', exchange: id, metadata }));
    expect(update(newId('exc'), {})).toEqual({ code: 'resource_missing', param: 'id' });
    const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, 'v']));
    expect(update(exchange.id, many)).toEqual({ code: 'metadata_invalid', param: 'metadata' });
  });
});
