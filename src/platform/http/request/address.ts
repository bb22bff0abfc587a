/** A postal address as a parameter, as banks and payers read it (ISO 20022 `PostalAddress24`). */
import type { Address } from '../../../core/address.ts';
import { type Param, param as custom } from './param.ts';
import * as param from './params.ts';

const line = (max: number, description: string, example: string) =>
  param.text({ kind: 'name', max, description, example });

/** Town and country at least. `place` reads the country. */
export function addressParam(place: Param<string> = COUNTRY): Param<Address> {
  const whole = param.object(
    { ...ABOVE, ...param.optional({ state: STATE }), country: place },
    {
      description:
        'With town and country at least. It replaces the former address as a whole. Null, in a form an empty value, unsets it.',
    },
  );
  return custom<Address>(
    { description: whole.description },
    whole.schema,
    (value, path, notation) => {
      const given = whole.parse(value, path, notation);
      // In the order in which the members are shown.
      const { line1 = null, line2 = null, postal_code = null, city, state = null, country } = given;
      return { line1, line2, postal_code, city, state, country };
    },
    whole.codes,
  );
}

const COUNTRY: Param<string> = param.country({ description: 'ISO 3166-1 alpha-2.' });
const STATE = line(35, 'State, province or canton.', 'Berlin');
const ABOVE = {
  ...param.optional({
    line1: line(70, 'Street and number.', 'Invalidenstraße 43'),
    line2: line(70, 'Flat, floor, building.', 'Hinterhaus'),
    postal_code: line(16, 'Postal code.', '10115'),
  }),
  city: line(35, 'Town.', 'Berlin'),
};
