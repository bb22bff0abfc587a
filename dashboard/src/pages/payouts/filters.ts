/** What payouts are filtered by: the names in the address, and what they mean to the API. */
import type { Query } from '../../api/query.ts';
import type { FilterSpec, FilterValues } from '../../ui/filter-values.ts';
import { sinceOf } from '../../ui/since.ts';

export const PAYOUT_FILTERS = {
  state: 'many',
  currency: 'one',
  account: 'one',
  since: 'one',
  amount: 'one',
  external_id: 'one',
  recipient: 'one',
  batch: 'one',
  standing_order: 'one',
  created_by: 'one',
  failure_code: 'one',
} as const satisfies FilterSpec;

type Values = FilterValues<typeof PAYOUT_FILTERS>;

/** `needs_approval` is no status of its own: it is what a rule holds. */
export const STATE_CHOICES = [
  { value: 'needs_approval', label: 'Needs approval' },
  { value: 'waiting', label: 'Waits for money' },
  { value: 'pending', label: 'Pending' },
  { value: 'in_transit', label: 'On its way' },
  { value: 'paid', label: 'Paid' },
  { value: 'failed,returned', label: 'Failed or returned' },
  { value: 'failed', label: 'Failed' },
  { value: 'returned', label: 'Returned' },
  { value: 'canceled', label: 'Canceled' },
];

/** What stands in no field, and is said as a word that can be taken away. */
export const LINKED = {
  recipient: 'Recipient',
  batch: 'Batch',
  standing_order: 'Standing order',
  created_by: 'Created by',
  failure_code: 'Reason',
} as const;

/** `now`: seconds of the environment's clock. An amount without a currency is left out: the API could not know its digits. */
export function queryOfPayouts(values: Values, now: number): Query {
  const {
    state,
    since,
    amount,
    currency,
    account,
    external_id,
    recipient,
    batch,
    standing_order,
    created_by,
    failure_code,
  } = values;
  const isHeld = state.includes('needs_approval');
  return {
    status: state.filter((each) => each !== 'needs_approval'),
    release: isHeld ? 'held' : '',
    currency,
    account,
    amount: currency === '' ? '' : amount.replaceAll(/[\s_]/g, ''),
    external_id,
    recipient,
    batch,
    standing_order,
    created_by,
    failure_code,
    'created[gte]': sinceOf(since, now),
  };
}
