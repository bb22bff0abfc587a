/**
 * The expiry worker: finds links and payments whose time is up and comes back with commands. It changes nothing itself,
 * and what is expired already stays as it is, so it needs no lock. Whoever starts to pay is refused at the very instant
 * in any case (`decide.ts`): being late here is harmless.
 */
import { idOf } from '../core/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { type Poller, startPoller } from '../workers/poller.ts';
import type { ExpirePaymentLink } from './link-decide.ts';
import type { FailPayment } from './decide.ts';

/** Most commands of one round, so that a backlog never crowds out the clients' own writes. */
const POLL_LIMIT = 200;

/** What is due by the environments' clocks, environment by environment; `instant` leads an index. */
function due(name: string, table: string, instant: string, condition = 'true'): Statement {
  return {
    name,
    text: `SELECT e.environment_id, t.id FROM environments e
      CROSS JOIN LATERAL (SELECT * FROM ${table} t
        WHERE t.environment_id = e.environment_id AND ${condition}
          AND t.${instant} <= now() + e.clock_offset_ms * interval '1 millisecond'
        ORDER BY t.environment_id, t.${instant} LIMIT ${POLL_LIMIT}) AS t
      LIMIT ${POLL_LIMIT}`,
    values: [],
  };
}

/** By the indexes payment_links_expiring and payments_due. */
export const dueLinks = (): Statement =>
  due('expired_payment_links', 'payment_links', 'expires_at', "t.status = 'active'");
export const duePayments = (): Statement => due('expired_payments', 'payments', 'due_at');

export interface ExpiryOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a command down the write path; a refusal is fine. */
  write(environmentId: string, command: ExpirePaymentLink | FailPayment): Promise<unknown>;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Starts the worker. A full round is followed by the next one at once. */
export function startExpiry({ rows, write, pollMs, onFault }: ExpiryOptions): Poller {
  return startPoller({
    pauseMs: pollMs,
    onFault: (error) => onFault('Looking for expired payment links failed; trying again', error),
    poll: async () => {
      const [links, payments] = await Promise.all([rows(dueLinks()), rows(duePayments())]);
      const environmentOf = (row: Row) => idOf('env', row['environment_id'] as string);
      await Promise.all([
        ...links.map((row) =>
          write(environmentOf(row), { type: 'expire_payment_link', link: idOf('plink', row['id'] as string) }),
        ),
        ...payments.map((row) =>
          write(environmentOf(row), {
            type: 'fail_payment',
            payment: idOf('pay', row['id'] as string),
            reason: 'expired',
            session: null,
          }),
        ),
      ]);
      return links.length === POLL_LIMIT || payments.length === POLL_LIMIT;
    },
  });
}
