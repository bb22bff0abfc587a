/**
 * Recipients at rest: bank details are sealed, and a blind index (the fingerprint) finds the recipients of one account.
 * Details are opened at the first look, which a payout never takes. Next: `write/at-rest.ts`.
 */
import type { Seals } from '../../platform/vault/seals.ts';
import { type ClearText, clearText, type ServerSecrets, vault } from '../../platform/vault/vault.ts';
import { accountsOf, type BankDetails } from './bank-details.ts';
import type { Recipient } from './fields.ts';

type Details = Recipient['bankDetails'];

type SealedDetails = { readonly sealed: string };

/** A recipient as its row is to hold it: `bankDetails` is `{sealed}`. */
export interface SealedRecipient extends Recipient {
  /** 32 bytes as PostgreSQL reads them, `\x` and hexadecimal; `null`: its details name no account. */
  readonly bankFingerprint: string | null;
}

export interface RecipientSeals {
  readonly recipient: Seals<Recipient>;
  /** The details of a recipient or of a version of it, from the JSON of the column. Throws `SealError`, for clear text too. */
  detailsOf(stored: string, recipientId: string): Details;
  /** As the column is to hold them. */
  sealedDetails(details: Details, recipientId: string): SealedDetails;
  /**
   * What `recipients.bank_fingerprint` may hold for the account of these details, newest first; none if they name no account.
   * `environmentId` begins with `env_`: the same account looks different in another environment.
   */
  fingerprintsOf(environmentId: string, details: BankDetails): readonly string[];
}

export function recipientSeals(secrets: ServerSecrets, clear: ClearText = 'refused'): RecipientSeals {
  const accounts = vault(secrets, 'bank details', 'bank details');
  const open = (details: Details, id: string): Details => {
    if (isSealedDetails(details)) return JSON.parse(accounts.open(details['sealed'], id)) as Details;
    if (clear === 'refused') throw clearText('bank details', id);
    return details;
  };
  const sealedDetails = (details: Details, id: string): SealedDetails => ({
    sealed: accounts.seal(JSON.stringify(details), id),
  });
  const fingerprintsOf: RecipientSeals['fingerprintsOf'] = (environmentId, details) => {
    const blind = accountsOf(details).flatMap((account) => accounts.blind(`${environmentId}\n${account}`));
    return blind.map((each) => `\\x${each.toString('hex')}`);
  };
  return {
    recipient: {
      seal(recipient, environmentId) {
        const { bankDetails, id } = recipient;
        const [found = null] = fingerprintsOf(environmentId, bankDetails);
        const bankFingerprint = recipient.status === 'redacted' ? null : found;
        const sealed: SealedRecipient = {
          ...recipient,
          bankDetails: sealedDetails(bankDetails, id),
          bankFingerprint,
        };
        return sealed;
      },
      open: (stored) => openedLater(stored, () => open(stored.bankDetails, stored.id)),
      isCurrent: ({ bankDetails }) => isSealedDetails(bankDetails) && accounts.isCurrent(bankDetails['sealed']),
    },
    detailsOf: (stored, recipientId) => open(JSON.parse(stored) as Details, recipientId),
    sealedDetails,
    fingerprintsOf,
  };
}

/** No bank has a field of this name. */
function isSealedDetails(details: Details): details is SealedDetails {
  return details['sealed'] !== undefined;
}

/** The same recipient, whose details are opened at the first look and kept. */
function openedLater(stored: Recipient, open: () => Details): Recipient {
  let details: Details | undefined;
  return Object.defineProperty({ ...stored }, 'bankDetails', { enumerable: true, get: () => (details ??= open()) });
}
