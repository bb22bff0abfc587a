/**
 * A dead, slow or broken endpoint never delays the others (contract, section 10; T16 of the bar), by order: every event is with the good
 * endpoints although others hang, and these never hold as many exchanges as the server may have.
 * In milliseconds: `test/long/bad-neighbours.test.ts`.
 */
import { expect, test } from 'vitest';
import { createDatabase } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { startServer } from '../support/harness/server-process.ts';
import { createTenant } from '../support/harness/tenant-fixture.ts';
import { makeEndpoint } from '../support/webhooks/endpoints.ts';
import { answers, type Behaviour, startReceiver } from '../support/webhooks/receiver.ts';

const CONCURRENCY = 16;
/** By path. Of one line the hanging ones would fill every place: each payout makes two events for each endpoint. */
const BAD = new Map(['hang', 'hang', 'fail', 'drip'].map((how, index) => [`/${index}`, how]));
const GOOD = ['/4', '/5', '/6', '/7'];
const PAYOUTS = 12;

interface Seen {
  /** Exchanges with hanging and dripping endpoints: how many there were. */
  readonly held: number;
  /** Deliveries to good endpoints, how many there are to be, and how many there were when the bad ones held every exchange. */
  readonly good: number;
  readonly due: number;
  readonly goodWhenFull: number | null;
}

/** All endpoints work at first, which gains them the trust of the dispatcher; then the bad ones turn bad at once. */
async function street(fifo: boolean, isSettled: (seen: Seen) => boolean): Promise<Seen> {
  const database = await createDatabase();
  const receiver = await startReceiver();
  const env = { BURSAR_SANDBOX_STEP_SECONDS: '0', BURSAR_WEBHOOK_CONCURRENCY: String(CONCURRENCY) };
  const server = await startServer({ databaseUrl: database.url, fifo, env });
  const tenant = await createTenant(database.url, server.address, 'street');
  try {
    const account = await tenant.account('EUR', '1000');
    const recipient = await tenant.recipient();
    for (const path of [...BAD.keys(), ...GOOD]) await makeEndpoint(tenant.client, { url: `${receiver.url}${path}` });
    const pay = async () => {
      const order = { amount: '1.00', currency: 'EUR', recipient, account };
      const { status, text } = await tenant.client.post('/v1/payouts', order);
      if (status !== 200) throw new Error(text);
    };
    /** Of payouts alone: each is created and paid for by the balance. */
    const counted = () => GOOD.map((path) => receiver.ids(path).length);
    await pay();
    await eventually('all have the events of the first payout', () =>
      [...BAD.keys(), ...GOOD].every((path) => receiver.ids(path).length >= 2),
    );
    const before = counted();
    const due = before.reduce((sum, count) => sum + count, 0) + 2 * PAYOUTS * GOOD.length;
    const good = () => counted().reduce((sum, count) => sum + count, 0);
    let goodWhenFull: number | null = null;
    let [held, open] = [0, 0];
    const hold: Behaviour = ({ path }, response) => {
      held += 1;
      open += 1;
      response.on('close', () => (open -= 1));
      if (open === CONCURRENCY) goodWhenFull ??= good();
      if (BAD.get(path) === 'drip') response.writeHead(200).write('x');
    };
    const fails = answers(500);
    const works = answers(204);
    receiver.behaviour = (received, response) => {
      const how = BAD.get(received.path);
      (how === undefined ? works : how === 'fail' ? fails : hold)(received, response);
    };
    for (let made = 0; made < PAYOUTS; made++) await pay();
    const seen = (): Seen => ({ held, good: good(), due, goodWhenFull });
    await eventually('the street has settled', () => isSettled(seen()), { seen });
    return seen();
  } finally {
    tenant.client.close();
    await server.kill();
    await receiver.stop();
    await database.drop();
  }
}

test.concurrent('endpoints that hang, fail and stream for ever do not delay the others', async () => {
  const { held, goodWhenFull } = await street(false, ({ good, due }) => good >= due);
  expect(held).toBeGreaterThan(0);
  expect(goodWhenFull).toBe(null);
});

test.concurrent('control: in one line for all they hold every exchange, and the others wait for their end', async () => {
  const { due, goodWhenFull } = await street(true, (seen) => seen.goodWhenFull !== null);
  expect(goodWhenFull).toBeLessThan(due);
});
