/** Why somebody gives money a place, or sends it back. */
import { TextInput } from '@mantine/core';
import { MOST } from '../../ui/most.ts';

interface Props {
  readonly value: string;
  onChange(value: string): void;
}

export function WhyField({ value, onChange }: Props) {
  return (
    <TextInput
      label="Why"
      description="Stands beside it in the books."
      maxLength={MOST.bankReason}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
