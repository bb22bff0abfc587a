/** The commands of recipients, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import * as decide from './decide.ts';

export type RecipientCommand = decide.CreateRecipient | decide.UpdateRecipient | decide.ArchiveRecipient;

export const recipientDecisions: Decisions<RecipientCommand> = {
  create_recipient: decide.createRecipient,
  update_recipient: decide.updateRecipient,
  archive_recipient: decide.archiveRecipient,
};
