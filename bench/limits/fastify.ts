/**
 * The limit no service on this machine can pass: Fastify that parses the same request, knows the same key, writes the
 * same log line and sends an answer of the same bytes, without a database or a decision behind it.
 */
import { type Form, limit } from './common.ts';

const { app, config, environmentOf, answer, listen } = limit();
const ID_LENGTH = 26;
let made = 0;

/** A sample answer around the 26 characters of its id. */
function around(sample: string): { readonly before: string; readonly after: string } {
  const start = sample.indexOf('_') + 1;
  return { before: sample.slice(0, start), after: sample.slice(start + ID_LENGTH) };
}

for (const [path, sample] of Object.entries(config.answers)) {
  const { before, after } = around(sample);
  const isRead = path.startsWith('GET ');
  const url = path.slice(path.indexOf(' ') + 1);
  app.route({
    method: isRead ? 'GET' : 'POST',
    url,
    handler: (request, reply) => {
      if (environmentOf(request, reply) === undefined) return;
      if (isRead) return answer(request, reply, sample);
      const { amount } = request.body as Form;
      if (amount === undefined || !/^\d+(?:\.\d\d?)?$/.test(amount)) {
        reply.code(400).send('{"error":{"code":"amount_invalid"}}');
        return;
      }
      made += 1;
      answer(request, reply, before + String(made).padStart(ID_LENGTH, '0') + after);
    },
  });
}
await listen();
