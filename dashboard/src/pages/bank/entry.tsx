/** One entry without a place: what the bank says of it, where it may belong, and what can be done. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useWrite } from '../../api/writes.ts';
import { Money } from '../../ui/money.tsx';
import { Day } from '../../ui/time.tsx';
import { Trouble } from '../../ui/conditions.tsx';
import { AlwaysDialog } from './always-dialog.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { Place } from './place.tsx';
import { reasonsOf } from './reasons.ts';
import { ReturnDialog } from './return-dialog.tsx';
import classes from './unmatched.module.css';

type Suggestion = NonNullable<BankEntry['suggestions']>[number];
type Open = 'assign' | 'return' | 'always' | null;

export function Entry({ entry, bank }: { readonly entry: BankEntry; readonly bank: string | null }) {
  const may = useMay();
  const [open, setOpen] = useState<Open>(null);
  const { counterparty, remittance, direction, currency } = entry;
  const assign = useWrite(async (client, options, assignments: Suggestion['assignments']) => {
    const answer = await client.bankEntries.assign(entry.id, { assignments }, options);
    notifications.show({ message: 'It has its place.' });
    return answer;
  });
  const mayWrite = may('bank_entries:write');
  const close = () => setOpen(null);
  const minor = BigInt(entry.amount_unassigned_minor);
  const end = counterparty.account_last4;
  return (
    <li className="card">
      <div className={classes['head']}>
        <Money minor={direction === 'credit' ? minor : -minor} currency={currency} size="large" signed />
        <bdi>{counterparty.name ?? 'without a name'}</bdi>
        {end !== null && <span className="muted mono">···{end}</span>}
        {remittance.text !== null && <bdi className="muted">{remittance.text}</bdi>}
        <span className="muted">
          <Day on={entry.booked_on} />
          {bank !== null && <> · {bank}</>}
        </span>
      </div>
      {entry.conflict !== null && <p>{entry.conflict}</p>}
      <ul className={classes['suggestions']} aria-label="Where it may belong">
        {(entry.suggestions ?? []).map((each) => (
          <li key={`${each.to ?? 'several'} ${each.reasons.join(' ')} ${each.amount}`}>
            <span className="grow">
              {each.assignments.map(({ to, amount }, at) => (
                <span key={to}>
                  {at > 0 && ' and '}
                  <Place id={to} />
                  {each.assignments.length > 1 && ` ${amount}`}
                </span>
              ))}
              <span className="muted"> · {reasonsOf(each.reasons)}</span>
            </span>
            <Button
              variant="default"
              size="xs"
              disabled={!mayWrite}
              loading={assign.isBusy}
              onClick={() => void assign.run(each.assignments)}
            >
              Assign
            </Button>
          </li>
        ))}
        {(entry.suggestions ?? []).length === 0 && <li className="muted">Nothing that is known looks like it.</li>}
      </ul>
      <Trouble error={assign.error} />
      <div className="buttons">
        <Button variant="default" disabled={!mayWrite} onClick={() => setOpen('assign')}>
          To an account, or split it
        </Button>
        {direction === 'credit' && (
          <Button variant="default" disabled={!mayWrite} onClick={() => setOpen('return')}>
            Send it back
          </Button>
        )}
        <Button variant="default" disabled={!mayWrite} onClick={() => setOpen('always')}>
          Always do this
        </Button>
      </div>
      {!mayWrite && <p className="muted small">Your role may see entries of banks, and give them no place.</p>}
      {open === 'assign' && <AssignDialog entry={entry} close={close} />}
      {open === 'return' && <ReturnDialog entry={entry} close={close} />}
      {open === 'always' && <AlwaysDialog entry={entry} close={close} />}
    </li>
  );
}
