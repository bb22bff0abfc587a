/**
 * The payload of a transfer's QR code, which holds no more than the page shows. Source: EPC069-12 version 2.1, payload
 * version 002 in UTF-8. The picture: `collecting/checkout/html/account.ts`.
 */
import { withoutBlanks } from './blanks.ts';
import { formatMinor } from '../values/money.ts';

export interface EpcTransfer {
  readonly accountHolder: string;
  readonly iban: string | undefined;
  readonly bic: string | undefined;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 11649, without blanks. */
  readonly rf: string;
}

/** EUR 999999999.99. */
const MAX_AMOUNT = 99_999_999_999n;
const MAX_NAME_CHARACTERS = 70;
/** The capacity of version 13 of a QR code at level M. */
export const MAX_PAYLOAD_BYTES = 331;

/**
 * Ten lines joined by `\n`. The elements behind the reference are empty, so the standard leaves them out with their line ends.
 * `null` for a currency but EUR, no IBAN, and an amount of zero or above 999999999.99. A long name is cut.
 */
export function epcPayload({ accountHolder, iban, bic, currency, amount, rf }: EpcTransfer): string | null {
  const account = bare(iban ?? '');
  if (currency !== 'EUR' || !/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account)) return null;
  if (amount <= 0n || amount > MAX_AMOUNT) return null;
  const bank = /^[A-Z0-9]{8}(?:[A-Z0-9]{3})?$/.test(bare(bic ?? '')) ? bare(bic ?? '') : '';
  const around = (name: string) =>
    ['BCD', '002', '1', 'SCT', bank, name, account, `EUR${formatMinor(amount, 2)}`, '', rf].join('\n');
  // A line end in the name would shift every line after it.
  const name = [...accountHolder.replace(/[\s\p{Cc}]+/gu, ' ').trim()].slice(0, MAX_NAME_CHARACTERS);
  while (Buffer.byteLength(around(name.join(''))) > MAX_PAYLOAD_BYTES) name.pop();
  return name.length === 0 ? null : around(name.join(''));
}

const bare = (text: string) => withoutBlanks(text).toUpperCase();
