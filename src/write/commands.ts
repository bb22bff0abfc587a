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
import { type CreatePayoutBatch, createPayoutBatch } from '../payouts/batch.ts';
import {
  type CancelPayout,
  type CreatePayout,
  cancelPayout,
  createPayout,
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
