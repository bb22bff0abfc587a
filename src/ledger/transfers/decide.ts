/** The decision behind a transfer between two own accounts of one currency. Pure. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { amountOf, checkFunds, move, openAccountNamed } from '../../core/ledger.ts';
import { newMetadata } from '../../core/metadata.ts';
import type { Metadata } from '../../core/objects.ts';
import type { Draft } from '../../core/draft.ts';

export interface CreateTransfer {
  readonly type: 'create_transfer';
  readonly from: string;
  readonly to: string;
  /** Decimal text in major units of the accounts' currency. */
  readonly amount: string;
  readonly description: string | null;
  readonly metadata: Metadata | undefined;
}

export function createTransfer(draft: Draft, command: CreateTransfer): Decision {
  if (command.from === command.to) {
    return refusal('account_same', '`to` names the same account as `from`. Name two accounts.', { param: 'to' });
  }
  if (draft.find('account', command.from) && !draft.find('account', command.to)) {
    return missing('account', command.to, 'to'); // existence is checked before any state
  }
  const debit = openAccountNamed(draft, command.from, null, 'from');
  if (isRefusal(debit)) return debit;
  const credit = openAccountNamed(draft, command.to, debit.currency, 'to');
  if (isRefusal(credit)) return credit;
  const amount = amountOf(debit, command.amount);
  if (typeof amount !== 'bigint') return amount;
  const unfunded = checkFunds({ debit, credit, amount });
  if (unfunded) return unfunded;
  const metadata = newMetadata(command.metadata);
  const { description } = command;
  const cause = { cause: 'transfer', causeId: null } as const;
  return move(draft, { debit, credit, amount, currency: debit.currency, ...cause, description, metadata });
}
