/**
 * The decision that erases a person: name, e-mail, metadata and bank details, in the recipient and in its past. What stays is what
 * payouts need to be understood: country, currency, and the last four characters of the account. Pure. Decision record 0032.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { Erasure, PastEvent } from '../../core/erasure.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { assert } from '../../core/values/assert.ts';
import { isoDay } from '../../core/values/time.ts';
import { accountOnly } from './bank-details.ts';
import type { Recipient } from './fields.ts';

export interface RedactRecipient {
  readonly type: 'redact_recipient';
  readonly recipient: string;
  /** For so long after the last paid payout the records are kept; 0: no time. */
  readonly retentionYears: number;
}

export const REDACTED_NAME = 'Redacted';

/** Refuses `resource_missing`, `recipient_has_open_payouts` and `retention_required`. Doing it again changes nothing. */
export function redactRecipient(draft: Draft, command: RedactRecipient): Decision {
  const { recipient: id, retentionYears } = command;
  const recipient = draft.find('recipient', id);
  if (!recipient) return missing('recipient', id);
  if (recipient.status === 'redacted') return recipient;
  const past = draft.state.pasts.get(id);
  assert(past, 'the past of a recipient is loaded with the command that erases it');
  if (past.openPayouts > 0) {
    const message = `Payouts to recipient ${id} are pending or in transit: ${past.openPayouts}. Wait until they have ended, or cancel them.`;
    return refusal('recipient_has_open_payouts', message);
  }
  const kept = mustBeKept(id, past.lastPaidAt, retentionYears, draft.atMs);
  if (kept) return kept;
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
  const { events, versions, keys } = past;
  const erasure: Erasure = {
    recipient: id,
    name: REDACTED_NAME,
    events: events.map(withoutPerson),
    versions: versions.map((each) => ({ ...each, bankDetails: accountOnly(each.bankDetails) })),
    keys,
  };
  draft.erase(erasure);
  draft.audit('recipient.redacted', id);
  return draft.update(after, 'recipient.redacted');
}

function mustBeKept(id: string, lastPaidAt: number | null, years: number, atMs: number): Refusal | null {
  if (lastPaidAt === null || years === 0) return null;
  const until = new Date(lastPaidAt);
  until.setUTCFullYear(until.getUTCFullYear() + years);
  if (until.getTime() <= atMs) return null;
  const message = `The records of payouts to recipient ${id} have to be kept for ${years} years after the last one, until ${isoDay(until.getTime())}.`;
  return refusal('retention_required', message);
}

/** What each member becomes. */
const REPLACED: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: () => REDACTED_NAME,
  email: () => null,
  address: () => null,
  latin_name: () => null,
  metadata: () => ({}),
  bank_details: (details) => accountOnly(details as Record<string, string>),
};

const kept = (value: unknown) => value;

/** The members stay in their places. */
function withoutPerson({ sequence, object, previous }: PastEvent): PastEvent {
  const rewritten = (json: string) => {
    const members = Object.entries(JSON.parse(json) as Readonly<Record<string, unknown>>);
    return JSON.stringify(Object.fromEntries(members.map(([name, value]) => [name, (REPLACED[name] ?? kept)(value)])));
  };
  return { sequence, object: rewritten(object), previous: previous === null ? null : rewritten(previous) };
}
