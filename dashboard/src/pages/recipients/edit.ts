/** What the form of a change to a recipient holds, and what is sent of it: members that are to be others, and no more. Pure. */
import type { Recipient, RecipientRequirements } from '../../../../client/src/bursar.ts';
import { addressIn, ADDRESS_MEMBERS, detailsOf, isComplete, type Values, type Way } from './payee.ts';

export interface Editing extends Pick<Values, 'name' | 'email' | 'latinName' | 'address' | 'way' | 'details'> {
  /** Bank details are hidden, so they are typed anew as a whole, or stay. */
  readonly replacesDetails: boolean;
}

type Before = Pick<Recipient, 'name' | 'email' | 'latin_name' | 'address'>;

export const editingOf = ({ name, email, latin_name, address }: Before): Editing => ({
  name,
  email: email ?? '',
  latinName: latin_name ?? '',
  address: {
    line1: address?.line1 ?? '',
    postal_code: address?.postal_code ?? '',
    city: address?.city ?? '',
    country: address?.country ?? '',
  },
  way: '',
  details: {},
  replacesDetails: false,
});

export interface Edit {
  readonly name?: string;
  readonly email?: string | null;
  readonly latin_name?: string | null;
  readonly address?: object | null;
  readonly bank_details?: Readonly<Record<string, string>>;
}

/** `required`: of its country and currency, with the way that was chosen. `null`: nothing is to be another, or something is missing. */
export function editOf(
  values: Editing,
  before: Before,
  required: { readonly all: RecipientRequirements; readonly way: Way } | null,
): Edit | null {
  const { name, replacesDetails, details } = values;
  const address = addressEdit(values.address, before.address);
  if (name.trim() === '' || address === undefined) return null;
  if (replacesDetails && (required === null || !isComplete(values, required.way, required.all))) return null;
  const edit: Edit = {
    ...(name !== before.name && name.trim() !== before.name && { name: name.trim() }),
    ...textEdit('email', values.email, before.email),
    ...textEdit('latin_name', values.latinName, before.latin_name),
    ...address,
    ...(replacesDetails && required !== null && { bank_details: detailsOf(details, required.way) }),
  };
  return Object.keys(edit).length === 0 ? null : edit;
}

/** An empty text unsets it. */
function textEdit(member: 'email' | 'latin_name', text: string, before: string | null): Edit {
  const next = text.trim() === '' ? null : text.trim();
  return next === before || text === before ? {} : { [member]: next };
}

/** An address is replaced as a whole, so what the form does not ask for is sent as it was. `undefined`: town or country is missing. */
function addressEdit(typed: Values['address'], before: Recipient['address']): Edit | undefined {
  const isSame = ADDRESS_MEMBERS.every((member) => typed[member] === (before?.[member] ?? ''));
  if (isSame) return {};
  const next = addressIn(typed);
  if (Object.keys(next).length === 0) return { address: null };
  if (next['city'] === undefined || next['country'] === undefined) return undefined;
  const { line2, state } = before ?? {};
  return { address: { ...next, ...(line2 && { line2 }), ...(state && { state }) } };
}
