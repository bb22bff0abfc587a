/** The commands of transfers between own accounts, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import { type CreateTransfer, createTransfer } from './decide.ts';

export type TransferCommand = CreateTransfer;

export const transferDecisions: Decisions<TransferCommand> = {
  create_transfer: createTransfer,
};
