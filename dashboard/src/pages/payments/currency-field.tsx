/** The currency of a payment link or of an expected payment. */
import { Select } from '@mantine/core';
import { CURRENCIES } from '../../../../client/src/generated/operations.ts';
import { useCurrencies } from '../../ui/filter-fields.tsx';

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
