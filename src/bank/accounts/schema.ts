/** Bank accounts in answers. Parameters of requests: `parameters.ts`. */
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { schemaOf } from '../../platform/http/object-schema.ts';
import { BANK_ACCOUNT } from './fields.ts';

export const BANK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  BankAccount: schemaOf(BANK_ACCOUNT, 'An account of yours at a bank. The bank’s bookings move it.'),
};
