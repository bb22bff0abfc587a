/** Why somebody gives money a place, sends it back, or decides about a statement. */
import { TextInput } from '@mantine/core';
import { MOST } from '../../ui/most.ts';

interface Props {
  readonly value: string;
  /** Who sees it. */
  readonly description?: string;
  onChange(value: string): void;
}

export function WhyField({ value, description = 'Stands beside it in the books.', onChange }: Props) {
  return (
    <TextInput
      label="Why"
      description={description}
      maxLength={MOST.bankReason}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
