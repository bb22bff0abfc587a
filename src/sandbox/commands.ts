/** The commands of the sandbox, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import { type AdvanceClock, advanceClock } from './decide.ts';

export type SandboxCommand = AdvanceClock;

export const sandboxDecisions: Decisions<SandboxCommand> = {
  advance_clock: advanceClock,
};
