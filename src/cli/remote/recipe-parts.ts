/** What recipes begin with: objects of their own, named after the command. Part of `recipes.ts`. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bursar } from '../../../client/src/bursar.ts';
import { Exit } from '../../operator/exit.ts';
import { fetch } from '../../platform/outbound/fetch.ts';

export type Recipe = (bursar: Bursar) => Promise<unknown>;

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

/** Who pays whom: an account, with money in it or without, and a recipient. */
export async function parties(bursar: Bursar, open: typeof newAccount = funded) {
  return { currency: 'EUR', account: (await open(bursar)).id, recipient: (await newRecipient(bursar)).id };
}

export const newPayout = async (bursar: Bursar) =>
  bursar.payouts.create({ amount: '250.00', ...(await parties(bursar)) });

export const payoutThatLeft = async (bursar: Bursar) =>
  bursar.testHelpers.payouts.advance((await newPayout(bursar)).id);

export const newBatch = async (bursar: Bursar) =>
  bursar.payoutBatches.create({ payouts: [{ amount: '1.00', ...(await parties(bursar)) }] });

export async function newExchange(bursar: Bursar) {
  const { id: sell_account } = await funded(bursar);
  return bursar.exchanges.create({ sell_currency: 'EUR', buy_currency: 'USD', amount: '10.00', sell_account });
}

export const newPayment = async (bursar: Bursar) => bursar.testHelpers.paymentLinks.pay((await newLink(bursar)).id);

/** Now by the clock of the sandbox, which may be ahead of ours; Unix seconds. */
export const clockOf = async (bursar: Bursar) => (await bursar.testHelpers.clock.advance({ seconds: 1 })).now;
export const inADay = async (bursar: Bursar) => (await clockOf(bursar)) + DAY_SECONDS;
export const isoDay = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(0, 10);
export const advance = (bursar: Bursar, days: number) =>
  bursar.testHelpers.clock.advance({ seconds: days * DAY_SECONDS });

const PAGE_PATIENCE_MS = 10_000;
const LOOK_MS = 200;
const PATIENCE_MS = 120_000;

/** Looks until the answer is another than `undefined`. Fails after two minutes. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += LOOK_MS) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(LOOK_MS);
  }
  throw new Exit('failed', `${what} has not come within ${PATIENCE_MS / 1_000} s.`);
}

/** A payer on the page of a new link. `outcome`: of the panel "simulate the bank"; `null` leaves the payment waiting. */
export async function visitPage(bursar: Bursar, outcome: 'twice' | 'fail' | null): Promise<void> {
  const { url } = await newLink(bursar);
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

const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(PAGE_PATIENCE_MS) });
