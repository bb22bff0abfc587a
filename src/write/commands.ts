/**
 * Every command there is, and the one switch that decides them. A new command is one line in the union and one in the
 * switch; the compiler names the missing one. Next: a slice's `decide.ts`, or `load.ts` for what each needs.
 */
import {
  type CloseAccount,
  type CreateAccount,
  closeAccount,
  createAccount,
  type FundAccount,
  fundAccount,
  type UpdateAccount,
  updateAccount,
} from '../accounts/decide.ts';
import { never } from '../core/assert.ts';
import type { Decision } from '../core/decision.ts';
import { Draft, type Moment, type State } from '../core/state.ts';
import {
  type CreateExchange,
  type CreateQuote,
  createExchange,
  createQuote,
  type UpdateExchange,
  updateExchange,
} from '../exchanges/decide.ts';
import {
  type CreatePaymentLink,
  createPaymentLink,
  type DeactivatePaymentLink,
  deactivatePaymentLink,
  type ExpirePaymentLink,
  expirePaymentLink,
  type UpdatePaymentLink,
  updatePaymentLink,
} from '../payment-links/decide.ts';
import {
  type AttachSession,
  attachSession,
  type FailPayment,
  failPayment,
  type PayPaymentLink,
  payPaymentLink,
  type ReceivePayment,
  receivePayment,
  type StartPayment,
  startPayment,
  type UpdatePayment,
  updatePayment,
} from '../payment-links/payment-decide.ts';
import { type RefundPayment, refundPayment } from '../payment-links/refund-decide.ts';
import { type CreatePayoutBatch, createPayoutBatch } from '../payouts/batch.ts';
import {
  type CancelPayout,
  type CreatePayout,
  cancelPayout,
  createPayout,
  orderPayout,
  type StepPayout,
  stepPayout,
  type UpdatePayout,
  updatePayout,
} from '../payouts/decide.ts';
import {
  type ArchiveRecipient,
  archiveRecipient,
  type CreateRecipient,
  createRecipient,
  type UpdateRecipient,
  updateRecipient,
} from '../recipients/decide.ts';
import { type AdvanceClock, advanceClock } from '../sandbox/decide.ts';
import { type UpdateSettings, updateSettings } from '../settings/decide.ts';
import { type CreateTransfer, createTransfer } from '../transfers/decide.ts';
import {
  type CreateWebhookEndpoint,
  createWebhookEndpoint,
  type DeleteWebhookEndpoint,
  type DisableWebhookEndpoint,
  deleteWebhookEndpoint,
  disableWebhookEndpoint,
  type EnableWebhookEndpoint,
  enableWebhookEndpoint,
  type NoteParkedDelivery,
  type NoteWebhookHealth,
  noteParkedDelivery,
  noteWebhookHealth,
  type ReplayWebhookEndpoint,
  type ResendEvent,
  type RollWebhookSecret,
  replayWebhookEndpoint,
  resendEvent,
  rollWebhookSecret,
  type TestWebhookEndpoint,
  testWebhookEndpoint,
  type UpdateWebhookEndpoint,
  updateWebhookEndpoint,
} from '../webhooks/decide.ts';

export type Command =
  | CreateAccount
  | UpdateAccount
  | CloseAccount
  | FundAccount
  | CreateTransfer
  | CreateRecipient
  | UpdateRecipient
  | ArchiveRecipient
  | CreateQuote
  | CreateExchange
  | UpdateExchange
  | CreatePayout
  | UpdatePayout
  | CancelPayout
  | StepPayout
  | CreatePayoutBatch
  | UpdateSettings
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
  | RefundPayment
  | CreateWebhookEndpoint
  | UpdateWebhookEndpoint
  | DeleteWebhookEndpoint
  | EnableWebhookEndpoint
  | DisableWebhookEndpoint
  | RollWebhookSecret
  | TestWebhookEndpoint
  | NoteWebhookHealth
  | NoteParkedDelivery
  | ReplayWebhookEndpoint
  | ResendEvent
  | AdvanceClock;

/** Pure: the same command, state and moment give the same decision. The state is not changed; see `apply`. */
export function decide(command: Command, state: State, moment: Moment): Decision {
  const draft = new Draft(state, moment);
  switch (command.type) {
    case 'create_account':
      return createAccount(draft, command);
    case 'update_account':
      return updateAccount(draft, command);
    case 'close_account':
      return closeAccount(draft, command);
    case 'fund_account':
      return fundAccount(draft, command);
    case 'create_transfer':
      return createTransfer(draft, command);
    case 'create_recipient':
      return createRecipient(draft, command);
    case 'update_recipient':
      return updateRecipient(draft, command);
    case 'archive_recipient':
      return archiveRecipient(draft, command);
    case 'create_quote':
      return createQuote(draft, command);
    case 'create_exchange':
      return createExchange(draft, command);
    case 'update_exchange':
      return updateExchange(draft, command);
    case 'create_payout':
      return createPayout(draft, command);
    case 'update_payout':
      return updatePayout(draft, command);
    case 'cancel_payout':
      return cancelPayout(draft, command);
    case 'step_payout':
      return stepPayout(draft, command);
    case 'create_payout_batch':
      return createPayoutBatch(draft, command);
    case 'update_settings':
      return updateSettings(draft, command);
    case 'create_payment_link':
      return createPaymentLink(draft, command);
    case 'update_payment_link':
      return updatePaymentLink(draft, command);
    case 'deactivate_payment_link':
      return deactivatePaymentLink(draft, command);
    case 'expire_payment_link':
      return expirePaymentLink(draft, command);
    case 'start_payment':
      return startPayment(draft, command);
    case 'receive_payment':
      return receivePayment(draft, command);
    case 'pay_payment_link':
      return payPaymentLink(draft, command);
    case 'fail_payment':
      return failPayment(draft, command);
    case 'attach_session':
      return attachSession(draft, command);
    case 'update_payment':
      return updatePayment(draft, command);
    case 'refund_payment':
      return refundPayment(draft, command, orderPayout);
    case 'create_webhook_endpoint':
      return createWebhookEndpoint(draft, command);
    case 'update_webhook_endpoint':
      return updateWebhookEndpoint(draft, command);
    case 'delete_webhook_endpoint':
      return deleteWebhookEndpoint(draft, command);
    case 'enable_webhook_endpoint':
      return enableWebhookEndpoint(draft, command);
    case 'disable_webhook_endpoint':
      return disableWebhookEndpoint(draft, command);
    case 'roll_webhook_secret':
      return rollWebhookSecret(draft, command);
    case 'test_webhook_endpoint':
      return testWebhookEndpoint(draft, command);
    case 'note_webhook_health':
      return noteWebhookHealth(draft, command);
    case 'note_parked_delivery':
      return noteParkedDelivery(draft, command);
    case 'replay_webhook_endpoint':
      return replayWebhookEndpoint(draft, command);
    case 'resend_event':
      return resendEvent(draft, command);
    case 'advance_clock':
      return advanceClock(draft, command);
    default:
      return never(command);
  }
}
