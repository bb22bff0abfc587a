/** Where money of a bank can go. */
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

const OF_THE_HOUSE: readonly Choice[] = [
  { value: 'fees', label: 'Fees' },
  { value: 'fx', label: 'Exchange' },
];

function useAccounts(currency: string): readonly Choice[] {
  const may = useMay();
  const accounts = useRead(
    ['accounts', 'places', currency],
    async (client) => (await client.accounts.list({ currency, status: 'open', limit: 100 }).page()).data,
    { isOff: currency === '' || !may('accounts:read') },
  );
  return (accounts.data ?? []).map(({ id, name }) => ({ value: id, label: `Account ${name ?? id}` }));
}

/** Places that stay, for a rule: accounts, fees, and differences of exchanges. `currency` is empty as long as none is chosen. */
export const useLastingPlaces = (currency: string): readonly Choice[] => [...useAccounts(currency), ...OF_THE_HOUSE];

/** Those of one entry: expected payments too, where money came in. */
export function usePlaces({ currency, direction }: Pick<BankEntry, 'currency' | 'direction'>): readonly Choice[] {
  const may = useMay();
  const accounts = useAccounts(currency);
  const expected = useRead(
    ['expected_payments', 'places', currency],
    async (client) => {
      const status = ['open', 'partially_paid', 'overdue'] as const;
      return (await client.expectedPayments.list({ currency, status, limit: 100 }).page()).data;
    },
    { isOff: direction !== 'credit' || !may('payments:read') },
  );
  return [
    ...accounts,
    ...(expected.data ?? []).map(({ id, description, payer, amount, reference }) => ({
      value: id,
      label: [description ?? reference, payer, amount].filter((each) => each !== null).join(', '),
    })),
    ...OF_THE_HOUSE,
  ];
}
