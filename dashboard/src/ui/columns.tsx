/** Columns that many lists have; each list says what is its own: a width, a title, a corner on a phone. */
import type { Instant } from '../api/shapes.ts';
import { Money } from './money.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';

type Own<T> = Partial<Omit<Column<T>, 'cell'>>;

export const createdColumn = <T extends { readonly created: Instant }>(own: Own<T> = {}): Column<T> => ({
  key: 'created',
  title: 'Created',
  width: '130px',
  cell: ({ created }) => (
    <span className="muted">
      <Time at={created} />
    </span>
  ),
  ...own,
});

/** At the right edge, where the eye looks for it. `signed`: with a plus. */
export const amountColumn = <T extends { readonly amount_minor: number; readonly currency: string }>(
  own: Own<T> & { readonly signed?: boolean } = {},
): Column<T> => {
  const { signed = false, ...others } = own;
  return {
    key: 'amount',
    title: 'Amount',
    width: '170px',
    align: 'right',
    phone: 'top-right',
    cell: ({ amount_minor: minor, currency }) => <Money minor={minor} currency={currency} signed={signed} />,
    ...others,
  };
};
