/** Payouts as rows, the same on every page that lists them. */
import type { Account, Payout } from '../../../client/src/generated/types.ts';
import { amountColumn, createdColumn } from './columns.tsx';
import { shortId } from './id.tsx';
import { payoutState } from './payout-words.ts';
import { State } from './state.tsx';
import type { Column } from './table.tsx';

/** The name of an account of the company, or else what tells it from the others. */
export const accountName = ({ name, currency, id }: Pick<Account, 'name' | 'currency' | 'id'>): string =>
  name ?? `${currency} ${shortId(id)}`;

/** `DE ···3000` */
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
  createdColumn(),
  amountColumn(),
];

export const payoutHref = ({ id }: { readonly id: string }): string => `/payouts/${id}`;
