/** What payouts, batches and recipients say of themselves alike: what payments are for, and which bank account pays. Codes: `rails/purposes.ts`. */
import * as field from './fields.ts';
import { CATEGORY_PURPOSES } from './rails/purposes.ts';

/** Whether it may change once it is made. */
interface Change {
  readonly mutable?: true;
}

export const categoryPurpose = (change: Change) =>
  field.oneOfOrNull(CATEGORY_PURPOSES, {
    description: 'The category by which banks process it (ISO 20022), such as `SALA` for a salary.',
    ...change,
  });

export const purposeFields = (change: Change) => ({
  categoryPurpose: categoryPurpose(change),
  purpose: field.textOrNull({ description: 'What the payee is told that it is for (ISO 20022).', ...change }),
  bankAccount: field.idOrNull('ba', {
    column: 'bank_account_id',
    description: 'Your bank account that pays. `null`: none is named, and the oldest open one of its currency pays.',
    ...change,
  }),
});
