/** The requests of the scenarios, as clients would send them. */
import type { Request } from '../load/plan.ts';
import type { Tenant } from './environments.ts';

/** 1.00 EUR, from the tenant's only EUR account or from the one named. */
export function payoutOf({ key, recipient }: Tenant, account?: string): Request {
  const from = account === undefined ? '' : `&account=${account}`;
  return { method: 'POST', path: '/v1/payouts', key, body: `amount=1.00&currency=EUR&recipient=${recipient}${from}` };
}

export function exchangeOf({ key }: Tenant): Request {
  return { method: 'POST', path: '/v1/exchanges', key, body: 'sell_currency=EUR&buy_currency=USD&amount=1.00' };
}

export function batchOf({ key, recipient }: Tenant, items: number): Request {
  const payout = { amount: '1.00', currency: 'EUR', recipient };
  const body = JSON.stringify({ payouts: Array.from({ length: items }, () => payout) });
  return { method: 'POST', path: '/v1/payouts/batch', key, body, contentType: 'application/json' };
}

/** One request outside a load. Rejects unless it is answered with 200. */
export async function call(port: number, { method, path, key, body, contentType }: Request): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== null && { 'content-type': contentType ?? 'application/x-www-form-urlencoded' }),
    },
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}
