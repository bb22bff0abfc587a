/** A payout in a dialog about it: how much, to whom, for what. */
import type { Payout } from '../../../client/src/generated/types.ts';
import { Money } from './money.tsx';
import { accountEnd } from './payout-columns.tsx';

export type ShortPayout = Pick<Payout, 'id' | 'amount_minor' | 'currency' | 'destination' | 'reference'>;

export function PayoutShort({ payout }: { readonly payout: ShortPayout }) {
  return (
    <div>
      <Money minor={payout.amount_minor} currency={payout.currency} size="large" />
      <div>
        to <bdi>{payout.destination?.name ?? 'a recipient who is not shown to you'}</bdi>{' '}
        <span className="muted">{accountEnd(payout.destination)}</span>
      </div>
      {payout.reference !== null && <bdi className="muted">{payout.reference}</bdi>}
    </div>
  );
}
