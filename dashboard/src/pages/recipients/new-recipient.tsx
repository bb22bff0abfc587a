/** Somebody new to pay. Which bank details are asked for follows country and currency, as the service requires them now. */
import { Radio, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Recipient } from '../../../../client/src/generated/types.ts';
import { post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useHere } from '../../api/environment.tsx';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { WriteForm } from '../../ui/write-form.tsx';
import { useCurrencies } from '../../ui/filter-fields.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { COUNTRIES } from './countries.ts';
import { isComplete, NO_ADDRESS, sentOf, type Values, wayOf } from './payee.ts';
import { BankFields, HolderFields, NameField } from './payee-fields.tsx';

const FROM = { to: '/recipients', word: 'Recipients' };
const EMPTY: Values = {
  name: '',
  type: 'company',
  country: '',
  currency: '',
  email: '',
  way: '',
  details: {},
  latinName: '',
  address: NO_ADDRESS,
};
/** Whose faults stand beside their fields. */
const PARAMS = ['name', 'type', 'country', 'currency', 'email', 'latin_name'];

export function NewRecipient() {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [values, setValues] = useState(EMPTY);
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }));
  const { country, currency } = values;
  const currencies = useCurrencies();
  const isChosen = country !== '' && /^[A-Z]{3}$/.test(currency);
  const required = useRead(
    ['requirements', country, currency],
    (client) => client.recipients.retrieveRequirements({ country, currency }),
    { isOff: !isChosen },
  );
  const create = useWrite((client, options, payee: object) =>
    post<Recipient>(client, '/v1/recipients', payee, options),
  );
  const way = required.data === undefined || !isChosen ? null : wayOf(required.data, values.way);
  const isReady = way !== null && required.data !== undefined && isComplete(values, way, required.data);
  const details = way?.fields.flatMap(({ field }) => [field, `bank_details[${field}]`]) ?? [];
  const faultAt = (param: string) => faultOf(create.error, param) ?? faultOf(create.error, `bank_details[${param}]`);
  const holder = (field: string) => required.data?.holder.find((each) => each.field === field);
  const [latin, home] = [holder('latin_name'), holder('address')];
  return (
    <Page title="New recipient" from={FROM}>
      <Card>
        <WriteForm
          write={create}
          input={way === null || !isReady ? null : sentOf(values, way)}
          params={[...PARAMS, ...details]}
          verb="Add the recipient"
          done={({ id }) => navigate(`/${mode}/recipients/${id}`)}
        >
          <NameField value={values.name} set={set} error={faultAt('name')} />
          <Radio.Group label="Who it is" value={values.type} onChange={(type) => set({ type })} error={faultAt('type')}>
            <div className="stack">
              <Radio value="company" label="A company or another organisation" />
              <Radio value="individual" label="A person" />
            </div>
          </Radio.Group>
          <Select
            label="Country of the bank account"
            searchable
            data={[...COUNTRIES]}
            value={country === '' ? null : country}
            onChange={(next) => set({ country: next ?? '', way: '' })}
            error={faultAt('country')}
          />
          <TextInput
            label="Currency"
            description={currencies.length === 0 ? 'As EUR.' : `As ${currencies.map(({ value }) => value).join(', ')}.`}
            value={currency}
            onChange={(event) => set({ currency: event.currentTarget.value.toUpperCase().slice(0, 3), way: '' })}
            error={faultAt('currency')}
            autoComplete="off"
            spellCheck={false}
          />
          {isChosen && required.error !== null && (
            <Failed error={required.error} again={() => void required.refetch()} what="requirements" />
          )}
          {isChosen && required.isPending && <Loading lines={2} />}
          {way !== null && required.data !== undefined && (
            <>
              <BankFields required={required.data} way={way} details={values.details} set={set} faultAt={faultAt} />
              <HolderFields
                latinName={latin === undefined ? null : { value: values.latinName, isRequired: latin.required }}
                address={home?.required === true ? values.address : null}
                set={set}
                faultAt={faultAt}
              />
            </>
          )}
        </WriteForm>
      </Card>
    </Page>
  );
}
