/** The newest payouts of the overview. Apart, so that the figures do not wait for the code of tables. */
import type { Payout } from '../../../../client/src/generated/types.ts';
import type { Rows } from '../../api/reads.ts';
import { List } from '../../ui/list-page.tsx';
import { payoutColumns, payoutHref } from '../../ui/payout-columns.tsx';

export function Newest({ list, lines }: { readonly list: Rows<Payout>; readonly lines: number }) {
  return (
    <List
      words={['payout', 'payouts']}
      label="Newest payouts"
      list={{ ...list, hasMore: false }}
      lines={lines}
      columns={payoutColumns}
      hrefOf={payoutHref}
      empty={null}
      counts={false}
    />
  );
}
