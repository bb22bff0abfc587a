/** The commands of recipients, each with the decision on it. All slices' tables together: `write/commands.ts`. */
import type { Decisions } from '../core/decision.ts';
import {
  type CreateRecipient,
  createRecipient,
  type UpdateRecipient,
  updateRecipient,
  type ArchiveRecipient,
  archiveRecipient,
} from './decide.ts';

export type RecipientCommand = CreateRecipient | UpdateRecipient | ArchiveRecipient;

export const recipientDecisions: Decisions<RecipientCommand> = {
  create_recipient: createRecipient,
  update_recipient: updateRecipient,
  archive_recipient: archiveRecipient,
};
