/** Rates in words. They are exact decimal text and stay it: only the point is the reader's own. Pure. */
import { separatorsOf } from '../../ui/digits.ts';

const { point: POINT } = separatorsOf(undefined);

/** `1 EUR = 1.155105 USD` */
export const rateText = (one: string, rate: string, other: string, point = POINT): string =>
  `1 ${one} = ${rate.replace('.', point)} ${other}`;

/** 25 → `0.25 %`, on one line. */
export function percentText(bps: number, point = POINT): string {
  const digits = String(bps % 100)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return `${Math.floor(bps / 100)}${digits === '' ? '' : `${point}${digits}`}\u00a0%`;
}

/** `sandbox` is a fixed table. */
export const sourceText = (source: string): string =>
  source === 'sandbox' ? 'The fixed table of the sandbox' : source;
