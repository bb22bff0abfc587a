/** An amount, exactly: from minor units, all digits that the currency has, never rounded, never summed over currencies. */
import { digitsOf } from './digits.ts';

interface Props {
  readonly minor: number | string | bigint;
  readonly currency: string;
  /** `big`: the one amount that a page is about. */
  readonly size?: 'big' | 'large';
  /** A plus before what is above zero: movements of an account. */
  readonly signed?: boolean;
}

export function Money({ minor, currency, size, signed = false }: Props) {
  return (
    <span className={`money ${size ?? ''}`}>
      {digitsOf(minor, currency, signed)}
      <span className="currency"> {currency}</span>
    </span>
  );
}
