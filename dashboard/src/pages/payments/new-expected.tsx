/** A transfer to wait for: from whom, for what, how much, by when. It gets the reference that the payer has to name. */
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ExpectedPayment } from '../../../../client/src/generated/types.ts';
import { post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useWrite } from '../../api/writes.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { WriteForm } from '../../ui/write-form.tsx';
import { useCurrencies } from '../../ui/filter-fields.tsx';
import { DayField } from '../../ui/instant-field.tsx';
import { MOST } from '../../ui/most.ts';
import { Card, Page } from '../../ui/page.tsx';
import { type ExpectedValues, expectedOf } from './asked.ts';
import { CurrencyField } from './currency-field.tsx';

const FROM = { to: '/expected-payments', word: 'Expected payments' };
const EMPTY: ExpectedValues = { amount: '', currency: '', payer: '', description: '', dueOn: '', account: '' };
/** Whose faults stand beside their fields. */
const PARAMS = ['amount', 'currency', 'payer', 'description', 'due_on', 'account'];

export function NewExpectedPayment() {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState(EMPTY);
  const [first] = useCurrencies();
  const values = { ...typed, currency: typed.currency === '' ? (first?.value ?? '') : typed.currency };
  const { body, faults } = expectedOf(values);
  const create = useWrite((client, options, sent: object) =>
    post<ExpectedPayment>(client, '/v1/expected_payments', sent, options),
  );
  const set = (change: Partial<ExpectedValues>) => {
    setTyped((before) => ({ ...before, ...change }));
    create.reset(); // what was refused was another one
  };
  const faultAt = (param: string) => faults[param] ?? faultOf(create.error, param);
  return (
    <Page title="Expect a payment" from={FROM}>
      <Card>
        <WriteForm
          write={create}
          input={body}
          params={PARAMS}
          verb="Expect it"
          done={({ id }) => navigate(`/${mode}/expected-payments/${id}`)}
        >
          <TextInput
            label="From"
            description="Who is expected to pay. For you alone: the reference finds the money, not the name."
            value={values.payer}
            maxLength={MOST.expectedPayer}
            onChange={(event) => set({ payer: event.currentTarget.value })}
            error={faultAt('payer')}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label="What for"
            description="As Invoice 2026-17."
            value={values.description}
            maxLength={MOST.expectedDescription}
            onChange={(event) => set({ description: event.currentTarget.value })}
            error={faultAt('description')}
            autoComplete="off"
          />
          <CurrencyField
            value={values.currency}
            onChange={(currency) => set({ currency, account: '' })}
            error={faultAt('currency')}
          />
          <TextInput
            label={values.currency === '' ? 'Amount' : `Amount in ${values.currency}`}
            inputMode="decimal"
            value={values.amount}
            onChange={(event) => set({ amount: event.currentTarget.value })}
            error={faultAt('amount')}
            autoComplete="off"
          />
          <DayField
            label="Due"
            description="The last day on which it is in time, in UTC. Nothing: it is never overdue."
            value={values.dueOn}
            onChange={(dueOn) => set({ dueOn })}
            error={faultAt('due_on')}
          />
          <AccountField
            label="Account"
            placeholder="The oldest of the currency"
            currency={values.currency}
            value={values.account}
            onChange={(account) => set({ account })}
            error={faultAt('account')}
          />
        </WriteForm>
      </Card>
    </Page>
  );
}
