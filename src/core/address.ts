/** Postal addresses as banks and payers read them (ISO 20022, `PostalAddress24`). Parameters: `platform/http/request/address.ts`. */
import * as field from './fields.ts';
import { strictObject } from './values/json-schema.ts';

const ADDRESS_MEMBERS = ['line1', 'line2', 'postal_code', 'city', 'state', 'country'] as const;
type AddressMember = (typeof ADDRESS_MEMBERS)[number];
/** As banks take it; town and country at least. */
export type Address = {
  readonly [M in AddressMember]: M extends 'city' | 'country' ? string : string | null;
};
/** A field that is an address or null. `member`: its name on the wire and, in camel case, that of the property. */
export const addressField = (member: string, description = 'Of the account holder.'): field.Field<Address | null> => ({
  column: field.jsonOrNull<Address>({}, { mutable: true }).column,
  shown: () => ({
    schemas: {
      [member]: {
        ...strictObject(
          description,
          Object.fromEntries(ADDRESS_MEMBERS.map((name) => [name, { type: ['string', 'null'] }])),
        ),
        type: ['object', 'null'],
      },
    },
    // jsonb does not keep the order of members.
    json: (value) => `"${member}":${value === null ? 'null' : JSON.stringify(value, [...ADDRESS_MEMBERS])}`,
  }),
});
