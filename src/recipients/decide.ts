/**
 * Decisions about recipients: create, update, archive. Pure. Bank details are kept whole here and must leave masked only:
 * in answers and event objects by `schema.ts`, in `previous_attributes` below. What a payout would see is versioned, so
 * that a payout on its way keeps the recipient it was made with. What is accepted where: `bank-details.ts`.
 */
import { accepted, type Decision, isRefusal, refused } from '../core/decision.ts';
import { missing, type Refusal, refusal } from '../core/errors.ts';
import { mergeMetadata, newMetadata } from '../core/metadata.ts';
import type { Metadata } from '../core/objects.ts';
import type { Recipient } from './fields.ts';
import type { Draft } from '../core/state.ts';
import { previousOf, update } from '../core/update.ts';
import { maskBankDetails, validateBankDetails } from './bank-details.ts';

export interface CreateRecipient {
  readonly type: 'create_recipient';
  readonly name: string;
  readonly recipientType: Recipient['type'];
  readonly currency: string;
  readonly country: string;
  readonly email: string | null;
  /** Validated and normalised for this country and currency. */
  readonly bankDetails: Readonly<Record<string, string>>;
  readonly metadata: Metadata | undefined;
}

/** Country, currency and type never change: they decide what the bank details mean. */
export interface UpdateRecipient {
  readonly type: 'update_recipient';
  readonly recipient: string;
  readonly name: string | undefined;
  /** `null` unsets it, `undefined` leaves it. */
  readonly email: string | null | undefined;
  /** As sent; replaces all of the old details, `undefined` leaves them. */
  readonly bankDetails: Readonly<Record<string, string>> | undefined;
  readonly metadata: Metadata | undefined;
}

export interface ArchiveRecipient {
  readonly type: 'archive_recipient';
  readonly recipient: string;
}

/** A recipient in the batch that made this version of it; one that was loaded does not know when its version came. */
export interface FreshRecipient extends Recipient {
  readonly versionedAt: number;
}

export function createRecipient(draft: Draft, command: CreateRecipient): Decision {
  const { name, recipientType, currency, country, email, bankDetails } = command;
  const recipient: FreshRecipient = {
    object: 'recipient',
    id: draft.newId('rcp'),
    version: 1,
    name,
    type: recipientType,
    currency,
    country,
    email,
    bankDetails,
    status: 'active',
    metadata: newMetadata(command.metadata),
    createdAt: draft.atMs,
    versionedAt: draft.atMs,
  };
  draft.create(recipient);
  draft.emit('recipient.created', recipient);
  return accepted(draft, recipient);
}

/** Refuses `resource_missing`, `recipient_archived`, `metadata_invalid` and the first of `BankFaultCode`. */
export function updateRecipient(draft: Draft, command: UpdateRecipient): Decision {
  const recipient = draft.find('recipient', command.recipient);
  if (!recipient) return refused(missing('recipient', command.recipient));
  if (recipient.status === 'archived') {
    const message = `Recipient ${recipient.id} was deleted and cannot be changed.`;
    return refused(refusal('recipient_archived', message, { current_status: 'archived' }));
  }
  const metadata = mergeMetadata(recipient.metadata, command.metadata);
  if (isRefusal(metadata)) return refused(metadata);
  const replaced = newBankDetails(recipient, command.bankDetails);
  if (!replaced.ok) return refused(replaced.refusal);

  const { bankDetails } = replaced;
  const { name = recipient.name, email = recipient.email } = command;
  const changed: Recipient = { ...recipient, name, email, bankDetails, metadata };
  const seen = previousOf(recipient, changed, ['name']); // what a payout would see
  if (!sameDetails(bankDetails, recipient.bankDetails)) seen['bank_details'] = maskBankDetails(recipient.bankDetails);
  const after = Object.keys(seen).length > 0 ? nextVersion(changed, draft.atMs) : changed;
  return update(
    draft,
    recipient,
    after,
    { ...seen, ...previousOf(recipient, changed, ['email']) },
    'recipient.updated',
  );
}

function nextVersion(recipient: Recipient, atMs: number): FreshRecipient {
  return { ...recipient, version: recipient.version + 1, versionedAt: atMs };
}

/** Payouts that exist go on. Archiving again answers the same and changes nothing: a delete may be repeated. */
export function archiveRecipient(draft: Draft, command: ArchiveRecipient): Decision {
  const recipient = draft.find('recipient', command.recipient);
  if (!recipient) return refused(missing('recipient', command.recipient));
  if (recipient.status === 'active') {
    const after: Recipient = { ...recipient, status: 'archived' };
    draft.update(after);
    draft.emit('recipient.archived', after, { status: 'active' });
  }
  return accepted(draft, { object: 'deleted', kind: 'recipient', id: recipient.id });
}

type Replaced =
  | { readonly ok: true; readonly bankDetails: Recipient['bankDetails'] }
  | { readonly ok: false; readonly refusal: Refusal };

/** Checked here and not by the parser: only the stored recipient knows its country and currency. */
function newBankDetails(recipient: Recipient, given: UpdateRecipient['bankDetails']): Replaced {
  if (given === undefined) return { ok: true, bankDetails: recipient.bankDetails };
  const check = validateBankDetails(recipient.country, recipient.currency, given);
  if (check.ok) return { ok: true, bankDetails: check.details };
  const [fault] = check.faults;
  return { ok: false, refusal: refusal(fault.code, fault.message, { param: fault.param }) };
}

/** By content: PostgreSQL gives the members of jsonb back in another order. */
function sameDetails(one: Recipient['bankDetails'], other: Recipient['bankDetails']): boolean {
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => one[field] === other[field]);
}
