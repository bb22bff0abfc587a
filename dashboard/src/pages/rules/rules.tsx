/** Rules and limits: whether payouts are frozen, what waits for whom, and what is used of limits today. What would loosen them waits for a second person. */
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { PayoutRules } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Limits } from './limits.tsx';
import { Pending } from '../../ui/pending.tsx';
import { approvalsInWords, changesInWords, newRecipientsInWords } from './words.ts';

export function Rules() {
  const rules = useRead(['payout_rules'], (client) => client.payoutRules.retrieve());
  return (
    <Page title="Rules and limits">
      {rules.data === undefined ? (
        rules.error === null ? (
          <Loading lines={6} />
        ) : (
          <Failed error={rules.error} again={() => void rules.refetch()} what="the rules of payouts" />
        )
      ) : (
        <Found rules={rules.data} />
      )}
      <Limits />
    </Page>
  );
}

function Found({ rules }: { readonly rules: PayoutRules }) {
  const { frozen, pending_changes: pending } = rules;
  const may = useMay();
  const [isOpen, setOpen] = useState<'freeze' | 'hours' | null>(null);
  const canChange = may('payout_rules:write');
  return (
    <>
      {frozen && (
        <div className="notice bad">
          <strong>Payouts are frozen.</strong>
          None is made, and none that waits leaves. What is on its way goes on.
        </div>
      )}
      {pending !== null && (
        <Pending
          pending={pending}
          title="Somebody asked for looser rules."
          approve={(client, options, fingerprint) => client.payoutRules.approve({ fingerprint }, options)}
          reject={(client, options) => client.payoutRules.reject({}, options)}
        >
          {changesInWords(pending.changes).map((each) => (
            <div key={each}>{each}</div>
          ))}
        </Pending>
      )}
      <Card
        title="Payouts"
        aside={
          <div className="buttons">
            <Button variant="default" disabled={!canChange} onClick={() => setOpen('hours')}>
              Change
            </Button>
            <Button variant={frozen ? 'filled' : 'default'} disabled={!canChange} onClick={() => setOpen('freeze')}>
              {frozen ? 'End the freeze' : 'Freeze all payouts'}
            </Button>
          </div>
        }
      >
        <Facts
          rows={[
            ['New recipients', newRecipientsInWords(rules.hold_new_recipients_hours)],
            ['Approvals', approvalsInWords(rules.approvals_required)],
            [
              'Bank accounts',
              rules.hold_bank_accounts
                ? 'Changes of what payers see wait for approval.'
                : 'Changes of what payers see count at once.',
            ],
            ['Days of limits', `Begin in ${rules.time_zone}.`],
          ]}
        />
        {!canChange && <p className="muted small">Your role may not change rules. An administrator may.</p>}
      </Card>
      <Freeze isFrozen={frozen} isOpen={isOpen === 'freeze'} close={() => setOpen(null)} />
      {isOpen === 'hours' && <Change rules={rules} close={() => setOpen(null)} />}
    </>
  );
}

interface FreezeProps {
  readonly isFrozen: boolean;
  readonly isOpen: boolean;
  close(): void;
}

function Freeze({ isFrozen, isOpen, close }: FreezeProps) {
  const write = useWrite((client, options, frozen: boolean) => client.payoutRules.update({ frozen }, options));
  return (
    <Confirm
      title={isFrozen ? 'End the freeze' : 'Freeze all payouts'}
      verb={isFrozen ? 'End the freeze' : 'Freeze'}
      isDangerous={!isFrozen}
      {...(!isFrozen && { typed: 'freeze' })}
      isOpen={isOpen}
      write={write}
      input={!isFrozen}
      close={close}
    >
      <p>
        {isFrozen
          ? 'Payouts are made again, and those that waited leave. Where something is held for a second person, the end waits for one, too.'
          : 'At once no payout is made, and none that waits leaves. What is on its way goes on. Anybody who may change rules can end it.'}
      </p>
    </Confirm>
  );
}

const HOURS = /^\d{1,3}$/;

function Change({ rules, close }: { readonly rules: PayoutRules; close(): void }) {
  const [hours, setHours] = useState(String(rules.hold_new_recipients_hours));
  const [approvals, setApprovals] = useState(String(rules.approvals_required));
  const write = useWrite((client, options, input: { hours: number; approvals: number }) =>
    client.payoutRules.update({ hold_new_recipients_hours: input.hours, approvals_required: input.approvals }, options),
  );
  const isRight = HOURS.test(hours.trim()) && Number(hours) <= 720 && /^[12]$/.test(approvals.trim());
  return (
    <Confirm
      title="Change the rules of payouts"
      verb="Change"
      isOpen
      isIncomplete={!isRight}
      write={write}
      input={{ hours: Number(hours), approvals: Number(approvals) }}
      close={close}
    >
      <TextInput
        label="Hours for which a recipient is new"
        description="0 to 720. Payouts to somebody newer wait for approval; 0: none does."
        inputMode="numeric"
        value={hours}
        onChange={(event) => setHours(event.currentTarget.value)}
      />
      <TextInput
        label="People who have to approve"
        description="1 or 2. It counts for what is held from now on."
        inputMode="numeric"
        value={approvals}
        onChange={(event) => setApprovals(event.currentTarget.value)}
      />
      <p className="muted small">
        Stricter rules count at once. Looser ones wait for a second person, where there is one.
      </p>
    </Confirm>
  );
}
