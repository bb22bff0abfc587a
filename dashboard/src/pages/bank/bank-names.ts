/** Bank accounts and what they are called: `Nordbank EUR`. The newest 100, and none for a role that may not see them. */
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

export function useNamedBanks(): readonly Named[] {
  const may = useMay();
  const banks = useRead(
    ['bank_accounts', 'names'],
    async (client) => {
      const { data } = await client.bankAccounts.list({ limit: 100 }).page();
      return data.map(({ id, name, holder, currency }) => ({ id, name: `${name ?? holder} ${currency}`, currency }));
    },
    { isOff: !may('bank_accounts:read') },
  );
  return banks.data ?? [];
}

/** By id. */
export const useBankNames = (): ReadonlyMap<string, string> =>
  new Map(useNamedBanks().map(({ id, name }) => [id, name]));
