/** The clock of a sandbox, as the write path knows it. */
import type { CommandOf } from '../../core/decision.ts';
import { slice } from '../../core/slice.ts';
import { advanceClock } from './decide.ts';
import { renderClock } from './schema.ts';

export const sandbox = slice({
  decisions: { advance_clock: advanceClock },
  needs: { advance_clock: (need) => need.all('bankAccountsOf') },
  replies: { clock: renderClock },
});
export type SandboxCommand = CommandOf<typeof sandbox.decisions>;
