/** The form of an endpoint, for a new one and for one that stands. A page and no dialog, so that nothing that was typed is lost by a key. */
import { Checkbox, Radio, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultOf } from '../../api/errors.ts';
import type { Write } from '../../api/writes.ts';
import { FAMILIES } from '../../ui/event-types.ts';
import type { FormValues } from './form-values.ts';
import classes from './webhooks.module.css';
import { MOST } from '../../ui/most.ts';
import { WriteForm } from '../../ui/write-form.tsx';

interface Props {
  readonly values: FormValues;
  readonly verb: string;
  readonly write: Write<FormValues, unknown>;
  readonly isLive: boolean;
  /** Whether what was done is over: the caller goes elsewhere. */
  done(answer: unknown): void;
  cancel(): void;
}

const PARAMS = ['url', 'description', 'enabled_events', 'ordered'];

export function EndpointForm({ values: first, verb, write, isLive, done, cancel }: Props) {
  const [values, setValues] = useState(first);
  const set = (change: Partial<FormValues>) => setValues({ ...values, ...change });
  const isReady = values.url.trim() !== '' && (values.isAll || values.events.length > 0);
  const families = new Set(FAMILIES.map(([family]) => `${family}.*`));
  const others = values.events.filter((each) => !families.has(each));
  return (
    <WriteForm write={write} input={isReady ? values : null} params={PARAMS} verb={verb} cancel={cancel} done={done}>
      <TextInput
        label="Address"
        description={
          isLive
            ? 'https only, and reachable from the internet.'
            : 'In the sandbox http to this machine may be allowed too.'
        }
        type="url"
        placeholder="https://example.com/bursar"
        value={values.url}
        onChange={(event) => set({ url: event.currentTarget.value })}
        error={faultOf(write.error, 'url')}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <TextInput
        label="What it is for"
        value={values.description}
        maxLength={MOST.endpointDescription}
        placeholder="ERP"
        onChange={(event) => set({ description: event.currentTarget.value })}
        error={faultOf(write.error, 'description')}
      />
      <Radio.Group
        label="Events"
        value={values.isAll ? 'all' : 'some'}
        onChange={(next) => set({ isAll: next === 'all' })}
        error={faultOf(write.error, 'enabled_events')}
      >
        <div className="stack">
          <Radio value="all" label="Every event, also of kinds that come later" />
          <Radio value="some" label="Only these" />
        </div>
      </Radio.Group>
      {!values.isAll && (
        <Checkbox.Group
          aria-label="Kinds of events"
          value={values.events.filter((each) => families.has(each))}
          onChange={(next) => set({ events: [...next, ...others] })}
        >
          <div className={classes['families']}>
            {FAMILIES.map(([family, word]) => (
              <Checkbox key={family} value={`${family}.*`} label={word} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {!values.isAll && others.length > 0 && (
        <p className="small muted">
          Beside these, single types that were chosen by the API: <span className="mono">{others.join(', ')}</span>
        </p>
      )}
      <Switch
        label="One at a time, in order"
        description="A delivery that fails delays the later ones for a while."
        checked={values.ordered}
        onChange={(event) => set({ ordered: event.currentTarget.checked })}
      />
    </WriteForm>
  );
}
