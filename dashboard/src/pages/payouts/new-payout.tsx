/**
 * One payout: whom, how much, from where. What would happen is tried as one types, by a dry run that pays nobody; only *Pay* pays. The address may
 * name a recipient (`?recipient=`), or a payout that is made again (`?again=`): the same recipient, amount, account, reference and
 * purposes.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Account, Payout, PayoutDryRun, Recipient } from '../../../../client/src/bursar.ts';
import { fromMinor } from '../../../../client/src/money.ts';
import { type Bursar, pageAt, post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { WriteForm } from '../../ui/write-form.tsx';
import { DayField } from '../../ui/instant-field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { PayFields } from '../../ui/pay-fields.tsx';
import { type Order, orderOf, type Values } from './order.ts';
import { Would } from './would.tsx';

const FROM = { to: '/payouts', word: 'Payouts' };
const EMPTY: Values = {
  recipient: '',
  currency: '',
  amount: '',
  isPlain: false,
  account: '',
  reference: '',
  day: '',
  category: '',
  purpose: '',
};
/** Whose faults stand beside their fields. */
const PARAMS = ['recipient', 'amount', 'account', 'reference', 'scheduled_on'];
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
  const { amount_minor: minor, currency, account, reference, category_purpose: category, purpose } = before;
  const amount = fromMinor(minor, currency);
  const same = { currency, amount, account, reference: reference ?? '', category: category ?? '' };
  return { recipient, values: { ...values, ...same, isPlain: true, purpose: purpose ?? '' } };
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
  const wouldFail = isSettled ? would.error : null;
  const faultAt = (param: string) => faultOf(pay.error ?? wouldFail, param);
  return (
    <Page title="New payout" from={FROM}>
      <div className="columns">
        <Card>
          <WriteForm
            write={pay}
            input={isSettled && would.data !== undefined ? asked.order : null}
            wouldFail={wouldFail}
            params={PARAMS}
            verb="Pay"
            done={({ id }) => navigate(`/${mode}/payouts/${id}`)}
          >
            <PayFields
              values={values}
              set={(change) => set({ ...change, ...('amount' in change && { isPlain: false }) })}
              recipient={recipient}
              choose={setRecipient}
              referenceHint="The recipient reads it."
              faultAt={(param) => (param === 'amount' ? asked.fault : undefined) ?? faultAt(param)}
            />
            <DayField
              label="Day"
              description="Nothing: as soon as it can."
              value={values.day}
              onChange={(day) => set({ day })}
              error={faultAt('scheduled_on')}
            />
          </WriteForm>
        </Card>
        <Would tried={isSettled ? would.data : undefined} accounts={accounts.data?.data ?? []} />
      </div>
    </Page>
  );
}
