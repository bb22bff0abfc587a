/** A rule from an entry: money like it goes to one place from now on. It is tried on the entries of the past before it is made. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { BankEntry, CreateBankRuleRequest } from '../../../../client/src/bursar.ts';
import { useWrite } from '../../api/writes.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { usePlaces } from './places.ts';
import { MOST } from '../../ui/most.ts';

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
  const rule: Omit<CreateBankRuleRequest, 'dry_run'> = {
    name: name.trim(),
    to: to ?? '',
    text: text.trim(),
    bank_account: entry.bank_account,
    direction: entry.direction,
  };
  const make = useWrite((client, options, sent: typeof rule) =>
    client.bankRules.create({ ...sent, dry_run: false }, options),
  );
  const attempt = useWrite((client, options, sent: typeof rule) =>
    client.bankRules.create({ ...sent, dry_run: true }, options),
  );
  // What was found is about the rule as it was tried, and no more once it is another one.
  const [found, setFound] = useState({ of: '', says: '' });
  const tried = JSON.stringify(rule);
  const isIncomplete = rule.name === '' || rule.to === '' || rule.text === '';
  const look = async () => {
    const trial = await attempt.run(rule);
    if (trial === undefined) return;
    const says = `Of the newest ${trial.examined_count} entries it fits ${trial.meant_count}, and would have placed ${trial.would_assign_count}.`;
    setFound({ of: tried, says });
  };
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
      <Trouble error={attempt.error} />
      <p role="status">{found.of === tried ? found.says : ''}</p>
      <div>
        <Button
          variant="default"
          size="xs"
          disabled={isIncomplete}
          loading={attempt.isBusy}
          onClick={() => void look()}
        >
          Try it on the past
        </Button>
      </div>
    </Confirm>
  );
}
