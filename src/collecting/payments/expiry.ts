/**
 * The expiry worker: finds links and payments whose time is up, and payments that wait for long, and comes back with commands. It changes nothing itself,
 * and what is expired already stays as it is, so it needs no lock. Whoever starts to pay is refused at the very instant
 * in any case (`decide.ts`): being late here is harmless.
 */
import { idOf, isId, type Prefix, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import type { ExpirePaymentLink } from './link-decide.ts';
import type { FailPayment, RemindPayment } from './decide.ts';
import type { NoteOverdue } from './expected-decide.ts';

/** Most commands of one round, so that a backlog never crowds out the clients' own writes. */
const POLL_LIMIT = 200;

/**
 * What is due by the environments' clocks: the first of each environment, then the second of each. `instant` leads an index;
 * `left`: ids that are left out.
 */
function due(name: string, table: string, instant: string, left: readonly string[], condition = 'true'): Statement {
  return {
    name,
    text: `SELECT e.environment_id, t.id FROM environments e
      CROSS JOIN LATERAL (SELECT t.*, row_number() OVER (ORDER BY t.${instant}) AS turn FROM ${table} t
        WHERE t.environment_id = e.environment_id AND ${condition}
          AND t.${instant} <= now() + e.clock_offset_ms * interval '1 millisecond' AND t.id <> ALL ($1::uuid[])
        ORDER BY t.environment_id, t.${instant} LIMIT ${POLL_LIMIT}) AS t
      ORDER BY t.turn, t.${instant} LIMIT ${POLL_LIMIT}`,
    values: [left.map(uuidOf)],
  };
}

/** By the indexes payment_links_expiring and payments_due. */
export const dueLinks = (left: readonly string[] = []): Statement =>
  due('expired_payment_links', 'payment_links', 'expires_at', left, "t.status = 'active'");
export const duePayments = (left: readonly string[] = []): Statement =>
  due('expired_payments', 'payments', 'due_at', left);

/** By the index payments_reminding. */
export const dueReminders = (left: readonly string[] = []): Statement =>
  due('payment_reminders', 'payments', 'remind_at', left);

/** By the index expected_payments_due. */
export const dueExpected = (left: readonly string[] = []): Statement =>
  due('overdue_expected_payments', 'expected_payments', 'due_at', left);

type ExpiryCommand = ExpirePaymentLink | FailPayment | RemindPayment | NoteOverdue;

export interface ExpiryOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Sends a command down the write path; a refusal is fine. */
  write(environmentId: string, command: ExpiryCommand): Promise<{ readonly status: number }>;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

/** Starts the worker. A full round is followed by the next one at once. */
export function startExpiry({ rows, write, pollMs, onFault, lease }: ExpiryOptions): Poller {
  const backoff = new Backoff();
  return startPoller({
    pauseMs: pollMs,
    ...(lease && { lease }),
    onFault: (error) => onFault('Looking for expired payment links failed; trying again', error),
    poll: async () => {
      const left = backoff.waiting(performance.now());
      const leftOf = (prefix: Prefix) => left.filter((id) => isId(prefix, id));
      const [links, payments, reminders, overdue] = await Promise.all([
        rows(dueLinks(leftOf('plink'))),
        rows(duePayments(leftOf('pay'))),
        rows(dueReminders(leftOf('pay'))),
        rows(dueExpected(leftOf('xp'))),
      ]);
      const send = async (row: Row, id: string, command: ExpiryCommand) => {
        const { status } = await write(idOf('env', row['environment_id'] as string), command);
        if (status !== 200) backoff.note(id, performance.now());
      };
      await Promise.all([
        ...links.map((row) => {
          const link = idOf('plink', row['id'] as string);
          return send(row, link, { type: 'expire_payment_link', link });
        }),
        ...payments.map((row) => {
          const payment = idOf('pay', row['id'] as string);
          return send(row, payment, { type: 'fail_payment', payment, reason: 'expired', session: null });
        }),
        ...reminders.map((row) => {
          const payment = idOf('pay', row['id'] as string);
          return send(row, payment, { type: 'remind_payment', payment });
        }),
        ...overdue.map((row) => {
          const expectedPayment = idOf('xp', row['id'] as string);
          return send(row, expectedPayment, { type: 'note_overdue', expectedPayment });
        }),
      ]);
      return [links, payments, reminders, overdue].some(({ length }) => length === POLL_LIMIT);
    },
  });
}
