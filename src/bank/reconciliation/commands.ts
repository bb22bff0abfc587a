/** The commands of reconciliations, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { signReconciliation } from './decide.ts';

export const reconciliationDecisions = decisions({ sign_reconciliation: signReconciliation });
export type ReconciliationCommand = CommandOf<typeof reconciliationDecisions>;
