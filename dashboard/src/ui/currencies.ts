/** The currencies that there are accounts in, for filters. Empty for a role that may not see accounts. */
import { useRead } from '../api/reads.ts';

export function useCurrencies(): readonly { readonly value: string; readonly label: string }[] {
  const balances = useRead(['balances'], (client) => client.balances.retrieve());
  return balances.data?.currencies.map(({ currency }) => ({ value: currency, label: currency })) ?? [];
}
