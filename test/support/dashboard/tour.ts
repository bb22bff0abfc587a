/**
 * People in front of the dashboard in a real browser: a tab that is signed in, one with an authenticator of its own for who signs in by the
 * page, and the list of every page. Next: `people.ts` for the sessions, `world.ts` for what there is to see.
 */
import type { Page } from 'playwright-core';
import type { Browser, OpenPage, PageOptions } from '../browser/browser.ts';
import type { BrowserClient } from './browser-client.ts';
import type { World } from './world.ts';

export interface Tab extends OpenPage {
  /** Loads the page at an address below the mode, `/payouts`, and waits until all of it is there. */
  go(path: string): Promise<void>;
  /** The same as a link does it: the application stays, and with it what it knows. Quicker, and another way through the code. */
  turn(path: string): Promise<void>;
}

export interface TabOptions extends Pick<PageOptions, 'dark' | 'answers'> {
  readonly phone?: boolean;
  /** Left out: the sandbox. */
  readonly mode?: 'sandbox' | 'live';
}

/** A passkey has the name of a host, and an address of numbers is none. */
const named = (address: string): string => address.replace('127.0.0.1', 'localhost');

/** A tab of nobody. It can make passkeys, and sign with them. */
export async function stranger(browser: Browser, address: string, options: TabOptions = {}): Promise<Tab> {
  const { phone = false, mode = 'sandbox', ...others } = options;
  const tab = await browser.openPage({
    ...others,
    address: named(address),
    device: phone ? 'phone' : 'desktop',
    ...(!phone && { width: 1440 }),
  });
  const session = await tab.page.context().newCDPSession(tab.page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    ...tab,
    async go(path) {
      await tab.page.goto(`/dashboard/${mode}${path}`);
      await loaded(tab.page);
    },
    async turn(path) {
      await tab.page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/dashboard/${mode}${path}`)})`);
      await loaded(tab.page);
    },
  };
}

/** A tab in the session of that person. */
export async function signedIn(
  browser: Browser,
  address: string,
  person: BrowserClient,
  options: TabOptions = {},
): Promise<Tab> {
  const tab = await stranger(browser, address, options);
  // A cookie of https goes to localhost without it too, as the browser's rule for safe places says.
  const cookie = { name: '__Host-bursar', value: person.cookie ?? '', url: 'https://localhost/' };
  await tab.page.context().addCookies([cookie]);
  return tab;
}

/** The page is there, and nothing of it is being read any more. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator(':root:not(:has([aria-label="Loading"]))').waitFor({ state: 'attached' });
  // The title of the tab follows the page within a frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
}

/** The word that tells a page from the others, and its address below the mode. That none is missing: `test/dashboard-operations.test.ts`. */
export type NamedPage = readonly [name: string, path: string];

export interface Own {
  readonly user: string;
  readonly event: string;
  readonly key: string;
}

export function everyPage(world: World, own: Own): readonly NamedPage[] {
  const [held = ''] = world.held;
  const [recipient = ''] = world.recipients;
  return [
    ['overview', ''],
    ['approvals', '/approvals'],
    ['rules and limits', '/rules'],
    ['payouts', '/payouts'],
    ['a new payout', '/payouts/new'],
    ['a failed payout', `/payouts/${world.failed}`],
    ['a payout that came back', `/payouts/${world.returned}`],
    ['a held payout', `/payouts/${held}`],
    ['batches', '/batches'],
    ['a new batch', '/batches/new'],
    ['a batch', `/batches/${world.batch}`],
    ['accounts', '/accounts'],
    ['an account', `/accounts/${world.accounts.EUR}`],
    ['recipients', '/recipients'],
    ['a new recipient', '/recipients/new'],
    ['a recipient', `/recipients/${recipient}`],
    ['exchanges', '/exchanges'],
    ['a new exchange', '/exchanges/new'],
    ['an exchange', `/exchanges/${world.exchange}`],
    ['payments', '/payments'],
    ['a payment', `/payments/${world.payment}`],
    ['payment links', '/payment-links'],
    ['a new payment link', '/payment-links/new'],
    ['a payment link', `/payment-links/${world.link}`],
    ['expected payments', '/expected-payments'],
    ['a new expected payment', '/expected-payments/new'],
    ['an expected payment', `/expected-payments/${world.expected}`],
    ['standing orders', '/standing-orders'],
    ['a new standing order', '/standing-orders/new'],
    ['a standing order', `/standing-orders/${world.standingOrders.runs}`],
    ['a standing order that failed', `/standing-orders/${world.standingOrders.failed}`],
    ['bank accounts', '/bank-accounts'],
    ['a bank account', `/bank-accounts/${world.bankAccount}`],
    ['a month of a bank', `/bank-accounts/${world.bankAccount}/month`],
    ['a payment file', `/payment-files/${world.paymentFile}`],
    ['a statement of a bank', `/bank-statements/${world.statement}`],
    ['an entry of a bank', `/bank-entries/${world.entry}`],
    ['rules of banks', '/bank-rules'],
    ['unmatched money', '/unmatched'],
    ['files', '/files'],
    ['webhooks', '/webhooks'],
    ['an endpoint', `/webhooks/${world.endpoint}`],
    ['a failing endpoint', `/webhooks/${world.failingEndpoint}`],
    ['a new endpoint', '/webhooks/new'],
    ['events', '/events'],
    ['an event', `/events/${own.event}`],
    ['requests', '/requests'],
    ['a refused request', `/requests/${world.refused.requestId}`],
    ['keys', '/keys'],
    ['a key', `/keys/${own.key}`],
    ['a new key', '/keys/new'],
    ['people', '/people'],
    ['a person', `/people/${own.user}`],
    ['an invitation', '/people/new'],
    ['the audit log', '/audit'],
    ['settings', '/settings'],
    ['the tools of the sandbox', '/sandbox-tools'],
    ['the own page', '/me'],
  ];
}
