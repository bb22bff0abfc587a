/**
 * What the path seals before it writes (`persist.ts`) and opens when it reads (`load.ts`): texts that a stolen copy of
 * the database must not show (docs/decisions/0030). Other kinds are stored as they are.
 */
import type { Stored, StoredKind, StoredObject } from '../core/objects.ts';
import { paymentFileSeals } from '../bank/payment-files/sealing.ts';
import { bankEntrySeals, bankRuleSeals, entryDetailsSeals, waitingSeals } from '../bank/statements/sealing.ts';
import { type PaymentSeals, paymentSeals } from '../collecting/payments/sealing.ts';
import { type RecipientSeals, recipientSeals } from '../paying/recipients/sealing.ts';
import type { Seals } from '../platform/vault/seals.ts';
import type { ClearText, ServerSecrets } from '../platform/vault/vault.ts';

export interface AtRest {
  readonly kinds: { readonly [K in StoredKind]?: Seals<Stored[K]> };
  readonly payments: PaymentSeals;
  readonly recipients: RecipientSeals;
}

export function atRest(secrets: ServerSecrets, clear: ClearText = 'refused'): AtRest {
  const payments = paymentSeals(secrets, clear);
  const recipients = recipientSeals(secrets, clear);
  const kinds = {
    payment_link: payments.link,
    payment: payments.payment,
    recipient: recipients.recipient,
    bank_entry: bankEntrySeals(secrets),
    bank_rule: bankRuleSeals(secrets),
    bank_waiting_lines: waitingSeals(secrets),
    bank_entry_details: entryDetailsSeals(secrets),
    payment_file_content: paymentFileSeals(secrets),
  };
  return { payments, recipients, kinds };
}

/** The object of a row. Throws `SealError`. */
export function opened({ kinds }: AtRest, stored: StoredObject): StoredObject {
  const seals = kinds[stored.object] as Seals<StoredObject> | undefined;
  return seals === undefined ? stored : seals.open(stored);
}
