/** Rules and limits in sentences. Pure. */
import type { Limit, PayoutRules } from '../../../../client/src/generated/types.ts';
import { countOf, digitsOf } from '../../ui/digits.ts';

type Changes = NonNullable<PayoutRules['pending_changes']>['changes'];

/** `0` holds none. */
export const newRecipientsInWords = (hours: number): string => {
  if (hours === 0) return 'Payouts to new recipients leave at once.';
  const time = hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} ${hours === 1 ? 'hour' : 'hours'}`;
  return `Payouts to a recipient whose name or bank details are younger than ${time} wait for approval.`;
};

export const approvalsInWords = (count: number): string =>
  count === 1 ? 'One other person approves what waits.' : `${countOf(count)} other people approve what waits.`;

/** What somebody asked for, a sentence each. */
export function changesInWords({
  frozen,
  hold_new_recipients_hours: hours,
  hold_bank_accounts: banks,
  approvals_required: approvals,
  time_zone: zone,
}: Changes): readonly string[] {
  return [
    frozen === undefined ? '' : frozen ? 'Payouts are frozen.' : 'Payouts go on.',
    hours === undefined ? '' : newRecipientsInWords(hours),
    banks === undefined
      ? ''
      : banks
        ? 'Changes of your bank accounts wait for approval.'
        : 'Changes of your bank accounts count at once.',
    approvals === undefined ? '' : approvalsInWords(approvals),
    zone === undefined ? '' : `Days begin in ${zone}.`,
  ].filter((each) => each !== '');
}

const WHOM: Readonly<Record<Limit['per'], string>> = {
  environment: 'All payouts together',
  key: 'Each key',
  account: 'Each account',
  recipient: 'Each recipient',
};

/** Whom it is about, where it names nobody. */
export const whomOf = ({ per, key, account, recipient }: Limit): string =>
  (key ?? account ?? recipient) === null ? WHOM[per] : '';

/** `10,000.00 EUR and 20 payouts a day`. */
export function mostOf({ amount_minor: minor, currency, count, all_currencies: all }: Limit): string {
  const sum = minor === null || currency === null ? '' : `${digitsOf(minor, currency)} ${currency}`;
  const payouts = count === null ? '' : `${countOf(count)} ${count === 1 ? 'payout' : 'payouts'}`;
  const other = all && sum !== '' ? ', other currencies at their value in it' : '';
  return `${[sum, payouts].filter((each) => each !== '').join(' and ')} a day${other}`;
}

/** The share that is used, of what is nearer to its end, from 0 to 1; `null`: each has it for itself. */
export function shareOf({ amount_minor: minor, used_minor: used, count, used_count: usedCount }: Limit): number | null {
  const shares = [
    minor === null || used === null ? null : minor === 0 ? 1 : used / minor,
    count === null || usedCount === null ? null : count === 0 ? 1 : usedCount / count,
  ].filter((each) => each !== null);
  return shares.length === 0 ? null : Math.min(1, Math.max(...shares));
}
