/**
 * What a page says when it is not as usual: nothing is there, nothing is like the filters, it was refused, it is not for this role, nobody
 * answers, the session is over. The answers that make it so take the place of the service's own, for every read but who is there. The words
 * that are expected stand in tables here, and not in the code of the pages.
 */
import type { Page } from 'playwright-core';
import { tooWide, violations } from '../browser/browser.ts';
import type { BrowserClient } from './browser-client.ts';
import type { Scene } from './scene.ts';
import type { NamedPage, Tab, TabOptions } from './tour.ts';
import { headings, inTabs } from './views.ts';

const MESSAGE = 'It went <b>wrong</b>.';
const REQUEST_ID = 'req_01jd3v9q4ne8v8k3w2m6r5t7xa';

/** `null`: nobody answers. */
type Substitute = { readonly status: number; readonly json: object } | null;

const refusal = (status: number, type: string, code: string): Substitute => ({
  status,
  json: { error: { type, code, message: MESSAGE, param: null, request_id: REQUEST_ID } },
});
const NOTHING: Substitute = { status: 200, json: { object: 'list', data: [], has_more: false } };

interface State {
  readonly answer: Substitute;
  readonly says: readonly string[];
  /** A button. */
  readonly offers?: string;
}

export const STATES = {
  refused: {
    answer: refusal(400, 'invalid_request_error', 'parameter_invalid'),
    says: [MESSAGE, REQUEST_ID],
    offers: 'Try again',
  },
  forbidden: {
    answer: refusal(403, 'authorization_error', 'scope_missing'),
    says: ['You may not see ', 'can give you a role that may.'],
  },
  missing: {
    answer: refusal(404, 'invalid_request_error', 'resource_missing'),
    says: ['There is nothing under this address.'],
  },
  away: { answer: null, says: ['The service does not answer.'], offers: 'Try again' },
  ended: {
    answer: refusal(401, 'authentication_error', 'session_required'),
    says: ['Your session has ended', 'What you typed on this page stays.'],
    offers: 'Leave this page',
  },
} as const satisfies Readonly<Record<string, State>>;
export type StateName = keyof typeof STATES;

/** Pages that know more of why there may be nothing. */
const MISSING: Readonly<Record<string, string>> = { 'a refused request': 'The log has no such request' };

const READS = '**/dashboard/api/v1/**';

/** What is read and is no list: who is there, and what pages say beside their rows. */
const NO_LISTS = /\/v1\/(?:me|balances|summary|verification|settings|[a-z_]+\/.*)$/;

/** From now on every read of this tab is answered so; who is there only where that is over; by an empty list only lists. */
export async function substitute(page: Page, answer: Substitute): Promise<void> {
  await page.route(READS, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/v1/me') && answer?.status !== 401) return route.fallback();
    if (answer === NOTHING && NO_LISTS.test(pathname)) return route.fallback();
    // What the browser itself breaks off is no fault of a page.
    return answer === null ? route.abort('aborted') : route.fulfill(answer);
  });
}

/** A page asks silence again with pauses, some seconds in all; the clock of the tab is moved over them. */
const PAUSES_S = 30;

/** What is wrong with these pages in that state; empty where all is well. `whole`: also without a fault of access, and on no wide screen. */
export async function inState(
  scene: Scene,
  person: BrowserClient,
  name: StateName,
  pages: readonly NamedPage[],
  { whole = false, ...options }: TabOptions & { readonly whole?: boolean } = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { answer, says, offers }: State = STATES[name];
  const found: Record<string, readonly string[]> = {};
  const answers = answer === null ? [] : [answer.status];
  const set = new WeakSet<Page>();
  await inTabs(scene, person, { ...options, answers }, pages, async ({ page }, [word, path]) => {
    if (!set.has(page)) {
      set.add(page);
      await substitute(page, answer);
      if (answer === null) await page.clock.install();
    }
    await page.goto(`/dashboard/sandbox${path}`);
    const own = name === 'missing' ? MISSING[word] : undefined;
    const first = page
      .getByText(own ?? says[0] ?? '')
      .filter({ visible: true })
      .first();
    for (let s = 0; answer === null && s < PAUSES_S && (await first.count()) === 0; s++) await page.clock.runFor(1_000);
    try {
      await first.waitFor();
    } catch {
      found[word] = [`does not say: ${own ?? says[0]}, but: ${await page.locator('body').innerText()}`];
      return;
    }
    const text = await page.locator('body').innerText();
    found[word] = [
      ...(own === undefined ? says : [own])
        .filter((each) => !text.includes(each))
        .map((each) => `does not say: ${each}`),
      ...(offers !== undefined && (await page.getByRole('button', { name: offers }).count()) === 0
        ? [`no ${offers}`]
        : []),
      ...(await headings(page)),
      ...(whole ? [...(await violations(page)), ...(await tooWide(page))] : []),
    ];
  });
  return found;
}

/** What is wrong with lists of which there is nothing: none at all, and none like the filters. */
export async function emptyLists(
  scene: Scene,
  person: BrowserClient,
  { whole = false, ...options }: TabOptions & { readonly whole?: boolean } = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  const started = new WeakSet<Page>();
  const show = async ({ page, go, turn }: Tab, path: string) => {
    if (started.has(page)) return turn(path);
    started.add(page);
    await substitute(page, NOTHING);
    await go(path);
  };
  const look = async (page: Page, words: string) => [
    ...((await page.getByText(words).count()) === 0 ? [`does not say: ${words}`] : []),
    ...(whole ? [...(await violations(page)), ...(await tooWide(page))] : []),
  ];
  await inTabs(scene, person, options, LISTS, async (tab, { path, empty, filter, noHit }) => {
    await show(tab, path);
    const wrong = await look(tab.page, empty);
    if (filter !== undefined && noHit !== undefined) {
      await show(tab, `${path}?${filter}`);
      wrong.push(...(await look(tab.page, noHit)));
      // Beside the filters, and where the rows would be.
      await tab.page.getByRole('button', { name: 'Clear filters' }).last().click();
      await tab.page.getByText(empty).waitFor();
      if (tab.page.url().includes('?')) wrong.push(`the filter stays in ${tab.page.url()}`);
    }
    found[path] = wrong;
  });
  return found;
}

export interface ListStates {
  readonly path: string;
  readonly empty: string;
  /** A filter that the page has, and what it says when nothing is like it. */
  readonly filter?: string;
  readonly noHit?: string;
  /** `You may not see …`. */
  readonly what: string;
}

/** Every list, in the order of the navigation. */
export const LISTS: readonly ListStates[] = [
  {
    path: '/payouts',
    empty: 'No payout has been made yet.',
    filter: 'state=failed',
    noHit: 'No payout is like that.',
    what: 'payouts',
  },
  { path: '/batches', empty: 'No batch has been made yet.', what: 'batches' },
  {
    path: '/accounts',
    empty: 'There is no account yet.',
    filter: 'currency=EUR',
    noHit: 'No account is like that.',
    what: 'accounts',
  },
  {
    path: '/recipients',
    empty: 'There is nobody to pay yet.',
    filter: 'currency=EUR',
    noHit: 'No recipient is like that.',
    what: 'recipients',
  },
  {
    path: '/exchanges',
    empty: 'No money has been exchanged yet.',
    filter: 'sell_currency=EUR',
    noHit: 'No exchange is like that.',
    what: 'exchanges',
  },
  {
    path: '/payments',
    empty: 'Nobody has paid by a link yet.',
    filter: 'status=pending',
    noHit: 'No payment is like that.',
    what: 'payments',
  },
  {
    path: '/payment-links',
    empty: 'There is no payment link yet.',
    filter: 'status=active',
    noHit: 'No payment link is like that.',
    what: 'payment links',
  },
  {
    path: '/expected-payments',
    empty: 'No payment is expected yet.',
    filter: 'status=overdue',
    noHit: 'No expected payment is like that.',
    what: 'expected payments',
  },
  {
    path: '/standing-orders',
    empty: 'Nothing is paid again and again yet.',
    filter: 'status=paused',
    noHit: 'No standing order is like that.',
    what: 'standing orders',
  },
  { path: '/bank-accounts', empty: 'No account at a bank is known yet.', what: 'bank accounts' },
  { path: '/unmatched', empty: 'All money has its place.', what: 'entries of banks' },
  { path: '/files', empty: 'No payout has left in a file yet.', what: 'payment files' },
  { path: '/bank-rules', empty: 'Nothing is placed by a rule yet.', what: 'rules for entries of banks' },
  { path: '/webhooks', empty: 'No endpoint is sent events yet.', what: 'webhooks' },
  {
    path: '/events',
    empty: 'Nothing has happened here yet.',
    filter: 'type=payout.*',
    noHit: 'No event is like that.',
    what: 'events',
  },
  {
    path: '/requests',
    empty: 'No request has been kept yet.',
    filter: 'method=POST',
    noHit: 'No request is like that.',
    what: 'requests',
  },
  { path: '/keys', empty: 'No key works here.', what: 'keys' },
  { path: '/people', empty: 'Nobody has been let in yet.', what: 'people' },
  {
    path: '/audit',
    empty: 'Nothing has been written down yet',
    filter: 'kind=key',
    noHit: 'No entry is like that.',
    what: 'the audit log',
  },
];
