/**
 * A marketplace pays its sellers from a file: one line a seller, with the marketplace's own order id. Whatever happens in between (a crash, a
 * second run, two runs at once) each line is paid once: recipients are found again by their IBAN, and the order id is the payout's
 * `external_id`, which is unique for ever. Start: BURSAR_URL=… BURSAR_KEY=… node marketplace.mjs sellers.csv
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '@bursar/client';

const { BURSAR_URL, BURSAR_KEY } = process.env;
// What was not answered is asked again, with the same idempotency key.
const bursar = createClient({ url: BURSAR_URL, apiKey: BURSAR_KEY });
const keyOf = (what, value) => `${what}-${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`;

/** Lines of `order,name,iban,amount,currency`; no quotes, no commas inside. */
function readSellers(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell.trim()])));
}

async function recipientOf({ name, iban, currency }) {
  const { data } = await bursar.recipients.search({ iban, currency, limit: 1 });
  if (data.length > 0) return data[0].id;
  const recipient = { name, type: 'individual', currency, country: iban.slice(0, 2), bank_details: { iban } };
  // The same key for the same seller: two runs at once make one recipient.
  return (await bursar.recipients.create(recipient, { idempotencyKey: keyOf('seller', recipient) })).id;
}

const sellers = readSellers(process.argv[2]);
const payouts = [];
for (const seller of sellers) {
  const { order, amount, currency } = seller;
  payouts.push({
    amount,
    currency,
    recipient: await recipientOf(seller),
    external_id: order,
    reference: `Order ${order}`,
  });
}
// Every line is paid or refused by itself. A batch takes a thousand.
let paid = 0;
for (let from = 0; from < payouts.length; from += 1000) {
  const chunk = payouts.slice(from, from + 1000);
  const idempotencyKey = keyOf('sellers', chunk);
  const { results } = await bursar.payoutBatches.create({ mode: 'partial', payouts: chunk }, { idempotencyKey });
  for (const [at, { status, payout, error }] of results.entries()) {
    const { external_id: order, amount, currency } = chunk[at];
    const isDone = status === 'created' || error.code === 'external_id_used'; // by an earlier run
    if (isDone) paid += 1;
    console.log(
      `${order}: ${amount} ${currency} ${isDone ? `is on its way, ${payout?.id ?? error.resource_id}` : `refused, ${error.message}`}`,
    );
  }
}
console.log(`${paid} of ${sellers.length} orders are paid.`);
process.exitCode = paid === sellers.length ? 0 : 1;
