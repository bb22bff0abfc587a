/** Whether a recipient could be paid now, at each speed: what `POST /v1/recipients/validate` and the requirements say. Pure. */
import { payingBanksFromJson, refusedBankAccount } from '../../core/rails/paying-banks.ts';
import { SPEEDS } from '../../core/rails/payment-schemes.ts';
import { rulesFromJson } from '../../core/payout-rules.ts';
import type { Row } from '../../platform/db/wire/statement.ts';
import { isAddressWritable, type Judge, judgedBy, judgeOf } from '../../iso20022/write/payable.ts';
import type { Profile } from '../../iso20022/write/profiles.ts';
import type { Payee } from './parameters.ts';
import type { Scheme } from './requirements.ts';

/** The bank account that is asked about, and the currency. */
interface Asked {
  readonly currency: string;
  readonly bankAccount: string | null;
}

/** Who judges payments to recipients in a currency. */
export type PayoutJudge = Judge;

/** From the row of the environment (`judgesIn`). */
export function judgeFrom(row: Row | undefined, livemode: boolean, { currency, bankAccount }: Asked): PayoutJudge {
  const rules = row?.['payout_rules'] as string | null | undefined;
  const payoutRules = rules ? rulesFromJson(rules) : null;
  return judgeOf({ livemode, payoutRules, payingBanks: banksIn(row) }, currency, bankAccount);
}

const banksIn = (row: Row | undefined) => payingBanksFromJson((row?.['paying_banks'] ?? null) as string | null);

/** The fault of a bank account that cannot pay in the currency. */
export function bankAccountFaults(row: Row | undefined, { currency, bankAccount }: Asked) {
  const refused = refusedBankAccount(banksIn(row), bankAccount, currency);
  return refused === null ? [] : [{ param: 'bank_account', code: refused.code, message: refused.message }];
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
  const somebody = { name: 'Ada', latinName: null, address: null, bankAccount: null };
  const { speeds } = payableAt(judge, { ...somebody, country, currency, details });
  const errors = speeds.find(({ speed }) => speed === 'standard')?.errors ?? [];
  return { speeds: speeds.filter(({ payable }) => payable).map(({ speed }) => speed), errors };
}
