/**
 * The worker that exports by itself: in the half hour before the cut-off of a bank account that asks for it, what may leave goes into
 * files, once a business day; and instant payouts do at once, at any hour of any day. A process that was down makes up for it until the cut-off; behind it, payouts wait for the next day, or for
 * a person. Two workers do no harm: an export takes up the file that another one opened.
 */
import { exportWindow } from '../../core/rails/execution-day.ts';
import type { Stored } from '../../core/objects.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { BankFileCommand } from './slice.ts';
import type { Asked, Plan } from './plan.ts';
import { madeSince } from './sql.ts';

const looked = stopPoint('payment_schedule.looked');

/** A bank account whose payouts leave before each cut-off. */
export interface Scheduled {
  readonly environmentId: string;
  readonly account: Stored['bank_account'];
  /** Payouts that do not wait for the cut-off may leave. */
  readonly hasInstant: boolean;
  /** Environment clock. */
  readonly nowMs: number;
}

export interface ScheduleOptions {
  /** Those of all environments. */
  accounts(): Promise<readonly Scheduled[]>;
  rows(statement: Statement): Promise<readonly Row[]>;
  write(environmentId: string, command: BankFileCommand): Promise<{ readonly status: number; readonly body: string }>;
  plan(asked: Omit<Asked, 'withinMs'>): Promise<Plan>;
  /** Files are open: the worker that fills them has work. */
  onOpened(): void;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

export function startSchedule(options: ScheduleOptions): Poller {
  const { accounts, pollMs, onFault, lease } = options;
  return startPoller({
    pauseMs: pollMs,
    ...(lease && { lease }),
    onFault: (error) => onFault('Round of scheduled exports failed; trying again', error),
    poll: async () => {
      for (const { environmentId, account, hasInstant, nowMs } of await accounts()) {
        const due = { environmentId, bankAccount: account.id, nowMs };
        const sinceMs = exportWindow(nowMs, account);
        try {
          if (hasInstant) await exportNow(options, { ...due, speed: 'instant' });
          if (sinceMs !== null) await exportOnce(options, due, sinceMs);
        } catch (error) {
          onFault(`Payouts of bank account ${account.id} were not exported; trying again`, error);
        }
      }
      looked();
      return false;
    },
  });
}

/** Does nothing where this window has its files, or where nothing may leave yet. */
async function exportOnce(
  options: ScheduleOptions,
  due: Due & { readonly bankAccount: string },
  sinceMs: number,
): Promise<void> {
  const made = await options.rows(madeSince(due.environmentId, due.bankAccount, sinceMs));
  if (made.length === 0) await exportNow(options, due);
}

type Due = Omit<Asked, 'withinMs'>;

/** Does nothing where nothing may leave. */
async function exportNow({ write, plan, onOpened }: ScheduleOptions, due: Due): Promise<void> {
  const planned = await plan(due);
  if (planned.planned.length === 0) return;
  const { status, body } = await write(due.environmentId, { type: 'open_bank_files', ...planned });
  if (status !== 200) throw new Error(body);
  onOpened();
}
