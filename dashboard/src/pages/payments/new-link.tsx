/** A new payment link: what for, how much or as much as the payer likes, for one payment or for several. */
import { Checkbox, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { PaymentLink } from '../../../../client/src/generated/types.ts';
import { post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useWrite } from '../../api/writes.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { WriteForm } from '../../ui/write-form.tsx';
import { useCurrencies } from '../../ui/filter-fields.tsx';
import { HALF } from '../../ui/half.ts';
import { InstantField, secondsOf } from '../../ui/instant-field.tsx';
import { MOST } from '../../ui/most.ts';
import { Card, Page } from '../../ui/page.tsx';
import { linkOf } from './asked.ts';
import { CurrencyField } from './currency-field.tsx';

const FROM = { to: '/payment-links', word: 'Payment links' };
const EMPTY = {
  isOpen: false,
  amount: '',
  minimum: '',
  maximum: '',
  currency: '',
  description: '',
  reference: '',
  account: '',
  isReusable: false,
  maxPayments: '',
  /** As `ui/instant-field.tsx` has it. */
  expires: '',
  message: '',
  redirect: '',
};
const REDIRECT = 'after_completion[redirect][url]';
const MESSAGE = 'after_completion[message]';
/** Whose faults stand beside their fields. */
const PARAMS = [
  'amount',
  'minimum_amount',
  'maximum_amount',
  'currency',
  'description',
  'reference',
  'account',
  'max_payments',
  'expires_at',
  MESSAGE,
  REDIRECT,
];

export function NewPaymentLink() {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState(EMPTY);
  const [first] = useCurrencies();
  const values = { ...typed, currency: typed.currency === '' ? (first?.value ?? '') : typed.currency };
  const { body, faults } = linkOf({ ...values, expiresAt: secondsOf(values.expires) });
  const create = useWrite((client, options, sent: object) =>
    post<PaymentLink>(client, '/v1/payment_links', sent, options),
  );
  const set = (change: Partial<typeof EMPTY>) => {
    setTyped((before) => ({ ...before, ...change }));
    create.reset(); // what was refused was another link
  };
  const faultAt = (param: string) => faults[param] ?? faultOf(create.error, param);
  const text = (name: 'description' | 'reference' | 'message' | 'redirect', param: string, most: number) => ({
    value: values[name],
    maxLength: most,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: event.currentTarget.value }),
    error: faultAt(param),
    autoComplete: 'off',
  });
  const amount = (name: 'amount' | 'minimum' | 'maximum', param: string, label: string) => (
    <TextInput
      label={`${label}${values.currency === '' ? '' : ` in ${values.currency}`}`}
      inputMode="decimal"
      value={values[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      error={faultAt(param)}
      autoComplete="off"
    />
  );
  return (
    <Page title="New payment link" from={FROM}>
      <Card>
        <WriteForm
          write={create}
          input={values.expires === HALF ? null : body}
          params={PARAMS}
          verb="Make the link"
          done={({ id }) => navigate(`/${mode}/payment-links/${id}`)}
        >
          <TextInput
            label="What for"
            description="The payer reads it."
            data-autofocus
            {...text('description', 'description', MOST.linkDescription)}
          />
          <TextInput
            label="Your reference"
            description="As Invoice 4711. The payer reads it too."
            {...text('reference', 'reference', MOST.linkReference)}
          />
          <CurrencyField
            value={values.currency}
            onChange={(currency) => set({ currency, account: '' })}
            error={faultAt('currency')}
          />
          <Radio.Group
            label="How much"
            value={values.isOpen ? 'open' : 'fixed'}
            onChange={(next) => set({ isOpen: next === 'open' })}
          >
            <div className="stack">
              <Radio value="fixed" label="This amount" />
              <Radio value="open" label="As much as the payer likes" />
            </div>
          </Radio.Group>
          {!values.isOpen && amount('amount', 'amount', 'Amount')}
          {values.isOpen && (
            <>
              {amount('minimum', 'minimum_amount', 'At least, or nothing,')}
              {amount('maximum', 'maximum_amount', 'At most, or nothing,')}
            </>
          )}
          <Checkbox
            label="Several people can pay it"
            checked={values.isReusable}
            onChange={(event) => set({ isReusable: event.currentTarget.checked })}
          />
          {values.isReusable && (
            <TextInput
              label="How many at most"
              description="Nothing: any number."
              inputMode="numeric"
              value={values.maxPayments}
              onChange={(event) => set({ maxPayments: event.currentTarget.value })}
              error={faultAt('max_payments')}
              autoComplete="off"
            />
          )}
          <AccountField
            label="Account"
            placeholder="The oldest of the currency"
            currency={values.currency}
            value={values.account}
            onChange={(account) => set({ account })}
            error={faultAt('account')}
          />
          <InstantField
            label="Until"
            description="Nothing: it does not expire."
            value={values.expires}
            onChange={(expires) => set({ expires })}
            error={faultAt('expires_at')}
          />
          <TextInput
            label="Words on the receipt"
            description="Who has paid reads them."
            {...text('message', MESSAGE, MOST.linkMessage)}
          />
          <TextInput
            label="Where the receipt leads"
            description="An address of yours, as https://shop.example.com/thanks."
            inputMode="url"
            spellCheck={false}
            {...text('redirect', REDIRECT, MOST.linkRedirect)}
          />
        </WriteForm>
      </Card>
    </Page>
  );
}
