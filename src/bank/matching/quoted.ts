/**
 * Payouts whose EndToEndId a credit quotes without a sign that it came back (`isReturn` of its line). Whoever is paid may write it, so
 * a person decides. Pure but for the statement. Next: `suggestions.ts`.
 */
import { ourIdIn } from '../../core/rails/our-ids.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { type BankEntry, type Reason, unassigned } from '../statements/fields.ts';

export interface QuotedPayout {
  readonly id: string;
  readonly currency: string;
  /** What may still come back, minor units. */
  readonly open: bigint;
  /** The account that paid it. */
  readonly account: string;
}

export const quotedIn = ({ direction, explanation }: BankEntry): string | null =>
  direction === 'credit' ? ourIdIn('po', explanation.endToEndId) : null;

/** The payout takes what may still come back. More than that is interest, for the account that paid. */
export function asQuoted(entry: BankEntry, payout: QuotedPayout | undefined) {
  if (payout === undefined || payout.currency !== entry.currency || payout.open <= 0n) return [];
  const amount = unassigned(entry);
  const back = amount < payout.open ? amount : payout.open;
  const split = [{ to: payout.id, amount: back }];
  if (amount > back) split.push({ to: payout.account, amount: amount - back });
  const reasons: readonly Reason[] = amount === payout.open ? ['reference', 'amount'] : ['reference'];
  return [{ to: split.length > 1 ? null : payout.id, amount, reasons, split }];
}

/** With what may still come back (primary keys). */
export const quotedPayouts = (environmentId: string, payouts: readonly string[]): Statement => ({
  name: 'payouts_quoted',
  text: `SELECT p.id, p.currency, p.account_id, CASE WHEN p.status IN ('paid', 'returned') THEN p.amount - coalesce(p.amount_returned, 0) ELSE 0 END
        + coalesce((SELECT sum((d ->> 'amount')::int8) FROM jsonb_array_elements(i.second_debits) AS d), 0)::int8 AS open
      FROM payouts p LEFT JOIN bank_instructions i ON i.environment_id = p.environment_id AND i.id = p.id
      WHERE p.environment_id = $1 AND p.id = ANY ($2::uuid[])`,
  values: [uuidOf(environmentId), payouts.map(uuidOf)],
});

export const quotedFrom = (row: Row): QuotedPayout => ({
  id: idOf('po', row['id'] as string),
  currency: row['currency'] as string,
  open: row['open'] as bigint,
  account: idOf('acct', row['account_id'] as string),
});
