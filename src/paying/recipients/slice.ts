/** Recipients, as the write path knows them. */
import { type CommandOf, isRefusal } from '../../core/decision.ts';
import { slice } from '../../core/slice.ts';
import { createRecipientBatch } from './batch-decide.ts';
import { renderRecipientBatch } from './batch-schema.ts';
import * as decide from './decide.ts';
import { RECIPIENT } from './fields.ts';
import { redactRecipient } from './redact.ts';
import { RECIPIENTS } from './sql.ts';

export const recipients = slice({
  decisions: {
    create_recipient: decide.createRecipient,
    create_recipient_batch: createRecipientBatch,
    update_recipient: decide.updateRecipient,
    archive_recipient: decide.archiveRecipient,
    redact_recipient: redactRecipient,
  },
  needs: {
    create_recipient: (need, { bankAccount }) => {
      if (bankAccount) need.all('bankAccountsOf');
    },
    create_recipient_batch: (need, { items }) => {
      for (const item of items) {
        if ('faults' in item) continue;
        if (item.bankAccount) need.all('bankAccountsOf');
        need.payee(item.bankDetails);
      }
    },
    update_recipient: (need, command) => {
      if (command.bankAccount) need.all('bankAccountsOf');
      need.keys('recipients', command.recipient);
      if (command.bankDetails === undefined) return;
      need.detailsOf(command.recipient, (before) => {
        const details = decide.newBankDetails(before, command);
        return isRefusal(details) ? {} : details;
      });
    },
    archive_recipient: (need, { recipient }) => need.keys('recipients', recipient),
    redact_recipient: (need, { recipient }) => {
      need.keys('recipients', recipient);
      need.keys('erased', recipient);
    },
  },
  audited: ['redact_recipient'],
  tables: { recipient: RECIPIENTS },
  objects: { recipient: RECIPIENT },
  replies: { recipient_batch: (reply, _livemode, { text }) => renderRecipientBatch(reply, text) },
});
export type RecipientCommand = CommandOf<typeof recipients.decisions>;
