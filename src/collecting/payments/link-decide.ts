/**
 * Decisions about payment links: `active → completed | expired | canceled`; money that comes late completes an ended
 * link too. Pure. Payments: `decide.ts`.
 */
import { collecting } from '../../core/company.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import { openAccount, openAccountNamed } from '../../core/ledger.ts';
import { mergeMetadata, newMetadata } from '../../core/metadata.ts';
import type { EventType } from '../../core/event-types.ts';
import type { PaymentLink } from './fields.ts';
import type { Draft } from '../../core/draft.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { unixSeconds } from '../../core/values/time.ts';

/** How much a payer pays: an amount, or between bounds. Minor units. */
export interface Asked {
  readonly amount: bigint | null;
  readonly minimum: bigint | null;
  readonly maximum: bigint | null;
}

interface About<T extends string> {
  readonly type: T;
  readonly link: string;
}

type Texts = 'description' | 'reference' | 'customerEmail' | 'redirectUrl' | 'message';

export interface CreatePaymentLink
  extends Pick<PaymentLink, 'token' | 'url' | 'currency' | 'reusable' | 'maxPayments' | Texts>,
    Given<PaymentLink, 'metadata'> {
  readonly type: 'create_payment_link';
  readonly account: string | null;
  readonly asked: Asked;
  readonly expiresAtMs: number | null;
  /** Whether an acquirer takes cards for this environment in this currency. */
  readonly hasCard: boolean;
}

export interface UpdatePaymentLink extends About<'update_payment_link'>, Given<PaymentLink, Texts | 'metadata'> {
  readonly maxPayments: number | null | undefined;
  readonly expiresAtMs: number | null | undefined;
}

/** What the expiry worker found. Harmless to repeat. */
export type ExpirePaymentLink = About<'expire_payment_link'>;

/** Refuses `resource_missing`, `account_closed`, `account_currency_mismatch`, `payment_method_not_configured`, `expires_at_invalid`. */
export function createPaymentLink(draft: Draft, command: CreatePaymentLink): Decision {
  const { account: accountId, currency, asked, expiresAtMs, metadata, hasCard, type: _, ...words } = command;
  const named = accountId === null ? undefined : openAccountNamed(draft, accountId, currency, 'account');
  if (named && isRefusal(named)) return named;
  const unpayable = checkMethods(draft, currency, hasCard) ?? checkExpiry(draft, expiresAtMs);
  if (unpayable) return unpayable;
  const account = named ?? draft.oldestOpenAccount(currency) ?? openAccount(draft, { currency });
  const link: PaymentLink = {
    object: 'payment_link',
    id: draft.newId('plink'),
    account: account.id,
    currency,
    ...asked,
    ...words,
    status: 'active',
    paymentsCount: 0,
    openCount: 0,
    received: 0n,
    metadata: newMetadata(metadata),
    expiresAt: expiresAtMs,
    endedAt: null,
    endedAs: null,
    createdAt: draft.atMs,
  };
  return draft.create(link, 'payment_link.created');
}

/** A page on which nothing can be paid would be a trap. The sandbox has bank accounts of its own for every currency. */
function checkMethods(draft: Draft, currency: string, hasCard: boolean): Refusal | null {
  const { environment } = draft.state;
  const settings = draft.find('settings', environment.id);
  if (!environment.livemode || hasCard || settings?.bankAccounts[currency]) return null;
  if (collecting(draft.all('bank_account'), currency).length > 0) return null;
  const message = `currency is ${currency}, in which nobody could pay: no bank account takes collections in it, and there is no card acquirer. Add one with POST /v1/bank_accounts.`;
  return refusal('payment_method_not_configured', message, { param: 'currency' });
}

function checkExpiry(draft: Draft, expiresAtMs: number | null): Refusal | null {
  if (expiresAtMs === null || expiresAtMs > draft.atMs) return null;
  const now = unixSeconds(draft.atMs);
  const message = `expires_at must be after now, ${now}, got ${unixSeconds(expiresAtMs)}.`;
  return refusal('expires_at_invalid', message, { param: 'expires_at' });
}

/**
 * Refuses `resource_missing`, `payment_link_ended`, `parameter_conflict`, `parameter_invalid`, `expires_at_invalid`,
 * `metadata_invalid`.
 */
export function updatePaymentLink(draft: Draft, command: UpdatePaymentLink): Decision {
  const link = draft.find('payment_link', command.link);
  if (!link) return linkMissing(command.link);
  const { maxPayments, expiresAtMs } = command;
  const limits = maxPayments !== undefined || expiresAtMs !== undefined;
  if (limits && link.status !== 'active') return linkEnded(link);
  const wrong = checkLimit(link, maxPayments) ?? checkExpiry(draft, expiresAtMs ?? null);
  if (wrong) return wrong;
  const metadata = mergeMetadata(link.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const texts = withGiven(link, command, ['description', 'reference', 'customerEmail', 'redirectUrl', 'message']);
  const { maxPayments: limit = link.maxPayments, expiresAtMs: expiresAt = link.expiresAt } = command;
  const after: PaymentLink = { ...texts, maxPayments: limit, expiresAt, metadata };
  const updated = update(draft, link, after, changesOf(link, after), 'payment_link.updated');
  return draft.changes.length === 0 ? updated : completeIfFull(draft, after);
}

function checkLimit(link: PaymentLink, maxPayments: number | null | undefined): Refusal | null {
  if (maxPayments === undefined || maxPayments === null) return null;
  const param = { param: 'max_payments' };
  const { id, reusable, paymentsCount } = link;
  if (!reusable)
    return refusal(
      'parameter_conflict',
      `Payment link ${id} is for one payment; max_payments needs a reusable one.`,
      param,
    );
  if (maxPayments >= paymentsCount) return null;
  const message = `Payment link ${id} has ${paymentsCount} payments; max_payments cannot be below that.`;
  return refusal('parameter_invalid', message, param);
}

/** What differs, as it was, by wire names. */
function changesOf(before: PaymentLink, after: PaymentLink): Record<string, unknown> {
  const redirect = before.redirectUrl === null ? null : { url: before.redirectUrl };
  const isSameEnd = before.redirectUrl === after.redirectUrl && before.message === after.message;
  return {
    ...previousOf(before, after, ['description', 'reference', 'customerEmail']),
    ...(!isSameEnd && { after_completion: { redirect, message: before.message } }),
    ...previousOf(before, after, ['maxPayments']),
    ...(seconds(before.expiresAt) !== seconds(after.expiresAt) && { expires_at: seconds(before.expiresAt) }),
  };
}

const seconds = (atMs: number | null) => (atMs === null ? null : unixSeconds(atMs));

/** Refuses `resource_missing`, `payment_link_ended`. Payments that wait go on waiting: their money may be on its way. */
export function deactivatePaymentLink(draft: Draft, command: About<'deactivate_payment_link'>): Decision {
  const link = draft.find('payment_link', command.link);
  if (!link) return linkMissing(command.link);
  if (link.status !== 'active') return linkEnded(link);
  return end(draft, link, 'canceled', 'payment_link.canceled');
}

export function expirePaymentLink(draft: Draft, command: ExpirePaymentLink): Decision {
  const link = draft.find('payment_link', command.link);
  if (!link) return linkMissing(command.link);
  return isOver(link, draft.atMs) ? end(draft, link, 'expired', 'payment_link.expired') : link;
}

/** Completes a link that has all the payments it asks for, whether it was active or ended before. */
export function completeIfFull(draft: Draft, link: PaymentLink): PaymentLink {
  const limit = link.reusable ? link.maxPayments : 1;
  if (limit === null || link.paymentsCount < limit || link.status === 'completed') return link;
  return end(draft, link, 'completed', 'payment_link.completed');
}

function end(draft: Draft, link: PaymentLink, status: PaymentLink['status'], event: EventType): PaymentLink {
  const { status: before, endedAt } = link;
  const wasActive = before === 'active';
  const endedAs = before === 'expired' || before === 'canceled' ? before : null;
  const after: PaymentLink = { ...link, status, endedAt: wasActive ? draft.atMs : endedAt, endedAs };
  return draft.update(after, event, { status: before, ...(wasActive && { active: true }) });
}

/**
 * A completed link that lacks a payment again, because money was taken back: it is as it was before, so active if it was and its time is not
 * over. Any other link stays as it is.
 */
export function reopenIfShort(draft: Draft, link: PaymentLink): PaymentLink {
  const limit = link.reusable ? link.maxPayments : 1;
  if (link.status !== 'completed' || limit === null || link.paymentsCount >= limit) return link;
  const { endedAs } = link;
  const isOpen = endedAs === null && !isOver({ ...link, status: 'active' }, draft.atMs);
  const status = isOpen ? 'active' : (endedAs ?? 'expired');
  const after: PaymentLink = { ...link, status, endedAt: isOpen ? null : link.endedAt, endedAs: null };
  const event = status === 'expired' && endedAs === null ? 'payment_link.expired' : 'payment_link.updated';
  return draft.update(after, event, { status: link.status, ...(isOpen && { active: false }) });
}

export const linkMissing = (id: string): Refusal => missing('payment link', id);

/** Whether the time of an active link is up; the worker that ends it may be late. */
const isOver = ({ status, expiresAt }: PaymentLink, atMs: number) =>
  status === 'active' && expiresAt !== null && expiresAt <= atMs;

/** Refuses `payment_link_ended`, also where the link should have ended by now. */
export function checkActive(draft: Draft, link: PaymentLink): Refusal | null {
  if (isOver(link, draft.atMs)) return linkEnded({ ...link, status: 'expired' });
  return link.status === 'active' ? null : linkEnded(link);
}

/** `payment_link_ended`, for what only an active link can do. */
export function linkEnded({ id, status }: PaymentLink): Refusal {
  const message = `Payment link ${id} is ${status}; only an active one can be paid or changed. Create another with POST /v1/payment_links.`;
  return refusal('payment_link_ended', message, { current_status: status, allowed: ['active'] });
}
