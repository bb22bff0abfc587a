/**
 * Every command there is, and the table of the decisions on them, made from what the slices export (decision 0022). A new
 * slice is one line in the table. Next: a slice's `decide.ts`, or `read-set.ts` for what each needs.
 */
import { accountDecisions } from '../accounts/commands.ts';
import { environmentDecisions } from '../environments/commands.ts';
import { exchangeDecisions } from '../exchanges/commands.ts';
import { paymentDecisions } from '../payments/commands.ts';
import { payoutDecisions } from '../payouts/commands.ts';
import { recipientDecisions } from '../recipients/commands.ts';
import { sandboxDecisions } from '../sandbox/commands.ts';
import { settingsDecisions } from '../settings/commands.ts';
import { transferDecisions } from '../transfers/commands.ts';
import { webhookDecisions } from '../webhooks/commands.ts';
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
};
export type Command = CommandOf<typeof DECISIONS>;

/** Pure: the same command, state and context give the same decision. The state is not changed; see `apply`. */
export function decide(command: Command, state: State, context: Context): Decided {
  const draft = new Draft(state, context);
  const decision = DECISIONS[command.type] as (draft: Draft, command: Command) => Decision;
  return decided(draft, decision(draft, command));
}
