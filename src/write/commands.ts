/**
 * Every command there is, and the table of the decisions on them, made from what the slices export (decision 0022). A new
 * slice is one line in the table. Next: a slice's `decide.ts`, or `read-set.ts` for what each needs.
 */
import { accountDecisions } from '../ledger/accounts/commands.ts';
import { bankDecisions } from '../bank/accounts/commands.ts';
import { bankFileDecisions } from '../bank/payment-files/commands.ts';
import { reconciliationDecisions } from '../bank/reconciliation/commands.ts';
import { matchingDecisions } from '../bank/matching/commands.ts';
import { bankStatementDecisions } from '../bank/statements/commands.ts';
import { environmentDecisions } from '../tenancy/environments/commands.ts';
import { exchangeDecisions } from '../ledger/exchanges/commands.ts';
import { feeDecisions } from '../ledger/fees/commands.ts';
import { keyDecisions } from '../tenancy/keys/commands.ts';
import { paymentDecisions } from '../collecting/payments/commands.ts';
import { payoutDecisions } from '../paying/payouts/commands.ts';
import { recipientDecisions } from '../paying/recipients/commands.ts';
import { sandboxDecisions } from '../tenancy/sandbox/commands.ts';
import { settingsDecisions } from '../tenancy/settings/commands.ts';
import { standingOrderDecisions } from '../paying/standing-orders/commands.ts';
import { statementDecisions } from '../ledger/statements/commands.ts';
import { transferDecisions } from '../ledger/transfers/commands.ts';
import { webhookDecisions } from '../events/webhooks/commands.ts';
import { type CommandOf, type Decided, decided, type Decision } from '../core/decision.ts';
import { Draft, type Context } from '../core/draft.ts';
import type { State } from '../core/state.ts';

const DECISIONS = {
  ...accountDecisions,
  ...transferDecisions,
  ...recipientDecisions,
  ...exchangeDecisions,
  ...payoutDecisions,
  ...settingsDecisions,
  ...paymentDecisions,
  ...webhookDecisions,
  ...sandboxDecisions,
  ...environmentDecisions,
  ...keyDecisions,
  ...standingOrderDecisions,
  ...statementDecisions,
  ...feeDecisions,
  ...bankDecisions,
  ...bankFileDecisions,
  ...bankStatementDecisions,
  ...matchingDecisions,
  ...reconciliationDecisions,
};
export type Command = CommandOf<typeof DECISIONS>;

/** Commands whose decisions add to the audit log: the newest entry of their environment is loaded. */
const AUDITED: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'create_key',
  'roll_key',
  'revoke_key',
  'note_refused_key',
  'update_settings',
  'create_webhook_endpoint',
  'update_webhook_endpoint',
  'enable_webhook_endpoint',
  'disable_webhook_endpoint',
  'delete_webhook_endpoint',
  'roll_webhook_secret',
  'note_restore',
  'note_rotation',
  'redact_recipient',
  'update_payout_rules',
  'update_fx_settings',
  'create_limit',
  'delete_limit',
  'approve_payout',
  'reject_payout',
  'approve_payout_batch',
  'reject_payout_batch',
  'approve_bank_accounts',
  'reject_bank_accounts',
  'create_fee',
  'delete_fee',
  'create_bank_account',
  'update_bank_account',
  'close_bank_account',
  'resume_bank_account',
  'sign_reconciliation',
  'import_bank_entries',
  'begin_bank_document',
  'credit_by_bank',
  'assign_bank_entry',
  'assign_bank_entries',
  'return_bank_entry',
  'create_bank_rule',
  'delete_bank_rule',
  'unassign_bank_entry',
  'open_bank_files',
  'seal_bank_file',
  'abandon_bank_file',
  'resolve_payout',
]);
export const isAudited = ({ type }: Command): boolean => AUDITED.has(type);

/** Pure: the same command, state and context give the same decision. The state is not changed; see `apply`. */
export function decide(command: Command, state: State, context: Context): Decided {
  const draft = new Draft(state, context);
  const decision = DECISIONS[command.type] as (draft: Draft, command: Command) => Decision;
  return decided(draft, decision(draft, command));
}
