/** What recipes begin with: objects of their own, named after the command. Part of `recipes.ts`. */
import type { Bursar } from '../../../client/src/bursar.ts';
import { Exit } from '../../operator/exit.ts';

/** `as`: the same server with another key. */
export type Recipe = (bursar: Bursar, as: (key: string) => Bursar) => Promise<unknown>;

const IBAN = 'DE89370400440532013000';
export const DAY_SECONDS = 86_400;
export const TRIGGER = 'bursar trigger';
export const NAMED = { metadata: { triggered_by: TRIGGER } };

export const newAccount = (bursar: Bursar, currency = 'EUR') => bursar.accounts.create({ currency, name: TRIGGER });
export const newRecipient = (bursar: Bursar) =>
  bursar.recipients.create({ name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE', iban: IBAN });
export const newLink = (bursar: Bursar) => bursar.paymentLinks.create({ amount: '25.00', currency: 'EUR' });

export async function funded(bursar: Bursar, currency = 'EUR') {
  const { id } = await newAccount(bursar, currency);
  return bursar.testHelpers.accounts.fund(id, { amount: '1000.00' });
}

export async function newPayout(bursar: Bursar) {
  const [account, recipient] = [await funded(bursar), await newRecipient(bursar)];
  return bursar.payouts.create({ amount: '250.00', currency: 'EUR', recipient: recipient.id, account: account.id });
}

export async function payoutThatLeft(bursar: Bursar) {
  const { id } = await newPayout(bursar);
  return bursar.testHelpers.payouts.advance(id);
}

export async function newBatch(bursar: Bursar) {
  const [{ id: account }, { id: recipient }] = [await funded(bursar), await newRecipient(bursar)];
  const payouts = [{ amount: '1.00' as const, currency: 'EUR', recipient, account }];
  return bursar.payoutBatches.create({ payouts });
}

export const newExchange = async (bursar: Bursar) =>
  bursar.exchanges.create({
    sell_currency: 'EUR',
    buy_currency: 'USD',
    amount: '10.00',
    sell_account: (await funded(bursar)).id,
  });

export async function newPayment(bursar: Bursar) {
  const { id } = await newLink(bursar);
  return bursar.testHelpers.paymentLinks.pay(id);
}

/** Now by the clock of the sandbox, which may be ahead of ours; Unix seconds. */
export const clockOf = async (bursar: Bursar) => (await bursar.testHelpers.clock.advance({ seconds: 1 })).now;
export const isoDay = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);
export const advance = (bursar: Bursar, days: number) =>
  bursar.testHelpers.clock.advance({ seconds: days * DAY_SECONDS });

const PATIENCE_MS = 10_000;

/**
 * A payer on the hosted page, without a browser. `outcome`: what the panel "simulate the bank" offers; `null` leaves the payment waiting.
 */
export async function visitPage(url: string, outcome: 'twice' | 'fail' | null): Promise<void> {
  const started = await submit(url, url, { method: 'bank_transfer' });
  if (outcome !== null) await submit(started, `${started.split('?')[0]}/simulate`, { outcome });
}

/** Sends a form of the page, with its proof of where it came from. The address where the payer is then. */
async function submit(page: string, action: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const shown = await ask(page);
  const csrf = /name="csrf" value="([^"]+)"/.exec(await shown.text())?.[1];
  if (csrf === undefined) throw new Exit('failed', `${page} shows no form: the payment page is not as expected.`);
  const answer = await ask(action, { method: 'POST', body: new URLSearchParams({ csrf, ...fields }) });
  if (answer.status >= 400) throw new Exit('failed', `${action} answered ${answer.status}.`);
  return answer.url;
}

const ask = (url: string, init: RequestInit = {}) => fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
