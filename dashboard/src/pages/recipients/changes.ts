/** What an event says about a recipient, in words; `null`: nothing that belongs into its history. */
import type { Event } from '../../../../client/src/generated/types.ts';
import { shown, wordOf } from '../../ui/bank-details.ts';

const WORDS: Readonly<Record<string, string>> = {
  'recipient.created': 'Created',
  'recipient.archived': 'Deleted: it can no longer be paid',
  'recipient.redacted': 'Erased: what told who it was is gone',
};

const MEMBERS: Readonly<Record<string, string>> = {
  name: 'Name',
  email: 'E-mail',
  address: 'Address',
  latin_name: 'Name in Latin letters',
  category_purpose: 'Category of purpose',
  purpose: 'Purpose',
  bank_account: 'Bank account that pays',
  metadata: 'Metadata',
};

export function changesIn({ type, data }: Pick<Event, 'type' | 'data'>): string | null {
  if (type !== 'recipient.updated') return WORDS[type] ?? null;
  const { previous_attributes: before = {} } = data as {
    readonly previous_attributes?: Readonly<Record<string, unknown>>;
  };
  const changes = Object.entries(before).flatMap(([member, old]) =>
    member === 'bank_details' && typeof old === 'object' && old !== null
      ? Object.entries(old).map(([detail, value]) => changed(wordOf(detail), value))
      : [changed(MEMBERS[member] ?? member.replaceAll('_', ' '), old)],
  );
  return changes.length === 0 ? 'Changed' : `Changed: ${changes.join(', ')}`;
}

/** Of an object only that it changed: all of it would be no sentence. */
const changed = (what: string, old: unknown): string =>
  typeof old === 'string' && old !== '' ? `${what} (was ${shown(old)})` : what;
