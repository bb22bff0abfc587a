/**
 * What a key that is restricted to accounts may not do: name another account, or none, where one is meant; change what is of
 * another. Checked before a decision, so that no refusal tells of other accounts, and once more against its changes.
 */
import { missing, type Refusal, refusal } from '../core/values/errors.ts';
import type { Actor } from '../core/actor.ts';
import type { Stored } from '../core/objects.ts';
import type { Change, State } from '../core/state.ts';
import { readSetOf } from './read-set.ts';
import type { Submission } from './submission.ts';

type Accounts = ReadonlySet<string>;

/** Before the decision. Refuses `account_not_allowed`, and `resource_missing` for payouts, batches and standing orders of other accounts. */
export function refusedBefore(submission: Submission, accounts: Accounts, state: State): Refusal | null {
  const needs = readSetOf([submission]);
  if (needs.currencies.size > 0) {
    return refusal('account_not_allowed', 'This key is restricted to accounts. Name one of its accounts in account.', {
      param: 'account',
    });
  }
  const other = needs.accounts.find(({ id }) => !accounts.has(id));
  if (other !== undefined) return notAllowed(other.id);
  const { command, origin } = submission;
  if (CHANGES_RECIPIENT.has(command.type)) {
    const lost = needs.recipients.find(({ id }) => !isMaker(state.tables.recipient.get(id), origin.actor));
    if (lost) return notItsRecipient(lost.id);
  }
  for (const { id } of needs.batches) {
    const isOther = (payout: Stored['payout']) => payout.batch === id && !accounts.has(payout.account);
    if ([...state.tables.payout.values()].some(isOther)) return missing('payout batch', id);
  }
  const { payout, standing_order: order, expected_payment: expected } = state.tables;
  const named = [
    ['payout', needs.payouts, payout],
    ['standing order', needs.standingOrders, order],
    ['expected payment', needs.expectedPayments, expected],
  ] as const;
  for (const [what, keys, table] of named) {
    const lost = keys.find(({ id }) => table.has(id) && !accounts.has((table.get(id) as { account: string }).account));
    if (lost) return missing(what, lost.id);
  }
  return null;
}

/** After the decision: nothing slips through that the look before did not know of. */
export function refusedAfter(changes: readonly Change[], accounts: Accounts, actor: Actor): Refusal | null {
  for (const change of changes) {
    if (change.kind !== 'object') continue;
    const { object } = change;
    const account = object.object === 'account' ? object.id : 'account' in object ? object.account : null;
    if (account !== null && !accounts.has(account)) return notAllowed(account);
    // Others pay the recipient too: new bank details would send their money elsewhere.
    if (object.object === 'recipient' && !isMaker(object, actor)) return notItsRecipient(object.id);
  }
  return null;
}

const CHANGES_RECIPIENT: ReadonlySet<string> = new Set(['update_recipient', 'archive_recipient', 'redact_recipient']);
/** Also of what does not exist: that is said by the decision. */
const isMaker = (recipient: Stored['recipient'] | undefined, actor: Actor): boolean =>
  recipient === undefined || recipient.createdBy === actor;

const notItsRecipient = (recipient: string): Refusal => {
  const message = `This key is restricted to accounts, so it changes only recipients that it made. It may pay ${recipient}; to change it, use a key that is not restricted to accounts.`;
  return refusal('recipient_not_allowed', message);
};

const notAllowed = (account: string): Refusal =>
  refusal(
    'account_not_allowed',
    `account is ${account}, and this key is restricted to other accounts. Name one of its accounts, or use another key.`,
    { param: 'account' },
  );
