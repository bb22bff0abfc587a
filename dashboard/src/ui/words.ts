/** Words for words of the API that several pages show. One that is new stays as it is. */
import type { Delivery } from '../../../client/src/generated/types.ts';
import type { StateWords } from './state.tsx';

/** Why money moved. */
export const CAUSES: Readonly<Record<string, string>> = {
  funding: 'Funding',
  transfer: 'Between accounts',
  exchange: 'Exchange',
  exchange_fee: 'Fee of an exchange',
  payout: 'Payout',
  payout_settlement: 'Payout arrived',
  payout_reversal: 'Payout came back',
  payout_fee: 'Fee of a payout',
  payout_fee_reversal: 'Fee of a payout given back',
  payment: 'Payment received',
  payment_fee: 'Fee of a payment',
  payment_fee_reversal: 'Fee of a payment given back',
  bank_entry: 'Booking of the bank',
  bank_assignment: 'Booking assigned',
  bank_entry_void: 'Booking voided',
  bank_entry_unvoid: 'Booking restored',
  payout_settlement_void: 'Arrival voided',
  payout_reversal_void: 'Return voided',
  payment_void: 'Payment voided',
};

const DELIVERIES: Readonly<Record<Delivery['status'], StateWords>> = {
  pending: { mark: 'going', word: 'Under way' },
  succeeded: { mark: 'done', word: 'Delivered' },
  failed: { mark: 'bad', word: 'Given up' },
  held: { mark: 'off', word: 'Held' },
  parked: { mark: 'off', word: 'Put aside' },
};

/** A delivery that failed before and waits is not the same as one that was never tried. */
export const deliveryState = ({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): StateWords =>
  status === 'pending' && attempts.length > 0 ? { mark: 'bad', word: 'Failed, waits' } : DELIVERIES[status];

/** What payouts are for, as banks sort them (ISO 20022), by the codes that a batch can be made with. */
export const CATEGORIES = {
  SALA: 'Salaries',
  BONU: 'Bonuses',
  PENS: 'Pensions',
  SUPP: 'Suppliers',
} as const;

/** `Salaries`; the code itself where there is no word; `null` for none. */
export const categoryWord = (code: string | null): string | null =>
  code === null ? null : ((CATEGORIES as Readonly<Record<string, string>>)[code] ?? code);
