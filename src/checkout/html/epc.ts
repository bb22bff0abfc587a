/**
 * What the QR code of a transfer says to a banking app. It must never hold more than the payer sees on the page. Source:
 * EPC069-12 version 2.1, payload version 002 in UTF-8. The picture: `qr.ts`.
 */
import { formatMinor } from '../../core/money.ts';

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
/** What version 13 of a QR code holds at level M. */
export const MAX_PAYLOAD_BYTES = 331;

/**
 * Ten lines joined by `\n`; what the standard has after the reference is empty and, as it demands, left out with its line ends.
 * `null` where it cannot be one: not EUR, no IBAN, no amount, or one above 999999999.99. A long name is cut.
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

const bare = (text: string) => text.replace(/\s/g, '').toUpperCase();
