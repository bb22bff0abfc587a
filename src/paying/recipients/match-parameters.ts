/**
 * Parameters of payees: people and organisations that are known by name and account. They are those of a recipient, without which its type
 * and, with an IBAN, its country are known. No message may hold more of an account than its last four characters. Next: `match-decide.ts`.
 */
import { RequestError } from '../../core/values/errors.ts';
import { unknownName } from '../../platform/http/request/named.ts';
import {
  isFormObject,
  isNone,
  isObject,
  param as custom,
  partOf,
  type Tree,
} from '../../platform/http/request/param.ts';
import type { Params, Parsed } from '../../platform/http/request/params.ts';
import * as param from '../../platform/http/request/params.ts';
import { type BankFault, countryOfIban, ibanToFind, validateBankDetails } from './bank-details.ts';
import type { Payee } from './match-decide.ts';
import { createFields, type Payee as Judged, validateRecipientParams } from './parameters.ts';

export const MAX_MATCHES = 1000;

/** What a recipient says that finds nobody. */
const { metadata: _, category_purpose: _c, purpose: _p, bank_account: _b, type, country, ...known } = createFields;
const guessed = param.optional({
  type: { ...type, description: 'A person, which is the default, or an organisation.' },
  country: { ...country, description: 'Country of the bank account; by default the one that its IBAN begins with.' },
});
const matchForm = param.params({ ...known, ...guessed });

const NAMED = Object.keys({ ...known, ...guessed });

/** A payee to look for, or all its faults by the names of its own parameters. */
export interface SoughtPayee {
  readonly faults: readonly BankFault[];
  /** `null` where it is faulty. */
  readonly payee: Judged | null;
}

/** Throws only faults of the request itself: `body_invalid`, and `parameter_unknown` for a name no recipient has. */
function soughtIn(tree: Tree): SoughtPayee {
  if (!isObject(tree)) return validateRecipientParams.parse(tree);
  for (const name of Object.keys(tree)) if (!NAMED.includes(name)) throw unknownName(name, '', NAMED);
  const notation = isFormObject(tree) ? 'form' : 'json';
  const said = Object.fromEntries(Object.entries(tree).filter(([, value]) => !isNone(value, notation)));
  const { bank_details: nested = null } = said;
  const inside = isObject(nested) && !isNone(nested['iban'], notation) ? nested['iban'] : undefined;
  const { iban = inside } = said;
  const place = typeof iban === 'string' ? countryOfIban(iban) : undefined;
  const completed = { type: 'individual', ...(place !== undefined && { country: place }), ...said };
  const { faults, payee } = validateRecipientParams.parse(partOf(tree, completed));
  if (typeof iban !== 'string' || 'country' in completed) return { faults, payee };
  return { faults: [...faults.filter((fault) => fault.param !== 'country'), ...ibanFaults(iban)], payee: null };
}

function ibanFaults(iban: string): readonly BankFault[] {
  const found = ibanToFind(iban);
  return 'code' in found ? [{ param: 'iban', ...found }] : [];
}

export const matchParams: Params<SoughtPayee> = { ...matchForm, parse: soughtIn };

/** One that cannot be read is a faulty row, and the others are looked for. */
const row = custom({ description: 'One payee.' }, param.ref('MatchRecipientRequest'), (tree): SoughtPayee => {
  try {
    return soughtIn(tree);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, message, details } = error;
    return { faults: [{ param: details.param ?? '', code, message }], payee: null };
  }
});

export const matchBatchParams = param.params({
  payees: param.list(row, { max: MAX_MATCHES, description: `1 to ${MAX_MATCHES} payees.` }),
});

const { name, email, iban, bic } = param.optional(createFields);
/** How an item of a payout batch names its payee. */
export const payeeFields = { name, iban, bic, ...guessed, email };
type PayeeFields = Parsed<typeof payeeFields>;
const NAMES = Object.keys(payeeFields) as readonly (keyof PayeeFields)[];

/** The payee of an item, or all its faults; `null`: it names none. An empty text is a parameter that was sent and could not be read. */
export function payeeIn(
  given: Partial<PayeeFields>,
  currency: string | undefined,
): { readonly payee: Payee } | { readonly faults: readonly BankFault[] } | null {
  if (NAMES.every((each) => given[each] === undefined)) return null;
  const faults = (['name', 'iban'] as const).flatMap((each): BankFault[] => {
    if (given[each] !== undefined) return [];
    return [{ param: each, code: 'parameter_missing', message: `A payee needs ${each}.` }];
  });
  if (!given.iban || currency === undefined) return { faults };
  const place = given.country ?? countryOfIban(given.iban);
  if (place === '') return { faults };
  if (place === undefined) return { faults: [...faults, ...ibanFaults(given.iban)] };
  const details = { iban: given.iban, ...(given.bic && { bic: given.bic }) };
  const check = validateBankDetails(place, currency, details);
  if (!check.ok) return { faults: [...faults, ...check.faults] };
  if (!given.name || faults.length > 0) return { faults };
  const payee: Payee = {
    name: given.name,
    recipientType: given.type ?? 'individual',
    currency,
    country: place,
    email: given.email || null,
    bankDetails: check.details,
  };
  return { payee };
}
