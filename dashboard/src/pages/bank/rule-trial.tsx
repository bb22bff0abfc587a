/** A rule tried on the entries of the past, before it is made: how many it fits, and the newest of those that it would have placed. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BankEntry, CreateBankRuleRequest } from '../../../../client/src/bursar.ts';
import { useWrite } from '../../api/writes.ts';
import { Trouble } from '../../ui/conditions.tsx';
import { countOf } from '../../ui/digits.ts';
import { Money } from '../../ui/money.tsx';
import { Day } from '../../ui/time.tsx';

export type Rule = Omit<CreateBankRuleRequest, 'dry_run'>;

const SHOWN = 5;

interface Found {
  readonly of: string;
  readonly says: string;
  readonly entries: readonly BankEntry[];
}

export function RuleTrial({ rule, isIncomplete }: { readonly rule: Rule; readonly isIncomplete: boolean }) {
  const attempt = useWrite((client, options, sent: Rule) =>
    client.bankRules.create({ ...sent, dry_run: true }, options),
  );
  // What was found is about the rule as it was tried, and no more once it is another one.
  const [found, setFound] = useState<Found | null>(null);
  const tried = JSON.stringify(rule);
  const look = async () => {
    const trial = await attempt.run(rule);
    if (trial === undefined) return;
    const { examined_count: examined, meant_count: meant, would_assign_count: assignable, entries } = trial;
    const says = `Of the newest ${countOf(examined)} entries it fits ${countOf(meant)}, and would have placed ${countOf(assignable)}.`;
    setFound({ of: tried, says, entries: entries.slice(0, SHOWN) });
  };
  const shown = found?.of === tried ? found : null;
  return (
    <>
      <Trouble error={attempt.error} />
      <p role="status">{shown?.says}</p>
      {shown !== null && shown.entries.length > 0 && (
        <ul>
          {shown.entries.map(
            ({ id, direction, amount_minor: minor, currency, counterparty, remittance, booked_on: on }) => (
              <li key={id}>
                <Money minor={direction === 'credit' ? minor : -minor} currency={currency} signed />{' '}
                <bdi>{counterparty.name}</bdi> <bdi className="muted">{remittance.text}</bdi>{' '}
                <span className="muted">
                  <Day on={on} />
                </span>
              </li>
            ),
          )}
        </ul>
      )}
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
    </>
  );
}
