/** Fields that the forms of a payment link and of an expected payment share. */
import { Select } from '@mantine/core';
import type { Account } from '../../../../client/src/generated/types.ts';
import { CURRENCIES } from '../../../../client/src/generated/operations.ts';
import { pageAt } from '../../api/client.ts';
import { useRead } from '../../api/reads.ts';
import { useCurrencies } from '../../ui/filter-fields.tsx';
import { accountName } from '../../ui/payout-columns.tsx';

interface Props {
  readonly value: string;
  onChange(value: string): void;
  readonly error: string | undefined;
}

/** Those that there are accounts in come first. */
export function CurrencyField({ value, onChange, error }: Props) {
  const own = useCurrencies().map(({ value: code }) => code);
  const all = [...new Set([...own, ...CURRENCIES.split(' ')])];
  return (
    <Select
      label="Currency"
      searchable
      data={all}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      error={error}
      autoComplete="off"
    />
  );
}

/** Of the company, open, in that currency. */
export function AccountField({ currency, value, onChange, error }: Props & { readonly currency: string }) {
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const open = (accounts.data?.data ?? []).filter(
    (each) => each.status === 'open' && (currency === '' || each.currency === currency),
  );
  return (
    <Select
      label="Account"
      placeholder="The oldest of the currency"
      clearable
      data={open.map((each) => ({ value: each.id, label: accountName(each) }))}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      error={error}
    />
  );
}
