/**
 * The books of webhooks, from the rows and from what the receiver saw: every event has its delivery, each was made at
 * the first attempt, arrived, and arrived once. A pass counts only if they are right afterwards. Next: `books.ts`.
 */
import type pg from 'pg';
import { idOf, uuidOf } from '../src/core/values/ids.ts';
import type { Inbox } from './load/inbox.ts';

/** An endpoint that asks for everything, and the last event before it did. */
export interface Subscribed {
  readonly environmentId: string;
  readonly endpointId: string;
  readonly afterSequence: bigint;
}

/** How many events there are for the endpoint: what it is due to receive. Events about itself are not sent to it. */
export async function dueEvents(client: pg.Client, subscribed: Subscribed): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) AS count FROM (${EVENTS}) AS e`,
    of(subscribed),
  );
  return Number(rows[0]?.count);
}

const EVENTS = `SELECT id, sequence FROM events
  WHERE environment_id = $1 AND sequence > $2 AND object_id IS DISTINCT FROM $3`;

const of = ({ environmentId, endpointId, afterSequence }: Subscribed) => [
  uuidOf(environmentId),
  String(afterSequence),
  uuidOf(endpointId),
];

/** Each gives how many rows are wrong once everything is sent. */
const CHECKS: Readonly<Record<string, string>> = {
  'events without a delivery': `SELECT count(*) FROM (${EVENTS}) AS e WHERE NOT EXISTS (SELECT FROM deliveries d
    WHERE d.environment_id = $1 AND d.endpoint_id = $3 AND d.sequence = e.sequence)`,
  'deliveries without an event': `SELECT count(*) FROM deliveries d WHERE d.environment_id = $1 AND d.endpoint_id = $3
    AND d.sequence > $2 AND NOT EXISTS (SELECT FROM (${EVENTS}) AS e WHERE e.sequence = d.sequence)`,
  'deliveries that are not booked as succeeded': `SELECT count(*) FROM deliveries d
    WHERE d.environment_id = $1 AND d.endpoint_id = $3 AND d.sequence > $2 AND d.status <> 'succeeded'`,
  'deliveries that took another number of attempts than one': `SELECT count(*) FROM deliveries d
    WHERE d.environment_id = $1 AND d.endpoint_id = $3 AND d.sequence > $2 AND coalesce(jsonb_array_length(d.attempts), 0) <> 1`,
};

/** What is wrong after everything was sent, in words; empty when all is right. */
export async function deliveryFaults(
  client: pg.Client,
  subscribed: Subscribed,
  inbox: Inbox,
): Promise<readonly string[]> {
  const found: string[] = [];
  await client.query('SET enable_nestloop = off'); // what was written in seconds has no statistics yet
  for (const [what, sql] of Object.entries(CHECKS)) {
    const { rows } = await client.query<{ count: string }>(sql, of(subscribed));
    if (Number(rows[0]?.count) !== 0) found.push(`${rows[0]?.count} ${what}`);
  }
  const { rows } = await client.query<{ id: string }>(EVENTS, of(subscribed));
  const missing = await inbox.missing(rows.map(({ id }) => idOf('evt', id)));
  if (missing > 0) found.push(`${missing} events that the receiver never saw`);
  const { deliveries, events } = await inbox.count();
  if (deliveries !== events) found.push(`${deliveries - events} events that the receiver saw again`);
  if (events !== rows.length) found.push(`${events} events at the receiver where there are ${rows.length}`);
  return found;
}

/** Whether anything is still on its way to the endpoint. */
export async function isSettled(client: pg.Client, { environmentId, endpointId }: Subscribed): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM deliveries WHERE environment_id = $1 AND endpoint_id = $2 AND status = 'pending' AND NOT in_order LIMIT 1`,
    [uuidOf(environmentId), uuidOf(endpointId)],
  );
  return rows.length === 0;
}
