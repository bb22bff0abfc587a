/**
 * Receives Bursar's webhooks with Express. The signature covers the bytes that were sent: never parse the body before it
 * is verified, and never render it anew to verify it. Start: WEBHOOK_SECRET=whsec_… PORT=3000 node express.mjs
 */
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const app = express();

app.post('/webhooks', express.raw({ type: 'application/json', limit: '1mb' }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers); // signature, and a time within five minutes
  } catch {
    response.status(400).end();
    return;
  }
  // Write the event down here, once per event.id, and work on it after the answer.
  console.log(event.type, event.id);
  response.status(204).end();
});

app.listen(process.env.PORT ?? 3000, '127.0.0.1');
