/**
 * What people do in the dashboard, as a table: who may, who may not, where it begins, what is sent, and what the page says then. Each is done
 * twice in one go: at first the request of the person who may is sent in the session of one who may not, as when a role was taken away while
 * the page was open. The service refuses it, the page says so, and nothing that was typed is lost. Then the same button is pressed again.
 * The rows of the table: `actions/`. That none is missing: `test/dashboard-operations.test.ts`.
 */
import type { Locator, Page, Request, Response, Route } from 'playwright-core';
import type { Who } from './actions/stage.ts';
import type { BrowserClient } from './browser-client.ts';
import type { Tab } from './tour.ts';

export interface Action {
  readonly name: string;
  readonly by: Who;
  readonly notBy: Who;
  /** Below the mode. */
  readonly at: string;
  /** What is filled in before a button can be pressed. */
  first?(page: Page): Promise<void>;
  /** The button that begins it; what stands in a menu has the button of the menu before it. */
  readonly begins: readonly string[];
  /** A text of the row that the button stands in, where there are several of its name. */
  readonly within?: string;
  /** Whether the page keeps `begins` from who may not; left out: yes. */
  readonly isKeptBack?: boolean;
  /** What the page says of the refusal; left out: that the role may not. */
  readonly refusal?: string;
  fill?(page: Page): Promise<void>;
  /** The button that sends it; left out: the one that begins it. */
  readonly sends?: string;
  /** `POST /v1/keys/{id}/roll`. */
  readonly request: string;
  /** In the address, where the page reads at the same path. */
  readonly query?: string;
  /** Of the body; left out: empty. */
  readonly body?: object;
  /** What the page says when it is done; left out: nothing, the dialog goes. */
  readonly says?: string | RegExp;
  /** A secret is shown once, and has to be kept. */
  readonly isShownOnce?: boolean;
  /** A file, by its name. */
  readonly downloads?: RegExp;
}

/** Of a refusal for want of a role, whatever was asked. */
const NOT_YOURS = 'Your role may not do that.';

interface Sent {
  readonly body: unknown;
  readonly key: string | undefined;
  readonly status: number;
}

/** What is wrong with an action; empty where all is well. Leaves the tab on some page. */
export async function perform(tab: Tab, action: Action, refused: BrowserClient): Promise<string[]> {
  const { page } = tab;
  const [method = '', path = ''] = action.request.split(' ');
  const sent: Sent[] = [];
  const isIt = (request: Request) =>
    matches(action, `${request.method()} ${pathOf(request)}`) &&
    request.url().includes(action.query ?? '') &&
    !isTrial(request);
  const note = (response: Response) => {
    const request = response.request();
    if (!isIt(request)) return;
    sent.push({ body: bodyOf(request), key: request.headers()['idempotency-key'], status: response.status() });
  };
  let isFirst = true;
  const inOtherSession = async (route: Route) => {
    const request = route.request();
    if (!isFirst || !isIt(request)) return route.fallback();
    isFirst = false;
    const body = request.postData() === null ? undefined : bodyOf(request);
    const key = request.headers()['idempotency-key'];
    const asked = key === undefined ? {} : { idempotencyKey: key };
    const answer = await refused.send(method, pathOf(request) + new URL(request.url()).search, body, asked);
    return route.fulfill({ status: answer.status, contentType: 'application/json', body: answer.text });
  };
  const address = new RegExp(`${API}${path.replaceAll('{id}', '[^/?]+')}(?:\\?|$)`);
  page.on('response', note);
  await page.route(address, inOtherSession);
  try {
    const wrong = await twice(tab, action, isIt);
    return [...wrong, ...complaints(action, sent)];
  } finally {
    await page.unroute(address);
    page.off('response', note);
  }
}

/** Refused, and then done. */
async function twice(tab: Tab, action: Action, isIt: (request: Request) => boolean): Promise<string[]> {
  const { page } = tab;
  const press = () =>
    (action.sends === undefined
      ? opener(page, action.begins.at(-1) ?? '', action.within)
      : sender(page, action.sends)
    ).click();
  const begin = async () => {
    await tab.go(action.at);
    await action.first?.(page);
    for (const name of action.begins) await opener(page, name, action.within).click();
    await action.fill?.(page);
    if (action.sends !== undefined) await press();
  };
  const answered = () => page.waitForResponse((response) => isIt(response.request()));
  const [answer] = await Promise.all([answered(), begin()]);
  // Nobody waits for the words of a refusal that there was not: the complaint names the status.
  if (answer.status() !== 403) return [];
  await page
    .getByText(action.refusal ?? NOT_YOURS)
    .first()
    .waitFor();
  const [wrong] = await Promise.all([done(page, action, press), answered()]);
  return wrong;
}

const API = '/dashboard/api';
const pathOf = (request: Request): string => new URL(request.url()).pathname.replace(API, '');
/** A file is not looked into: who may not send it is refused before it is read. */
const bodyOf = (request: Request): object =>
  /json/.test(request.headers()['content-type'] ?? '') ? (JSON.parse(request.postData() ?? '{}') as object) : {};
/** What would happen is asked for by the same path. */
const isTrial = (request: Request): boolean => (bodyOf(request) as { readonly dry_run?: boolean }).dry_run === true;
const matches = ({ request }: Action, line: string): boolean =>
  new RegExp(`^${request.replaceAll('{id}', '[a-z]+_[0-9a-z]+')}$`).test(line);

/** Presses again, and waits until the page has said that it is done. */
async function done(page: Page, { downloads, isShownOnce, says, sends }: Action, press: () => Promise<void>) {
  if (downloads !== undefined) {
    const [file] = await Promise.all([page.waitForEvent('download'), press()]);
    const name = file.suggestedFilename();
    return downloads.test(name) ? [] : [`the file is called ${name}`];
  }
  await press();
  if (isShownOnce === true) await keep(page, says as string);
  else {
    if (sends !== undefined) await page.getByRole('dialog').waitFor({ state: 'detached' });
    if (says !== undefined) await page.getByText(says).first().waitFor();
  }
  return [];
}

function complaints({ body = {}, request }: Action, sent: readonly Sent[]): string[] {
  const [first, second] = sent;
  const isWrite = !request.startsWith('GET ');
  const statuses = sent.map(({ status }) => status).join();
  return [
    ...(statuses === '403,200' ? [] : [`answered ${statuses}`]),
    ...sent.flatMap((each) => (likeIt(each.body, body) ? [] : [`sent ${JSON.stringify(each.body)}`])),
    // A refusal is an answer: what is sent then is another request.
    ...(isWrite && (first?.key === undefined || first.key === second?.key) ? ['the key of the refused request'] : []),
  ];
}

/** What is made anew each time is a `?` in what is expected. */
const likeIt = (body: unknown, expected: object): boolean =>
  JSON.stringify(body).replaceAll(/(?<="(?:fingerprint|quote|sha256|transfer)":)"[^"]+"/g, '"?"') ===
  JSON.stringify(expected);

/** What the page says to who may not see it, and beside what is off. */
const NOT_FOR_YOU = /You may not /;
const REASON = /[Yy]our role may/;

/** How the page fails to keep the action from this person: its button is there, and off, with the reason as text. `null`: it does not. */
export async function shownTo({ page, go }: Tab, { at, begins, within }: Action): Promise<string | null> {
  await go(at);
  for (const name of begins) {
    const found = opener(page, name, within);
    if ((await found.count()) === 0)
      return (await page.getByText(NOT_FOR_YOU).count()) > 0 ? null : `there is no ${name}`;
    if (await found.isDisabled()) {
      const text = await page.locator('main, [role=menu]').allInnerTexts();
      return REASON.test(text.join()) ? null : `${name} is off without a reason`;
    }
    await found.click();
  }
  return `${begins.join(', ')} can be pressed`;
}

function opener(page: Page, name: string, within?: string): Locator {
  const main = page.locator('main');
  // The innermost that has the text.
  const place = within === undefined ? main : main.locator('li, .notice, .card').filter({ hasText: within }).last();
  const item = page.getByRole('menuitem', { name: new RegExp(`^${name}(?:$|\\s*Your role)`) });
  return place.getByRole('button', { name, exact: true }).or(item);
}

/** In the dialog, or in the form of a page where there is none. */
const sender = (page: Page, name: string): Locator =>
  page.locator('[role=dialog] form, main form').getByRole('button', { name, exact: true });

async function keep(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByLabel('I have kept it').check();
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
