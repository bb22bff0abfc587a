/** The commands of the sandbox, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { advanceClock } from './decide.ts';

export const sandboxDecisions = decisions({ advance_clock: advanceClock });
export type SandboxCommand = CommandOf<typeof sandboxDecisions>;
