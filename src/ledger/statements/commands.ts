/** The commands of statements, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { decisions } from '../../core/decision.ts';
import { issueStatement } from './decide.ts';

export const statementDecisions = decisions({ issue_statement: issueStatement });
