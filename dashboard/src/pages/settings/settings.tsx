/** What payers see of the company, with a preview that follows what is typed. Nothing changes before Save. */
import { Button, Switch, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { Settings as Stored, UpdateSettingsRequest } from '../../../../client/src/bursar.ts';
import { DEFAULT_ACCENT } from '../../../../src/collecting/checkout/html/colours.ts';
import { useHere } from '../../api/environment.tsx';
import { faultOf } from '../../api/errors.ts';
import { useMay } from '../../api/me.ts';
import { useRead } from '../../api/reads.ts';
import { useWrite } from '../../api/writes.ts';
import { Failed, Loading, Trouble } from '../../ui/conditions.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { type Logo, LOGO_TYPES, logoOf } from './logo-file.ts';
import { isColour, Preview } from './preview.tsx';
import classes from './settings.module.css';
import { MOST } from '../../ui/most.ts';

export function Settings() {
  const stored = useRead(['settings'], (client) => client.settings.retrieve());
  return (
    <Page title="Settings" about="What payers see on payment pages, receipts and statements.">
      {stored.error !== null && <Failed error={stored.error} again={() => void stored.refetch()} what="settings" />}
      {stored.isLoading && <Loading lines={5} />}
      {stored.data !== undefined && <Form stored={stored.data} />}
    </Page>
  );
}

/** `undefined`: stays as it is; `null`: goes. */
type NewLogo = Logo | null | undefined;

/** What differs from what is there. An empty text takes a value away. */
function changesOf(stored: Stored, typed: Typed, logo: NewLogo): UpdateSettingsRequest {
  const texts = [
    ['name', stored.name],
    ['accent_color', stored.accent_color],
    ['contact_email', stored.contact_email],
    ['contact_phone', stored.contact_phone],
    ['legal_url', stored.legal_url],
    ['privacy_url', stored.privacy_url],
  ] as const;
  const changed = texts.flatMap(([field, before]): [string, string | null][] => {
    const now = typed[field].trim();
    return now === (before ?? '') ? [] : [[field, now === '' ? null : now]];
  });
  return {
    ...Object.fromEntries(changed),
    ...(logo !== undefined && { logo: logo?.base64 ?? null }),
    ...(typed.daily_statements !== stored.daily_statements && { daily_statements: typed.daily_statements }),
  };
}

interface Typed {
  readonly name: string;
  readonly accent_color: string;
  readonly contact_email: string;
  readonly contact_phone: string;
  readonly legal_url: string;
  readonly privacy_url: string;
  readonly daily_statements: boolean;
}

const typedOf = (stored: Stored): Typed => ({
  name: stored.name ?? '',
  accent_color: stored.accent_color ?? '',
  contact_email: stored.contact_email ?? '',
  contact_phone: stored.contact_phone ?? '',
  legal_url: stored.legal_url ?? '',
  privacy_url: stored.privacy_url ?? '',
  daily_statements: stored.daily_statements,
});

function Form({ stored }: { readonly stored: Stored }) {
  const { environment } = useHere();
  const may = useMay();
  const [typed, setTyped] = useState(() => typedOf(stored));
  const [logo, setLogo] = useState<NewLogo>(undefined);
  const [logoFault, setLogoFault] = useState('');
  const save = useWrite((client, options, changes: UpdateSettingsRequest) => client.settings.update(changes, options));
  const set = (changed: Partial<Typed>) => setTyped((before) => ({ ...before, ...changed }));
  const changes = changesOf(stored, typed, logo);
  const isChanged = Object.keys(changes).length > 0;
  const mayWrite = may('settings:write');

  const choose = async (file: File | null) => {
    const chosen = file === null ? undefined : logoOf(new Uint8Array(await file.arrayBuffer()));
    setLogoFault(typeof chosen === 'string' ? chosen : '');
    setLogo(typeof chosen === 'string' ? undefined : chosen);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const after = await save.run(changes);
    if (after === undefined) return;
    setTyped(typedOf(after));
    setLogo(undefined);
    notifications.show({ message: 'Saved.' });
  };
  const field = (name: Exclude<keyof Typed, 'daily_statements'>) => ({
    value: typed[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      set({ [name]: event.currentTarget.value }),
    error: faultOf(save.error, name),
    disabled: !mayWrite,
  });
  return (
    <>
      <Card title="Preview" aside={<NewestPage />}>
        <Preview
          name={typed.name.trim() === '' ? environment.merchant.name : typed.name}
          colour={typed.accent_color}
          logo={logo?.address ?? null}
          keepsLogo={logo === undefined && stored.has_logo}
          contact={[typed.contact_email, typed.contact_phone].filter((each) => each !== '').join(' · ')}
        />
      </Card>
      <Card>
        <form className={`stack ${classes['form']}`} onSubmit={(event) => void submit(event)} noValidate>
          <TextInput
            label="Name"
            description={`Empty: ${environment.merchant.name}.`}
            maxLength={MOST.companyName}
            autoComplete="organization"
            {...field('name')}
          />
          <TextInput
            label="Logo"
            description="A PNG or JPEG of at most 64 kB. Pages show it at most 40 pixels high."
            type="file"
            accept={LOGO_TYPES}
            disabled={!mayWrite}
            onChange={(event) => void choose(event.currentTarget.files?.[0] ?? null)}
            error={logoFault === '' ? faultOf(save.error, 'logo') : logoFault}
          />
          {stored.has_logo && mayWrite && (
            <Switch
              label="Show no logo"
              checked={logo === null}
              onChange={(event) => setLogo(event.currentTarget.checked ? null : undefined)}
            />
          )}
          <TextInput
            label="Colour of buttons"
            description="Texts on it, and its edges, are made readable in any case. Empty: blue."
            placeholder={DEFAULT_ACCENT}
            maxLength={7}
            spellCheck={false}
            autoComplete="off"
            rightSection={
              <input
                className={classes['colour']}
                type="color"
                aria-label="Choose the colour"
                value={isColour(typed.accent_color) ? typed.accent_color.toLowerCase() : DEFAULT_ACCENT}
                onChange={(event) => set({ accent_color: event.currentTarget.value })}
                disabled={!mayWrite}
              />
            }
            {...field('accent_color')}
          />
          <TextInput label="E-mail for payers" type="email" autoComplete="off" {...field('contact_email')} />
          <TextInput label="Telephone for payers" type="tel" autoComplete="off" {...field('contact_phone')} />
          <TextInput label="Address of your legal notice" type="url" placeholder="https://" {...field('legal_url')} />
          <TextInput label="Address of your privacy page" type="url" placeholder="https://" {...field('privacy_url')} />
          <Switch
            label="A statement for each day"
            description="And an event once it is there. Days are in UTC."
            checked={typed.daily_statements}
            onChange={(event) => set({ daily_statements: event.currentTarget.checked })}
            disabled={!mayWrite}
          />
          <Trouble error={save.error} />
          {!mayWrite && <p className="muted">Your role may see settings, and not change them.</p>}
          <div className="buttons">
            <Button type="submit" loading={save.isBusy} disabled={!isChanged || !mayWrite || logoFault !== ''}>
              Save
            </Button>
          </div>
        </form>
      </Card>
    </>
  );
}

/** The real page, as it is now: that of the newest link. */
function NewestPage() {
  const may = useMay();
  const links = useRead(
    ['payment_links', 'newest'],
    async (client) => (await client.paymentLinks.list({ limit: 1 }).page()).data[0] ?? null,
    { isOff: !may('payment_links:read') },
  );
  const url = links.data?.url;
  if (url === undefined) return null;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      The page of your newest link
    </a>
  );
}
