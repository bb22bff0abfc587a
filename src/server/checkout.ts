/**
 * The hosted pages composed, for browsers and forms instead of API clients and keys. Part of the composition root
 * (`app.ts`).
 */
import type { Config } from '../config.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import type { Page } from '../platform/http/page.ts';
import { responseCache } from '../platform/http/cache/response-cache.ts';
import { CardCheckout } from '../collecting/checkout/card-checkout.ts';
import { cardPages } from '../collecting/checkout/card-routes.ts';
import { csrf } from '../collecting/checkout/csrf.ts';
import { pageStatus } from '../collecting/checkout/status-stream.ts';
import { paymentPages } from '../collecting/checkout/routes.ts';
import type { PaymentLinkParts } from '../collecting/payments/link-routes.ts';
import type { PaymentSeals } from '../collecting/payments/sealing.ts';
import { createStripe } from '../collecting/cards/stripe.ts';
import { internal } from '../write/internal.ts';
import type { CommitSignal } from '../platform/workers/commit-signal.ts';
import type { ServiceActor } from '../core/actor.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';
import type { Command } from '../write/slices.ts';
import type { Submission } from '../write/submission.ts';

/** A page counts down, and says when its time is up. */
const PAGE_MS = 1_000;

export interface PaymentPages {
  readonly pages: readonly Page[];
  readonly links: PaymentLinkParts;
  /** Closes connections to acquirers. */
  stop(): Promise<void>;
}

export function composePaymentPages(options: {
  readonly config: Config;
  readonly secrets: ServerSecrets;
  rows(statement: Statement): Promise<readonly Row[]>;
  readonly seals: PaymentSeals;
  submit(submission: Submission): Promise<{ status: number; body: string }>;
  readonly signal: CommitSignal;
  versionOf(environmentId: string): Promise<string>;
  /** Of this service as payers see it, without a slash at the end. */
  baseUrl(): string;
  readonly onFault: (message: string, error: unknown) => void;
}): PaymentPages {
  const { config, secrets, rows, seals, submit, signal, versionOf, baseUrl, onFault } = options;
  const sendAs = (actor: ServiceActor) => async (environmentId: string, command: Command, recordKey: string) => {
    // Under a key, a commit whose outcome is unknown is read back: money must not be booked twice.
    const { status, body } = await submit(internal(actor, environmentId, command, recordKey, command.type));
    return status === 200 ? null : (JSON.parse(body) as { error: { code: string } }).error.code;
  };
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config;
  const acquirer =
    secretKey === null || webhookSecret === null ? null : createStripe({ secretKey, webhookSecret, apiUrl });
  const now = Date.now;
  const absolute = (path: string) => baseUrl() + path;
  const cards = acquirer && new CardCheckout({ acquirer, rows, send: sendAs('acquirer'), absolute, now, onFault });
  const parts = {
    rows,
    seals,
    send: sendAs('visitor'),
    csrf: csrf(secrets),
    cards,
    status: pageStatus(signal),
    responseCache: responseCache(versionOf, PAGE_MS),
    now,
  };
  return {
    pages: [...paymentPages(parts), ...(cards ? cardPages(parts, cards) : [])],
    links: {
      seals,
      urlOf: (token) => absolute(`/pay/${token}`),
      hasCard: (livemode, currency) => cards?.takes(livemode, currency) ?? false,
    },
    stop: async () => acquirer?.close(),
  };
}
