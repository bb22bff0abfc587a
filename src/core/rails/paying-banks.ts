/**
 * The bank accounts that payouts leave from, one a currency, as new payouts need them. Kept in the environment's row.
 */

import type { CutOff } from './execution-day.ts';

export interface PayingBank extends CutOff {
  readonly currency: string;
  /** Dialect of its payment files. */
  readonly profile: string;
  readonly country: string;
  readonly hasIban: boolean;
  /** Whether its files can name its holder. */
  readonly hasName: boolean;
  /** Whether its files say where its holder lives. */
  readonly hasAddress: boolean;
}

/** As JSON for the row; `null`: none. */
export const payingBanksToJson = (banks: readonly PayingBank[]): string | null =>
  banks.length === 0 ? null : JSON.stringify(banks);

export const payingBanksFromJson = (json: string | null): readonly PayingBank[] =>
  json === null ? NO_BANKS : (JSON.parse(json) as readonly PayingBank[]);

export const NO_BANKS: readonly PayingBank[] = [];
