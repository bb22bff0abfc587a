/**
 * The decision that erases a person: name, e-mail, metadata and bank details, in the recipient and in its past. What stays is what
 * payouts need to be understood: country, currency, and the last four characters of the account. Standing orders to the person end.
 * Pure. Decision record 0032.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { type Members, mustBeKept, pastOf, REDACTED_NAME, withoutPerson } from '../../core/redact.ts';
import { cancelOrder } from '../../core/update.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { accountOnly } from './bank-details.ts';
import type { Recipient } from './fields.ts';

export interface RedactRecipient {
  readonly type: 'redact_recipient';
  readonly recipient: string;
  /** For so long after the last paid payout the records are kept; 0: no time. */
  readonly retentionYears: number;
}

/** Refuses `resource_missing`, `recipient_has_open_payouts` and `retention_required`. Doing it again changes nothing. */
export function redactRecipient(draft: Draft, command: RedactRecipient): Decision {
  const { recipient: id, retentionYears } = command;
  const recipient = draft.find('recipient', id);
  if (!recipient) return missing('recipient', id);
  if (recipient.status === 'redacted') return recipient;
  const { openPayouts, lastMovedAt, events, versions, keys } = pastOf(draft, id);
  if (openPayouts > 0) {
    const message = `Payouts to recipient ${id} are pending or in transit: ${openPayouts}. Wait until they have ended, or cancel them.`;
    return refusal('recipient_has_open_payouts', message);
  }
  const kept = mustBeKept(id, lastMovedAt, retentionYears, draft.atMs);
  if (kept) return kept;
  for (const order of draft.all('standing_order')) {
    if (order.recipient === id && order.endedAt === null) cancelOrder(draft, order, 'recipient_redacted');
  }
  const after: Recipient = {
    ...recipient,
    name: REDACTED_NAME,
    email: null,
    metadata: {},
    bankDetails: accountOnly(recipient.bankDetails),
    bankSummary: null,
    address: null,
    latinName: null,
    status: 'redacted',
  };
  draft.erase({
    id,
    name: REDACTED_NAME,
    events: events.map((event) => withoutPerson(event, MEMBERS)),
    versions: versions.map((each) => ({ ...each, bankDetails: accountOnly(each.bankDetails) })),
    keys,
  });
  draft.audit('recipient.redacted', id);
  return draft.update(after, 'recipient.redacted');
}

const MEMBERS: Members = {
  name: () => REDACTED_NAME,
  email: () => null,
  address: () => null,
  latin_name: () => null,
  metadata: () => ({}),
  bank_details: (details: Record<string, string>) => accountOnly(details),
};
