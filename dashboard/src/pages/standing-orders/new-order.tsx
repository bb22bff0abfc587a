/**
 * The same payout again and again: whom, how much, how often, how long. As one types the service tries it, and the days on which it would run stand
 * beside the form; only *Create* makes it. The address may name a recipient (`?recipient=`).
 */
import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Recipient, StandingOrder, StandingOrderDryRun } from '../../../../client/src/bursar.ts';
import { type Bursar, post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { WriteForm } from '../../ui/write-form.tsx';
import { DayField } from '../../ui/instant-field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { PayFields } from '../../ui/pay-fields.tsx';
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
/** Whose faults stand beside their fields. */
const PARAMS = ['recipient', 'amount', 'account', 'reference', 'interval_count', 'starts_on', 'ends_on', 'count'];
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
  const wouldFail = isSettled ? would.error : null;
  const faultAt = (param: string) => faultOf(create.error ?? wouldFail, param);
  const tried = isSettled && would.error === null ? would.data : undefined;
  return (
    <Page title="New standing order" from={FROM}>
      <div className="columns">
        <Card>
          <WriteForm
            write={create}
            input={tried === undefined ? null : asked.order}
            wouldFail={wouldFail}
            params={PARAMS}
            verb="Create the standing order"
            done={({ id }) => navigate(`/${mode}/standing-orders/${id}`)}
          >
            <PayFields
              values={values}
              set={set}
              recipient={recipient}
              choose={setRecipient}
              amountHint="Of each payout."
              referenceHint="The recipient reads it, each time."
              faultAt={(param) => (param === 'amount' ? asked.faults.amount : undefined) ?? faultAt(param)}
            />
            <DayField
              label="First day"
              description="All other days follow from it. Today: it runs at once."
              value={values.firstDay}
              onChange={(firstDay) => set({ firstDay })}
              error={faultAt('starts_on')}
            />
            <div className={classes['rhythm']}>
              <TextInput
                label="Every"
                inputMode="numeric"
                value={values.every}
                onChange={(event) => set({ every: event.currentTarget.value })}
                error={asked.faults.every ?? faultAt('interval_count')}
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
                lastDay: faultAt('ends_on'),
                count: asked.faults.count ?? faultAt('count'),
              }}
            />
          </WriteForm>
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
