/** The statements of standing orders. */
import { uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { byKeys } from '../../platform/db/wire/keyed.ts';
import { tableOf } from '../../platform/db/wire/table.ts';
import { STANDING_ORDER, STANDING_ORDER_RUN } from './fields.ts';

export const STANDING_ORDERS = tableOf(STANDING_ORDER, 'standing_orders');
export const STANDING_ORDER_RUNS = tableOf(STANDING_ORDER_RUN, 'standing_order_runs');

/** Orders to recipients that have not ended, by the keys of the recipients (index standing_orders_recipient). */
export const loadOrdersOfRecipients = byKeys(
  'load_standing_orders_of_recipients',
  STANDING_ORDERS.columns('o'),
  `CROSS JOIN LATERAL (SELECT * FROM standing_orders o WHERE o.environment_id = k.environment_id AND o.recipient_id = k.id
    AND o.ended_at IS NULL ORDER BY o.environment_id, o.recipient_id, o.id LIMIT 10000) AS o`,
);

/**
 * Orders whose next planned day has come by the clock of their environment (index standing_orders_due): the first of each
 * environment, then the second of each. Paused ones too, whose days are left out. `left`: ids that are left out.
 */
export function dueStandingOrders(limit: number, left: readonly string[]): Statement {
  return {
    name: 'due_standing_orders',
    text: `SELECT e.environment_id, e.livemode, t.id, t.planned_index, t.ordered_by,
        (SELECT k.lineage FROM api_keys k WHERE k.id = t.ordered_by) AS lineage FROM environments e
      CROSS JOIN LATERAL (SELECT t.*, row_number() OVER (ORDER BY t.due_at) AS turn FROM standing_orders t
        WHERE t.environment_id = e.environment_id
          AND t.due_at <= now() + e.clock_offset_ms * interval '1 millisecond' AND t.id <> ALL ($2::uuid[])
        ORDER BY t.environment_id, t.due_at LIMIT $1) AS t
      ORDER BY t.turn, t.due_at LIMIT $1`,
    values: [limit, left.map(uuidOf)],
  };
}
