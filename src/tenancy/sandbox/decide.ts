/** The decision that moves a sandbox clock forward. Pure. Resetting a sandbox is plain SQL: `sql.ts`. */
import type { Decision } from '../../core/decision.ts';
import { refusal } from '../../core/values/errors.ts';
import type { Draft } from '../../core/draft.ts';
import { passedWindow } from '../../core/rails/execution-day.ts';
import { DAY_MS } from '../../core/values/time.ts';

export interface AdvanceClock {
  readonly type: 'advance_clock';
  readonly seconds: number;
}

/** The clock after the move. */
export interface Clock {
  readonly object: 'clock';
  /** That of the environment. */
  readonly id: string;
  readonly nowMs: number;
  /** How far it is ahead of the real clock. */
  readonly offsetMs: number;
}

declare module '../../core/decision.ts' {
  interface Replies {
    readonly clock: Clock;
  }
}

/** As far ahead of the real clock as a sandbox may get, all advances together. */
export const MAX_CLOCK_AHEAD_MS = 10 * 366 * DAY_MS;

/** Notes what it is moved over: exports before a cut-off are then made up for (`bank/payment-files/schedule.ts`). */
export function advanceClock(draft: Draft, command: AdvanceClock): Decision {
  const { environment } = draft.state;
  const offsetMs = environment.clockOffsetMs + command.seconds * 1000;
  if (offsetMs > MAX_CLOCK_AHEAD_MS) {
    const message = 'The sandbox clock can be at most ten years ahead. Reset the sandbox to start over.';
    return refusal('parameter_invalid', message, { param: 'seconds' });
  }
  draft.patch({ clockOffsetMs: offsetMs });
  const nowMs = draft.atMs + command.seconds * 1000;
  for (const account of draft.all('bank_account')) {
    if (account.exports !== 'before_cut_off' || account.status !== 'open') continue;
    const passedWindowAt = passedWindow(draft.atMs, nowMs, account);
    if (passedWindowAt !== null) draft.update({ ...account, passedWindowAt });
  }
  return { object: 'clock', id: environment.id, nowMs, offsetMs };
}
