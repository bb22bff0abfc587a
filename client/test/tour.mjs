/**
 * The packed client on any runtime: accounts, a recipient, a payout with an idempotency key, a list, a refusal, a delivery, the stream. Plain
 * JavaScript, run by Node, Deno and Bun: `scripts/clients.ts`. It takes the folder of the package, address and key as arguments.
 */
const [folder, url, key] = (globalThis.process ?? globalThis.Deno).argv?.slice(2) ?? globalThis.Deno.args;
const { BursarError, createClient, toMinor, webhooks } = await import(`${folder}/dist/bursar.js`);

function expect(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`);
}

const bursar = createClient({ url, apiKey: key });
const accounts = [];
for await (const account of bursar.accounts.list()) accounts.push(account);
expect(
  accounts.some(({ currency }) => currency === 'EUR'),
  'there is an account',
);

const recipient = await bursar.recipients.create({
  name: 'Grace Hopper',
  type: 'individual',
  currency: 'EUR',
  country: 'DE',
  bank_details: { iban: 'DE89370400440532013000' },
});
const order = { amount: '250.01', currency: 'EUR', recipient: recipient.id };
const idempotencyKey = crypto.randomUUID();
const first = await bursar.payouts.create(order, { idempotencyKey });
const again = await bursar.payouts.create(order, { idempotencyKey });
expect(
  again.lastResponse.replayed && first.id === again.id && toMinor(first.amount, 'EUR') === 25_001n,
  'paid once, to the cent',
);

const page = await bursar.payouts.list({ status: ['pending'], created: { gte: first.created } }).page();
expect(page.data.filter(({ id }) => id === first.id).length === 1, 'listed once');

const refusal = await bursar.payouts.create({ ...order, amount: '99999999.00' }).catch((error) => error);
expect(BursarError.is(refusal, 'balance_insufficient') && refusal.requestId.startsWith('req_'), 'refused by code');

const secret = `whsec_${btoa('a secret of a test that signs here')}`;
const body = '{"id":"evt_1","type":"ping","amount":1.10}';
const headers = await webhooks.generateTestHeaders({ payload: body, secret });
expect((await webhooks.verify(body, headers, secret)).amount === '1.10', 'a delivery is verified');
const forged = await webhooks.verify(`${body} `, headers, secret).catch(({ code }) => code);
expect(forged === 'signature_wrong', 'a forged one is not');

for await (const event of bursar.events.stream({ types: ['payout.created'], after_sequence: 0 })) {
  if (event.data.object.id === first.id) break;
}
console.log('the tour is done');
