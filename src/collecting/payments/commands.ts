/** The commands of payment links and payments, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as payments from './decide.ts';
import * as links from './link-decide.ts';
import * as expected from './expected-decide.ts';
import { refundPayment } from './refund.ts';

export const paymentDecisions = decisions({
  create_payment_link: links.createPaymentLink,
  update_payment_link: links.updatePaymentLink,
  deactivate_payment_link: links.deactivatePaymentLink,
  expire_payment_link: links.expirePaymentLink,
  start_payment: payments.startPayment,
  receive_payment: payments.receivePayment,
  pay_payment_link: payments.payPaymentLink,
  fail_payment: payments.failPayment,
  attach_session: payments.attachSession,
  remind_payment: payments.remindPayment,
  update_payment: payments.updatePayment,
  refund_payment: refundPayment,
  create_expected_payment: expected.createExpectedPayment,
  cancel_expected_payment: expected.cancelExpectedPayment,
  note_overdue: expected.noteOverdue,
});
export type PaymentCommand = CommandOf<typeof paymentDecisions>;
