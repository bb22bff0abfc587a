/** Every operation of every slice, and the schemas of their answers. A new slice is a line in each. Made into a server by `app.ts`. */
import { balanceRoutes } from '../accounts/balance-routes.ts';
import { BALANCE_SCHEMAS } from '../accounts/balance-schema.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { ACCOUNT_SCHEMAS } from '../accounts/schema.ts';
import { type BankFileParts, bankFileRoutes } from '../bank-files/routes.ts';
import { BANK_FILE_SCHEMAS } from '../bank-files/schema.ts';
import { type BankStatementParts, bankStatementRoutes } from '../bank-statements/routes.ts';
import { BANK_STATEMENT_SCHEMAS } from '../bank-statements/schema.ts';
import { bankAccountRoutes } from '../bank/routes.ts';
import { BANK_SCHEMAS } from '../bank/schema.ts';
import { eventRoutes } from '../events/routes.ts';
import { environmentRoutes } from '../environments/routes.ts';
import { ENVIRONMENT_SCHEMAS } from '../environments/schema.ts';
import { eventSchemas, eventWebhooks } from '../events/openapi.ts';
import type { RenderEvent } from '../events/schema.ts';
import { EventStreams } from '../events/stream.ts';
import { eventStreamRoutes } from '../events/stream-routes.ts';
import { type RateSource } from '../exchanges/rate-source.ts';
import { positionRoutes } from '../exchanges/position-routes.ts';
import { FX_SCHEMAS } from '../exchanges/position-schema.ts';
import { exchangeRoutes } from '../exchanges/routes.ts';
import { EXCHANGE_SCHEMAS } from '../exchanges/schema.ts';
import { feeRoutes } from '../fees/routes.ts';
import { FEE_SCHEMAS } from '../fees/schema.ts';
import type { JsonSchema } from '../http/request/params.ts';
import type { Route } from '../http/route.ts';
import type { Service } from '../http/service.ts';
import { auditRoutes, AUDIT_SCHEMAS } from '../audit/routes.ts';
import { type KeyParts, keyRoutes } from '../keys/routes.ts';
import { KEY_SCHEMAS } from '../keys/schema.ts';
import { expectedPaymentRoutes } from '../payments/expected-routes.ts';
import { paymentRoutes } from '../payments/routes.ts';
import { type PaymentLinkParts, paymentLinkRoutes } from '../payments/link-routes.ts';
import { PAYMENT_LINK_SCHEMAS } from '../payments/schema.ts';
import { payoutBatchRoutes } from '../payouts/batch-routes.ts';
import { orderPricer } from '../payouts/priced-orders.ts';
import { type SettlementDelay, payoutRoutes } from '../payouts/routes.ts';
import { payoutRulesRoutes } from '../payouts/rules-routes.ts';
import { reconciliationRoutes } from '../reconciliation/routes.ts';
import { RECONCILIATION_SCHEMAS } from '../reconciliation/schema.ts';
import { RULES_SCHEMAS } from '../payouts/rules-schema.ts';
import { PAYOUT_BATCH_SCHEMAS } from '../payouts/batch-schema.ts';
import { PAYOUT_SCHEMAS } from '../payouts/schema.ts';
import { type RecipientParts, recipientRoutes } from '../recipients/routes.ts';
import { RECIPIENT_SCHEMAS } from '../recipients/schema.ts';
import { type Sandbox, sandboxRoutes } from '../sandbox/routes.ts';
import { SANDBOX_SCHEMAS } from '../sandbox/schema.ts';
import { settingsRoutes } from '../settings/routes.ts';
import { SETTINGS_SCHEMAS } from '../settings/schema.ts';
import { standingOrderRoutes } from '../standing-orders/routes.ts';
import { STANDING_ORDER_SCHEMAS } from '../standing-orders/schema.ts';
import { transferRoutes } from '../transfers/routes.ts';
import { TRANSFER_SCHEMAS } from '../transfers/schema.ts';
import { dailyStatementRoutes } from '../statements/daily-routes.ts';
import { statementRoutes } from '../statements/document-routes.ts';
import { STATEMENT_SCHEMAS } from '../statements/schema.ts';
import { deliveryRoutes } from '../webhooks/delivery-routes.ts';
import { type WebhookParts, webhookRoutes } from '../webhooks/routes.ts';
import { verificationRoutes } from '../verification/routes.ts';
import { VERIFICATION_SCHEMAS } from '../verification/schema.ts';
import { WEBHOOK_SCHEMAS } from '../webhooks/schema.ts';

const OBJECT_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Metadata: {
    type: 'object',
    description: 'Your own keys and values: up to 50 keys of 40 characters, values of 500.',
    additionalProperties: { type: 'string' },
  },
  ...ACCOUNT_SCHEMAS,
  ...BALANCE_SCHEMAS,
  ...TRANSFER_SCHEMAS,
  ...STATEMENT_SCHEMAS,
  ...RECIPIENT_SCHEMAS,
  ...EXCHANGE_SCHEMAS,
  ...FX_SCHEMAS,
  ...PAYOUT_SCHEMAS,
  ...PAYOUT_BATCH_SCHEMAS,
  ...RULES_SCHEMAS,
  ...STANDING_ORDER_SCHEMAS,
  ...FEE_SCHEMAS,
  ...BANK_SCHEMAS,
  ...BANK_FILE_SCHEMAS,
  ...BANK_STATEMENT_SCHEMAS,
  ...RECONCILIATION_SCHEMAS,
  ...PAYMENT_LINK_SCHEMAS,
  ...SETTINGS_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  ...SANDBOX_SCHEMAS,
  ...ENVIRONMENT_SCHEMAS,
  ...KEY_SCHEMAS,
  ...AUDIT_SCHEMAS,
  ...VERIFICATION_SCHEMAS,
};

/** `components/schemas` of the OpenAPI document; those of lists follow from the routes, those of events from their types. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...OBJECT_SCHEMAS, ...eventSchemas(OBJECT_SCHEMAS) };
/** Its `webhooks`. */
export const WEBHOOKS = eventWebhooks();

/** Every operation there is. */
export function allRoutes(parts: {
  service: Service;
  settlementDelay: SettlementDelay;
  sandbox: Sandbox;
  rates: RateSource;
  streams: EventStreams;
  links: PaymentLinkParts;
  webhooks: WebhookParts;
  keys: KeyParts;
  renderEvent: RenderEvent;
  recipients: RecipientParts;
  bankStatements: BankStatementParts;
  bankFiles: BankFileParts;
}): Route[] {
  const { service, settlementDelay, sandbox, rates, streams, links, webhooks, keys, renderEvent, recipients } = parts;
  const pricer = orderPricer(service, rates);
  return [
    ...accountRoutes(service),
    ...balanceRoutes(service),
    ...transferRoutes(service),
    ...statementRoutes(service),
    ...dailyStatementRoutes(service),
    ...recipientRoutes(service, recipients),
    ...exchangeRoutes(service, rates),
    ...positionRoutes(service, rates),
    ...payoutBatchRoutes(service, settlementDelay, pricer),
    ...payoutRoutes(service, settlementDelay, pricer, (stored, id) => recipients.seals.detailsOf(stored, id)),
    ...payoutRulesRoutes(service, settlementDelay),
    ...standingOrderRoutes(service),
    ...feeRoutes(service),
    ...bankAccountRoutes(service),
    ...bankFileRoutes(service, parts.bankFiles),
    ...bankStatementRoutes(service, parts.bankStatements),
    ...reconciliationRoutes(service),
    ...paymentLinkRoutes(service, links),
    ...paymentRoutes(service, settlementDelay, links),
    ...expectedPaymentRoutes(service),
    ...settingsRoutes(service),
    ...eventRoutes(service, renderEvent),
    ...eventStreamRoutes(service, streams),
    ...webhookRoutes(service, webhooks),
    ...deliveryRoutes(service, webhooks),
    ...keyRoutes(service, keys),
    ...auditRoutes(service),
    ...verificationRoutes(service),
    ...sandboxRoutes(service, sandbox),
    ...environmentRoutes(service),
  ];
}
