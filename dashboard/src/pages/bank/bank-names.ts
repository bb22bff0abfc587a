/** What bank accounts are called, by id: `Nordbank EUR`. Of the newest 100, and of none for a role that may not see them. */
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';

const NONE: ReadonlyMap<string, string> = new Map();

export function useBankNames(): ReadonlyMap<string, string> {
  const may = useMay();
  const banks = useRead(
    ['bank_accounts', 'names'],
    async (client) => {
      const { data } = await client.bankAccounts.list({ limit: 100 }).page();
      return new Map(data.map(({ id, name, holder, currency }) => [id, `${name ?? holder} ${currency}`]));
    },
    { isOff: !may('bank_accounts:read') },
  );
  return banks.data ?? NONE;
}
