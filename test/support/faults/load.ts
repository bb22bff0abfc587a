/**
 * Business under way, for tests that break something meanwhile: clients that pay, are paid, exchange and transfer without pause,
 * each command under a key of its own, repeated until it is answered. Afterwards `lostOrDoubled` compares every answer
 * that a client got with what PostgreSQL holds. Next: `test/support/model/audit.ts`.
 */
import type { Row } from '../../../src/platform/db/wire/statement.ts';
import { objectFrom } from '../../../src/events/log/sql.ts';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { rowsOf } from '../model/audit.ts';
import { type Tenant, idIn } from '../harness/tenant-fixture.ts';
import { insist, type Reply } from '../harness/http.ts';

export type Way = 'payout' | 'exchange' | 'transfer' | 'batch' | 'payment';

/** What a client was told about one key. */
export interface Answered {
  readonly key: string;
  readonly way: Way;
  readonly status: number;
  readonly text: string;
  /** Attempts before this one that were not answered. */
  readonly failures: number;
  /** It is the answer of an earlier attempt, which nobody got at the time. */
  readonly isReplay: boolean;
}

export interface Load {
  /** Every answer so far, in order of arrival. */
  readonly answers: readonly Answered[];
  /** Resolves when `count` more commands were sent after now and answered. */
  nextAnswers(count?: number): Promise<void>;
  /** Resolves when whatever is on its way now is answered. */
  answered(): Promise<void>;
  /** Sends every so-manieth key again. Complaints: another answer than the first time, or one that is not marked as old. */
  replay(every: number): Promise<string[]>;
  /** Sends nothing new and waits until every key is answered. */
  stop(): Promise<void>;
}

const BATCH_ITEMS = 3;

export interface LoadOptions {
  readonly clients: number;
  /** Asked before every attempt: the servers may come and go. */
  readonly address: () => string;
  /** How long a client asks again until it gives up, and with it the test; `insist` knows the usual. */
  readonly patienceMs?: number;
}

/** The accounts are full enough to never run dry. */
export async function startLoad(tenant: Tenant, { clients, address, patienceMs }: LoadOptions): Promise<Load> {
  const [from, to, recipient] = [
    await tenant.account('EUR', '1000000'),
    await tenant.account('EUR'),
    await tenant.recipient(),
  ];
  await tenant.account('USD');
  const reusable = { amount: '0.05', currency: 'EUR', account: to, reusable: true };
  const link = idIn(await tenant.client.post('/v1/payment_links', reusable));
  const payout = { amount: '1.23', currency: 'EUR', recipient, account: from };
  const requests: Readonly<Record<Way, readonly [path: string, body: object]>> = {
    payout: ['/v1/payouts', payout],
    exchange: ['/v1/exchanges', { sell_currency: 'EUR', buy_currency: 'USD', amount: '2', sell_account: from }],
    transfer: ['/v1/transfers', { from, to, amount: '0.01' }],
    payment: [`/v1/test_helpers/payment_links/${link}/pay`, {}],
    batch: ['/v1/payouts/batch', { payouts: Array.from({ length: BATCH_ITEMS }, () => payout) }],
  };
  const ways: readonly Way[] = ['payout', 'exchange', 'payout', 'transfer', 'payout', 'batch', 'payment'];
  const answers: Answered[] = [];
  let next = 0;
  let stopped = false;
  let watch: (number: number) => void = () => {};
  const underWay = new Set<Promise<void>>();
  const send = async (number: number) => {
    const way = ways[number % ways.length] as Way;
    const key = `load-${number}`;
    const { status, text, failures, headers } = await insist(tenant.client, ...requests[way], {
      idempotencyKey: key,
      address,
      ...(patienceMs !== undefined && { patienceMs }),
    });
    answers.push({ key, way, status, text, failures, isReplay: isReplay(headers) });
    watch(number);
  };
  const client = async () => {
    while (!stopped) {
      const sending = send(next++);
      underWay.add(sending);
      await sending;
      underWay.delete(sending);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  running.catch(() => {}); // `stop` tells
  return {
    answers,
    nextAnswers: (count = 1) => {
      const from = next;
      let missing = count;
      const seen = new Promise<void>((resolve) => {
        watch = (number) => {
          if (number >= from && --missing === 0) resolve();
        };
      });
      return Promise.race([seen, running.then(() => undefined)]);
    },
    answered: async () => void (await Promise.all(underWay)),
    replay: async (every) => {
      const complaints: string[] = [];
      for (const { key, way, status, text } of answers.filter((_, index) => index % every === 0)) {
        const again = await insist(tenant.client, ...requests[way], { idempotencyKey: key, address });
        const same = again.status === status && again.text === text && isReplay(again.headers);
        if (!same)
          complaints.push(`${key}: answered ${status} ${text}, and when repeated ${again.status} ${again.text}`);
      }
      return complaints;
    },
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

/** Whether the server says that the answer is an earlier one. */
export const isReplay = (headers: Reply['headers']): boolean => headers['idempotent-replayed'] === 'true';

interface Held extends Row {
  readonly key: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly made: number;
}

/** What a success of each way makes, as the type of event that stands for it. A transfer shows in its two balances. */
const EFFECT: Readonly<Record<Way, { type: string; count: number }>> = {
  payout: { type: 'payout.created', count: 1 },
  exchange: { type: 'exchange.completed', count: 1 },
  transfer: { type: 'balance.updated', count: 2 },
  batch: { type: 'payout.created', count: BATCH_ITEMS },
  payment: { type: 'payment.succeeded', count: 1 },
};

/**
 * Complaints: a success that PostgreSQL does not hold, one whose effect is there more than once, an effect that nobody
 * was told of, an answer other than the recorded one. Only for a company whose every client was answered.
 * `environmentId`: where others work on the same database.
 */
export async function lostOrDoubled(
  url: string,
  answers: readonly Answered[],
  environmentId: string | null = null,
): Promise<string[]> {
  const complaints: string[] = [];
  await rowsOf(url, 'ANALYZE'); // a database this young has no statistics
  const held = await rowsOf<Held>(
    url,
    `WITH made AS (SELECT idempotency_key AS key, type, count(*)::int AS made FROM events GROUP BY 1, 2)
     SELECT k.key, r.status, r.body, o.object, o.shape, o.object_id, o.actor, coalesce(m.made, 0) AS made
     FROM unnest($1::text[], $2::text[]) AS k (key, type)
     LEFT JOIN made m USING (key, type)
     LEFT JOIN idempotency_records r ON r.key = k.key
     LEFT JOIN events o ON o.environment_id = r.environment_id AND o.sequence = r.event_sequence`,
    [answers.map(({ key }) => key), answers.map(({ way }) => EFFECT[way].type)],
  );
  const byKey = new Map(held.map((row) => [row.key, row]));
  for (const { key, way, status, text } of answers) {
    const row = byKey.get(key);
    const due = status === 200 ? EFFECT[way].count : 0;
    if (status !== 200) complaints.push(`${key}: answered ${status} ${text}`);
    if (row === undefined || row.made < due) complaints.push(`${key}: lost, although a ${way} was acknowledged`);
    else if (row.made > due) complaints.push(`${key}: done ${row.made / EFFECT[way].count} times`);
    const recorded = row === undefined ? null : (row.body ?? objectFrom(row, { open: (stored) => stored }));
    if (row?.status !== status || recorded !== text)
      complaints.push(`${key}: the recorded answer is not the one given`);
  }
  const [counted] = await rowsOf<Record<Way, number>>(
    url,
    `SELECT (SELECT count(*)::int FROM payouts p JOIN events e ON e.object_id = p.id AND e.type = 'payout.created'
        WHERE batch_id IS NULL AND e.idempotency_key LIKE 'load-%' AND p.environment_id = coalesce($1, p.environment_id)) AS payout,
      (SELECT count(*)::int FROM exchanges WHERE environment_id = coalesce($1, environment_id)) AS exchange,
      (SELECT count(*)::int FROM transfers WHERE cause = 'transfer' AND environment_id = coalesce($1, environment_id)) AS transfer,
      (SELECT count(*)::int FROM payout_batches WHERE environment_id = coalesce($1, environment_id)) AS batch,
      (SELECT count(*)::int FROM payments WHERE status = 'succeeded' AND environment_id = coalesce($1, environment_id)) AS payment`,
    [environmentId === null ? null : uuidOf(environmentId)],
  );
  for (const way of Object.keys(EFFECT) as Way[]) {
    const reported = answers.filter((answer) => answer.way === way && answer.status === 200).length;
    if (counted?.[way] !== reported)
      complaints.push(`${counted?.[way]} of ${way} are there, ${reported} were acknowledged`);
  }
  return complaints;
}
