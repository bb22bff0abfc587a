/** Whether a recipient could be paid now, at each speed: what `POST /v1/recipients/validate` and the requirements say. Pure. */
import { payingBanksFromJson } from '../../core/rails/paying-banks.ts';
import { SPEEDS } from '../../core/rails/payment-schemes.ts';
import { rulesFromJson } from '../../core/payout-rules.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { isAddressWritable, type Judge, judgedBy, judgeOf } from '../../iso20022/write/payable.ts';
import type { Profile } from '../../iso20022/write/profiles.ts';
import type { Payee } from './parameters.ts';
import type { Scheme } from './requirements.ts';

/** Who judges payments to recipients in a currency. */
export type PayoutJudge = Judge;

/** From the row of the environment (`judgesIn`). */
export function judgeFrom(row: Row | undefined, livemode: boolean, currency: string): PayoutJudge {
  const [rules, banks] = [row?.['payout_rules'], row?.['paying_banks']] as readonly (string | null | undefined)[];
  const payoutRules = rules ? rulesFromJson(rules) : null;
  return judgeOf({ livemode, payoutRules, payingBanks: payingBanksFromJson(banks ?? null) }, currency);
}

export type Payable = ReturnType<typeof payableAt>;

/** The same answers, by the names of the wire, as the creation of a payout of one minor unit gives. Without a bank account nobody judges. */
export function payableAt(judge: Judge, { currency, address, ...payee }: Payee) {
  const speeds = SPEEDS.map((speed) => {
    const { route, complaints } = judgedBy(judge, payee, { amount: 1n, currency, speed });
    const errors = complaints.map(({ field, message }) => ({ param: field, message, code: 'payout_not_payable' }));
    return { speed, payable: errors.length === 0, route, errors };
  });
  const profile = judge.bank?.profile as Profile | undefined;
  return { speeds, address_sent: address && profile ? isAddressWritable(address, profile) : null };
}

/** The speeds at which some recipient with these fields could be paid, and what keeps them from being paid at the usual one. */
export function payableWith(judge: Judge, country: string, currency: string, { fields }: Scheme) {
  const details = Object.fromEntries(fields.map(({ field }) => [field, '']));
  const { speeds } = payableAt(judge, { name: 'Ada', latinName: null, country, currency, address: null, details });
  const errors = speeds.find(({ speed }) => speed === 'standard')?.errors ?? [];
  return { speeds: speeds.filter(({ payable }) => payable).map(({ speed }) => speed), errors };
}
