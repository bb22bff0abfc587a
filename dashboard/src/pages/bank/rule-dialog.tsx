/** A rule for money of one bank account: what it is for, what such money says, and where it goes. It is tried on the past before it is made. */
import { Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { MOST } from '../../ui/most.ts';
import { useLastingPlaces } from './places.ts';
import { type Rule, RuleTrial } from './rule-trial.tsx';

interface Props {
  readonly title: string;
  /** Of which money; `bank_account` null: that is not chosen yet. */
  readonly of: Pick<Rule, 'bank_account' | 'direction'>;
  /** Of the bank account; empty as long as there is none. */
  readonly currency: string;
  /** What such money says, to begin with. */
  readonly text?: string;
  readonly about?: ReactNode;
  /** Below the name. */
  readonly children?: ReactNode;
  close(): void;
}

export function RuleDialog({ title, of, currency, text: begun = '', about, children, close }: Props) {
  const places = useLastingPlaces(currency);
  const [name, setName] = useState('');
  const [text, setText] = useState(begun);
  const [to, setTo] = useState<string | null>(null);
  // Places are of a currency: one of another bank account's is none here.
  const place = places.find(({ value }) => value === to)?.value ?? null;
  const rule: Rule = { name: name.trim(), to: place ?? '', text: text.trim(), ...of };
  const isIncomplete = rule.name === '' || rule.to === '' || rule.text === '' || of.bank_account === null;
  const make = useWrite((client, options, sent: Rule) => client.bankRules.create({ ...sent, dry_run: false }, options));
  return (
    <Confirm
      title={title}
      verb="Make the rule"
      isOpen
      isIncomplete={isIncomplete}
      write={make}
      input={rule}
      close={close}
    >
      {about}
      <TextInput
        label="What the rule is for"
        placeholder="Bank charges"
        maxLength={MOST.ruleName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      {children}
      <TextInput
        label="Name or text"
        description="A * stands for any characters."
        placeholder="*account fee*"
        maxLength={MOST.ruleText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Select label="Where to" data={[...places]} value={place} onChange={setTo} disabled={of.bank_account === null} />
      <RuleTrial rule={rule} isIncomplete={isIncomplete} />
    </Confirm>
  );
}
