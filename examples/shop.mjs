/**
 * A shop that is paid by payment links, on plain Node: a page with a button, an order that waits, a webhook that says it is paid. The order is
 * in the link's `metadata`, so the shop need not remember links. Orders are kept in memory here; yours are in a database.
 * Start: BURSAR_URL=… BURSAR_KEY=… WEBHOOK_SECRET=whsec_… node shop.mjs
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createClient, webhooks } from '@bursar/client';

const { BURSAR_URL, BURSAR_KEY, WEBHOOK_SECRET, PORT = '3000', SHOP_URL = `http://127.0.0.1:${PORT}` } = process.env;
const bursar = createClient({ url: BURSAR_URL, apiKey: BURSAR_KEY });
const TABLE = { name: 'Garden table', amount: '250.00', currency: 'EUR' };
/** By id: open, then paid. */
const orders = new Map();

/** Price and currency are the shop's, never the browser's. */
async function buy() {
  const order = randomUUID();
  orders.set(order, 'open');
  const link = {
    amount: TABLE.amount,
    currency: TABLE.currency,
    description: TABLE.name,
    metadata: { order },
    after_completion: { redirect: { url: `${SHOP_URL}/orders/${order}` } },
  };
  const { url } = await bursar.paymentLinks.create(link, { idempotencyKey: `order-${order}` }); // a second click is a second order
  return { status: 303, headers: { Location: url } };
}

/** The same event may come twice: that the order is paid can be written down again and again. */
async function hear(body, headers) {
  const event = await webhooks.verify(body, headers, WEBHOOK_SECRET);
  if (event.type === 'payment.succeeded') {
    const { payment_link: id } = event.data.object;
    const { metadata } = await bursar.paymentLinks.retrieve(id);
    if (orders.has(metadata.order)) orders.set(metadata.order, 'paid');
  }
  return { status: 204 };
}

const page = (text) => ({
  status: 200,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Shop</title>${text}`,
});
const SHELF = `<h1>${TABLE.name}</h1><p>${TABLE.amount} ${TABLE.currency}<form method="post" action="/buy"><button>Buy</button></form>`;

async function answer({ method, url, headers }, body) {
  const order = /^\/orders\/([0-9a-f-]{36})$/.exec(url)?.[1];
  if (method === 'GET' && url === '/') return page(SHELF);
  if (method === 'POST' && url === '/buy') return buy();
  if (method === 'POST' && url === '/webhooks') return hear(body, headers).catch(() => ({ status: 400 }));
  if (method === 'GET' && orders.has(order)) return page(`<p>Your order is ${orders.get(order)}.`);
  return { status: 404 };
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { status, headers, body } = await answer(request, Buffer.concat(chunks)).catch((error) => {
    console.error(error.message);
    return { status: 502 };
  });
  response.writeHead(status, headers).end(body);
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The shop is at ${SHOP_URL}`));
