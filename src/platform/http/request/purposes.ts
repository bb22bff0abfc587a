/** Parameters that say what payments are for, alike on payouts, batches and recipients. Codes: `core/rails/purposes.ts`. */
import { CATEGORY_PURPOSES, type CategoryPurpose } from '../../../core/rails/purposes.ts';
import type { Param } from './param.ts';
import { oneOf, optional, text } from './params.ts';

const CATEGORY = 'The category by which banks process it (ISO 20022, `ExternalCategoryPurpose1Code`)';
const PURPOSE = 'What the payee is told that it is for: four letters or digits (ISO 20022, `ExternalPurpose1Code`)';

const categoryPurpose = (whose: string): Param<CategoryPurpose> =>
  oneOf(CATEGORY_PURPOSES, { description: `${CATEGORY}. ${whose}`, example: 'SALA' });
const purpose = (whose: string): Param<string> =>
  text({
    kind: 'code',
    max: 4,
    pattern: /^[A-Z0-9]{4}$/,
    shape: 'a code of four letters or digits, such as SALA',
    description: `${PURPOSE}. ${whose}`,
    example: 'SALA',
  });

/** `whose`: where the parameters apply, as a sentence. */
export const purposesOf = (whose: string) =>
  optional({ category_purpose: categoryPurpose(whose), purpose: purpose(whose) });

/** The same, to be unset too. */
export const clearablePurposesOf = (whose: string) =>
  optional({ category_purpose: unsettable(categoryPurpose(whose)), purpose: unsettable(purpose(whose)) });

/** Null and an empty value unset it: `null`. */
export const unsettable = <T>({ schema, parse, ...inner }: Param<T>): Param<T | null> => ({
  ...inner,
  schema: { ...schema, type: ['string', 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) },
  clearable: true,
  nullable: true,
  parse: (value, path, notation) => (value === '' || value === null ? null : parse(value, path, notation)),
});
