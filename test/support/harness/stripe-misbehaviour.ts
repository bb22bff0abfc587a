/** How the Stripe of the tests (`fake-stripe.ts`) goes wrong when it is told to: says nothing, too much, or nonsense. */
import type { ServerResponse } from 'node:http';

/** Answers that are wrong: status, type of the content, content. */
const WRONG = {
  garbage: [200, 'application/json', '{"id": "cs_test_1", '],
  twice: [200, 'application/json', '{"amount_total":1,"amount_total":12500}'],
  huge: [200, 'application/json', `{"id":"${'a'.repeat(300_000)}"}`],
  huge_refusal: [400, 'application/json', `{"error":{"message":"${'a'.repeat(300_000)}"}}`],
  redirect: [307, 'application/json', '{}'],
  mute: [500, 'application/json', '{}'],
  html: [502, 'text/html', '<h1>Bad gateway</h1>'],
} as const;

/** `server_error` is kept under the key, as Stripe does; the others never reach the session. */
export type Misbehaviour = 'none' | 'server_error' | 'hang' | 'stall' | 'drip' | 'reset' | keyof typeof WRONG;

/** Whether the answer was a wrong one, or none. */
export function misbehaves(how: Misbehaviour, response: ServerResponse): boolean {
  if (how === 'none' || how === 'server_error') return false;
  if (how === 'stall' || how === 'drip')
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
  if (how === 'drip') {
    const dripping = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(dripping));
  }
  if (how === 'reset') response.socket?.resetAndDestroy();
  if (how in WRONG) {
    const [status, type, body] = WRONG[how as keyof typeof WRONG];
    response
      .writeHead(status, { 'content-type': type, ...(status === 307 && { location: '/v1/elsewhere' }) })
      .end(body);
  }
  return true;
}
