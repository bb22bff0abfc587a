/**
 * One payout: whom, how much, from where. What would happen is tried as one types, by a dry run that pays nobody; only *Pay* pays. The address may
 * name a recipient (`?recipient=`), or a payout that is made again (`?again=`): the same recipient, amount, account and reference.
 */
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Account, Payout, PayoutDryRun, Recipient } from '../../../../client/src/bursar.ts';
import { fromMinor } from '../../../../client/src/money.ts';
import { type Bursar, pageAt, post } from '../../api/client.ts';
import { faultOf, isAboutOthers } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading, Trouble } from '../../ui/conditions.tsx';
import { Fields } from '../../ui/fields.tsx';
import { DayField } from '../../ui/instant-field.tsx';
import { MOST } from '../../ui/most.ts';
import { Card, Page } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { RecipientField } from '../../ui/recipient-field.tsx';
import { type Order, orderOf, type Values } from './order.ts';
import { Would } from './would.tsx';

const FROM = { to: '/payouts', word: 'Payouts' };
const EMPTY: Values = { recipient: '', currency: '', amount: '', isPlain: false, account: '', reference: '', day: '' };
/** Faults of the other parameters are said below the form. */
const FIELDS = ['recipient', 'amount', 'account', 'reference', 'scheduled_on'];
const WAIT_MS = 400;

interface Begun {
  readonly recipient: Recipient | null;
  readonly values: Values;
}

export function NewPayout() {
  const asked = new URLSearchParams(useSearch());
  const [again, named] = [asked.get('again') ?? '', asked.get('recipient') ?? ''];
  const begun = useRead(['payout', 'new', again, named], (client) => beginningOf(client, again, named));
  if (begun.data !== undefined) return <Form key={`${again} ${named}`} {...begun.data} />;
  return (
    <Page title="New payout" from={FROM}>
      {begun.error === null ? (
        <Loading lines={6} />
      ) : (
        <Failed error={begun.error} again={() => void begun.refetch()} what="payouts" />
      )}
    </Page>
  );
}

async function beginningOf(client: Bursar, again: string, named: string): Promise<Begun> {
  const before = again === '' ? null : await client.payouts.retrieve(again);
  const id = before === null ? named : before.recipient;
  const recipient = id === null || id === '' ? null : await client.recipients.retrieve(id);
  const values = recipient === null ? EMPTY : { ...EMPTY, recipient: recipient.id, currency: recipient.currency };
  if (before === null) return { recipient, values };
  const { amount_minor: minor, currency, account, reference } = before;
  const amount = fromMinor(minor, currency);
  return { recipient, values: { ...values, currency, amount, isPlain: true, account, reference: reference ?? '' } };
}

function Form({ recipient: first, values: begun }: Begun) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const [recipient, setRecipient] = useState(first);
  const [values, setValues] = useState(begun);
  const asked = orderOf(values);
  const [settled] = useDebouncedValue(values, WAIT_MS);
  const { order } = orderOf(settled);
  const last = useRef<{ tried?: PayoutDryRun; isPaid?: true }>({});
  const pay = useWrite(async (client, options, sent: Order) => {
    const made = await post<Payout>(client, '/v1/payouts', sent, options);
    last.current.isPaid = true;
    return made;
  });
  const set = (change: Partial<Values>) => {
    setValues({ ...values, ...change });
    pay.reset(); // what was refused was another payout
  };
  // A payout that was made changes what is read, and this is not asked again then: the money is gone.
  const would = useRead(
    ['payout', 'would', order],
    async (client) => {
      const { tried, isPaid } = last.current;
      if (tried !== undefined && isPaid === true) return tried;
      return (last.current.tried = await post<PayoutDryRun>(client, '/v1/payouts', { ...order, dry_run: true }));
    },
    { isOff: order === null },
  );
  const isSettled = order !== null && settled === values;
  const refused = pay.error ?? (isSettled ? would.error : null);
  const open = (accounts.data?.data ?? []).filter(
    ({ status, currency }) => status === 'open' && (values.currency === '' || currency === values.currency),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (asked.order === null) return;
    const made = await pay.run(asked.order);
    if (made !== undefined) navigate(`/${mode}/payouts/${made.id}`);
  };
  return (
    <Page title="New payout" from={FROM}>
      <div className="columns">
        <Card>
          <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
            <Fields error={pay.error}>
              <RecipientField
                chosen={recipient}
                choose={(next) => {
                  setRecipient(next);
                  const currency = next?.currency ?? '';
                  set({ recipient: next?.id ?? '', currency, ...(currency !== values.currency && { account: '' }) });
                }}
                error={faultOf(refused, 'recipient')}
              />
              <TextInput
                label={values.currency === '' ? 'Amount' : `Amount in ${values.currency}`}
                inputMode="decimal"
                value={values.amount}
                onChange={(event) => set({ amount: event.currentTarget.value, isPlain: false })}
                error={asked.fault ?? faultOf(refused, 'amount')}
                autoComplete="off"
              />
              <Select
                label="From"
                placeholder="The main account"
                clearable
                data={open.map((each) => ({ value: each.id, label: accountName(each) }))}
                value={values.account === '' ? null : values.account}
                onChange={(account) => set({ account: account ?? '' })}
                error={faultOf(refused, 'account')}
              />
              <TextInput
                label="Reference"
                description="The recipient reads it."
                value={values.reference}
                maxLength={MOST.payoutReference}
                onChange={(event) => set({ reference: event.currentTarget.value })}
                error={faultOf(refused, 'reference')}
                autoComplete="off"
              />
              <DayField
                label="Day"
                description="Nothing: as soon as it can."
                value={values.day}
                onChange={(day) => set({ day })}
                error={faultOf(refused, 'scheduled_on')}
              />
            </Fields>
            {isAboutOthers(refused, FIELDS) && <Trouble error={refused} />}
            <div className="buttons">
              <Button type="submit" loading={pay.isBusy} disabled={!isSettled || would.data === undefined}>
                Pay
              </Button>
            </div>
          </form>
        </Card>
        <Would tried={isSettled ? would.data : undefined} accounts={accounts.data?.data ?? []} />
      </div>
    </Page>
  );
}
