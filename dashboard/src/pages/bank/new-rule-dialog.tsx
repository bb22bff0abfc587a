/** A new rule for entries of one bank account, tried on the past before it is made. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { MOST } from '../../ui/most.ts';
import { useBankNames } from './bank-names.ts';
import { usePlaces } from './places.ts';
import { type Rule, RuleTrial } from './rule-trial.tsx';

const DIRECTIONS = [
  { value: 'debit', label: 'goes out' },
  { value: 'credit', label: 'comes in' },
] as const;

export function NewRuleDialog({ close }: { close(): void }) {
  const banks = [...useBankNames()].map(([value, label]) => ({ value, label }));
  const [name, setName] = useState('');
  const [bank, setBank] = useState<string | null>(null);
  const [direction, setDirection] = useState<'credit' | 'debit'>('debit');
  const [text, setText] = useState('');
  const [to, setTo] = useState<string | null>(null);
  // The name of an account at a bank ends with its currency.
  const currency = banks.find(({ value }) => value === bank)?.label.slice(-3) ?? '';
  const places = usePlaces({ currency, direction: 'debit' });
  const rule: Rule = { name: name.trim(), to: to ?? '', text: text.trim(), bank_account: bank, direction };
  const isIncomplete = rule.name === '' || rule.to === '' || rule.text === '' || bank === null;
  const make = useWrite((client, options, sent: Rule) => client.bankRules.create({ ...sent, dry_run: false }, options));
  return (
    <Confirm
      title="New rule"
      verb="Make the rule"
      isOpen
      isIncomplete={isIncomplete}
      write={make}
      input={rule}
      close={close}
    >
      <TextInput
        label="What the rule is for"
        placeholder="Bank charges"
        maxLength={MOST.ruleName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <Select
        label="Bank account"
        data={banks}
        value={bank}
        onChange={(next) => {
          setBank(next);
          setTo(null); // places are of a currency
        }}
      />
      <Select
        label="Money that"
        data={[...DIRECTIONS]}
        value={direction}
        allowDeselect={false}
        onChange={(next) => setDirection(next === 'credit' ? 'credit' : 'debit')}
      />
      <TextInput
        label="Name or text"
        description="A * stands for any characters."
        placeholder="*account fee*"
        maxLength={MOST.ruleText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select label="Where to" data={places} value={to} onChange={setTo} disabled={bank === null} />
      <RuleTrial rule={rule} isIncomplete={isIncomplete} />
    </Confirm>
  );
}
