/** The code that banking apps read: for euro an EPC code, for Swiss francs a Swiss QR code. Pure. Its picture: `collecting/payments/code-picture.ts`. */
import { epcPayload } from './epc.ts';
import { qrBillPayload, swissCross } from './qr-bill.ts';

export interface BankingCode {
  readonly payload: string;
  /** Whether the Swiss cross stands in its middle. */
  readonly hasCross: boolean;
}

interface Asked {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** ISO 11649, without blanks. */
  readonly rf: string;
}

/** `account`: where to pay, with the holder's address. `null`: there is no code for that. */
export function bankingCode(account: Readonly<Record<string, string>>, asked: Asked): BankingCode | null {
  const { account_holder: accountHolder = '', iban, bic } = account;
  const epc = epcPayload({ accountHolder, iban, bic, ...asked });
  if (epc !== null) return { payload: epc, hasCross: false };
  const bill = qrBillPayload({ accountHolder, address: account, iban, ...asked });
  return bill === null ? null : { payload: bill, hasCross: true };
}

/** The cross over a code of so many modules that begins at `start`, as paths of an SVG. */
export const crossOf = (modules: number, start: number) =>
  swissCross(modules).map(({ x, y, width, height, isDark }) => {
    const [left, top, wide, high] = [x + start, y + start, width, height].map((each) => each.toFixed(3));
    return { fill: isDark ? '#000' : '#fff', d: `M${left} ${top}h${wide}v${high}h-${wide}z` };
  });
