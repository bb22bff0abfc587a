/** Parameters that say what payments are for and which bank account pays, alike on payouts, batches, recipients and standing orders. Codes: `core/rails/purposes.ts`. */
import { CATEGORY_PURPOSES, type CategoryPurpose } from '../../../core/rails/purposes.ts';
import type { Param } from './param.ts';
import { id, oneOf, optional, text, unsettable } from './params.ts';

/** The same words everywhere: parameters that are alike stand in the OpenAPI document once. */
const OWN = 'A payout takes its own, else its batch’s, else its recipient’s.';
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

/** The same of what can be changed: they can be unset. */
export const newPurposeCodes = {
  category_purpose: unsettable(categoryPurpose(` ${UNSET}`)),
  purpose: unsettable(purpose(` ${UNSET}`)),
};
export const newPurposes = { ...newPurposeCodes, bank_account: unsettable(bankAccount(` ${UNSET}`)) };
