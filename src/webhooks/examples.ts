/** Examples of the OpenAPI document: a webhook endpoint, a delivery and a replay. */

export const ENDPOINT = {
  id: 'we_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'webhook_endpoint',
  created: 1_732_184_000,
  livemode: false,
  url: 'https://hooks.example.com/bursar',
  enabled_events: ['payout.*'],
  description: null,
  ordered: false,
  status: 'enabled',
  disabled_reason: null,
  failing_since: null,
  metadata: {},
};

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export const DELIVERY = {
  id: 'dlv_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'delivery',
  created: 1_732_184_000,
  livemode: false,
  webhook_endpoint: ENDPOINT.id,
  event: 'evt_01jd3v9q4ne8v8k3w2m6r5t7xa',
  event_type: 'payout.paid',
  sequence: 41,
  status: 'pending',
  next_attempt_at: 1_732_184_005,
  attempts: [
    {
      started: 1_732_184_000,
      duration_ms: 12,
      outcome: 'status',
      http_status: 500,
      response: 'Internal Server Error',
      error: 'The endpoint answered 500.',
    },
  ],
};

export const REPLAY = {
  id: 'rep_01jd3v9q4ne8v8k3w2m6r5t7xa',
  object: 'webhook_replay',
  created: 1_732_184_000,
  livemode: false,
  webhook_endpoint: ENDPOINT.id,
  only: 'named',
  after_sequence: 40,
  until_sequence: 41,
  reached_sequence: 40,
  deliveries_count: 0,
  status: 'running',
};
