/** The address and the Latin name of a recipient, as banks take them (ISO 20022 `PostalAddress24`, `Max70Text`). */
import { country } from '../../platform/http/request/params.ts';
import { isCountry } from './iban-countries.ts';
import { invalid, paramError, type Param, param as custom } from '../../platform/http/request/param.ts';
import * as param from '../../platform/http/request/params.ts';
import type { Address } from './fields.ts';

const line = (max: number, description: string, example: string) =>
  param.text({ kind: 'name', max, description, example });

const place = country({ description: 'ISO 3166-1 alpha-2.' });
/** Of a country that there is. */
const residence: Param<string> = {
  ...place,
  codes: [...place.codes, 'country_unsupported'],
  parse(value, path, notation) {
    const code = place.parse(value, path, notation);
    if (isCountry(code)) return code;
    throw paramError('country_unsupported', path, `${path} is ${code}, which is no country with banks.`);
  },
};

const members = {
  ...param.optional({
    line1: line(70, 'Street and number.', 'Invalidenstraße 43'),
    line2: line(70, 'Flat, floor, building.', 'Hinterhaus'),
    postal_code: line(16, 'Postal code.', '10115'),
  }),
  city: line(35, 'Town.', 'Berlin'),
  ...param.optional({ state: line(35, 'State, province or canton.', 'Berlin') }),
  country: residence,
};
const whole = param.object(members, {
  description:
    'The account holder’s address, with town and country at least. It replaces the former address as a whole. Null, in a form an empty value, unsets it.',
});

/** The members in the order in which they are shown. */
const address = custom<Address | null>(
  { description: whole.description },
  { ...whole.schema, type: ['object', 'null'] },
  (value, path, notation) => {
    const given = whole.parse(value, path, notation);
    const { line1 = null, line2 = null, postal_code = null, city, state = null, country } = given;
    return { line1, line2, postal_code, city, state, country };
  },
  whole.codes,
);

/** The Latin letters, digits and signs that every SEPA bank takes (EPC217-08). */
const LATIN = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

const latinName: Param<string | null> = custom(
  {
    description:
      "The name in letters that every bank can write (A to Z, digits, / - ? : ( ) . , ' +), for names in other scripts. Null, in a form an empty value, unsets it.",
    example: 'Ada Lovelace',
  },
  { type: ['string', 'null'], minLength: 1, maxLength: 70 },
  (value, path) => {
    const isWritten = typeof value === 'string' && value.length <= 70 && LATIN.test(value) && /[A-Za-z]/.test(value);
    if (isWritten) return value;
    throw invalid(path, value, "1 to 70 Latin letters, digits and / - ? : ( ) . , ' +, one letter at least");
  },
);

/** Null, in a form an empty value, unsets the field: `null`. Left out: `undefined`. */
const unsettable = <T>(inner: Param<T | null>): Param<T | null | undefined> => ({
  ...inner,
  optional: true,
  parse: (value, path, notation) =>
    value === null || (value === '' && notation === 'text') ? null : inner.parse(value, path, notation),
});

export const addressFields = { address: unsettable(address), latin_name: unsettable(latinName) };
