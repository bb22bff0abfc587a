/** One entry of a bank: what the bank says of it, where its money is and who put it there, and a wrong one taken out of the books by two people. */
import { useState } from 'react';
import { useParams } from 'wouter';
import type { BankEntry } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Go } from '../../ui/go.tsx';
import { Id, shortId } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Pending } from '../../ui/pending.tsx';
import { State } from '../../ui/state.tsx';
import { Day, Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Who } from '../../ui/who.tsx';
import { useBankNames } from './bank-names.ts';
import { Place } from './place.tsx';
import { entryState } from './statement-words.ts';
import { WhyField } from './why-field.tsx';

const FROM = { to: '/unmatched', word: 'Unmatched' };

export function OneBankEntry() {
  const { id = '' } = useParams();
  const entry = useRead(['bank_entries', id], (client) => client.bankEntries.retrieve(id));
  if (entry.data !== undefined) return <Found entry={entry.data} />;
  return <Unread title={shortId(id)} from={FROM} what="this entry of a bank" read={entry} />;
}

type Asked = 'void' | 'unvoid' | 'unassign' | null;

function Found({ entry }: { readonly entry: BankEntry }) {
  const { id, direction, currency, kind, status, counterparty, remittance, pending_changes: pending } = entry;
  const may = useMay();
  const names = useBankNames();
  const [asked, ask] = useState<Asked>(null);
  const close = () => ask(null);
  const mayWrite = may('bank_entries:write');
  const isVoided = status === 'voided';
  const none = mayWrite ? null : 'Your role may not change entries of banks.';
  const voidReason =
    none ??
    (kind === 'opening' ? 'An opening balance is not voided: give it a place.' : null) ??
    (pending === null ? null : 'A change waits for a second person.');
  const signed = BigInt(entry.amount_minor) * (direction === 'credit' ? 1n : -1n);
  const who = kind === 'opening' ? 'Balance with which the books begin' : (counterparty.name ?? 'without a name');
  const bank = names.get(entry.bank_account);
  return (
    <Page
      title={who}
      heading={<Money minor={signed} currency={currency} size="big" signed />}
      from={{ to: `/bank-statements/${entry.statement}`, word: 'Its statement' }}
      about={
        <>
          <bdi>{who}</bdi>
          <State {...entryState(entry)} />
        </>
      }
      actions={
        <Action variant="default" reason={voidReason} onClick={() => ask(isVoided ? 'unvoid' : 'void')}>
          {isVoided ? 'Restore it' : 'Void it'}
        </Action>
      }
    >
      {pending !== null && (
        <Pending
          pending={pending}
          title={isVoided ? 'Somebody asks to restore it' : 'Somebody asks to void it'}
          needs="bank_entries:write"
          isTakenBack
          approve={(client, options, fingerprint) => client.bankEntries.approve(id, { fingerprint }, options)}
          reject={(client, options) => client.bankEntries.reject(id, {}, options)}
        >
          <p>
            <bdi>{pending.reason}</bdi>
          </p>
        </Pending>
      )}
      {entry.conflict !== null && <p className="trouble">{entry.conflict}</p>}
      <div className="columns">
        <Places entry={entry} reason={none} undo={() => ask('unassign')} />
        <Card title="What the bank says">
          <Facts
            rows={[
              [
                'Bank account',
                bank === undefined ? null : (
                  <Go key="" to={`/bank-accounts/${entry.bank_account}`}>
                    <bdi>{bank}</bdi>
                  </Go>
                ),
              ],
              ['Account', counterparty.account_last4 === null ? null : `···${counterparty.account_last4}`],
              ['Text', remittance.text === null ? null : <bdi key="">{remittance.text}</bdi>],
              ['Booked', entry.booked_on === null ? null : <Day key="" on={entry.booked_on} />],
              ['Value', entry.value_on === null ? null : <Day key="" on={entry.value_on} />],
              ['End to end', remittance.end_to_end_id === null ? null : <bdi key="">{remittance.end_to_end_id}</bdi>],
              ['Reference', remittance.bank_reference === null ? null : <bdi key="">{remittance.bank_reference}</bdi>],
              ['Code', remittance.transaction_code],
              ['Return', [remittance.return_reason, remittance.return_text].filter((each) => each !== null).join(' ')],
              ['Payout of a return', entry.return_payout === null ? null : <Id key="" id={entry.return_payout} />],
              ['In the books since', <Time key="" at={entry.created} />],
              ['Id', <Id key="" id={id} whole here />],
            ]}
          />
        </Card>
      </div>
      {asked !== null && <Ask entry={entry} asked={asked} close={close} />}
    </Page>
  );
}

interface PlacesProps {
  readonly entry: BankEntry;
  readonly reason: string | null;
  undo(): void;
}

function Places({ entry, reason, undo }: PlacesProps) {
  const { assignments, currency, amount_unassigned_minor: left, status, pending_changes: pending } = entry;
  const last = lastAssigned(entry);
  return (
    <Card title="Where its money is">
      {status !== 'voided' && left > 0 && (
        <p>
          <Money minor={left} currency={currency} /> has no place yet. <Go to="/unmatched">Give it one</Go>
        </p>
      )}
      {status === 'voided' && <p>Nowhere: it counts as never booked.</p>}
      <Timeline
        entries={assignments.map(({ to, amount_minor: minor, actor, at, reason: why, undone_by: undone }, nth) => ({
          key: String(nth),
          at,
          mark: undone === null ? ('done' as const) : ('off' as const),
          text: (
            <>
              <Money minor={minor} currency={currency} /> to <Place id={to} />
              {undone !== null && ', taken back'}
            </>
          ),
          about: (
            <>
              <Who actor={actor} />
              {why !== null && (
                <>
                  : <bdi>{why}</bdi>
                </>
              )}
            </>
          ),
        }))}
      />
      {last !== undefined && status !== 'voided' && (
        <div className="buttons">
          <Action
            variant="default"
            size="xs"
            reason={reason ?? (pending === null ? null : 'A change of it waits for a second person.')}
            onClick={undo}
          >
            Take back the last one
          </Action>
        </div>
      )}
    </Card>
  );
}

/** Money that went to a payment or a payout stays there: that is voided, and not taken back. */
const lastAssigned = ({ assignments }: BankEntry) =>
  assignments.findLast(({ undone_by: undone, to }) => undone === null && !/^(?:pay|po|pf|be|xp)_/.test(to));

const WORDS = {
  void: { title: 'Void the booking', verb: 'Ask to void it' },
  unvoid: { title: 'Restore the booking', verb: 'Ask to restore it' },
  unassign: { title: 'Take it back', verb: 'Take it back' },
} as const;

interface AskProps {
  readonly entry: BankEntry;
  readonly asked: Exclude<Asked, null>;
  close(): void;
}

function Ask({ entry, asked, close }: AskProps) {
  const { id, currency } = entry;
  const [reason, setReason] = useState('');
  // The part that stands here: another one may be the last by the time it arrives.
  const [part] = useState(() => lastAssigned(entry));
  const write = useWrite((client, options, why: string) => {
    if (asked === 'void') return client.bankEntries.void(id, { reason: why }, options);
    if (asked === 'unvoid') return client.bankEntries.unvoid(id, { reason: why }, options);
    return client.bankEntries.unassign(id, { reason: why, transfer: part?.transfer ?? null }, options);
  });
  const why = reason.trim();
  return (
    <Confirm
      {...WORDS[asked]}
      isDangerous={asked === 'void'}
      isOpen
      isIncomplete={why === ''}
      write={write}
      input={why}
      close={close}
    >
      {asked === 'void' && (
        <p>
          A second person has to agree. Then its money leaves the places where it is, and the bank account. Nothing
          moves before that.
        </p>
      )}
      {asked === 'unvoid' && <p>A second person has to agree. Then it counts again, and waits for a place.</p>}
      {asked === 'unassign' && part !== undefined && (
        <p>
          <Money minor={part.amount_minor} currency={currency} /> leaves <Place id={part.to} /> and has no place again.
        </p>
      )}
      <WhyField value={reason} description="The second person and the audit log have it." onChange={setReason} />
    </Confirm>
  );
}
