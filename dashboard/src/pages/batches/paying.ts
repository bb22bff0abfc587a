/** What a batch leaves at the bank accounts that pay it, as far as the books know. Pure. Who shows it: `create.tsx`. */
import type { BankAccount } from '../../../../client/src/generated/types.ts';
import type { Tried } from './check.ts';

export type PayingBank = Pick<
  BankAccount,
  'id' | 'name' | 'holder' | 'currency' | 'balance' | 'created' | 'status' | 'uses'
>;

export const bankName = ({ name, holder }: Pick<PayingBank, 'name' | 'holder'>): string => name ?? holder;

/** Open ones that pay, the oldest first. */
export const payingBanks = (all: readonly PayingBank[]): readonly PayingBank[] =>
  all
    .filter(({ status, uses }) => status === 'open' && uses.includes('payouts'))
    .toSorted((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));

export interface LeftAtBank {
  readonly name: string;
  readonly currency: string;
  /** Minor units. */
  readonly before: bigint;
  readonly after: bigint;
}

/** By currency of the batch. As in the service, the oldest pays where none of the currency is `chosen`; where there is none, nothing is said. */
export function leftAtBanks(
  totals: Tried['totals'],
  banks: readonly PayingBank[],
  chosen: string,
): readonly LeftAtBank[] {
  return totals.flatMap(({ currency, amount_minor: minor }) => {
    const those = banks.filter((each) => each.currency === currency);
    const bank = those.find(({ id }) => id === chosen) ?? those[0];
    if (bank === undefined) return [];
    const before = BigInt(bank.balance);
    return [{ name: bankName(bank), currency, before, after: before - BigInt(minor) }];
  });
}
