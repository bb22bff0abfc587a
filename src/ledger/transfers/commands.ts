/** The commands of transfers between own accounts, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { createTransfer } from './decide.ts';

export const transferDecisions = decisions({ create_transfer: createTransfer });
export type TransferCommand = CommandOf<typeof transferDecisions>;
