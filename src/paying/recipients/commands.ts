/** The commands of recipients, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import { type CommandOf, decisions } from '../../core/decision.ts';
import { redactRecipient } from './redact.ts';
import * as decide from './decide.ts';

export const recipientDecisions = decisions({
  create_recipient: decide.createRecipient,
  update_recipient: decide.updateRecipient,
  archive_recipient: decide.archiveRecipient,
  redact_recipient: redactRecipient,
});
export type RecipientCommand = CommandOf<typeof recipientDecisions>;
