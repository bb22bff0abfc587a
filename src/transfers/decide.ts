/** The decision behind a transfer between two own accounts of one currency. Pure. */
import { accepted, type Decision, isRefusal, refused } from '../core/decision.ts';
import { missing, refusal } from '../core/errors.ts';
import { amountOf, checkFunds, move, openAccountNamed } from '../core/ledger.ts';
import { newMetadata } from '../core/metadata.ts';
import type { Metadata } from '../core/objects.ts';
import type { Draft } from '../core/state.ts';

export interface CreateTransfer {
  readonly type: 'create_transfer';
  readonly from: string;
  readonly to: string;
  /** Major-unit text; the accounts' currency gives it meaning. */
  readonly amount: string;
  readonly description: string | null;
  readonly metadata: Metadata | undefined;
}

export function createTransfer(draft: Draft, command: CreateTransfer): Decision {
  if (command.from === command.to) {
    return refused(refusal('account_same', '`from` and `to` name the same account.', { param: 'to' }));
  }
  if (draft.find('account', command.from) && !draft.find('account', command.to)) {
    return refused(missing('account', command.to, 'to')); // before any state
  }
  const debit = openAccountNamed(draft, command.from, null, 'from');
  if (isRefusal(debit)) return refused(debit);
  const credit = openAccountNamed(draft, command.to, debit.currency, 'to');
  if (isRefusal(credit)) return refused(credit);
  const amount = amountOf(debit, command.amount);
  if (typeof amount !== 'bigint') return refused(amount);
  const unfunded = checkFunds({ debit, credit, amount });
  if (unfunded) return refused(unfunded);
  const { currency } = debit;
  const { description } = command;
  const metadata = newMetadata(command.metadata);
  const transfer = move(draft, {
    debit,
    credit,
    amount,
    currency,
    cause: 'transfer',
    causeId: null,
    description,
    metadata: Object.keys(metadata).length > 0 ? metadata : null,
  });
  return accepted(draft, transfer);
}
