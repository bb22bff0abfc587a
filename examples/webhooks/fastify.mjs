/**
 * Receives Bursar's webhooks with Fastify. The signature covers the bytes that were sent: the parser of JSON is replaced
 * by one that leaves the body as it is. Start: WEBHOOK_SECRET=whsec_… PORT=3000 node fastify.mjs
 */
import { fastify } from 'fastify';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const app = fastify();

app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

app.post('/webhooks', (request, reply) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers); // signature, and a time within five minutes
  } catch {
    return reply.code(400).send();
  }
  // Write the event down here, once per event.id, and work on it after the answer.
  console.log(event.type, event.id);
  return reply.code(204).send();
});

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
