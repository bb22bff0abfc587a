/** Where an entry of a bank can go: accounts and expected payments in its currency, fees, and differences of exchanges. */
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** `currency` is empty as long as none is chosen. */
export function usePlaces({ currency, direction }: Pick<BankEntry, 'currency' | 'direction'>): readonly Choice[] {
  const may = useMay();
  const accounts = useRead(
    ['accounts', 'places', currency],
    async (client) => (await client.accounts.list({ currency, status: 'open', limit: 100 }).page()).data,
    { isOff: currency === '' || !may('accounts:read') },
  );
  const expected = useRead(
    ['expected_payments', 'places', currency],
    async (client) => {
      const status = ['open', 'partially_paid', 'overdue'] as const;
      return (await client.expectedPayments.list({ currency, status, limit: 100 }).page()).data;
    },
    { isOff: currency === '' || direction !== 'credit' || !may('payments:read') },
  );
  return [
    ...(accounts.data ?? []).map(({ id, name }) => ({ value: id, label: `Account ${name ?? id}` })),
    ...(expected.data ?? []).map(({ id, description, payer, amount, reference }) => ({
      value: id,
      label: [description ?? reference, payer, amount].filter((each) => each !== null).join(', '),
    })),
    { value: 'fees', label: 'Fees' },
    { value: 'fx', label: 'Exchange' },
  ];
}
