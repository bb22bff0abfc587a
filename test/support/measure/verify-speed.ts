/**
 * How long `bursar verify` takes over a database that the write path itself filled, beside writes that go on: payouts in batches, each paid, so
 * two transfers, six events and a record each. The size is counted in transfers.
 */
import { idOf } from '../../../src/core/values/ids.ts';
import { inWords, verify } from '../../../src/verify/verify.ts';
import { payoutOrder } from '../harness/literals.ts';
import { startWriting, type Writing } from '../harness/writer.ts';
import { rowsOf, withClient } from '../model/audit.ts';

const BATCH_ITEMS = 1_000;
/** Commands under way at once, as many as two batches of the writer. */
const AT_ONCE = 512;
/** Rules that take longer are named. */
const SLOW_MS = 1_000;

/** An environment with money and a recipient, and batches of payouts from it. */
async function payer(writing: Writing) {
  const environmentId = await writing.environment();
  const send = async (command: Parameters<Writing['send']>[1], key?: string) => {
    const { status, body } = await writing.send(environmentId, command, key === undefined ? {} : { key });
    if (status !== 200) throw new Error(body);
    return JSON.parse(body) as { id: string };
  };
  const { id: account } = await send({ type: 'create_account', currency: 'EUR', name: null, metadata: undefined });
  await send({ type: 'fund_account', account, amount: '90000000' });
  const { id: recipient } = await send({
    type: 'create_recipient',
    name: 'Ada Lovelace',
    recipientType: 'individual',
    currency: 'EUR',
    country: 'DE',
    email: null,
    bankDetails: { iban: 'DE89370400440532013000' },
    metadata: undefined,
  });
  let keys = 0;
  const order = payoutOrder({ amount: 100n, recipient, account });
  const batch = {
    places: null,
    mode: 'atomic',
    externalId: null,
    metadata: undefined,
    settlementDelayMs: null,
  } as const;
  const pay = () =>
    send(
      { type: 'create_payout_batch', orders: Array.from({ length: BATCH_ITEMS }, () => order), ...batch },
      `batch ${++keys}`,
    );
  const settle = (payout: string) =>
    send({ type: 'step_payout', payout, to: 'paid', failureCode: null, nextDelayMs: null }, `step ${++keys}`);
  return { pay, settle };
}

/** Runs `work` on each of them, {@link AT_ONCE} at once. */
async function each<T>(all: Iterator<T>, work: (one: T) => Promise<unknown>): Promise<void> {
  const go = async () => {
    for (let next = all.next(); next.done !== true; next = all.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
}

export interface VerifySpeed {
  readonly transfers: number;
  readonly seconds: number;
  readonly complaints: readonly string[];
}

/** `isDamaged`: a balance is changed before, which must be found. */
export async function verifySpeed(options: {
  readonly transfers: number;
  readonly isDamaged: boolean;
  readonly say: (line: string) => void;
}): Promise<VerifySpeed> {
  const { say } = options;
  const writing = await startWriting();
  try {
    const { pay, settle } = await payer(writing);
    for (let made = 0; made < options.transfers / 2; made += BATCH_ITEMS) {
      await pay();
      const paid = await writing.sql(
        "SELECT id FROM payouts WHERE status = 'pending' ORDER BY environment_id DESC, id DESC LIMIT 1000",
      );
      await each(paid.map(({ id }) => idOf('po', id as string)).values(), settle);
      if (made % 50_000 === 0) say(`${made + BATCH_ITEMS} payouts made and paid`);
    }
    if (options.isDamaged) await writing.sql('UPDATE accounts SET balance = balance + 1');
    const [row] = await rowsOf<{ transfers: number }>(writing.url, 'SELECT count(*)::int AS transfers FROM transfers');
    let isOver = false;
    const beside = (async () => {
      const waits: number[] = [];
      while (!isOver) {
        const startedMs = performance.now();
        await pay();
        waits.push(performance.now() - startedMs);
      }
      return waits.toSorted((a, b) => a - b);
    })();
    const startedMs = performance.now();
    const complaints = await withClient(writing.url, async (client) => {
      const found: string[] = [];
      const all = verify(async (text, values = []) => (await client.query<object>(text, [...values])).rows);
      for await (const { rule, damages, elapsedMs } of all) {
        if (elapsedMs > SLOW_MS) say(`${(elapsedMs / 1000).toFixed(1)} s for: ${rule}`);
        found.push(...damages.map(inWords));
      }
      return found;
    });
    const seconds = (performance.now() - startedMs) / 1000;
    isOver = true;
    const waits = await beside;
    say(
      `beside it, ${waits.length} batches of ${BATCH_ITEMS} payouts, the slowest ${(waits.at(-1) ?? 0).toFixed(0)} ms`,
    );
    return { transfers: row?.transfers ?? 0, seconds, complaints };
  } finally {
    await writing.stop();
  }
}
