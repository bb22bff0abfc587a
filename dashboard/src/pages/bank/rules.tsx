/** Rules for entries of banks that name nothing of the company, in sentences: the oldest that fits decides. New ones are tried on the past first. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { BankRule } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Empty, Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Id } from '../../ui/id.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useBankNames } from './bank-names.ts';
import { NewRuleDialog } from './new-rule-dialog.tsx';
import { Place } from './place.tsx';
import { meantBy } from './rule-words.ts';

const CURL = `curl ${location.origin}/v1/bank_rules -H "Authorization: Bearer $BURSAR_KEY" \\
  -d "name=Account fees" -d direction=debit -d "text=*account fee*" -d to=fees`;

export function BankRules() {
  const may = useMay();
  const [isNew, setNew] = useState(false);
  // All of them in one answer: there are at most 100.
  const rules = useRead(['bank_rules'], async (client) => (await client.bankRules.list().page()).data);
  const names = useBankNames();
  const mayWrite = may('bank_entries:write');
  const content = () => {
    if (rules.data === undefined)
      return rules.error === null ? (
        <Loading lines={4} />
      ) : (
        <Failed error={rules.error} again={() => void rules.refetch()} what="rules for entries of banks" />
      );
    if (rules.data.length === 0)
      return <Empty curl={CURL}>Nothing is placed by a rule yet. This sends charges of the bank to fees:</Empty>;
    return rules.data.map((rule) => (
      <OneRule
        key={rule.id}
        rule={rule}
        bank={rule.bank_account === null ? null : (names.get(rule.bank_account) ?? 'a bank account')}
        mayWrite={mayWrite}
      />
    ));
  };
  return (
    <Page
      title="Rules of banks"
      from={{ to: '/bank-accounts', word: 'Bank accounts' }}
      about="Where money goes that names nothing of yours. The oldest rule that fits decides, and what a rule has placed stays."
      actions={
        <Action reason={mayWrite ? null : 'Your role may not make or delete rules.'} onClick={() => setNew(true)}>
          New rule
        </Action>
      }
    >
      {content()}
      {isNew && <NewRuleDialog close={() => setNew(false)} />}
    </Page>
  );
}

interface OneProps {
  readonly rule: BankRule;
  readonly bank: string | null;
  readonly mayWrite: boolean;
}

function OneRule({ rule, bank, mayWrite }: OneProps) {
  const [isAsked, ask] = useState(false);
  const remove = useWrite((client, options) => client.bankRules.delete(rule.id, {}, options));
  const close = () => ask(false);
  return (
    <Card title={<bdi>{rule.name}</bdi>} aside={<Id id={rule.id} />}>
      <p>
        <bdi>{meantBy(rule, bank)}</bdi>, goes to <Place id={rule.to} />.
      </p>
      <div className="buttons">
        <Button
          variant="default"
          size="xs"
          disabled={!mayWrite}
          aria-label={`Delete ${rule.name}`}
          onClick={() => ask(true)}
        >
          Delete
        </Button>
      </div>
      <Confirm
        title="Delete the rule"
        verb="Delete"
        isDangerous
        isOpen={isAsked}
        write={remove}
        input={undefined}
        close={close}
      >
        <p>
          Money that <bdi>{rule.name}</bdi> would have placed waits for somebody from now on. What it has placed stays.
        </p>
      </Confirm>
    </Card>
  );
}
