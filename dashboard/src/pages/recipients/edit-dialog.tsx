/** Changes a recipient: the holder, and bank details as a whole. It is open as long as it is there. */
import { Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Recipient } from '../../../../client/src/bursar.ts';
import { post } from '../../api/client.ts';
import { faultOf } from '../../api/errors.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { accountEndOf } from '../../ui/bank-details.ts';
import { Failed, Loading } from '../../ui/conditions.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { MOST } from '../../ui/most.ts';
import { type Edit, type Editing, editingOf, editOf } from './edit.ts';
import { wayOf } from './payee.ts';
import { BankFields, HolderFields, NameField } from './payee-fields.tsx';

interface Props {
  readonly recipient: Recipient;
  close(): void;
}

export function EditDialog({ recipient, close }: Props) {
  // Who else changes it meanwhile keeps what they changed.
  const [before] = useState(recipient);
  const [values, setValues] = useState(editingOf(before));
  const { country, currency } = before;
  const required = useRead(
    ['requirements', country, currency],
    (client) => client.recipients.retrieveRequirements({ country, currency }),
    { isOff: !values.replacesDetails },
  );
  const write = useWrite(async (client, options, sent: Edit | null) => {
    const answer = await post<Recipient>(client, `/v1/recipients/${before.id}`, sent ?? {}, options);
    notifications.show({ message: 'Changed.' });
    return answer;
  });
  const set = (change: Partial<Editing>) => {
    setValues((now) => ({ ...now, ...change }));
    write.reset();
  };
  const faultAt = (param: string) => faultOf(write.error, param) ?? faultOf(write.error, `bank_details[${param}]`);
  const way = required.data === undefined ? null : wayOf(required.data, values.way);
  const asked = required.data === undefined || way === null ? null : { all: required.data, way };
  const edit = editOf(values, before, asked);
  return (
    <Confirm
      title="Change this recipient"
      verb="Change"
      isOpen
      isIncomplete={edit === null}
      write={write}
      input={edit}
      close={close}
    >
      <NameField value={values.name} set={set} error={faultAt('name')} />
      <TextInput
        label="E-mail"
        type="email"
        value={values.email}
        maxLength={MOST.payeeEmail}
        onChange={(event) => set({ email: event.currentTarget.value })}
        error={faultAt('email')}
        autoComplete="off"
      />
      <Switch
        label={`Other bank details than ${accountEndOf(before)}`}
        checked={values.replacesDetails}
        onChange={(event) => set({ replacesDetails: event.currentTarget.checked })}
      />
      {values.replacesDetails && required.error !== null && (
        <Failed error={required.error} again={() => void required.refetch()} what="requirements" />
      )}
      {values.replacesDetails && required.isPending && <Loading lines={2} />}
      {values.replacesDetails && asked !== null && (
        <>
          <BankFields required={asked.all} way={asked.way} details={values.details} set={set} faultAt={faultAt} />
          <p className="small muted">
            Payouts from now on, those of standing orders too, go to this account. Payouts that were made before go
            where they were meant to go. Country and currency stay: for others add another recipient.
          </p>
        </>
      )}
      <HolderFields
        latinName={{ value: values.latinName, isRequired: false }}
        address={values.address}
        set={set}
        faultAt={faultAt}
      />
    </Confirm>
  );
}
