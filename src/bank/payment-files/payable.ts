/** Whether a bank account can pay a payout by file, and by which route. */
import type { Stored } from '../../core/objects.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { isAddressWritable, isHolderWritable, type Judged, judgePayment } from '../../iso20022/write/payable.ts';
import type { Address, Payment } from '../../iso20022/write/initiation.ts';
import type { DuePayout } from './sql.ts';

type BankAccount = Stored['bank_account'];

/** The bank details of a recipient from the text of their column; they are sealed there. Throws `SealError`. */
export type DetailsOf = (stored: string, recipient: string) => Readonly<Record<string, string>>;

/** Throws what `detailsOf` throws. */
export function judge(account: BankAccount, payout: DuePayout, detailsOf: DetailsOf): Judged {
  const { country, bankDetails: details, profile, holder, holderAddress } = account;
  const payment = paymentOf(payout, detailsOf);
  const hasName = isHolderWritable(holder, profile);
  const debtor = { country, details, hasName, hasAddress: isAddressWritable(holderAddress, profile) };
  return judgePayment(profile, debtor, payment.creditor, { ...payment, speed: payout.speed });
}

/** A payout as the writer takes it. Throws what `detailsOf` throws. */
export function paymentOf(payout: DuePayout, detailsOf: DetailsOf): Payment {
  const { id, amount, currency, purpose, reference, referenceType, creditor } = payout;
  const { recipient, bankDetails, address, ...named } = creditor;
  const details = detailsOf(bankDetails, recipient);
  return {
    endToEndId: outgoingId(id),
    amount,
    currency,
    purpose,
    reference,
    referenceType,
    creditor: { ...named, address: address as Address | null, details },
  };
}
