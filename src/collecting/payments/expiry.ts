/**
 * The expiry worker: sends commands for links and payments whose time is up, and for reminders. Being late is harmless:
 * `decide.ts` looks at the clock too. How it runs: `platform/workers/due-worker.ts`.
 */
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import type { DueWork } from '../../platform/workers/due-worker.ts';
import type { ExpirePaymentLink } from './link-decide.ts';
import type { FailPayment, RemindPayment } from './decide.ts';
import type { NoteOverdue } from './expected-decide.ts';

/** Most commands of one round, so that a backlog never crowds out the clients' own writes. */
const POLL_LIMIT = 200;
const POLL_MS = 1_000;

/**
 * The first that is due of each environment, then the second of each. `instant` leads an index; `left`: ids left out.
 */
const due = (name: string, table: string, instant: string, left: readonly string[], condition = 'true'): Statement => ({
  name,
  text: `SELECT e.environment_id, t.id FROM environments e
      CROSS JOIN LATERAL (SELECT t.*, row_number() OVER (ORDER BY t.${instant}) AS turn FROM ${table} t
        WHERE t.environment_id = e.environment_id AND ${condition}
          AND t.${instant} <= now() + e.clock_offset_ms * interval '1 millisecond' AND t.id <> ALL ($1::uuid[])
        ORDER BY t.environment_id, t.${instant} LIMIT ${POLL_LIMIT}) AS t
      ORDER BY t.turn, t.${instant} LIMIT ${POLL_LIMIT}`,
  values: [left.map(uuidOf)],
});

export const EXPIRY: DueWork<ExpirePaymentLink | FailPayment | RemindPayment | NoteOverdue> = {
  name: 'expiry',
  fault: 'Looking for expired payment links failed; trying again',
  backlogRows: POLL_LIMIT,
  pauseMs: POLL_MS,
  sources: [
    {
      // Index payment_links_expiring.
      find: (left) => due('expired_payment_links', 'payment_links', 'expires_at', left, "t.status = 'active'"),
      due(row) {
        const link = idOf('plink', row['id'] as string);
        return { id: link, command: { type: 'expire_payment_link', link } };
      },
    },
    {
      // Index payments_due.
      find: (left) => due('expired_payments', 'payments', 'due_at', left),
      due(row) {
        const payment = idOf('pay', row['id'] as string);
        return { id: payment, command: { type: 'fail_payment', payment, reason: 'expired', session: null } };
      },
    },
    {
      // Index payments_reminding.
      find: (left) => due('payment_reminders', 'payments', 'remind_at', left),
      due(row) {
        const payment = idOf('pay', row['id'] as string);
        return { id: payment, command: { type: 'remind_payment', payment } };
      },
    },
    {
      // Index expected_payments_due.
      find: (left) => due('overdue_expected_payments', 'expected_payments', 'due_at', left),
      due(row) {
        const expectedPayment = idOf('xp', row['id'] as string);
        return { id: expectedPayment, command: { type: 'note_overdue', expectedPayment } };
      },
    },
  ],
};
