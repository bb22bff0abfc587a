/** The schemas of payment links and payments. What requests may say: `parameters.ts`. */
import type { JsonSchema } from '../../core/values/json-schema.ts';
import { type Expandable, expandedSchema } from '../../platform/http/expand.ts';
import { dryRunOf, schemaOf } from '../../platform/http/object-schema.ts';
import { EXPECTED_PAYMENT, PAYMENT, PAYMENT_LINK } from './fields.ts';

/** Members whose objects a read of a payment can ask for. */
export const PAYMENT_EXPANDABLE: Expandable = {
  payment_link: 'PaymentLink',
  account: 'Account',
  transfer: 'Transfer',
};

const link = schemaOf(PAYMENT_LINK, 'A page that asks for money.');

export const PAYMENT_LINK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ExpectedPayment: schemaOf(
    EXPECTED_PAYMENT,
    'A transfer that somebody is expected to make, for example for an invoice.',
  ),
  PaymentLink: link,
  PaymentLinkDryRun: dryRunOf(link, ['id', 'url', 'account']),
  Payment: schemaOf(
    PAYMENT,
    'Money expected or received through a payment link.',
    {},
    expandedSchema(PAYMENT_EXPANDABLE),
  ),
};
