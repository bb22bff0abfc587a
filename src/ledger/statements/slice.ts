/** Daily statements, as the write path knows them. */
import { slice } from '../../core/slice.ts';
import { issueStatement } from './decide.ts';
import { DAILY_STATEMENT } from './fields.ts';
import { DAILY_STATEMENTS } from './sql.ts';

export const statements = slice({
  decisions: { issue_statement: issueStatement },
  needs: { issue_statement: (need) => need.ownSettings() },
  tables: { daily_statement: DAILY_STATEMENTS },
  objects: { daily_statement: DAILY_STATEMENT },
});
