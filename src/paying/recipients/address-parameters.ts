/** The address and the Latin name of a recipient, as banks take them (ISO 20022 `PostalAddress24`, `Max70Text`). */
import { addressParam } from '../../platform/http/request/address.ts';
import { invalid, paramError, type Param, param as custom } from '../../platform/http/request/param.ts';
import { country, unsettable } from '../../platform/http/request/params.ts';
import { isCountry } from './iban-countries.ts';

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

/** The Latin letters, digits and signs that every SEPA bank takes (EPC217-08). */
const LATIN = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

const latinName: Param<string> = custom(
  {
    description:
      "The name in letters that every bank can write (A to Z, digits, / - ? : ( ) . , ' +), for names in other scripts. Null, in a form an empty value, unsets it.",
    example: 'Ada Lovelace',
  },
  { type: 'string', minLength: 1, maxLength: 70 },
  (value, path) => {
    const isWritten = typeof value === 'string' && value.length <= 70 && LATIN.test(value) && /[A-Za-z]/.test(value);
    if (isWritten) return value;
    throw invalid(path, value, "1 to 70 Latin letters, digits and / - ? : ( ) . , ' +, one letter at least");
  },
);

export const addressFields = {
  address: unsettable(addressParam(residence)),
  latin_name: unsettable(latinName),
};
