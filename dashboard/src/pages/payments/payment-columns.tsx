/** Payments as rows, the same on every page that lists them. Names are of people who may choose them: `bdi` keeps them in their place. */
import type { Payment } from '../../../../client/src/generated/types.ts';
import { amountColumn, createdColumn } from '../../ui/columns.tsx';
import { Money } from '../../ui/money.tsx';
import { State } from '../../ui/state.tsx';
import type { Column } from '../../ui/table.tsx';
import { inFours, linkName, paymentState } from './words.ts';

export const PAYMENT_COLUMNS: readonly Column<Payment>[] = [
  {
    key: 'from',
    title: 'From',
    width: '22%',
    phone: 'top-left',
    cell: ({ payer }) => (payer.name === null ? <span className="muted">Not known yet</span> : <bdi>{payer.name}</bdi>),
  },
  {
    key: 'for',
    title: 'For',
    phone: 'bottom-left',
    cell: ({ reference, expanded }) => (
      <bdi className="muted">
        {expanded?.payment_link === undefined ? inFours(reference) : linkName(expanded.payment_link)}
      </bdi>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: '160px',
    phone: 'bottom-right',
    cell: (row) => <State {...paymentState(row)} />,
  },
  createdColumn(),
  amountColumn({ title: 'Asked for', width: '160px' }),
  {
    key: 'received',
    title: 'Came',
    width: '160px',
    align: 'right',
    cell: ({ amount_received_minor: minor, currency }) => minor > 0 && <Money minor={minor} currency={currency} />,
  },
];

export const paymentHref = ({ id }: { readonly id: string }): string => `/payments/${id}`;
