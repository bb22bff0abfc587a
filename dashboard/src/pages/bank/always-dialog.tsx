/** A rule from an entry: money like it goes to one place from now on. It is tried on the entries of the past before it is made. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BankEntry } from '../../../../client/src/bursar.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { MOST } from '../../ui/most.ts';
import { usePlaces } from './places.ts';
import { type Rule, RuleTrial } from './rule-trial.tsx';

interface Props {
  readonly entry: BankEntry;
  close(): void;
}

export function AlwaysDialog({ entry, close }: Props) {
  // A rule leads to a place that stays, and not to one invoice.
  const places = usePlaces(entry).filter(({ value }) => !value.startsWith('xp_'));
  const said = entry.remittance.text ?? entry.counterparty.name ?? '';
  const [name, setName] = useState('');
  const [text, setText] = useState(said === '' ? '' : `*${said.slice(0, MOST.ruleText - 2)}*`);
  const [to, setTo] = useState<string | null>(null);
  const rule: Rule = {
    name: name.trim(),
    to: to ?? '',
    text: text.trim(),
    bank_account: entry.bank_account,
    direction: entry.direction,
  };
  const make = useWrite((client, options, sent: Rule) => client.bankRules.create({ ...sent, dry_run: false }, options));
  const isIncomplete = rule.name === '' || rule.to === '' || rule.text === '';
  return (
    <Confirm
      title="Always do this"
      verb="Make the rule"
      isOpen
      isIncomplete={isIncomplete}
      write={make}
      input={rule}
      close={close}
    >
      <p>
        {entry.direction === 'credit' ? 'Money that comes in' : 'Money that goes out'} with such a text goes to one
        place from now on, unless it names something of yours. This entry stays as it is.
      </p>
      <TextInput
        label="What the rule is for"
        placeholder="Bank charges"
        maxLength={MOST.ruleName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label="Name or text"
        description="A * stands for any characters."
        maxLength={MOST.ruleText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select label="Where to" data={places} value={to} onChange={setTo} />
      <RuleTrial rule={rule} isIncomplete={isIncomplete} />
    </Confirm>
  );
}
