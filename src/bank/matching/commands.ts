/** The commands by which a person ends what no report ends, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import type { BankStatementCommand } from '../statements/commands.ts';
import { resolvePayout } from './resolve-decide.ts';
import { returnBankEntry } from './return-decide.ts';

export const matchingDecisions = decisions({ resolve_payout: resolvePayout, return_bank_entry: returnBankEntry });
/** Entries are assigned from the queue by the commands of statements. */
export type MatchingCommand = CommandOf<typeof matchingDecisions> | BankStatementCommand;
