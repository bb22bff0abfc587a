/** One of the company's own accounts: those that are open, of a currency once there is one. */
import { Select } from '@mantine/core';
import type { Account } from '../../../client/src/generated/types.ts';
import { pageAt } from '../api/client.ts';
import { useRead } from '../api/reads.ts';
import { accountName } from './payout-columns.tsx';

interface Props {
  readonly label: string;
  /** Which one it is when none is chosen. */
  readonly placeholder: string;
  readonly currency: string;
  readonly value: string;
  onChange(value: string): void;
  readonly error: string | undefined;
}

export function AccountField({ label, placeholder, currency, value, onChange, error }: Props) {
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const open = (accounts.data?.data ?? []).filter(
    (each) => each.status === 'open' && (currency === '' || each.currency === currency),
  );
  return (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      data={open.map((each) => ({ value: each.id, label: accountName(each) }))}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      error={error}
    />
  );
}
