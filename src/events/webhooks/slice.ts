/** Webhook endpoints, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import type { ReadSet } from '../../core/read-set.ts';
import { slice } from '../../core/slice.ts';
import * as decide from './decide.ts';
import { DELIVERY, WEBHOOK_ENDPOINT, WEBHOOK_ENDPOINT_WITH_SECRET, WEBHOOK_REPLAY } from './fields.ts';
import { WEBHOOK_ENDPOINTS, WEBHOOK_REPLAYS } from './sql.ts';

/** All endpoints: they are counted, and events are held against them. */
const endpoints = (need: ReadSet): void => need.all('endpointsOf');

export const webhooks = slice({
  decisions: {
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
  },
  needs: {
    create_webhook_endpoint: endpoints,
    update_webhook_endpoint: endpoints,
    delete_webhook_endpoint: endpoints,
    enable_webhook_endpoint: endpoints,
    disable_webhook_endpoint: endpoints,
    roll_webhook_secret: endpoints,
    test_webhook_endpoint: endpoints,
    note_webhook_health: endpoints,
    note_parked_delivery: endpoints,
    replay_webhook_endpoint: endpoints,
    resend_event: endpoints,
  },
  audited: [
    'create_webhook_endpoint',
    'update_webhook_endpoint',
    'enable_webhook_endpoint',
    'disable_webhook_endpoint',
    'delete_webhook_endpoint',
    'roll_webhook_secret',
  ],
  tables: { webhook_endpoint: WEBHOOK_ENDPOINTS, webhook_replay: WEBHOOK_REPLAYS },
  objects: { webhook_endpoint: WEBHOOK_ENDPOINT, delivery: DELIVERY, webhook_replay: WEBHOOK_REPLAY },
  replies: {
    webhook_endpoint_with_secret: ({ endpoint }, livemode) => WEBHOOK_ENDPOINT_WITH_SECRET.render(endpoint, livemode),
    webhook_replays: ({ replays }, livemode) =>
      `{"data":[${replays.map((replay) => WEBHOOK_REPLAY.render(replay, livemode)).join(',')}]}`,
  },
});
export type WebhookCommand = CommandOf<typeof webhooks.decisions>;
