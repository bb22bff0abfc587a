/** A new rule: for which bank account, and for money that comes in or goes out. */
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useNamedBanks } from './bank-names.ts';
import { RuleDialog } from './rule-dialog.tsx';

const DIRECTIONS = [
  { value: 'debit', label: 'goes out' },
  { value: 'credit', label: 'comes in' },
] as const;

export function NewRuleDialog({ close }: { close(): void }) {
  const banks = useNamedBanks();
  const [id, setId] = useState<string | null>(null);
  const [direction, setDirection] = useState<'credit' | 'debit'>('debit');
  const bank = banks.find((each) => each.id === id);
  return (
    <RuleDialog
      title="New rule"
      of={{ bank_account: bank?.id ?? null, direction }}
      currency={bank?.currency ?? ''}
      close={close}
    >
      <Select
        label="Bank account"
        data={banks.map(({ id: value, name: label }) => ({ value, label }))}
        value={id}
        onChange={setId}
      />
      <Select
        label="Money that"
        data={[...DIRECTIONS]}
        value={direction}
        allowDeselect={false}
        onChange={(next) => setDirection(next === 'credit' ? 'credit' : 'debit')}
      />
    </RuleDialog>
  );
}
