/** What the commands of a batch need, as each says in its slice; and the records under their keys. Next: `load.ts`. */
import { ReadSet } from '../core/read-set.ts';
import { isAudited, noteNeeds } from './slices.ts';
import type { Submission } from './submission.ts';

export type { ReadSet };

export function readSetOf(batch: readonly Submission[]): ReadSet {
  const need = new ReadSet();
  for (const { environmentId, command, origin, recordKey, dryRun } of batch) {
    need.begin(environmentId, origin);
    if (recordKey !== null && !dryRun) need.record(recordKey);
    if (isAudited(command)) need.all('audited');
    noteNeeds(need, command, origin);
  }
  return need;
}
