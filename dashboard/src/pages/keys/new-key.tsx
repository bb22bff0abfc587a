/** Makes a key. A page and no dialog: what was chosen is not lost by a key press. The secret is shown once. */
import { Radio, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { CreateKeyRequest, Key, KeyWithSecret } from '../../../../client/src/bursar.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import { useWrite } from '../../api/writes.ts';
import { HALF } from '../../ui/half.ts';
import { InstantField, secondsOf } from '../../ui/instant-field.tsx';
import { Once } from '../../ui/once.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { WriteForm } from '../../ui/write-form.tsx';
import { type Level, scopesOf } from './scopes.ts';
import { ScopesField } from './scopes-field.tsx';
import { MOST } from '../../ui/most.ts';

/** Beside which their faults are said. What is chosen is far up the page: its fault is said at the button, too. */
const PARAMS = ['name', 'allowed_ips', 'expires_at'];

/** Left out where nothing is chosen: then the key is restricted as its maker is. */
function sentOf(name: string, isAll: boolean, levels: ReadonlyMap<string, Level>, ips: string, ends: string) {
  const addresses = ips.split(/[\s,]+/).filter((each) => each !== '');
  const endsAt = secondsOf(ends);
  return {
    name: name.trim(),
    ...(!isAll && { scopes: scopesOf(levels) as NonNullable<CreateKeyRequest['scopes']> }),
    ...(addresses.length > 0 && { allowed_ips: addresses }),
    ...(endsAt !== undefined && { expires_at: endsAt }),
  };
}

export function NewKey() {
  const { mode } = useHere();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [isAll, setAll] = useState(false);
  const [levels, setLevels] = useState<ReadonlyMap<string, Level>>(new Map());
  const [ips, setIps] = useState('');
  const [ends, setEnds] = useState('');
  const [made, setMade] = useState<KeyWithSecret | null>(null);
  const write = useWrite((client, options, sent: ReturnType<typeof sentOf>) => client.keys.create(sent, options));
  const { error } = write;
  const count = scopesOf(levels).length;
  const leave = (id?: string) => navigate(`/${mode}/keys${id === undefined ? '' : `/${id}`}`);
  const done = (answer: Key | KeyWithSecret) => ('secret' in answer ? setMade(answer) : leave(answer.id));
  return (
    <Page title="Make a key" from={{ to: '/keys', word: 'Keys' }}>
      <Card>
        <WriteForm
          write={write}
          input={
            name.trim() === '' || (!isAll && count === 0) || ends === HALF
              ? null
              : sentOf(name, isAll, levels, ips, ends)
          }
          params={PARAMS}
          verb="Make the key"
          cancel={() => leave()}
          done={done}
        >
          <TextInput
            label="Name"
            description="What it is for, so that you know later whether it may go."
            placeholder="payroll"
            value={name}
            maxLength={MOST.keyName}
            onChange={(event) => setName(event.currentTarget.value)}
            error={faultOf(error, 'name')}
            autoComplete="off"
            data-autofocus
          />
          <Radio.Group
            label="What it may do"
            value={isAll ? 'all' : 'some'}
            onChange={(next) => setAll(next === 'all')}
            error={faultOf(error, 'scopes')}
          >
            <div className="stack">
              <Radio value="some" label="Only what is chosen here" />
              <Radio value="all" label="Everything that you may do" />
            </div>
          </Radio.Group>
          {!isAll && <ScopesField levels={levels} onChange={setLevels} />}
          <Textarea
            label="Addresses from which it may be used"
            description="One a line, also networks such as 192.0.2.0/24. Empty: from everywhere."
            rows={2}
            value={ips}
            onChange={(event) => setIps(event.currentTarget.value)}
            error={faultOf(error, 'allowed_ips')}
            spellCheck={false}
          />
          <InstantField
            label="Works until"
            description="By your clock. Empty: until it is revoked."
            value={ends}
            onChange={setEnds}
            error={faultOf(error, 'expires_at')}
          />
        </WriteForm>
      </Card>
      <Once title="The key" secret={made?.secret ?? null} close={() => leave(made?.id)}>
        It is shown only now. Whoever holds it may do what was chosen: keep it where your program reads its secrets, and
        in no chat and no repository.
      </Once>
    </Page>
  );
}
