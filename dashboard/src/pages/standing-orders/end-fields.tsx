/** How a standing order ends: the choice, and what belongs to it. */
import { Select, TextInput } from '@mantine/core';
import { DayField } from '../../ui/instant-field.tsx';
import type { End, Ends } from './order.ts';

const CHOICES: readonly { readonly value: Ends; readonly label: string }[] = [
  { value: 'open', label: 'Until somebody ends it' },
  { value: 'day', label: 'Until a last day' },
  { value: 'count', label: 'A number of times' },
];

interface Props {
  readonly end: End;
  set(change: Partial<End>): void;
  readonly faults: { readonly lastDay?: string | undefined; readonly count?: string | undefined };
}

export function EndFields({ end, set, faults }: Props) {
  return (
    <>
      <Select
        label="How long"
        data={[...CHOICES]}
        value={end.ends}
        onChange={(ends) => set({ ends: ends ?? 'open' })}
      />
      {end.ends === 'day' && (
        <DayField
          label="Last day"
          description="It may run on this day too."
          value={end.lastDay}
          onChange={(lastDay) => set({ lastDay })}
          error={faults.lastDay}
        />
      )}
      {end.ends === 'count' && (
        <TextInput
          label="How many times"
          description="Planned days in all, paid or not."
          inputMode="numeric"
          value={end.count}
          onChange={(event) => set({ count: event.currentTarget.value })}
          error={faults.count}
          autoComplete="off"
        />
      )}
    </>
  );
}
