/** Replies and event objects as the exact JSON that leaves the service. Rendered once: an object's text is kept with it. */
import { ACCOUNT } from '../core/account.ts';
import { never } from '../core/values/assert.ts';
import type { Reply } from '../core/decision.ts';
import { errorBody } from '../core/values/error-body.ts';
import type { EventObject, Stored } from '../core/objects.ts';
import type { State } from '../core/state.ts';
import { TRANSFER } from '../core/transfer.ts';
import { BANK_ACCOUNT } from '../bank/accounts/fields.ts';
import { BANK_FILE } from '../bank/payment-files/fields.ts';
import { renderExport } from '../bank/payment-files/schema.ts';
import { renderSignature } from '../bank/reconciliation/schema.ts';
import { BANK_DOCUMENT, BANK_ENTRY, BANK_RULE, BANK_STATEMENT } from '../bank/statements/fields.ts';
import { RESTORE } from '../tenancy/environments/fields.ts';
import { EXCHANGE } from '../ledger/exchanges/fields.ts';
import { renderFxSettings } from '../ledger/exchanges/position-schema.ts';
import { renderQuote } from '../ledger/exchanges/schema.ts';
import { renderFee } from '../ledger/fees/schema.ts';
import { renderKey, renderNewKey } from '../tenancy/keys/schema.ts';
import { EXPECTED_PAYMENT, PAYMENT, PAYMENT_LINK } from '../collecting/payments/fields.ts';
import { PAYOUT, PAYOUT_BATCH } from '../paying/payouts/fields.ts';
import { renderLimit, renderRules } from '../paying/payouts/rules-schema.ts';
import { renderCancellation } from '../paying/payouts/batch-schema.ts';
import { renderBatchResults } from '../paying/payouts/schema.ts';
import { RECIPIENT } from '../paying/recipients/fields.ts';
import { renderClock } from '../tenancy/sandbox/schema.ts';
import { renderSettings } from '../tenancy/settings/schema.ts';
import { DAILY_STATEMENT } from '../ledger/statements/fields.ts';
import { STANDING_ORDER } from '../paying/standing-orders/fields.ts';
import { DELIVERY, WEBHOOK_ENDPOINT, WEBHOOK_ENDPOINT_WITH_SECRET, WEBHOOK_REPLAY } from '../events/webhooks/fields.ts';
import type { Submission } from './submission.ts';

/** The text of an event's object; the reply about the same object reuses it. */
export function renderEventObject(object: EventObject, { rendered, environment }: State): string {
  const known = rendered.get(object);
  if (known !== undefined) return known;
  const render = RENDERERS[object.object] as (object: EventObject, livemode: boolean) => string;
  const text = render(object, environment.livemode);
  rendered.set(object, text);
  return text;
}

type Announced = EventObject['object'];

/** A new kind is one line; the compiler names the missing one. */
const RENDERERS: { readonly [K in Announced]: (object: Stored[K], livemode: boolean) => string } = {
  account: ACCOUNT.render,
  recipient: RECIPIENT.render,
  exchange: EXCHANGE.render,
  bank_account: BANK_ACCOUNT.render,
  bank_file: BANK_FILE.render,
  bank_statement: BANK_STATEMENT.render,
  bank_entry: BANK_ENTRY.render,
  payout: PAYOUT.render,
  payout_batch: PAYOUT_BATCH.render,
  webhook_endpoint: WEBHOOK_ENDPOINT.render,
  settings: renderSettings,
  payment_link: PAYMENT_LINK.render,
  payment: PAYMENT.render,
  expected_payment: EXPECTED_PAYMENT.render,
  restore: RESTORE.render,
  standing_order: STANDING_ORDER.render,
  daily_statement: DAILY_STATEMENT.render,
};

const isAnnounced = (reply: Reply): reply is EventObject => Object.hasOwn(RENDERERS, reply.object);

type Asked = Pick<Submission, 'origin' | 'baseUrl'>;

/** The body of the answer to an accepted command. */
export function renderReply(reply: Reply, state: State, atMs: number, asked: Asked): string {
  const { livemode } = state.environment;
  if (isAnnounced(reply)) return renderEventObject(reply, state);
  switch (reply.object) {
    case 'transfer':
      return TRANSFER.render(reply, livemode);
    case 'quote':
      return renderQuote(reply, livemode, atMs);
    case 'payout_batch_results':
      return renderBatchResults(
        reply.batch,
        reply.results.map((result, index) =>
          result.status === 'created'
            ? `{"index":${index},"status":"created","payout":${renderEventObject(result.payout, state)}}`
            : `{"index":${index},"status":"rejected",${errorBody(result.refusal, asked.origin.requestId, asked.baseUrl).slice(1)}`,
        ),
        livemode,
      );
    case 'payout_batch_cancellation':
      return renderCancellation(reply, livemode);
    case 'webhook_endpoint_with_secret':
      return WEBHOOK_ENDPOINT_WITH_SECRET.render(reply.endpoint, livemode);
    case 'delivery':
      return DELIVERY.render(reply, livemode);
    case 'webhook_replay':
      return WEBHOOK_REPLAY.render(reply, livemode);
    case 'webhook_replays':
      return `{"data":[${reply.replays.map((replay) => WEBHOOK_REPLAY.render(replay, livemode)).join(',')}]}`;
    case 'api_key':
      return renderKey(reply, livemode, atMs - state.environment.clockOffsetMs);
    case 'api_key_with_secret':
      return renderNewKey(reply.key, livemode, reply.sealedSecret);
    case 'payout_rules':
      return renderRules(reply.rules, livemode);
    case 'fx_settings':
      return renderFxSettings(reply.fx, livemode);
    case 'fee':
      return renderFee(reply.rule, livemode);
    case 'limit':
      return renderLimit(reply.limit, livemode);
    case 'bank_entries':
      return `{"data":[${reply.entries.map((entry) => renderEventObject(entry, state)).join(',')}]}`;
    case 'bank_document':
      return BANK_DOCUMENT.render(reply, livemode);
    case 'bank_rule':
      return BANK_RULE.render(reply, livemode);
    case 'bank_reconciliation_signature':
      return renderSignature(reply, livemode);
    case 'bank_export':
      return renderExport(reply, livemode);
    case 'limit_usage':
    case 'bank_instruction':
    case 'bank_file_content':
    case 'standing_order_run':
    case 'noted':
      return '{}';
    case 'deleted':
      return `{"id":"${reply.id}","object":"${reply.kind}","deleted":true}`;
    case 'clock':
      return renderClock(reply, livemode);
    default:
      return never(reply);
  }
}
