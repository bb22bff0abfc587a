/** The fields of somebody who is paid, for who adds one and for who changes one: bank details as country and currency require them, and the holder. */
import { Select, TextInput } from '@mantine/core';
import type { RecipientRequirements } from '../../../../client/src/bursar.ts';
import { wordOf } from '../../ui/bank-details.ts';
import { MOST } from '../../ui/most.ts';
import { COUNTRIES } from './countries.ts';
import { ADDRESS_MEMBERS, type AddressMember, faultIn, type Values, type Way, waysOf } from './payee.ts';

interface NameProps {
  readonly value: string;
  set(change: { readonly name: string }): void;
  readonly error: string | undefined;
}

export function NameField({ value, set, error }: NameProps) {
  return (
    <TextInput
      label="Name"
      description="Of the account holder, as the bank has it."
      value={value}
      maxLength={MOST.payeeName}
      onChange={(event) => set({ name: event.currentTarget.value })}
      error={error}
      autoComplete="off"
      data-autofocus
    />
  );
}

interface BankProps {
  readonly required: RecipientRequirements;
  /** The one that was chosen. */
  readonly way: Way;
  readonly details: Values['details'];
  set(change: Partial<Pick<Values, 'way' | 'details'>>): void;
  /** What the service refused a parameter for. */
  faultAt(param: string): string | undefined;
}

export function BankFields({ required, way, details, set, faultAt }: BankProps) {
  return (
    <>
      {way.errors.map(({ message }) => (
        <p key={message} className="trouble" role="alert">
          {message}
        </p>
      ))}
      {required.alternatives.length > 0 && (
        <Select
          label="Bank details"
          data={waysOf(required).map((each) => ({
            value: each.scheme,
            label: each.fields
              .filter((field) => field.required)
              .map(({ field }) => wordOf(field))
              .join(' and '),
          }))}
          value={way.scheme}
          allowDeselect={false}
          onChange={(next) => set({ way: next ?? '' })}
        />
      )}
      {way.fields.map((field) => (
        <TextInput
          key={field.field}
          label={field.required ? field.label : `${field.label}, if you know it`}
          description={field.description.replaceAll('`', '')}
          placeholder={field.example}
          value={details[field.field] ?? ''}
          onChange={(event) => set({ details: { ...details, [field.field]: event.currentTarget.value } })}
          error={faultIn(field, details[field.field] ?? '') ?? faultAt(field.field)}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
    </>
  );
}

const ADDRESS_WORDS: Readonly<Record<AddressMember, string>> = {
  line1: 'Street',
  postal_code: 'Postal code',
  city: 'Town',
  country: 'Country of the address',
};

interface HolderProps {
  /** `null`: not asked for. */
  readonly latinName: { readonly value: string; readonly isRequired: boolean } | null;
  readonly address: Values['address'] | null;
  set(change: Partial<Pick<Values, 'latinName' | 'address'>>): void;
  faultAt(param: string): string | undefined;
}

export function HolderFields({ latinName, address, set, faultAt }: HolderProps) {
  return (
    <>
      {latinName !== null && (
        <TextInput
          label={latinName.isRequired ? 'Name in Latin letters' : 'Name in Latin letters, where it has others'}
          value={latinName.value}
          maxLength={MOST.latinName}
          onChange={(event) => set({ latinName: event.currentTarget.value })}
          error={faultAt('latin_name')}
          autoComplete="off"
        />
      )}
      {address !== null &&
        ADDRESS_MEMBERS.map((member) =>
          member === 'country' ? (
            <Select
              key={member}
              label={ADDRESS_WORDS[member]}
              searchable
              clearable
              data={[...COUNTRIES]}
              value={address.country === '' ? null : address.country}
              onChange={(next) => set({ address: { ...address, country: next ?? '' } })}
              error={faultAt(`address[${member}]`)}
            />
          ) : (
            <TextInput
              key={member}
              label={ADDRESS_WORDS[member]}
              value={address[member]}
              maxLength={MOST[member]}
              onChange={(event) => set({ address: { ...address, [member]: event.currentTarget.value } })}
              error={faultAt(`address[${member}]`)}
              autoComplete="off"
            />
          ),
        )}
    </>
  );
}
