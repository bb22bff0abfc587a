/** Payment links, payments and expected payments, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { slice } from '../../core/slice.ts';
import * as payment from './decide.ts';
import * as expected from './expected-decide.ts';
import { EXPECTED_PAYMENT, PAYMENT, PAYMENT_LINK } from './fields.ts';
import * as link from './link-decide.ts';
import * as redact from './redact.ts';
import { refundPayment } from './refund.ts';
import { EXPECTED_PAYMENTS, PAYMENT_LINKS, PAYMENTS } from './sql.ts';

const ofLink = (need: ReadSet, command: { readonly link: string }) => need.keys('links', command.link);
const ofPayment = (need: ReadSet, command: { readonly payment: string }) => need.keys('payments', command.payment);
const erased =
  (kind: 'links' | 'payments' | 'expectedPayments') =>
  (need: ReadSet, { id }: { readonly id: string }) => {
    need.keys(kind, id);
    need.keys('erased', id);
  };

export const payments = slice({
  decisions: {
    create_payment_link: link.createPaymentLink,
    update_payment_link: link.updatePaymentLink,
    deactivate_payment_link: link.deactivatePaymentLink,
    expire_payment_link: link.expirePaymentLink,
    start_payment: payment.startPayment,
    receive_payment: payment.receivePayment,
    pay_payment_link: payment.payPaymentLink,
    fail_payment: payment.failPayment,
    attach_session: payment.attachSession,
    remind_payment: payment.remindPayment,
    update_payment: payment.updatePayment,
    refund_payment: refundPayment,
    create_expected_payment: expected.createExpectedPayment,
    cancel_expected_payment: expected.cancelExpectedPayment,
    note_overdue: expected.noteOverdue,
    redact_payment_link: redact.redactPaymentLink,
    redact_payment: redact.redactPayment,
    redact_expected_payment: redact.redactExpectedPayment,
  },
  needs: {
    create_payment_link: (need, { account, currency }) => {
      need.ownSettings();
      need.all('bankAccountsOf');
      need.account(account, currency);
    },
    update_payment_link: ofLink,
    deactivate_payment_link: ofLink,
    expire_payment_link: ofLink,
    start_payment: (need, command) => {
      need.ownSettings();
      need.keys('links', command.link);
    },
    receive_payment: (need, command) => {
      need.keys('payments', command.payment);
      need.session(command.session);
    },
    pay_payment_link: (need, { start }) => {
      need.ownSettings();
      need.keys('links', start.link);
    },
    fail_payment: ofPayment,
    attach_session: ofPayment,
    remind_payment: ofPayment,
    update_payment: ofPayment,
    refund_payment: (need, command) => {
      need.keys('payments', command.payment);
      need.keys('recipients', command.recipient);
    },
    create_expected_payment: (need, { account, currency }) => need.account(account, currency),
    cancel_expected_payment: (need, { expectedPayment }) => need.keys('expectedPayments', expectedPayment),
    note_overdue: (need, { expectedPayment }) => need.keys('expectedPayments', expectedPayment),
    redact_payment_link: erased('links'),
    redact_payment: erased('payments'),
    redact_expected_payment: erased('expectedPayments'),
  },
  audited: ['redact_payment_link', 'redact_payment', 'redact_expected_payment'],
  tables: { payment_link: PAYMENT_LINKS, payment: PAYMENTS, expected_payment: EXPECTED_PAYMENTS },
  objects: { payment_link: PAYMENT_LINK, payment: PAYMENT, expected_payment: EXPECTED_PAYMENT },
});
export type PaymentCommand = CommandOf<typeof payments.decisions>;
