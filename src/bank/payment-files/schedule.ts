/**
 * The worker that exports by itself, once a business day, in the half hour before the cut-off of a bank account; instant payouts leave at
 * once, on any day. A process that was down makes up for it until the cut-off; behind it, payouts wait for the next day, or for a person.
 * A sandbox clock that was moved over a cut-off is made up for: what was due before it leaves as on that day.
 * Two workers do no harm: an export takes up the file that another one opened.
 */
import { exportWindow, LEAD_MINUTES } from '../../core/rails/execution-day.ts';
import type { Stored } from '../../core/objects.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { ExportOptions } from './exporting.ts';
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

type Due = Omit<Asked, 'withinMs'> & Partial<Pick<Asked, 'withinMs'>>;

export interface ScheduleOptions extends Pick<ExportOptions, 'rows' | 'write' | 'pollMs' | 'onFault' | 'lease'> {
  /** Of all environments. */
  accounts(): Promise<readonly Scheduled[]>;
  /** Left out: as much earlier than due as payouts of a sandbox leave. */
  plan(asked: Due): Promise<Plan>;
  /** Files are open: the worker that fills them has work. */
  onOpened(): void;
}

export function startSchedule(options: ScheduleOptions): Poller {
  const { accounts, rows, pollMs, onFault, lease } = options;
  return startPoller({
    pauseMs: pollMs,
    ...(lease && { lease }),
    onFault: (error) => onFault('Round of scheduled exports failed; trying again', error),
    poll: async () => {
      for (const { environmentId, account, hasInstant, nowMs } of await accounts()) {
        const due = { environmentId, bankAccount: account.id, nowMs };
        const windowMs = exportWindow(nowMs, account);
        const sinceMs = windowMs ?? account.passedWindowAt;
        try {
          if (hasInstant) await exportNow(options, { ...due, speed: 'instant' });
          // Once in a window.
          if (sinceMs === null || (await rows(madeSince(environmentId, account.id, sinceMs))).length > 0) continue;
          const passed = { ...due, nowMs: sinceMs, withinMs: sinceMs + LEAD_MINUTES * 60_000 - nowMs };
          await exportNow(options, windowMs === null ? passed : due);
        } catch (error) {
          onFault(`Payouts of bank account ${account.id} were not exported; trying again`, error);
        }
      }
      looked();
      return false;
    },
  });
}

/** Does nothing if nothing may leave. */
async function exportNow({ write, plan, onOpened }: ScheduleOptions, due: Due): Promise<void> {
  const planned = await plan(due);
  if (planned.planned.length === 0) return;
  const { status, body } = await write(due.environmentId, { type: 'open_payment_files', ...planned });
  if (status !== 200) throw new Error(body);
  onOpened();
}
