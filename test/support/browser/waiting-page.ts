/**
 * A payer's page that is open in a real browser while the bank's statements are imported. With a live key: no sandbox has a hand in it.
 * Whether it says so: `test/soak/paid-by-statement.test.ts`. How soon: `test/long/paid-by-statement.test.ts`.
 */
import { camt } from '../bank/camt.ts';
import type { Application } from '../harness/application.ts';
import { eventually } from '../harness/eventually.ts';
import type { Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import type { Browser } from './browser.ts';
import { handedIn } from '../bank/hand-in.ts';

const IBAN = 'DE89370400440532013000';

export interface WaitingPage {
  title(): Promise<string>;
  /** Imports a notification of the bank with so much for this payment. */
  imported(amount: string, day: string): Promise<void>;
  /** Resolves when the page has another title. */
  changed(from: string): Promise<void>;
  payment(): Promise<Json>;
  faults(): Promise<readonly string[]>;
}

/** A payment of 40 EUR by bank transfer, whose page is open. */
export async function openWaitingPage(
  { live: { client }, address }: Application,
  browser: Browser,
): Promise<WaitingPage> {
  const post = async (path: string, body: object) => must(await client.post(path, body)).json;
  const bank = {
    currency: 'EUR',
    country: 'DE',
    holder: 'Rossum',
    bank_details: { iban: IBAN },
    booked_by: 'camt.054',
  };
  await post('/v1/bank_accounts', { ...bank, cut_off: '14:30', time_zone: 'Europe/Berlin' });
  await post('/v1/accounts', { currency: 'EUR' });
  const link = await post('/v1/payment_links', { amount: 40, currency: 'EUR' });

  const { page, faults } = await browser.openPage({ address });
  await page.goto(link['url'] as string);
  await page.click('button[value="bank_transfer"]');
  await page.waitForURL(/\/pay\/.+/);
  const [payment] = must(await client.get('/v1/payments')).json['data'] as Json[];
  const reference = payment?.['reference'] as string;
  const title = () => page.title();
  return {
    title,
    async imported(amount, day) {
      const text = `Thanks ${reference.replaceAll(/(.{4})/g, '$1 ')}`;
      const entries = [{ amount, details: [{ text, name: 'Eva', iban: 'NL91ABNA0417164300' }] }];
      const file = camt([{ iban: IBAN, day, entries }], 'camt.054');
      must(await handedIn(client, file));
    },
    async changed(from) {
      // While the page is being loaded again, it has no title that can be asked for.
      await eventually(`the page says something else than "${from}"`, async () => {
        const now = await title().catch(() => from);
        return now !== from && now !== '';
      });
    },
    payment: async () => must(await client.get(`/v1/payments/${payment?.['id'] as string}`)).json,
    faults,
  };
}
