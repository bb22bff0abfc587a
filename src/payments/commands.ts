/** The commands of payment links and payments, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import {
  type StartPayment,
  startPayment,
  type ReceivePayment,
  receivePayment,
  type PayPaymentLink,
  payPaymentLink,
  type FailPayment,
  failPayment,
  type AttachSession,
  attachSession,
  type UpdatePayment,
  updatePayment,
} from './decide.ts';
import {
  type CreatePaymentLink,
  createPaymentLink,
  type UpdatePaymentLink,
  updatePaymentLink,
  type DeactivatePaymentLink,
  deactivatePaymentLink,
  type ExpirePaymentLink,
  expirePaymentLink,
} from './link-decide.ts';
import { type RefundPayment, refundPayment } from './refund.ts';

export type PaymentCommand =
  | CreatePaymentLink
  | UpdatePaymentLink
  | DeactivatePaymentLink
  | ExpirePaymentLink
  | StartPayment
  | ReceivePayment
  | PayPaymentLink
  | FailPayment
  | AttachSession
  | UpdatePayment
  | RefundPayment;

export const paymentDecisions: Decisions<PaymentCommand> = {
  create_payment_link: createPaymentLink,
  update_payment_link: updatePaymentLink,
  deactivate_payment_link: deactivatePaymentLink,
  expire_payment_link: expirePaymentLink,
  start_payment: startPayment,
  receive_payment: receivePayment,
  pay_payment_link: payPaymentLink,
  fail_payment: failPayment,
  attach_session: attachSession,
  update_payment: updatePayment,
  refund_payment: refundPayment,
};
