/**
 * Countries and bank details: IBANs of accounts, BICs of banks, example IBANs. Lengths and formats come from
 * `ibantools` (the SWIFT IBAN registry), the rest stands here. Who validates: `bank-details.ts`.
 */
import { composeIBAN, countrySpecs } from 'ibantools';

/** Territories whose accounts have another country's IBAN (registry, "IBAN includes other countries or territories"). */
const IBAN_PARENT: Readonly<Record<string, string>> = {
  ...places('FR', 'BL GF GP MF MQ NC PF PM RE TF WF YT'),
  ...places('GB', 'GG IM JE'),
  ...places('FI', 'AX'),
  ...places('NO', 'SJ'),
};

/** Countries and territories that share banks: a bank's BIC may name any country of its group. */
const BIC_GROUPS: readonly (readonly string[])[] = [
  ['FR', 'MC', 'BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
  ['GB', 'GG', 'IM', 'JE'],
  ['FI', 'AX'],
  ['NO', 'SJ'],
  ['DK', 'FO', 'GL'],
  ['CH', 'LI'],
  ['IT', 'SM', 'VA'],
  ['US', 'AS', 'GU', 'MP', 'PR', 'VI'],
  ['AU', 'CC', 'CX', 'NF'],
  ['NZ', 'CK', 'NU', 'TK'],
];

/** Countries of the IBAN registry that `ibantools` still lists as experimental. */
const REGISTERED_SINCE = new Set(['BI', 'DJ', 'FK', 'HN']);

/** Territories without banks: no payout can go there. */
const WITHOUT_BANKS = new Set(['AQ', 'BV', 'GS', 'HM', 'IO', 'PN', 'UM']);

// Countries with national check digits inside the account part: the registry's own examples, since others would be invalid.
const REGISTRY_EXAMPLES =
  'BA391290079401028494 BE68539007547034 CH9300762011623852957 CZ6508000000192000145399 DE89370400440532013000 ' +
  'EE382200221020145685 ES9121000418450200051332 FI2112345600000785 FR1420041010050500013M02606 GB29NWBK60161331926819 ' +
  'HR1210010051863000160 HU42117730161111101800000000 IT60X0542811101000000123456 MC5811222000010123456789030 ' +
  'ME25505000012345678951 MK07250120000058984 NL91ABNA0417164300 NO9386011117947 PL61109010140000071219812874 ' +
  'PT50000201231234567890154 RS35260005601001611379 SI56263300012039086 SK3112000000198742637541';
const EXAMPLES = new Map(REGISTRY_EXAMPLES.split(' ').map((iban) => [iban.slice(0, 2), iban]));

function places(parent: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, parent]));
}

/** An upper-case ISO 3166-1 code (or XK, Kosovo) of a country with banks. */
export function isCountry(code: string): boolean {
  return Object.hasOwn(countrySpecs, code) && !WITHOUT_BANKS.has(code);
}

/** The first two letters of IBANs of accounts in that country, the usual ones first. Empty: the country has no IBANs. */
export function ibanPrefixes(country: string): readonly string[] {
  const parent = IBAN_PARENT[country];
  const own = countrySpecs[country]?.bban_regexp ? [country] : [];
  return parent ? [parent, ...own] : own;
}

/** Whether the IBAN is that country's official account number, not only an experiment of some of its banks. */
export function isIbanCountry(country: string): boolean {
  return (
    Object.hasOwn(IBAN_PARENT, country) || REGISTERED_SINCE.has(country) || countrySpecs[country]?.IBANRegistry === true
  );
}

/** Country codes that the BIC of a bank in that country may carry, its own first. */
export function bicCountries(country: string): readonly string[] {
  return [country, ...(BIC_GROUPS.find((group) => group.includes(country)) ?? []).filter((code) => code !== country)];
}

/** Number of characters of an IBAN with these first two letters. */
export function ibanLength(prefix: string): number | undefined {
  return countrySpecs[prefix]?.chars;
}

/** Regex source, without anchors, of an IBAN with these first two letters. */
export function ibanPattern(prefix: string): string {
  const bban = (countrySpecs[prefix]?.bban_regexp ?? '').replace(/^\^|\$$/g, '');
  return `${prefix}[0-9]{2}${bban}`;
}

/** A valid example IBAN with these first two letters; not a real person's. */
export function ibanExample(prefix: string): string {
  const known = EXAMPLES.get(prefix);
  if (known) return known;
  const parts = ibanPattern(prefix)
    .slice('XX[0-9]{2}'.length)
    .matchAll(/\[([^\]]+)\]\{(\d+)\}/g);
  const filler = (symbols: string, count: number) => symbols.repeat(count).slice(0, count);
  const bban = [...parts]
    .map(([, set, count]) => filler(set === 'A-Z' ? 'BANK' : '0123456789', Number(count)))
    .join('');
  return composeIBAN({ countryCode: prefix, bban }) ?? '';
}
