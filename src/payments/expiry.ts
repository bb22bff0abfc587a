/**
 * The expiry worker: finds links and payments whose time is up and comes back with commands. It changes nothing itself,
 * and what is expired already stays as it is, so it needs no lock. Whoever starts to pay is refused at the very instant
 * in any case (`link-decide.ts`): being late here is harmless.
 */
import { idOf } from '../core/ids.ts';
import type { Row, Statement } from '../db/wire/statement.ts';
import { type Poller, startPoller } from '../workers/poller.ts';
import type { ExpirePaymentLink } from './link-decide.ts';
import type { FailPayment } from './decide.ts';

/** Most commands of one round, so that a backlog never crowds out the clients' own writes. */
const POLL_LIMIT = 200;

/** By the indexes payment_links_expiring and payments_due, environment by environment. */
export function dueLinks(): Statement {
  return {
    name: 'expired_payment_links',
    text: `SELECT e.environment_id, l.id FROM environments e
      CROSS JOIN LATERAL (SELECT * FROM payment_links l
        WHERE l.environment_id = e.environment_id AND l.status = 'active'
          AND l.expires_at <= now() + e.clock_offset_ms * interval '1 millisecond'
        ORDER BY l.environment_id, l.expires_at LIMIT ${POLL_LIMIT}) AS l
      LIMIT ${POLL_LIMIT}`,
    values: [],
  };
}

export function duePayments(): Statement {
  return {
    name: 'expired_payments',
    text: `SELECT e.environment_id, p.id FROM environments e
      CROSS JOIN LATERAL (SELECT * FROM payments p
        WHERE p.environment_id = e.environment_id
          AND p.due_at <= now() + e.clock_offset_ms * interval '1 millisecond'
        ORDER BY p.environment_id, p.due_at LIMIT ${POLL_LIMIT}) AS p
      LIMIT ${POLL_LIMIT}`,
    values: [],
  };
}

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
