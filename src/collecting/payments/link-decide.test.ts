/** Decisions about payment links, given / when / then. What payments do to them: `link-decide.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { PaymentLink } from './fields.ts';
import type { Settings } from '../../tenancy/settings/fields.ts';
import type { Stored } from '../../core/objects.ts';
import { State } from '../../core/state.ts';
import { DAY_MS } from '../../core/values/time.ts';
import { unset } from '../../tenancy/settings/decide.ts';
import { bankAccount } from '../../../test/support/harness/bank-literals.ts';
import { given } from '../../../test/support/harness/given.ts';
import {
  ACCOUNT,
  account,
  AT,
  BEFORE,
  createPaymentLink,
  environment,
  idAt,
  LINK,
  PAYMENT,
  payment,
  paymentLink,
  seededIds,
} from '../../../test/support/harness/literals.ts';
import { decide } from '../../write/slices.ts';
import type { CreatePaymentLink, UpdatePaymentLink } from './link-decide.ts';

const update = (fields: Partial<UpdatePaymentLink> = {}): UpdatePaymentLink => ({
  type: 'update_payment_link',
  link: LINK,
  description: undefined,
  reference: undefined,
  customerEmail: undefined,
  redirectUrl: undefined,
  message: undefined,
  maxPayments: undefined,
  expiresAtMs: undefined,
  metadata: undefined,
  ...fields,
});
const deactivate = { type: 'deactivate_payment_link', link: LINK } as const;
const expire = { type: 'expire_payment_link', link: LINK } as const;
const ENDED = ['completed', 'expired', 'canceled'] as const;

describe('create_payment_link', () => {
  it('keeps what was said, on the oldest open account of the currency', () => {
    const words = {
      description: 'Rent',
      reference: 'Invoice 4711',
      customerEmail: 'grace@example.com',
      redirectUrl: 'https://shop.example.com/thanks',
      message: 'Thank you.',
    };
    const dollars = account({ id: idAt('acct', 0), currency: 'USD' });
    const closed = account({ id: idAt('acct', 0), status: 'closed', balance: 0n });
    const younger = account({ id: idAt('acct', 2) });
    const command = createPaymentLink({ ...words, expiresAtMs: AT + 1, metadata: { order: '7', empty: '' } });
    const outcome = given(younger, account(), closed, dollars).when(command);
    outcome.thenAccepts({
      reply: {
        ...words,
        object: 'payment_link',
        token: 'token',
        url: 'https://pay.example.com/pay/token',
        account: ACCOUNT,
        currency: 'EUR',
        amount: 25_000n,
        minimum: null,
        maximum: null,
        reusable: false,
        maxPayments: null,
        status: 'active',
        paymentsCount: 0,
        openCount: 0,
        received: 0n,
        expiresAt: AT + 1,
        endedAt: null,
        createdAt: AT,
      },
      transfers: [],
      events: ['payment_link.created'],
    });
    const link = outcome.reply as PaymentLink;
    expect(link.metadata).toEqual({ order: '7' });
    expect(outcome.events[0]).toMatchObject({ object: link, previous: null });
    // What belongs to the command alone is not kept.
    expect(Object.keys(link).filter((name) => ['type', 'asked', 'hasCard', 'expiresAtMs'].includes(name))).toEqual([]);
  });

  it('takes an open amount with bounds, and any number of payments', () => {
    const asked = { amount: null, minimum: 100n, maximum: 500n };
    given(account())
      .when(createPaymentLink({ asked, reusable: true, maxPayments: 12 }))
      .thenAccepts({ reply: { ...asked, reusable: true, maxPayments: 12 } });
  });

  it('takes the named account, or opens one where there is none', () => {
    const second = account({ id: idAt('acct', 2) });
    given(account(), second)
      .when(createPaymentLink({ account: second.id }))
      .thenAccepts({ reply: { account: second.id }, events: ['payment_link.created'] });
    const outcome = given(account()).when(createPaymentLink({ currency: 'JPY' }));
    outcome.thenAccepts({ reply: { currency: 'JPY' }, events: ['account.created', 'payment_link.created'] });
    const { account: opened } = outcome.reply as PaymentLink;
    expect(outcome.now(opened)).toMatchObject({ currency: 'JPY', balance: 0n, status: 'open' });
  });

  it('refuses an account that cannot be credited', () => {
    const named = createPaymentLink({ account: ACCOUNT });
    given().when(named).thenRefuses('resource_missing', { param: 'account' });
    given(account({ currency: 'USD' }))
      .when(named)
      .thenRefuses('account_currency_mismatch', { param: 'account' });
    given(account({ status: 'closed', balance: 0n }))
      .when(named)
      .thenRefuses('account_closed', { param: 'account' });
  });

  it('must expire later than now', () => {
    for (const expiresAtMs of [AT - 1, AT]) {
      given(account())
        .when(createPaymentLink({ expiresAtMs }))
        .thenRefuses('expires_at_invalid', { param: 'expires_at' });
    }
    // A refused command opens no account.
    const outcome = given().when(createPaymentLink({ expiresAtMs: AT }));
    outcome.thenRefuses('expires_at_invalid');
    expect(outcome.state.tables.account.size).toBe(0);
  });

  describe('in live mode', () => {
    const BANK = { account_holder: 'Rossum', iban: 'DE89370400440532013000' };
    const live = (command: CreatePaymentLink, settings?: Partial<Settings>, bank?: Stored['bank_account']) => {
      const known = environment(41n, BEFORE);
      const state = new State({ ...known, livemode: true });
      state.put(account());
      if (bank) state.put(bank);
      if (settings) state.put({ ...unset(known.id, BEFORE), ...settings });
      return decide(command, state, { atMs: AT, ids: seededIds(), actor: 'worker' });
    };

    it('refuses a page on which nothing can be paid', () => {
      for (const settings of [undefined, {}, { bankAccounts: { USD: BANK } }]) {
        const decision = live(createPaymentLink({ expiresAtMs: AT }), settings);
        expect(decision).toMatchObject({
          accepted: false,
          refusal: { code: 'payment_method_not_configured', details: { param: 'currency' } },
        });
      }
    });

    it('needs a bank account of that currency or an acquirer', () => {
      expect(live(createPaymentLink(), undefined, bankAccount()).accepted).toBe(true);
      expect(live(createPaymentLink(), { bankAccounts: { EUR: BANK } }).accepted).toBe(true); // from before
      expect(live(createPaymentLink({ hasCard: true })).accepted).toBe(true);
    });

    it('checks the account first', () => {
      expect(live(createPaymentLink({ account: idAt('acct', 9) }))).toMatchObject({
        refusal: { code: 'resource_missing' },
      });
    });
  });
});

describe('update_payment_link', () => {
  it('changes what is given and tells what it was', () => {
    const before = paymentLink({
      description: 'Rent',
      reference: 'A',
      metadata: { a: '1' },
      reusable: true,
      maxPayments: 3,
    });
    const outcome = given(before).when(
      update({
        description: 'Rent for May',
        reference: null,
        customerEmail: 'grace@example.com',
        maxPayments: 4,
        expiresAtMs: AT + DAY_MS,
        metadata: { a: '', b: '2' },
      }),
    );
    outcome.thenAccepts({
      reply: {
        description: 'Rent for May',
        reference: null,
        customerEmail: 'grace@example.com',
        maxPayments: 4,
        expiresAt: AT + DAY_MS,
        redirectUrl: null,
        status: 'active',
      },
      events: ['payment_link.updated'],
    });
    expect((outcome.reply as PaymentLink).metadata).toEqual({ b: '2' });
    expect(outcome.events[0]?.previous).toEqual({
      description: 'Rent',
      reference: 'A',
      customer_email: null,
      max_payments: 3,
      expires_at: null,
      metadata: { a: '1', b: null },
    });
  });

  it('tells the whole of after_completion when a part of it changes, and instants in seconds', () => {
    const before = paymentLink({ redirectUrl: 'https://a.example', message: 'Thanks.', expiresAt: AT + 5000 });
    const message = given(before).when(update({ message: null }));
    expect(message.events[0]?.previous).toEqual({
      after_completion: { redirect: { url: 'https://a.example' }, message: 'Thanks.' },
    });
    const redirect = message.when(update({ redirectUrl: null, expiresAtMs: AT + DAY_MS }));
    redirect.thenAccepts({ reply: { redirectUrl: null, message: null, expiresAt: AT + DAY_MS } });
    expect(redirect.events[0]?.previous).toEqual({
      after_completion: { redirect: { url: 'https://a.example' }, message: null },
      expires_at: (AT + 5000) / 1000,
    });
    const back = redirect.when(update({ redirectUrl: 'https://b.example' }));
    expect(back.events[0]?.previous).toEqual({ after_completion: { redirect: null, message: null } });
  });

  it('says nothing when nothing changes', () => {
    const before = paymentLink({ description: 'Rent', metadata: { a: '1' } });
    const outcome = given(before).when(update({ description: 'Rent', message: null, metadata: { a: '1', b: '' } }));
    outcome.thenAccepts({ reply: before, events: [] });
    expect(outcome.state.updated.size).toBe(0);
  });

  it('refuses the unknown, and a limit or an expiry of what has ended', () => {
    given().when(update()).thenRefuses('resource_missing');
    for (const status of ENDED) {
      const details = { current_status: status, allowed: ['active'] };
      const ended = paymentLink({ status, reusable: true });
      given(ended)
        .when(update({ maxPayments: 5 }))
        .thenRefuses('payment_link_ended', details);
      given(ended)
        .when(update({ expiresAtMs: AT - 1 }))
        .thenRefuses('payment_link_ended', details);
      given(ended)
        .when(update({ description: 'What it was for' }))
        .thenAccepts({ reply: { status }, events: ['payment_link.updated'] });
    }
  });

  it('has a limit for reusable links alone, not below what is paid', () => {
    given(paymentLink())
      .when(update({ maxPayments: 1 }))
      .thenRefuses('parameter_conflict', { param: 'max_payments' });
    const paid = paymentLink({ reusable: true, maxPayments: 5, paymentsCount: 3, openCount: 1 });
    given(paid)
      .when(update({ maxPayments: 2 }))
      .thenRefuses('parameter_invalid', { param: 'max_payments' });
    given(paid)
      .when(update({ maxPayments: 4 }))
      .thenAccepts({ reply: { maxPayments: 4, status: 'active' } });
  });

  it('is completed by a limit that is reached already', () => {
    const paid = paymentLink({ reusable: true, maxPayments: 5, paymentsCount: 3 });
    const outcome = given(paid).when(update({ maxPayments: 3 }));
    outcome.thenAccepts({
      reply: { maxPayments: 3, status: 'completed', endedAt: AT },
      events: ['payment_link.updated', 'payment_link.completed'],
    });
    expect(outcome.events.map(({ previous }) => previous)).toEqual([
      { max_payments: 5 },
      { status: 'active', active: true },
    ]);
    expect(outcome.events[0]?.object).toMatchObject({ status: 'active', maxPayments: 3 });
  });

  it('is completed once', () => {
    given(paymentLink({ status: 'completed', paymentsCount: 1 }))
      .when(update({ description: 'Paid, thank you' }))
      .thenAccepts({ reply: { status: 'completed', endedAt: BEFORE }, events: ['payment_link.updated'] });
  });

  it('must expire later than now, and can be given more time after its expiry was missed', () => {
    const due = paymentLink({ expiresAt: AT - 1 });
    for (const expiresAtMs of [AT - 1, AT]) {
      given(due).when(update({ expiresAtMs })).thenRefuses('expires_at_invalid', { param: 'expires_at' });
    }
    given(due)
      .when(update({ expiresAtMs: AT + 120_000 }))
      .thenAccepts({ reply: { status: 'active' } })
      .when(expire)
      .thenAccepts({ reply: { status: 'active' }, events: [] });
  });

  it('refuses more than fifty keys of metadata', () => {
    const fifty = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']));
    given(paymentLink({ metadata: { one: 'more' } }))
      .when(update({ metadata: fifty }))
      .thenRefuses('metadata_invalid', { param: 'metadata' });
  });
});

describe('deactivate_payment_link', () => {
  it('cancels an active link; payments that wait go on waiting', () => {
    const outcome = given(paymentLink({ openCount: 1 }), payment()).when(deactivate);
    outcome.thenAccepts({
      reply: { status: 'canceled', endedAt: AT, openCount: 1 },
      events: ['payment_link.canceled'],
      now: { [PAYMENT]: { status: 'pending' } },
    });
    expect(outcome.events[0]?.previous).toEqual({ status: 'active', active: true });
  });

  it('refuses the unknown and what has ended', () => {
    given().when(deactivate).thenRefuses('resource_missing');
    for (const status of ENDED) {
      given(paymentLink({ status }))
        .when(deactivate)
        .thenRefuses('payment_link_ended', { current_status: status, allowed: ['active'] });
    }
  });
});

describe('expire_payment_link', () => {
  it('ends a link from its instant on, once', () => {
    const outcome = given(paymentLink({ expiresAt: AT })).when(expire);
    outcome
      .thenAccepts({ reply: { status: 'expired', endedAt: AT }, events: ['payment_link.expired'] })
      .when(expire)
      .thenAccepts({ reply: { status: 'expired', endedAt: AT }, events: [] });
    expect(outcome.events[0]?.previous).toEqual({ status: 'active', active: true });
  });

  it('leaves alone what is not due, has no expiry or has ended', () => {
    for (const link of [
      paymentLink({ expiresAt: AT + 1 }),
      paymentLink(),
      ...ENDED.map((status) => paymentLink({ status, expiresAt: AT - 1 })),
    ]) {
      given(link).when(expire).thenAccepts({ reply: link, events: [] });
    }
    given().when(expire).thenRefuses('resource_missing');
  });
});
