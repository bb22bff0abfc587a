/** The commands that erase a person, one an object. Who calls this: `cli/person.ts`. */
import type { ExplainedTransaction } from '../bank/statements/fields.ts';
import type { Metadata } from '../core/objects.ts';
import { REDACTED_NAME } from '../core/redact.ts';
import { emailOf, nameOf, redactedAddress } from '../tenancy/people/fields.ts';
import type { Command } from '../write/slices.ts';
import { type Person, shownEnvironment, type Sought } from './person.ts';

export interface Step {
  readonly environmentId: string;
  readonly id: string;
  readonly command: Command;
  /** For a person who decides: where it is and who is meant. */
  readonly shown: string;
}

const isLeft = (metadata: Metadata, ...texts: readonly (string | null)[]): boolean =>
  Object.keys(metadata).length > 0 || texts.some((text) => text !== null && text !== REDACTED_NAME);

const isLeftIn = (all: readonly ExplainedTransaction[], places: readonly number[]): boolean =>
  all.some(({ name, account, text }, at) => places.includes(at) && isLeft({}, name, account, text));

/** What is left to erase. What the person is found by comes last: killed in between, the next run finds the rest. */
export function stepsToRedact(persons: readonly Person[], sought: Sought, retentionYears: number): readonly Step[] {
  return persons.flatMap((person) => {
    const { environment } = person;
    const step = (id: string, command: Command, ...words: readonly (string | null)[]): Step => ({
      environmentId: environment.environmentId,
      id,
      command,
      shown: [shownEnvironment(environment), id, ...words.filter((word) => word !== null)].join('  '),
    });
    const recipients = [...person.recipients.values()].flatMap(({ id, status, name, email }) =>
      status === 'redacted' ? [] : step(id, { type: 'redact_recipient', recipient: id, retentionYears }, name, email),
    );
    const links = [...person.links.values()].flatMap(({ id, metadata, customerEmail, redirectUrl, message }) =>
      isLeft(metadata, customerEmail, redirectUrl, message)
        ? step(id, { type: 'redact_payment_link', id, retentionYears }, customerEmail)
        : [],
    );
    const payments = [...person.payments.values()].flatMap(({ id, metadata, payerName, payerIban }) =>
      isLeft(metadata, payerName, payerIban) ? step(id, { type: 'redact_payment', id, retentionYears }, payerName) : [],
    );
    const expected = [...person.expected.values()].flatMap(({ id, metadata, payerName }) =>
      isLeft(metadata, payerName) ? step(id, { type: 'redact_expected_payment', id, retentionYears }, payerName) : [],
    );
    const entries = [...person.entries.values()].flatMap(({ id, explanation: { name, account, text, details } }) => {
      const theirs = person.transactions.get(id) ?? [];
      const isIn = isLeftIn(details?.transactions ?? [], theirs);
      if (!isIn && !isLeft({}, name, account, text)) return [];
      return step(id, { type: 'redact_bank_entry', id, transactions: theirs, retentionYears }, name);
    });
    const details = [...person.details.values()].flatMap(({ id, content }) => {
      const theirs = person.transactions.get(id) ?? [];
      if (!isLeftIn(JSON.parse(content) as readonly ExplainedTransaction[], theirs)) return [];
      return step(id, { type: 'redact_entry_details', id, transactions: theirs });
    });
    const users = [...person.users.values()].flatMap((user) =>
      user.invitedEmail === redactedAddress(user.id)
        ? []
        : step(user.id, { type: 'redact_user', user: user.id }, nameOf(user), emailOf(user)),
    );
    if ('email' in sought || 'recipient' in sought)
      return [...users, ...details, ...entries, ...expected, ...payments, ...links, ...recipients];
    return [...users, ...details, ...expected, ...links, ...payments, ...entries, ...recipients];
  });
}
