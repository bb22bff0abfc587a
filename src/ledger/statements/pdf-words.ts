/** What a movement is called in a document for people: a title, and details that name it. Pure. */
import { houseOf } from '../../core/house-accounts.ts';
import type { Cause } from '../../core/transfer.ts';
import type { Line } from './lines.ts';

/** By cause: what it is called where money leaves and where it comes. */
const TITLES: Readonly<Record<Cause, readonly [out: string, into: string]>> = {
  funding: ['Withdrawal', 'Deposit'],
  transfer: ['Transfer to own account', 'Transfer from own account'],
  exchange: ['Currency exchange', 'Currency exchange'],
  exchange_fee: ['Exchange fee', 'Exchange fee refunded'],
  payout: ['Payout', 'Payout'],
  payout_settlement: ['Payout', 'Payout'],
  payout_settlement_void: ['Payout', 'Payout'],
  payout_reversal: ['Payout', 'Payout returned'],
  payout_reversal_void: ['Payout', 'Payout'],
  payout_fee: ['Payout fee', 'Payout fee refunded'],
  payout_fee_reversal: ['Payout fee', 'Payout fee refunded'],
  payment: ['Payment', 'Payment received'],
  payment_fee: ['Payment fee', 'Payment fee refunded'],
  payment_void: ['Correction', 'Correction'],
  payment_fee_reversal: ['Payment fee', 'Payment fee refunded'],
  bank_entry: ['Bank debit', 'Bank credit'],
  bank_assignment: ['Correction', 'Bank credit assigned'],
  bank_entry_void: ['Correction', 'Correction'],
  bank_entry_unvoid: ['Correction', 'Correction'],
};

/** `details`: each a line of its own. `isShowable`: whether the document has all letters of a name; else it takes the Latin one. */
export function wordsOf(
  { transfer, signed, names }: Line,
  isShowable: (name: string) => boolean,
): { title: string; details: readonly string[] } {
  const isDebit = signed < 0n;
  const kind = TITLES[transfer.cause][isDebit ? 0 : 1];
  const other = isDebit ? transfer.creditAccount : transfer.debitAccount;
  const { recipientName: name, recipientLatinName: latinName, reference, externalId, counterpartyName, text } = names;
  const recipientName = name === null || latinName === null || isShowable(name) ? name : latinName;
  const otherName = recipientName ?? counterpartyName;
  const named = [
    otherName === null ? null : kind,
    reference === null ? null : `Reference: ${reference}`,
    externalId === null ? null : `Your id: ${externalId}`,
    text,
  ];
  const details = [
    named.filter((each) => each !== null).join(' · '),
    transfer.description ?? '',
    transfer.cause === 'transfer' && houseOf(other) === undefined ? other : '',
    transfer.causeId ?? transfer.id,
  ];
  return { title: otherName ?? kind, details: details.filter((each) => each !== '') };
}
