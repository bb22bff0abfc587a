/** Signed reconciliations, as the write path knows them. */
import type { CommandOf } from '../../core/decision.ts';
import { slice } from '../../core/slice.ts';
import { signReconciliation } from './decide.ts';
import { renderSignature } from './schema.ts';

export const reconciliation = slice({
  decisions: { sign_reconciliation: signReconciliation },
  needs: {
    sign_reconciliation: (need) => {
      need.all('bankAccountsOf');
      need.ownSettings();
    },
  },
  audited: ['sign_reconciliation'],
  replies: { reconciliation_signature: renderSignature },
});
export type ReconciliationCommand = CommandOf<typeof reconciliation.decisions>;
