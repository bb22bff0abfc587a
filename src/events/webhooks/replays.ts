/**
 * Runs replays, one step of at most 1,000 events a poll, so that they delay no other deliveries. Next:
 * `delivery-sql.ts`.
 */
import { typesMatching } from '../../core/event-types.ts';
import { idOf } from '../../core/values/ids.ts';
import type { ReplayKind } from './fields.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import { replayAll, replayFailed, runningReplays } from './delivery-sql.ts';

/** Replays that take a step in one poll. */
const AT_ONCE = 20;

/** Replays are the last thing that a round of the dispatcher does. */
const roundPoint = stopPoint('deliveries.looked_after');

/** Every running replay takes one step. Returns whether any did: then there may be more steps, and deliveries are due. */
export async function stepReplays(run: (statement: Statement) => Promise<readonly Row[]>): Promise<boolean> {
  let didStep = false;
  for (const row of await run(runningReplays(AT_ONCE))) {
    const environmentId = idOf('env', row['environment_id'] as string);
    const replay = idOf('rep', row['id'] as string);
    const which = row['which'] as ReplayKind;
    const patterns = JSON.parse(row['enabled_events'] as string) as readonly string[];
    const types = which === 'named' ? null : [...new Set(patterns.flatMap(typesMatching))];
    const step = which === 'failed' ? replayFailed(environmentId, replay) : replayAll(environmentId, replay, types);
    if ((await run(step)).length > 0) didStep = true;
  }
  roundPoint();
  return didStep;
}
