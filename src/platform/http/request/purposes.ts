/** Parameters that say what payments are for and which bank account pays, alike on payouts, batches, recipients and standing orders. Codes: `core/rails/purposes.ts`. */
import { CATEGORY_PURPOSES, type CategoryPurpose } from '../../../core/rails/purposes.ts';
import type { Param } from './param.ts';
import { id, oneOf, optional, text } from './params.ts';

/** The same words everywhere: parameters that are alike stand in the OpenAPI document once. */
const OWN = 'A payout takes its own, else that of its batch, else that of its recipient.';
const UNSET = 'Null, in a form an empty value, unsets it.';

const categoryPurpose = (more = ''): Param<CategoryPurpose> =>
  oneOf(CATEGORY_PURPOSES, {
    description: `The category by which banks process it (ISO 20022, \`ExternalCategoryPurpose1Code\`). ${OWN}${more}`,
    example: 'SALA',
  });
const purpose = (more = ''): Param<string> =>
  text({
    kind: 'code',
    max: 4,
    pattern: /^[A-Z0-9]{4}$/,
    shape: 'a code of four letters or digits, such as SALA',
    description: `What the payee is told that it is for (ISO 20022, \`ExternalPurpose1Code\`). ${OWN}${more}`,
    example: 'SALA',
  });
const bankAccount = (more = ''): Param<string> =>
  id('ba', {
    description: `Your bank account that pays. ${OWN} By default the oldest open one of its currency.${more}`,
  });

export const purposeCodes = optional({ category_purpose: categoryPurpose(), purpose: purpose() });
export const purposes = { ...purposeCodes, ...optional({ bank_account: bankAccount() }) };

/** Null, and in a form an empty value, unset it: `null`. */
const unsettable = <T>({ schema, parse, ...inner }: Param<T>): Param<T | null> => ({
  ...inner,
  schema: { ...schema, type: ['string', 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) },
  clearable: true,
  nullable: true,
  parse: (value, path, notation) =>
    value === null || (value === '' && notation === 'text') ? null : parse(value, path, notation),
});

/** The same, to be unset too. */
export const clearablePurposeCodes = optional({
  category_purpose: unsettable(categoryPurpose(` ${UNSET}`)),
  purpose: unsettable(purpose(` ${UNSET}`)),
});
export const clearablePurposes = {
  ...clearablePurposeCodes,
  ...optional({ bank_account: unsettable(bankAccount(` ${UNSET}`)) }),
};
