/**
 * Decisions about recipients: create, update, archive. Pure. Bank details are whole here; `fields.ts` masks them, and
 * `previous` below. Each name and set of details is a version, which payouts keep. Details: `bank-details.ts`.
 */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { mergeMetadata, newMetadata } from '../../core/metadata.ts';
import type { Recipient } from './fields.ts';
import { bankSummaryOf } from '../../core/rails/destination.ts';
import type { Draft } from '../../core/draft.ts';
import { refusedPayingAccount } from '../../core/company.ts';
import { type Given, previousOf, sameMembers, update, withGiven } from '../../core/update.ts';
import { maskBankDetails, validateBankDetails } from './bank-details.ts';

/** What payouts take on that do not say it themselves. */
type Default = 'categoryPurpose' | 'purpose' | 'bankAccount';

export interface CreateRecipient
  extends Pick<Recipient, 'name' | 'currency' | 'country' | 'email' | 'bankDetails'>,
    Partial<Pick<Recipient, 'address' | 'latinName' | 'duplicateOf' | Default>>,
    Given<Recipient, 'metadata'> {
  readonly type: 'create_recipient';
  readonly recipientType: Recipient['type'];
}

/** Country, currency and type never change: they decide what the bank details mean. */
export interface UpdateRecipient
  extends Given<Recipient, 'name' | 'email' | 'bankDetails' | 'metadata' | 'address' | 'latinName'>,
    Partial<Given<Recipient, Default>> {
  readonly type: 'update_recipient';
  readonly recipient: string;
  /** The details came as `bank_details[…]`: a refusal names them so. */
  readonly areDetailsNested?: boolean;
}

/** A recipient in the batch that made its version. A loaded recipient does not know when its version was made. */
export interface FreshRecipient extends Recipient {
  readonly versionedAt: number;
}

/** Refuses what `refusedPayingAccount` does. */
export function createRecipient(draft: Draft, command: CreateRecipient): Recipient | Refusal {
  const misnamed = refusedPayingAccount(draft, command.bankAccount, command.currency);
  if (misnamed) return misnamed;
  const { type: _, recipientType: type, metadata, ...given } = command;
  const recipient: FreshRecipient = {
    object: 'recipient',
    id: draft.newId('rcp'),
    version: 1,
    type,
    ...given,
    address: given.address ?? null,
    latinName: given.latinName ?? null,
    categoryPurpose: given.categoryPurpose ?? null,
    purpose: given.purpose ?? null,
    bankAccount: given.bankAccount ?? null,
    duplicateOf: given.duplicateOf ?? null,
    bankSummary: bankSummaryOf(command),
    status: 'active',
    createdBy: draft.actor,
    metadata: newMetadata(metadata),
    createdAt: draft.atMs,
    bankDetailsChangedAt: null,
    changedAt: null,
    versionedAt: draft.atMs,
  };
  return draft.create(recipient, 'recipient.created');
}

/**
 * Refuses `resource_missing`, `recipient_archived`, `recipient_redacted`, `metadata_invalid`, the code of the first bank fault, and what
 * `refusedPayingAccount` does.
 */
export function updateRecipient(draft: Draft, command: UpdateRecipient): Decision {
  const recipient = draft.find('recipient', command.recipient);
  if (!recipient) return missing('recipient', command.recipient);
  if (recipient.status === 'archived') {
    const message = `Recipient ${recipient.id} was deleted and cannot be changed.`;
    return refusal('recipient_archived', message, { current_status: 'archived' });
  }
  if (recipient.status === 'redacted') {
    const message = `The person behind recipient ${recipient.id} was erased; it cannot be changed.`;
    return refusal('recipient_redacted', message, { current_status: 'redacted' });
  }
  const metadata = mergeMetadata(recipient.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const misnamed = refusedPayingAccount(draft, command.bankAccount, recipient.currency);
  if (misnamed) return misnamed;
  const bankDetails = newBankDetails(recipient, command);
  if (isRefusal(bankDetails)) return bankDetails;

  const kept = withGiven(recipient, command, [
    'name',
    'email',
    'address',
    'latinName',
    'categoryPurpose',
    'purpose',
    'bankAccount',
  ]);
  const changed: Recipient = { ...kept, bankDetails, metadata };
  const versioned = previousOf(recipient, changed, ['name', 'latinName']);
  if (!sameMembers(changed.address ?? {}, recipient.address ?? {})) versioned['address'] = recipient.address;
  const isSame = sameMembers(bankDetails, recipient.bankDetails);
  if (!isSame) versioned['bank_details'] = maskBankDetails(recipient.bankDetails);
  const version = recipient.version + 1;
  const at = draft.atMs;
  const bankDetailsChangedAt = isSame ? recipient.bankDetailsChangedAt : at;
  const next: FreshRecipient = { ...changed, version, bankDetailsChangedAt, changedAt: at, versionedAt: at };
  const isNext = Object.keys(versioned).length > 0;
  const after = isNext ? { ...next, bankSummary: bankSummaryOf(changed) } : changed;
  const previous = {
    ...versioned,
    ...previousOf(recipient, changed, ['email', 'categoryPurpose', 'purpose', 'bankAccount']),
  };
  return update(draft, recipient, after, previous, 'recipient.updated');
}

/** Existing payouts go on. Archiving again changes nothing and answers the same, so a delete may be repeated. */
export function archiveRecipient(
  draft: Draft,
  { recipient: id }: { readonly type: 'archive_recipient'; readonly recipient: string },
): Decision {
  const recipient = draft.find('recipient', id);
  if (!recipient) return missing('recipient', id);
  if (recipient.status === 'active')
    draft.update({ ...recipient, status: 'archived' }, 'recipient.archived', { status: 'active' });
  return { object: 'deleted', kind: 'recipient', id };
}

/** Checked here and not by the parser, because the check needs country and currency of the stored recipient. */
export function newBankDetails(before: Recipient, command: UpdateRecipient): Recipient['bankDetails'] | Refusal {
  const { bankDetails: given, areDetailsNested = false } = command;
  if (given === undefined) return before.bankDetails;
  const check = validateBankDetails(before.country, before.currency, given);
  if (check.ok) return check.details;
  const [{ code, message, param }] = check.faults;
  return refusal(code, message, { param: areDetailsNested ? `bank_details[${param}]` : param });
}
