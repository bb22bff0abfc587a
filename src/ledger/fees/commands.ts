/** The commands of fees, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { createFee, deleteFee } from './decide.ts';

export const feeDecisions = decisions({ create_fee: createFee, delete_fee: deleteFee });
export type FeeCommand = CommandOf<typeof feeDecisions>;
