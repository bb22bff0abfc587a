/**
 * The same payout again and again: whom, how much, how often, how long. As one types the service tries it, and the days on which it would run stand
 * beside the form; only *Create* makes it. The address may name a recipient (`?recipient=`).
 */
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Account, Recipient, StandingOrder, StandingOrderDryRun } from '../../../../client/src/bursar.ts';
import { type Bursar, pageAt, post } from '../../api/client.ts';
import { faultOf, isAboutOthers } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Trouble } from '../../ui/conditions.tsx';
import { Fields } from '../../ui/fields.tsx';
import { DayField } from '../../ui/instant-field.tsx';
import { MOST } from '../../ui/most.ts';
import { Card, Page } from '../../ui/page.tsx';
import { accountName } from '../../ui/payout-columns.tsx';
import { RecipientField } from '../../ui/recipient-field.tsx';
import { Unread } from '../../ui/unread.tsx';
import { Days } from './days.tsx';
import { EndFields } from './end-fields.tsx';
import { type Order, orderOf, type Values } from './order.ts';
import classes from './standing-orders.module.css';
import { rhythmOf } from './words.ts';

const FROM = { to: '/standing-orders', word: 'Standing orders' };
const EMPTY: Values = {
  recipient: '',
  currency: '',
  amount: '',
  account: '',
  reference: '',
  interval: 'month',
  every: '1',
  firstDay: '',
  ends: 'open',
  lastDay: '',
  count: '',
};
/** Faults of the other parameters are said below the form. */
const FIELDS = ['recipient', 'amount', 'account', 'reference', 'interval_count', 'starts_on', 'ends_on', 'count'];
const WAIT_MS = 400;

export function NewStandingOrder() {
  const named = new URLSearchParams(useSearch()).get('recipient') ?? '';
  const begun = useRead(['standing_order', 'new', named], (client) => recipientOf(client, named));
  if (begun.data !== undefined) return <Form key={named} first={begun.data.recipient} />;
  return <Unread title="New standing order" from={FROM} what="recipients" read={begun} />;
}

/** A query has to answer something, and there may be nobody. */
const recipientOf = async (client: Bursar, id: string) => ({
  recipient: id === '' ? null : await client.recipients.retrieve(id),
});

function Form({ first }: { readonly first: Recipient | null }) {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const accounts = useRead(['accounts', 'all'], (client) => pageAt<Account>(client, '/v1/accounts', { limit: 100 }));
  const [recipient, setRecipient] = useState(first);
  const [values, setValues] = useState({ ...EMPTY, recipient: first?.id ?? '', currency: first?.currency ?? '' });
  const asked = orderOf(values);
  const [settled] = useDebouncedValue(values, WAIT_MS);
  const { order } = orderOf(settled);
  const create = useWrite((client, options, sent: Order) =>
    post<StandingOrder>(client, '/v1/standing_orders', sent, options),
  );
  const set = (change: Partial<Values>) => {
    setValues({ ...values, ...change });
    create.reset(); // what was refused was another order
  };
  const would = useRead(
    ['standing_order', 'would', order],
    (client) => post<StandingOrderDryRun>(client, '/v1/standing_orders', { ...order, dry_run: true }),
    { isOff: order === null },
  );
  const isSettled = order !== null && settled === values;
  const refused = create.error ?? (isSettled ? would.error : null);
  const tried = isSettled && would.error === null ? would.data : undefined;
  const open = (accounts.data?.data ?? []).filter(
    ({ status, currency }) => status === 'open' && (values.currency === '' || currency === values.currency),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (asked.order === null || tried === undefined) return;
    const made = await create.run(asked.order);
    if (made !== undefined) navigate(`/${mode}/standing-orders/${made.id}`);
  };
  return (
    <Page title="New standing order" from={FROM}>
      <div className="columns">
        <Card>
          <form className="stack" onSubmit={(event) => void submit(event)} noValidate>
            <Fields error={create.error}>
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
                description="Of each payout."
                inputMode="decimal"
                value={values.amount}
                onChange={(event) => set({ amount: event.currentTarget.value })}
                error={asked.faults.amount ?? faultOf(refused, 'amount')}
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
                description="The recipient reads it, each time."
                value={values.reference}
                maxLength={MOST.payoutReference}
                onChange={(event) => set({ reference: event.currentTarget.value })}
                error={faultOf(refused, 'reference')}
                autoComplete="off"
              />
              <DayField
                label="First day"
                description="All other days follow from it. Today: it runs at once."
                value={values.firstDay}
                onChange={(firstDay) => set({ firstDay })}
                error={faultOf(refused, 'starts_on')}
              />
              <div className={classes['rhythm']}>
                <TextInput
                  label="Every"
                  inputMode="numeric"
                  value={values.every}
                  onChange={(event) => set({ every: event.currentTarget.value })}
                  error={asked.faults.every ?? faultOf(refused, 'interval_count')}
                  autoComplete="off"
                />
                <Select
                  label="Period"
                  data={(['day', 'week', 'month', 'year'] as const).map((value) => ({
                    value,
                    label: values.every.trim() === '1' ? value : `${value}s`,
                  }))}
                  value={values.interval}
                  onChange={(interval) => set({ interval: interval ?? 'month' })}
                />
              </div>
              <EndFields
                end={values}
                set={set}
                faults={{
                  lastDay: faultOf(refused, 'ends_on'),
                  count: asked.faults.count ?? faultOf(refused, 'count'),
                }}
              />
            </Fields>
            {isAboutOthers(refused, FIELDS) && <Trouble error={refused} />}
            <div className="buttons">
              <Button type="submit" loading={create.isBusy} disabled={tried === undefined}>
                Create the standing order
              </Button>
            </div>
          </form>
        </Card>
        <Card title="When it would run">
          {tried === undefined ? (
            <p className="muted">
              Choose a recipient, an amount and the first day. Nothing is paid before you press Create, and each payout
              is checked on its day like any other.
            </p>
          ) : (
            <div className="stack">
              <p>{rhythmOf(tried)}.</p>
              <div>
                <Days plan={tried} from={tried.starts_on} />
              </div>
            </div>
          )}
        </Card>
      </div>
    </Page>
  );
}
