/** The decision that makes the statement of a day. Pure. */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { DAY_MS, dayStartMs, isoDay } from '../../core/values/time.ts';
import type { DailyStatement } from './fields.ts';

/** The statement of that day is due, or was when somebody looked. */
export interface IssueStatement {
  readonly type: 'issue_statement';
  readonly day: string;
}

/** Days further back are left out: a sandbox whose clock was moved by ten years does not get thousands. Their statements can be asked for. */
export const MADE_UP_DAYS = 366;

/**
 * Makes it once: under the lock of the environment, one command alone finds its day to be the next of the settings. Does nothing for
 * another day, before its end, and where no statements are wanted. No transfer of a day that has ended can come: instants only grow.
 */
export function issueStatement(draft: Draft, { day }: IssueStatement): Decision {
  const { id } = draft.state.environment;
  const settings = draft.find('settings', id);
  if (settings?.nextStatementDay !== day || draft.atMs < dayStartMs(day) + DAY_MS) return { object: 'noted', id };
  const earliest = isoDay(draft.atMs - MADE_UP_DAYS * DAY_MS);
  if (day < earliest) return draft.update({ ...settings, nextStatementDay: earliest });
  draft.update({ ...settings, nextStatementDay: isoDay(dayStartMs(day) + DAY_MS) });
  const statement: DailyStatement = { object: 'daily_statement', id: draft.newId('stm'), day, createdAt: draft.atMs };
  return draft.create(statement, 'daily_statement.created');
}
