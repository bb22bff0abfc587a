/** Pages of payment links that wait for the bank: the heaviest state, with a code to scan and bank details. */
import type { Tenant } from './environments.ts';
import { call } from './requests.ts';

/** Links of a sandbox, each with a payment begun by its payer. Their paths. */
export async function waitingPages(port: number, { key }: Tenant, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let i = 0; i < count; i++) {
    const body = `amount=250.00&currency=EUR&description=Garden+table&reference=Invoice+${i}`;
    const link = await call(port, { method: 'POST', path: '/v1/payment_links', key, body });
    const path = new URL((JSON.parse(link) as { url: string }).url).pathname;
    const csrf = /name="csrf" value="([^"]+)"/.exec(await pageOf(port, path))?.[1] ?? '';
    const form = new URLSearchParams({ csrf, method: 'bank_transfer' });
    const sent = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: form, redirect: 'manual' });
    if (sent.status !== 303) throw new Error(`POST of a page: ${sent.status} ${await sent.text()}`);
    paths.push(path);
  }
  return paths;
}

export async function pageOf(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  if (response.status !== 200) throw new Error(`GET of a page: ${response.status}`);
  return response.text();
}
