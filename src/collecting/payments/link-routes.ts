/** The operations of payment links and the sandbox helper that pays one. Payments: `routes.ts`; pages: `collecting/checkout/routes.ts`. */
import { listParams } from '../../platform/http/lists.ts';
import { boolean, currency, id, oneOf, text } from '../../platform/http/request/params.ts';
import {
  AMOUNT_ERRORS,
  answers,
  answersList,
  answersOrTries,
  type Route,
  routesOf,
} from '../../platform/http/route.ts';
import { readsOf, type Service } from '../../platform/http/service.ts';
import type { PaymentCommand } from './slice.ts';
import { LINK_EXAMPLE, PAYMENT_EXAMPLE } from './examples.ts';
import * as parameters from './parameters.ts';
import { SANDBOX_PAYER } from './sandbox-bank.ts';
import { PAYMENT_LINK, PAYMENT_LINK_STATUSES } from './fields.ts';
import { PAYMENT_LINKS } from './sql.ts';
import type { PaymentSeals } from './sealing.ts';
import { newReference, newToken } from './tokens.ts';

const route = routesOf('Payment links', 'payment_links');
const helper = routesOf('Test helpers', 'test_helpers');

export interface PaymentLinkParts {
  /** Address of a page, as payers see it. */
  urlOf(token: string): string;
  /** Opens rows. */
  readonly seals: PaymentSeals;
  /** Whether an acquirer takes cards. */
  hasCard(livemode: boolean, currency: string): boolean;
}

/** Milliseconds of Unix seconds; what is no instant stays. */
const instant = <N extends null | undefined>(seconds: number | N): number | N =>
  typeof seconds === 'number' ? seconds * 1000 : seconds;

export function paymentLinkRoutes(service: Service<PaymentCommand>, parts: PaymentLinkParts): Route[] {
  const { idIn, list, retrieve } = readsOf(service, PAYMENT_LINK, PAYMENT_LINKS, {
    open: (stored) => parts.seals.link.open(stored),
  });
  return [
    route('createPaymentLink', 'POST /v1/payment_links', {
      summary: 'Create a payment link',
      description:
        'A page at `url` asks for the money. Send the address to the payer: everybody who has it can pay. A link is for one payment unless it is `reusable`. Without `account`, the money goes to the oldest open account of the currency. Where there is none, the link opens one, and its answer names it in `account`.',
      body: parameters.createPaymentLinkParams,
      request: {
        amount: 250,
        currency: 'EUR',
        description: 'Garden table',
        reference: 'Invoice 4711',
        after_completion: { redirect: { url: 'https://shop.example.com/thanks' } },
      },
      response: answersOrTries('PaymentLink', LINK_EXAMPLE),
      errors: [
        ...AMOUNT_ERRORS,
        'currency_unsupported',
        'resource_missing',
        'account_closed',
        'account_currency_mismatch',
        'payment_method_not_configured',
        'parameter_conflict',
        'expires_at_invalid',
        'redirect_url_invalid',
      ],
      handle: (call) => {
        const { body, caller } = call;
        const token = newToken();
        const command = {
          type: 'create_payment_link',
          token,
          url: parts.urlOf(token),
          account: body.account ?? null,
          currency: body.currency.code,
          asked: parameters.askedIn(body),
          reusable: body.reusable,
          maxPayments: body.max_payments ?? null,
          ...parameters.newTextsIn(body, caller.livemode),
          expiresAtMs: instant(body.expires_at) ?? null,
          metadata: body.metadata,
          hasCard: parts.hasCard(caller.livemode, body.currency.code),
        } as const;
        return service.write(call, command, { dryRun: body.dry_run });
      },
    }),
    route('listPaymentLinks', 'GET /v1/payment_links', {
      summary: 'List payment links',
      query: listParams('plink', {
        status: oneOf(PAYMENT_LINK_STATUSES, { description: 'Only in this state.' }),
        currency: currency({ description: 'Only of this currency.' }),
        account: id('acct', { description: 'Only links that credit this account.' }),
        reusable: boolean({ description: 'Only links for several payments, or only those for one.' }),
        reference: text({ kind: 'code', max: 140, description: 'Only links with your own reference.' }),
      }),
      response: answersList('PaymentLink', LINK_EXAMPLE),
      handle: (call) => list(call, { account: 'account_id' }),
    }),
    route('retrievePaymentLink', 'GET /v1/payment_links/:id', {
      summary: 'Retrieve a payment link',
      response: answers('PaymentLink', LINK_EXAMPLE),
      handle: retrieve,
    }),
    route('updatePaymentLink', 'POST /v1/payment_links/:id', {
      summary: 'Update a payment link',
      description:
        'Parameters that you leave out stay. Amount and currency never change; make another link for another amount.',
      body: parameters.updatePaymentLinkParams,
      request: { description: 'Garden table and chairs' },
      response: answers('PaymentLink', { ...LINK_EXAMPLE, description: 'Garden table and chairs' }),
      errors: [
        'payment_link_ended',
        'parameter_conflict',
        'expires_at_invalid',
        'redirect_url_invalid',
        'metadata_invalid',
      ],
      handle: (call) => {
        const { body, caller } = call;
        return service.write(call, {
          type: 'update_payment_link',
          link: idIn(call),
          ...parameters.textsIn(body, caller.livemode),
          maxPayments: body.max_payments,
          expiresAtMs: instant(body.expires_at),
          metadata: body.metadata,
        });
      },
    }),
    route('deactivatePaymentLink', 'POST /v1/payment_links/:id/deactivate', {
      summary: 'Deactivate a payment link',
      description:
        'Nobody can start a payment any more, and the page says so. Started payments go on, because their money may be on its way.',
      response: answers('PaymentLink', { ...LINK_EXAMPLE, active: false, status: 'canceled', ended_at: 1_732_190_000 }),
      errors: ['payment_link_ended'],
      handle: (call) => service.write(call, { type: 'deactivate_payment_link', link: idIn(call) }),
    }),
    helper('payPaymentLink', 'POST /v1/test_helpers/payment_links/:id/pay', {
      summary: 'Let an invented payer pay a link',
      description:
        'Starts a payment, or continues the one that a single-use link waits for, and lets money arrive: the missing amount, or `amount`.',
      body: parameters.payPaymentLinkParams,
      request: {},
      response: answers('Payment', PAYMENT_EXAMPLE),
      errors: [...AMOUNT_ERRORS, 'payment_link_ended', 'balance_too_large'],
      handle: (call) => {
        const [token, reference] = [newToken(), newReference()];
        const start = { link: idIn(call), method: 'bank_transfer', token, reference } as const;
        const { amount = null } = call.body;
        return service.write(call, { type: 'pay_payment_link', start, amount, ...SANDBOX_PAYER });
      },
    }),
  ];
}
