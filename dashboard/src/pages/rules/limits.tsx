/** Limits, each with what is used of it today. */
import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Limit } from '../../../../client/src/generated/types.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Action } from '../../ui/action.tsx';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { countOf } from '../../ui/digits.ts';
import { useCurrencies } from '../../ui/filter-fields.tsx';
import { Id } from '../../ui/id.tsx';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { Pending } from '../../ui/pending.tsx';
import classes from './rules.module.css';
import { mostOf, shareOf, whomOf } from './words.ts';

export function Limits() {
  const may = useMay();
  const limits = useRead(['limits'], (client) => client.limits.list().page());
  const [isAdding, setAdding] = useState(false);
  const [deleted, setDeleted] = useState<Limit | null>(null);
  const canChange = may('limits:write');
  const rows = limits.data?.data ?? [];
  return (
    <Card
      title="Limits of a day"
      flush
      aside={
        <Action
          variant="default"
          reason={canChange ? null : 'Your role may not change limits.'}
          onClick={() => setAdding(true)}
        >
          Add a limit
        </Action>
      }
    >
      {limits.error !== null && <Failed error={limits.error} again={() => void limits.refetch()} what="limits" />}
      {limits.isLoading && <Loading lines={3} />}
      {limits.data !== undefined && rows.length === 0 && (
        <p className="none muted">There is no limit: what leaves in a day is not bounded.</p>
      )}
      <ul className={classes['limits']}>
        {rows.map((limit) => (
          <li key={limit.id}>
            <Line limit={limit} />
            <Button variant="subtle" color="gray" disabled={!canChange} onClick={() => setDeleted(limit)}>
              Delete
            </Button>
            {limit.pending_deletion !== null && (
              <div className={classes['wide']}>
                <Pending
                  pending={limit.pending_deletion}
                  title="Somebody asked to delete this limit."
                  approve={(client, options, fingerprint) => client.limits.approve(limit.id, { fingerprint }, options)}
                  reject={(client, options) => client.limits.reject(limit.id, {}, options)}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
      {isAdding && <Add close={() => setAdding(false)} />}
      <Delete limit={deleted} close={() => setDeleted(null)} />
    </Card>
  );
}

function Line({ limit }: { readonly limit: Limit }) {
  const { used_minor: used, used_count: count, currency, action } = limit;
  const share = shareOf(limit);
  const named = limit.key ?? limit.account ?? limit.recipient;
  return (
    <>
      <div>
        <div>{mostOf(limit)}</div>
        <div className="muted small">
          {named === null ? whomOf(limit) : <Id id={named} />} ·{' '}
          {action === 'hold' ? 'what goes beyond waits for approval' : 'what goes beyond is refused'}
        </div>
      </div>
      <div className={classes['used']}>
        {share === null ? (
          <span className="muted small">each has its own</span>
        ) : (
          <>
            <span className="small">
              {used !== null && currency !== null && <Money minor={used} currency={currency} />}
              {used !== null && limit.count !== null && ' and '}
              {limit.count !== null && count !== null && `${countOf(count)} ${count === 1 ? 'payout' : 'payouts'}`}{' '}
              today
            </span>
            <Share of={share} />
          </>
        )}
      </div>
    </>
  );
}

/** Of what may be used. */
function Share({ of }: { readonly of: number }) {
  return (
    <svg
      className={of >= 0.9 ? classes['nearly'] : classes['share']}
      viewBox="0 0 100 6"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${Math.round(of * 100)} % used`}
    >
      <rect width={100} height={6} />
      <rect width={of * 100} height={6} />
    </svg>
  );
}

function Delete({ limit, close }: { readonly limit: Limit | null; close(): void }) {
  const write = useWrite((client, options, id: string) => client.limits.delete(id, {}, options));
  return (
    <Confirm
      title="Delete this limit"
      verb="Delete"
      isDangerous
      isOpen={limit !== null}
      write={write}
      input={limit?.id ?? ''}
      close={close}
    >
      {limit !== null && (
        <p>{mostOf(limit)}. Where something is held for a second person, the limit stays until one agrees.</p>
      )}
    </Confirm>
  );
}

const PER = [
  { value: 'environment', label: 'All payouts together' },
  { value: 'account', label: 'Each account' },
  { value: 'recipient', label: 'Each recipient' },
  { value: 'key', label: 'Each key or person' },
] as const;
const ACTIONS = [
  { value: 'hold', label: 'It waits for approval' },
  { value: 'refuse', label: 'It is refused' },
] as const;

function Add({ close }: { close(): void }) {
  const currencies = useCurrencies();
  const [currency, setCurrency] = useState('');
  const [amount, setAmount] = useState('');
  const [count, setCount] = useState('');
  const [per, setPer] = useState<Limit['per']>('environment');
  const [action, setAction] = useState<Limit['action']>('hold');
  const write = useWrite((client, options, input: object) => client.limits.create(input, options));
  const plain = amount.replaceAll(' ', '');
  const isIncomplete =
    (plain === '' && count === '') || (plain !== '' && currency === '') || (count !== '' && !/^\d+$/.test(count));
  const input = {
    ...(currency !== '' && { currency }),
    ...(plain !== '' && { amount: plain }),
    ...(count !== '' && { count: Number(count) }),
    per,
    action,
  };
  return (
    <Confirm
      title="Add a limit"
      verb="Add"
      isOpen
      isIncomplete={isIncomplete}
      write={write}
      input={input}
      close={close}
    >
      <Select
        label="Currency"
        description="Only payouts in it count. Without one all count, by their number."
        data={[{ value: '', label: 'All' }, ...currencies]}
        value={currency}
        onChange={(next) => setCurrency(next ?? '')}
      />
      <TextInput
        label="Sum of a day"
        description="Such as 10000.00. Empty: only the number counts."
        inputMode="decimal"
        disabled={currency === ''}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <TextInput
        label="Payouts of a day"
        description="Empty: only the sum counts."
        inputMode="numeric"
        value={count}
        onChange={(event) => setCount(event.currentTarget.value)}
      />
      <Select
        label="Who has it"
        data={[...PER]}
        value={per}
        allowDeselect={false}
        onChange={(next) => setPer(next ?? 'environment')}
      />
      <Select
        label="What goes beyond"
        data={[...ACTIONS]}
        value={action}
        allowDeselect={false}
        onChange={(next) => setAction(next ?? 'hold')}
      />
    </Confirm>
  );
}
