/** The commands of webhooks, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import * as decide from './decide.ts';

export const webhookDecisions = decisions({
  create_webhook_endpoint: decide.createWebhookEndpoint,
  update_webhook_endpoint: decide.updateWebhookEndpoint,
  delete_webhook_endpoint: decide.deleteWebhookEndpoint,
  enable_webhook_endpoint: decide.enableWebhookEndpoint,
  disable_webhook_endpoint: decide.disableWebhookEndpoint,
  roll_webhook_secret: decide.rollWebhookSecret,
  test_webhook_endpoint: decide.testWebhookEndpoint,
  note_webhook_health: decide.noteWebhookHealth,
  note_parked_delivery: decide.noteParkedDelivery,
  replay_webhook_endpoint: decide.replayWebhookEndpoint,
  resend_event: decide.resendEvent,
});
export type WebhookCommand = CommandOf<typeof webhookDecisions>;
