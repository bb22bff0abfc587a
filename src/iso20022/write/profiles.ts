/**
 * Dialects of payment files. `epc`: the European rulebook, `de_dk`: Germany (GBIC_4, and AXZ for foreign payments), `ch_sps`: Switzerland
 * (Swiss Payment Standards), `generic`: plain ISO 20022 within the letters that SWIFT takes.
 */
import type { Charset } from './text.ts';
import type { Route } from './routes.ts';

export const PROFILES = ['epc', 'de_dk', 'ch_sps', 'generic'] as const;
export type Profile = (typeof PROFILES)[number];

export interface Dialect {
  readonly charset: Charset;
  /** By which routes its files go. */
  readonly routes: readonly Route[];
  /** The service level of a foreign payment, if one must be named. If it is set, urgent payments repeat their service level in each payment. */
  readonly foreignServiceLevel: 'NURG' | null;
  /** How the bank of an account is named where there is no BIC: by a number in the account's own, or not at all. */
  readonly bankWithoutBic: 'clearing' | 'NOTPROVIDED';
  /** Whether payments carry a UETR. The German schema refuses it, and SEPA does without. */
  readonly hasUetr: boolean;
  /** Whether its banks take the payer's address from files. Swiss ones take it from their own records. */
  readonly needsPayerAddress: boolean;
}

export const DIALECTS: Readonly<Record<Profile, Dialect>> = {
  epc: {
    charset: 'sepa',
    routes: ['sepa', 'sepa_instant'],
    foreignServiceLevel: null,
    bankWithoutBic: 'NOTPROVIDED',
    hasUetr: false,
    needsPayerAddress: true,
  },
  de_dk: {
    charset: 'german',
    routes: ['sepa', 'sepa_instant', 'swift', 'urgent'],
    foreignServiceLevel: 'NURG',
    bankWithoutBic: 'NOTPROVIDED',
    hasUetr: false,
    needsPayerAddress: true,
  },
  ch_sps: {
    charset: 'latin',
    routes: ['sepa', 'domestic', 'swift', 'urgent'],
    foreignServiceLevel: null,
    bankWithoutBic: 'clearing',
    hasUetr: true,
    needsPayerAddress: false,
  },
  generic: {
    charset: 'sepa',
    routes: ['sepa', 'sepa_instant', 'domestic', 'swift', 'urgent'],
    foreignServiceLevel: null,
    bankWithoutBic: 'NOTPROVIDED',
    hasUetr: true,
    needsPayerAddress: true,
  },
};
