/**
 * Every command there is, and the table of the decisions on them, made from what the slices export (decision 0022). A new
 * slice is one line in the union and one in the table. Next: a slice's `decide.ts`, or `read-set.ts` for what each needs.
 */
import { type AccountCommand, accountDecisions } from '../accounts/commands.ts';
import { type ExchangeCommand, exchangeDecisions } from '../exchanges/commands.ts';
import { type PaymentCommand, paymentDecisions } from '../payments/commands.ts';
import { type PayoutCommand, payoutDecisions } from '../payouts/commands.ts';
import { type RecipientCommand, recipientDecisions } from '../recipients/commands.ts';
import { type SandboxCommand, sandboxDecisions } from '../sandbox/commands.ts';
import { type SettingsCommand, settingsDecisions } from '../settings/commands.ts';
import { type TransferCommand, transferDecisions } from '../transfers/commands.ts';
import { type WebhookCommand, webhookDecisions } from '../webhooks/commands.ts';
import type { Decision, Decisions } from '../core/decision.ts';
import { Draft, type Context } from '../core/draft.ts';
import type { State } from '../core/state.ts';

export type Command =
  | AccountCommand
  | TransferCommand
  | RecipientCommand
  | ExchangeCommand
  | PayoutCommand
  | SettingsCommand
  | PaymentCommand
  | WebhookCommand
  | SandboxCommand;

const DECISIONS: Decisions<Command> = {
  ...accountDecisions,
  ...transferDecisions,
  ...recipientDecisions,
  ...exchangeDecisions,
  ...payoutDecisions,
  ...settingsDecisions,
  ...paymentDecisions,
  ...webhookDecisions,
  ...sandboxDecisions,
};

/** Pure: the same command, state and context give the same decision. The state is not changed; see `apply`. */
export function decide(command: Command, state: State, context: Context): Decision {
  const decision = DECISIONS[command.type] as (draft: Draft, command: Command) => Decision;
  return decision(new Draft(state, context), command);
}
