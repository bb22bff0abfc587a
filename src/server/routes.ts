/** Every operation of every slice, and the schemas of their answers. A new slice is a line in each. Made into a server by `app.ts`. */
import { balanceRoutes } from '../ledger/accounts/balance-routes.ts';
import { BALANCE_SCHEMAS } from '../ledger/accounts/balance-schema.ts';
import { accountRoutes } from '../ledger/accounts/routes.ts';
import { ACCOUNT_SCHEMAS } from '../ledger/accounts/schema.ts';
import { type PaymentFileParts, paymentFileRoutes, completingBy } from '../bank/payment-files/routes.ts';
import { PAYMENT_FILE_SCHEMAS } from '../bank/payment-files/schema.ts';
import { matchingRoutes } from '../bank/matching/routes.ts';
import type { UnmatchedParts } from '../bank/matching/entry-routes.ts';
import type { VoidParts } from '../bank/matching/void-routes.ts';
import { type BankStatementParts, bankStatementRoutes } from '../bank/statements/routes.ts';
import { BANK_STATEMENT_SCHEMAS } from '../bank/statements/schema.ts';
import { bankAccountRoutes, BANK_SCHEMAS } from '../bank/accounts/routes.ts';
import { eventRoutes } from '../events/log/routes.ts';
import { environmentRoutes, ENVIRONMENT_SCHEMAS } from '../tenancy/environments/routes.ts';
import { eventSchemas, eventWebhooks } from '../events/log/openapi.ts';
import type { RenderEvent } from '../events/log/schema.ts';
import { EventStreams } from '../events/log/stream.ts';
import { eventStreamRoutes } from '../events/log/stream-routes.ts';
import type { RateSource } from '../ledger/exchanges/rate-source.ts';
import { positionRoutes } from '../ledger/exchanges/position-routes.ts';
import { FX_SCHEMAS } from '../ledger/exchanges/position-schema.ts';
import { exchangeRoutes } from '../ledger/exchanges/routes.ts';
import { EXCHANGE_SCHEMAS } from '../ledger/exchanges/schema.ts';
import { feeRoutes } from '../ledger/fees/routes.ts';
import { FEE_SCHEMAS } from '../ledger/fees/schema.ts';
import { ACTOR_BRIEF } from '../platform/http/expand.ts';
import { openedAll } from '../platform/http/openapi/open.ts';
import type { JsonSchema } from '../platform/http/request/params.ts';
import type { Route } from '../platform/http/route.ts';
import type { Service } from '../platform/http/service.ts';
import { auditRoutes, AUDIT_SCHEMAS } from '../tenancy/audit-log/routes.ts';
import { type KeyParts, keyRoutes } from '../tenancy/keys/routes.ts';
import { KEY_SCHEMAS } from '../tenancy/keys/schema.ts';
import { meRoutes } from '../tenancy/people/me-routes.ts';
import { ME_SCHEMAS } from '../tenancy/people/me-schema.ts';
import type { UserParts } from '../tenancy/people/parts.ts';
import { userRoutes } from '../tenancy/people/routes.ts';
import { USER_SCHEMAS } from '../tenancy/people/schema.ts';
import { expectedPaymentRoutes } from '../collecting/payments/expected-routes.ts';
import { paymentRoutes } from '../collecting/payments/routes.ts';
import { type PaymentLinkParts, paymentLinkRoutes } from '../collecting/payments/link-routes.ts';
import { PAYMENT_LINK_SCHEMAS } from '../collecting/payments/schema.ts';
import { payoutBatchRoutes } from '../paying/payouts/batch-routes.ts';
import { orderPricer } from '../paying/payouts/priced-orders.ts';
import { type SettlementDelay, payoutRoutes } from '../paying/payouts/routes.ts';
import type { BankDetailsOf } from '../paying/payouts/settlement.ts';
import { approvalRoutes, type ProofOf } from '../paying/payouts/approval-routes.ts';
import { APPROVAL_SCHEMAS } from '../paying/payouts/approval-schema.ts';
import { looseningRoutes } from '../paying/payouts/loosening-routes.ts';
import { payoutRulesRoutes } from '../paying/payouts/rules-routes.ts';
import { reconciliationRoutes } from '../bank/reconciliation/routes.ts';
import { RECONCILIATION_SCHEMAS } from '../bank/reconciliation/schema.ts';
import { RULES_SCHEMAS } from '../paying/payouts/rules-schema.ts';
import { PAYOUT_BATCH_SCHEMAS } from '../paying/payouts/batch-schema.ts';
import { PAYOUT_SCHEMAS } from '../paying/payouts/schema.ts';
import { type RecipientParts, recipientRoutes } from '../paying/recipients/routes.ts';
import { RECIPIENT_BATCH_SCHEMAS } from '../paying/recipients/batch-schema.ts';
import { MATCH_SCHEMAS } from '../paying/recipients/match-schema.ts';
import { RECIPIENT_SCHEMAS } from '../paying/recipients/schema.ts';
import { type Sandbox, sandboxRoutes } from '../tenancy/sandbox/routes.ts';
import { SANDBOX_SCHEMAS } from '../tenancy/sandbox/schema.ts';
import { settingsRoutes } from '../tenancy/settings/routes.ts';
import { SETTINGS_SCHEMAS } from '../tenancy/settings/schema.ts';
import { standingOrderRoutes } from '../paying/standing-orders/routes.ts';
import { standingOrderRunRoutes } from '../paying/standing-orders/run-routes.ts';
import { STANDING_ORDER_SCHEMAS } from '../paying/standing-orders/schema.ts';
import { transferRoutes } from '../ledger/transfers/routes.ts';
import { TRANSFER_SCHEMAS } from '../ledger/transfers/schema.ts';
import { dailyStatementRoutes } from '../ledger/statements/daily-routes.ts';
import { type StatementParts, statementRoutes } from '../ledger/statements/document-routes.ts';
import { STATEMENT_SCHEMAS } from '../ledger/statements/schema.ts';
import { deliveryRoutes } from '../events/webhooks/delivery-routes.ts';
import { type WebhookParts, webhookRoutes } from '../events/webhooks/routes.ts';
import { type ActorNames, historyRoutes } from '../reports/history/routes.ts';
import { HISTORY_SCHEMAS } from '../reports/history/schema.ts';
import type { SearchParts } from '../reports/search/looking.ts';
import { searchRoutes } from '../reports/search/routes.ts';
import { SEARCH_SCHEMAS } from '../reports/search/schema.ts';
import type { RequestLogs } from '../reports/request-logs/log.ts';
import { requestLogRoutes, REQUEST_LOG_SCHEMAS } from '../reports/request-logs/routes.ts';
import { verificationRoutes } from '../tenancy/verification/routes.ts';
import { summaryRoutes } from '../reports/summary/routes.ts';
import { SUMMARY_SCHEMAS } from '../reports/summary/schema.ts';
import { VERIFICATION_SCHEMAS } from '../tenancy/verification/schema.ts';
import { WEBHOOK_SCHEMAS } from '../events/webhooks/schema.ts';

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
  ...MATCH_SCHEMAS,
  ...RECIPIENT_BATCH_SCHEMAS,
  ...EXCHANGE_SCHEMAS,
  ...FX_SCHEMAS,
  ...PAYOUT_SCHEMAS,
  ...PAYOUT_BATCH_SCHEMAS,
  ...HISTORY_SCHEMAS,
  ...RULES_SCHEMAS,
  ...APPROVAL_SCHEMAS,
  ...STANDING_ORDER_SCHEMAS,
  ...FEE_SCHEMAS,
  ...BANK_SCHEMAS,
  ...PAYMENT_FILE_SCHEMAS,
  ...BANK_STATEMENT_SCHEMAS,
  ...RECONCILIATION_SCHEMAS,
  ...PAYMENT_LINK_SCHEMAS,
  ...SETTINGS_SCHEMAS,
  ...WEBHOOK_SCHEMAS,
  ...SANDBOX_SCHEMAS,
  ...ENVIRONMENT_SCHEMAS,
  ...KEY_SCHEMAS,
  ...USER_SCHEMAS,
  ...ME_SCHEMAS,
  Actor: ACTOR_BRIEF,
  ...AUDIT_SCHEMAS,
  ...VERIFICATION_SCHEMAS,
  ...SUMMARY_SCHEMAS,
  ...SEARCH_SCHEMAS,
  ...REQUEST_LOG_SCHEMAS,
};

/** `components/schemas` of the OpenAPI document; those of lists follow from the routes, those of events from their types. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...openedAll(OBJECT_SCHEMAS), ...eventSchemas() };
/** Its `webhooks`. */
export const WEBHOOKS = eventWebhooks();

/** Every operation there is. */
export function allRoutes(parts: {
  service: Service;
  settlementDelay: SettlementDelay;
  proofOf: ProofOf;
  sandbox: Sandbox;
  rates: RateSource;
  streams: EventStreams;
  links: PaymentLinkParts;
  webhooks: WebhookParts;
  keys: KeyParts;
  users: UserParts;
  renderEvent: RenderEvent;
  recipients: RecipientParts;
  bankStatements: BankStatementParts & UnmatchedParts & VoidParts & StatementParts;
  paymentFiles: PaymentFileParts;
  actorNames: ActorNames;
  search: SearchParts;
  /** `null`: requests are not kept. */
  requestLog: RequestLogs | null;
}): Route[] {
  const { service, settlementDelay, sandbox, rates, streams, links, webhooks, keys, renderEvent, recipients } = parts;
  const pricer = orderPricer(service, rates);
  const withShortfalls = completingBy(() => parts.paymentFiles);
  const detailsOf: BankDetailsOf = (stored, id) => recipients.seals.detailsOf(stored, id);
  const all: Route[] = [
    ...accountRoutes(service),
    ...balanceRoutes(service),
    ...transferRoutes(service),
    ...statementRoutes(service, parts.bankStatements),
    ...dailyStatementRoutes(service, parts.bankStatements),
    ...recipientRoutes(service, recipients),
    ...exchangeRoutes(service, rates),
    ...positionRoutes(service, rates),
    ...payoutBatchRoutes(service, settlementDelay, pricer, withShortfalls),
    ...payoutRoutes(service, settlementDelay, pricer, detailsOf, withShortfalls),
    ...historyRoutes(service, renderEvent, parts.actorNames),
    ...payoutRulesRoutes(service),
    ...looseningRoutes(service),
    ...approvalRoutes(service, settlementDelay, parts.proofOf),
    ...standingOrderRoutes(service),
    ...standingOrderRunRoutes(service),
    ...feeRoutes(service),
    ...bankAccountRoutes(service),
    ...paymentFileRoutes(service, parts.paymentFiles),
    ...bankStatementRoutes(service, parts.bankStatements),
    ...matchingRoutes(service, parts.bankStatements),
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
    ...userRoutes(service, parts.users),
    ...meRoutes(service),
    ...auditRoutes(service),
    ...verificationRoutes(service),
    ...summaryRoutes(service, rates),
    ...sandboxRoutes(service, sandbox),
    ...environmentRoutes(service),
    ...requestLogRoutes(service, parts.requestLog, () => all),
  ];
  return [...all, ...searchRoutes(service, all, parts.search)];
}
