/**
 * Broken decisions about payment links and payments, for control runs of the property: one fault each, as a hurried
 * change could make it. How a mutant is made: `ledger.ts`. Who runs them: `test/soak/ledger.property.test.ts`.
 */
import type { StoredObject } from '../../../src/core/objects.ts';
import type { Payment, PaymentLink } from '../../../src/collecting/payments/fields.ts';
import type { Change, State } from '../../../src/core/state.ts';
import { decide } from '../../../src/write/slices.ts';
import {
  blind,
  changing,
  deciding,
  EVENTS,
  OUTCOME_OR_EVENTS,
  type Mutant,
  RICH,
  seenAs,
  TRANSFERS,
} from './ledger.ts';

const COUNTS = /counts its payments/;
const isOf = (kind: StoredObject['object']) => (change: Change) =>
  change.kind === 'object' && change.object.object === kind;
const tells = (type: string) => (change: Change) => change.kind === 'event' && change.event.type === type;

const linksSeen = (state: State, fields: Partial<PaymentLink>) =>
  seenAs(state, (object) => (object.object === 'payment_link' ? { ...object, ...fields } : object));
const paymentsSeen = (state: State, edit: (payment: Payment) => Partial<Payment>) =>
  seenAs(state, (object) => (object.object === 'payment' ? { ...object, ...edit(object) } : object));
const edited = (changes: readonly Change[], edit: (object: StoredObject) => StoredObject): readonly Change[] =>
  changes.map((change) => (change.kind === 'object' ? { ...change, object: edit(change.object) } : change));

export const PAYMENT_MUTANTS: readonly Mutant[] = [
  changing('calls what is paid partly paid', /status of pay_\w+ is as its sums say/, (changes) =>
    edited(changes, (object) =>
      object.object === 'payment' && object.status === 'succeeded' ? { ...object, status: 'partially_paid' } : object,
    ),
  ),
  changing('lets a payment that failed keep its place', COUNTS, (changes, { type }) =>
    type === 'fail_payment' ? changes.filter((change) => !isOf('payment_link')(change)) : changes,
  ),
  changing('lets a payment that is refunded keep its place', COUNTS, (changes, { type }) =>
    type === 'refund_payment' ? changes.filter((change) => !isOf('payment_link')(change)) : changes,
  ),
  changing('counts a duplicate as a payment of its link', COUNTS, (changes) =>
    changes.some(tells('payment.duplicate'))
      ? edited(changes, (object) =>
          object.object === 'payment_link' ? { ...object, paymentsCount: object.paymentsCount + 1 } : object,
        )
      : changes,
  ),
  changing('forgets what a duplicate brought to its link', COUNTS, (changes) =>
    changes.some(tells('payment.duplicate')) ? changes.filter((change) => !isOf('payment_link')(change)) : changes,
  ),
  changing('keeps a refund that came back', /is refunded by its payouts/, (changes, { type }) =>
    type === 'cancel_payout' || type === 'step_payout' ? changes.filter((change) => !isOf('payment')(change)) : changes,
  ),
  changing('says nothing of a refund that came back', EVENTS, (changes, { type }) =>
    type === 'cancel_payout' || type === 'step_payout'
      ? changes.filter((change) => !tells('payment.updated')(change))
      : changes,
  ),
  changing('does not complete a link', EVENTS, (changes) =>
    changes.filter((change) => !tells('payment_link.completed')(change)),
  ),
  deciding('books a session again when it is told again', TRANSFERS, (command, state, context) => {
    if (command.type !== 'receive_payment' || command.session === null) return decide(command, state, context);
    return decide(
      command,
      paymentsSeen(state, () => ({ session: null })),
      context,
    );
  }),
  deciding('expects the rest of what was sent back', EVENTS, (command, state, context) => {
    if (command.type !== 'receive_payment') return decide(command, state, context);
    return decide(
      command,
      paymentsSeen(state, () => ({ refund: null })),
      context,
    );
  }),
  deciding('starts a second payment of a link for one', OUTCOME_OR_EVENTS, (command, state, context) =>
    decide(command, command.type === 'start_payment' ? linksSeen(state, { reusable: true }) : state, context),
  ),
  deciding('binds a payer to the amount that another chose', OUTCOME_OR_EVENTS, (command, state, context) => {
    if (command.type !== 'start_payment') return decide(command, state, context);
    const isChosen = (payment: Payment) => state.tables.payment_link.get(payment.link)?.amount === null;
    const begun = paymentsSeen(state, (payment) =>
      payment.status === 'pending' && isChosen(payment) ? { received: 1n } : {},
    );
    return decide(command, begun, context);
  }),
  deciding(
    'keeps places of a link for payments that were only started',
    OUTCOME_OR_EVENTS,
    (command, state, context) => {
      const isFull = ({ maxPayments, paymentsCount, openCount }: PaymentLink) =>
        maxPayments !== null && paymentsCount + openCount >= maxPayments;
      const full = seenAs(state, (object) =>
        object.object === 'payment_link' && isFull(object) ? { ...object, status: 'completed' } : object,
      );
      return decide(command, command.type === 'start_payment' ? full : state, context);
    },
  ),
  deciding('loses patience at once', EVENTS, (command, state, context) =>
    decide(command, command.type === 'fail_payment' ? paymentsSeen(state, () => ({ dueAt: null })) : state, context),
  ),
  deciding('hears of any session that failed', EVENTS, (command, state, context) =>
    decide(command.type === 'fail_payment' ? { ...command, session: null } : command, state, context),
  ),
  blind('takes payments of a link that has ended', 'payment_link_ended', (state) =>
    linksSeen(state, { status: 'active', expiresAt: null }),
  ),
  blind('refunds more than is left', 'refund_too_large', (state) =>
    paymentsSeen(state, ({ received }) => ({ received: received + RICH })),
  ),
  blind('refunds what never came', 'payment_state_invalid', (state) =>
    paymentsSeen(state, () => ({ received: RICH, refunded: 0n })),
  ),
  blind('lets a payer choose less than the least', 'amount_too_small', (state) => linksSeen(state, { minimum: null })),
  blind('lets a payer choose more than the most', 'amount_too_large', (state) => linksSeen(state, { maximum: null })),
];
