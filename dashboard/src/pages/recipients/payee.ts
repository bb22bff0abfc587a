/** What the form of a recipient holds, and what is sent of it. Pure. */
import type { RecipientRequirement, RecipientRequirements } from '../../../../client/src/bursar.ts';

export interface Values {
  readonly name: string;
  readonly type: 'individual' | 'company';
  readonly country: string;
  readonly currency: string;
  readonly email: string;
  /** The way to name an account: one of those that country and currency have; `''`: the first. */
  readonly way: string;
  /** By the parameter. */
  readonly details: Readonly<Record<string, string>>;
  readonly latinName: string;
  readonly address: Readonly<Record<AddressMember, string>>;
}

export const ADDRESS_MEMBERS = ['line1', 'postal_code', 'city', 'country'] as const;
export type AddressMember = (typeof ADDRESS_MEMBERS)[number];
export const NO_ADDRESS: Values['address'] = { line1: '', postal_code: '', city: '', country: '' };

export interface Way {
  readonly scheme: string;
  readonly fields: readonly RecipientRequirement[];
  readonly errors: readonly { readonly message: string }[];
}

export const waysOf = (required: RecipientRequirements): readonly Way[] => [required, ...required.alternatives];

/** The way that was chosen, or the first. */
export const wayOf = (required: RecipientRequirements, chosen: string): Way =>
  waysOf(required).find(({ scheme }) => scheme === chosen) ?? required;

/** As its form is looked at: blanks and hyphens do not count. */
const bare = (value: string): string => value.replaceAll(/[\s-]/g, '');

/** Why it is none of the kind; `undefined`: it is one, or nothing was typed yet. */
export function faultIn({ regex, label, example }: RecipientRequirement, value: string): string | undefined {
  const text = bare(value);
  if (text === '' || new RegExp(regex, 'i').test(text)) return undefined;
  return `That is no ${label}. One is ${example}.`;
}

/** Whether all is there that this way needs. Check digits are the service's to say. */
export function isComplete(
  { name, details, latinName, address }: Pick<Values, 'name' | 'details' | 'latinName' | 'address'>,
  way: Way,
  required: RecipientRequirements,
): boolean {
  const needs = (field: string) => required.holder.some((each) => each.field === field && each.required);
  return (
    name.trim() !== '' &&
    way.fields.every((field) => {
      const value = details[field.field] ?? '';
      return faultIn(field, value) === undefined && (!field.required || bare(value) !== '');
    }) &&
    (!needs('latin_name') || latinName.trim() !== '') &&
    (!needs('address') || (address.city.trim() !== '' && address.country !== ''))
  );
}

/** What of it was typed, without blanks around it. */
const given = (entries: readonly (readonly [string, string])[]) =>
  Object.fromEntries(entries.map(([key, value]) => [key, value.trim()]).filter(([, value]) => value !== ''));

export const detailsOf = (details: Values['details'], way: Way) =>
  given(way.fields.map(({ field }) => [field, details[field] ?? '']));

export const addressIn = (address: Values['address']) =>
  given(ADDRESS_MEMBERS.map((member) => [member, address[member]]));

/** As the API takes it: of the chosen way alone. */
export function sentOf(values: Values, way: Way) {
  const { name, type, country, currency, email, details, latinName, address } = values;
  const home = addressIn(address);
  return {
    name: name.trim(),
    type,
    country,
    currency,
    ...given([
      ['email', email],
      ['latin_name', latinName],
    ]),
    ...(home['city'] !== undefined && { address: home }),
    bank_details: detailsOf(details, way),
  };
}
