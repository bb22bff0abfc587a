/** The commands of webhooks, each with its decision. The tables of all slices: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import {
  type CreateWebhookEndpoint,
  createWebhookEndpoint,
  type UpdateWebhookEndpoint,
  updateWebhookEndpoint,
  type DeleteWebhookEndpoint,
  deleteWebhookEndpoint,
  type EnableWebhookEndpoint,
  enableWebhookEndpoint,
  type DisableWebhookEndpoint,
  disableWebhookEndpoint,
  type RollWebhookSecret,
  rollWebhookSecret,
  type TestWebhookEndpoint,
  testWebhookEndpoint,
  type NoteWebhookHealth,
  noteWebhookHealth,
  type NoteParkedDelivery,
  noteParkedDelivery,
  type ReplayWebhookEndpoint,
  replayWebhookEndpoint,
  type ResendEvent,
  resendEvent,
} from './decide.ts';

export type WebhookCommand =
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
  | ResendEvent;

export const webhookDecisions: Decisions<WebhookCommand> = {
  create_webhook_endpoint: createWebhookEndpoint,
  update_webhook_endpoint: updateWebhookEndpoint,
  delete_webhook_endpoint: deleteWebhookEndpoint,
  enable_webhook_endpoint: enableWebhookEndpoint,
  disable_webhook_endpoint: disableWebhookEndpoint,
  roll_webhook_secret: rollWebhookSecret,
  test_webhook_endpoint: testWebhookEndpoint,
  note_webhook_health: noteWebhookHealth,
  note_parked_delivery: noteParkedDelivery,
  replay_webhook_endpoint: replayWebhookEndpoint,
  resend_event: resendEvent,
};
