/**
 * Money goes back to its sender: it is assigned to an account and paid out from there, in one commit. Limits and approvals count as for any
 * payout; if it does not arrive, the money is in the account. Pure.
 */
import { beginningOf } from '../../core/values/beginning.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { payingAccount } from '../../core/ledger.ts';
import { ibanOf } from '../../core/rails/iban.ts';
import { senderAsRecipient } from '../../collecting/payments/refund.ts';
import { orderPayout } from '../../paying/payouts/decide.ts';
import { place } from '../statements/assign-decide.ts';
import { type BankEntry, unassigned } from '../statements/fields.ts';
import { isVoided, withPart } from '../statements/parts.ts';

export interface ReturnBankEntry {
  readonly type: 'return_bank_entry';
  readonly entry: string;
  /** `null`: the oldest open one of the `currency`. */
  readonly account: string | null;
  /** Of the entry. */
  readonly currency: string | null;
  /** `null`: the account that it came from. */
  readonly recipient: string | null;
  readonly reason: string | null;
  readonly settlementDelayMs: number | null;
}

/** Characters of a reference in a transfer (EPC, ISO 20022). */
const MOST_CHARACTERS = 140;

/** Refuses `resource_missing`, `bank_entry_voided`, `bank_entry_not_returnable`, `bank_entry_assigned`, `sender_unknown`, and what a payout can be refused for. */
export function returnBankEntry(draft: Draft, command: ReturnBankEntry): Decision {
  const entry = draft.find('bank_entry', command.entry);
  if (!entry) return missing('bank entry', command.entry);
  if (entry.status === 'voided') return isVoided(entry);
  const account = payingAccount(draft, command.account, entry.currency, 'account');
  if (isRefusal(account)) return account;
  if (command.recipient !== null && !draft.find('recipient', command.recipient)) {
    return missing('recipient', command.recipient, 'recipient');
  }
  if (entry.direction === 'debit' || entry.kind === 'opening') {
    const message = `Entry ${entry.id} is ${entry.kind === 'opening' ? 'an opening balance' : 'money that went out'}. Only money that came in can be sent back.`;
    return refusal('bank_entry_not_returnable', message);
  }
  const amount = unassigned(entry);
  if (amount === 0n) {
    const message = `All money of entry ${entry.id} has a place already. Take a part back first: POST /v1/bank_entries/${entry.id}/unassign.`;
    return refusal('bank_entry_assigned', message);
  }
  const recipient = command.recipient ?? senderOf(draft, entry);
  if (typeof recipient !== 'string') return recipient;
  const transfer = place(draft, entry, account.id, amount, 'account');
  if (typeof transfer !== 'string') return transfer;
  const words = entry.explanation.text ?? entry.explanation.bankReference ?? '';
  const reference = beginningOf(`Return ${words}`.replaceAll(/\s+/g, ' ').trim(), MOST_CHARACTERS);
  const { currency } = entry;
  const unsaid = { statementDescriptor: null, externalId: null, scheduledOn: null };
  const order = { amount, currency, recipient, account: account.id, reference, ...unsaid, isReturn: true };
  const metadata = { bank_entry: entry.id };
  const payout = orderPayout(draft, { ...order, metadata }, null, command.settlementDelayMs);
  if (isRefusal(payout)) return payout;
  const after = withPart(draft, entry, { to: account.id, amount, transfer, reason: command.reason });
  draft.audit('bank_entry.returned', entry.id, { payout: payout.id, reason: command.reason });
  return draft.update({ ...after, returnPayout: payout.id }, 'bank_entry.assigned', { status: entry.status });
}

function senderOf(draft: Draft, { id, currency, explanation: { name, account } }: BankEntry): string | Refusal {
  const iban = account === null ? null : ibanOf(account);
  if (iban !== null && name !== null) return senderAsRecipient(draft, { name, iban, currency });
  const message = `The bank does not name the sender and the IBAN of entry ${id}. Name a recipient.`;
  return refusal('sender_unknown', message, { param: 'recipient' });
}
