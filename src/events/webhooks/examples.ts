/** Examples of the OpenAPI document: a webhook endpoint, a delivery and a replay. */
import { exampleOf } from '../../platform/http/object-schema.ts';
import { DELIVERY, WEBHOOK_ENDPOINT, WEBHOOK_REPLAY } from './fields.ts';

export const ENDPOINT_EXAMPLE = exampleOf(WEBHOOK_ENDPOINT);

export const SECRET_EXAMPLE = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const DELIVERY_EXAMPLE = exampleOf(DELIVERY, {
  created: 1_732_184_000,
  attempts: [
    {
      started_at: 1_732_184_000,
      duration_ms: 12,
      outcome: 'status',
      http_status: 500,
      response: 'Internal Server Error',
      error: 'The endpoint answered 500.',
    },
  ],
});

export const REPLAY_EXAMPLE = exampleOf(WEBHOOK_REPLAY, {
  only: 'named',
  after_sequence: 40,
  until_sequence: 41,
  reached_sequence: 40,
});
