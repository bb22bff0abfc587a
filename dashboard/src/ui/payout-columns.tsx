/** Payouts as rows, the same on every page that lists them. */
import type { Payout } from '../../../client/src/generated/types.ts';
import { Money } from './money.tsx';
import { payoutState } from './payout-words.ts';
import { State } from './state.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

/** `DE ··· 3000` */
export const accountEnd = (destination: Payout['destination']): string =>
  destination === null ? '' : `${destination.country} ···${destination.last4}`;

/** Names are of people who may choose them: `bdi` keeps one that is written from the right from turning its row. */
export const payoutColumns: readonly Column<Payout>[] = [
  {
    key: 'to',
    title: 'To',
    width: '26%',
    phone: 'top-left',
    cell: ({ destination }) => <bdi>{destination?.name ?? 'Not shown to you'}</bdi>,
  },
  {
    key: 'account',
    title: 'Bank account',
    width: '120px',
    cell: ({ destination }) => <span className="muted">{accountEnd(destination)}</span>,
  },
  {
    key: 'reference',
    title: 'Reference',
    phone: 'bottom-left',
    cell: ({ reference }) => <bdi className="muted">{reference}</bdi>,
  },
  {
    key: 'state',
    title: 'State',
    width: '160px',
    phone: 'bottom-right',
    cell: (row) => <State {...payoutState(row)} />,
  },
  {
    key: 'created',
    title: 'Created',
    width: '130px',
    cell: ({ created }) => (
      <span className="muted">
        <Time at={created} />
      </span>
    ),
  },
  {
    key: 'amount',
    title: 'Amount',
    width: '170px',
    align: 'right',
    phone: 'top-right',
    cell: ({ amount_minor: minor, currency }) => <Money minor={minor} currency={currency} />,
  },
];

export const payoutHref = ({ id }: { readonly id: string }): string => `/payouts/${id}`;
