/**
 * Receives Bursar's webhooks in Next.js: a route handler for app/webhooks/route.js. It knows nothing of Next.js but the
 * web's own Request and Response, so it fits wherever these are spoken. `request.text()` is the body as it was sent;
 * `request.json()` would not be. WEBHOOK_SECRET=whsec_… comes from the environment, the port from Next.js.
 */
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

export async function POST(request) {
  let event;
  try {
    const headers = Object.fromEntries(request.headers);
    event = webhook.verify(await request.text(), headers); // signature, and a time within five minutes
  } catch {
    return new Response(null, { status: 400 });
  }
  // Write the event down here, once per event.id, and work on it after the answer.
  console.log(event.type, event.id);
  return new Response(null, { status: 204 });
}
