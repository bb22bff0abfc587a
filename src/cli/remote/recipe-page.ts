/** A payer on the hosted page, without a browser: starts to pay, and in the sandbox lets the bank do something. Part of `recipes.ts`. */
import { Exit } from '../../operator/exit.ts';

const PATIENCE_MS = 10_000;

/** `outcome`: what the panel "simulate the bank" offers; `null` leaves the payment waiting. */
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
