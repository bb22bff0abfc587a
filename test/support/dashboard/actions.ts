/**
 * What people do in the dashboard, as a table: who may, who may not, where it begins, what is sent, and what the page says then. Each is done
 * twice in one go: at first the request of the person who may is sent in the session of one who may not, as when a role was taken away while
 * the page was open. The service refuses it, the page says so, and nothing that was typed is lost. Then the same button is pressed again.
 */
import type { Locator, Page, Request, Response, Route } from 'playwright-core';
import type { Role } from '../../../src/core/roles.ts';
import type { BrowserClient } from './browser-client.ts';
import type { Tab } from './tour.ts';

export interface Action {
  readonly name: string;
  readonly by: Role;
  /** Nobody: a person of live alone, since every role may. */
  readonly notBy: Role | 'nobody';
  /** Below the mode. */
  readonly at: string;
  /** The button that begins it; what stands in a menu has the button of the menu before it. */
  readonly begins: readonly string[];
  /** Whether the page keeps `begins` from who may not; left out: yes. */
  readonly isKeptBack?: boolean;
  /** What the page says of the refusal; left out: that the role may not. */
  readonly refusal?: string;
  fill?(page: Page): Promise<void>;
  /** The button that sends it; left out: the one that begins it. */
  readonly sends?: string;
  /** `POST /v1/keys/{id}/roll`. */
  readonly request: string;
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
  const note = (response: Response) => {
    const request = response.request();
    const at = pathOf(request);
    if (request.method() !== method || !matches(action, `${method} ${at}`)) return;
    const body: unknown = JSON.parse(request.postData() ?? '{}');
    sent.push({ body, key: request.headers()['idempotency-key'], status: response.status() });
  };
  let isFirst = true;
  const inOtherSession = async (route: Route) => {
    const request = route.request();
    if (!isFirst || request.method() !== method) return route.fallback();
    isFirst = false;
    const text = request.postData();
    const body = text === null ? undefined : (JSON.parse(text) as object);
    const key = request.headers()['idempotency-key'];
    const asked = key === undefined ? {} : { idempotencyKey: key };
    const answer = await refused.send(method, pathOf(request) + new URL(request.url()).search, body, asked);
    return route.fulfill({ status: answer.status, contentType: 'application/json', body: answer.text });
  };
  const address = new RegExp(`${API}${path.replaceAll('{id}', '[^/?]+')}(?:\\?|$)`);
  page.on('response', note);
  await page.route(address, inOtherSession);
  await tab.go(action.at);
  for (const name of action.begins) await opener(page, name).click();
  await action.fill?.(page);
  const press = () =>
    (action.sends === undefined ? opener(page, action.begins.at(-1) ?? '') : sender(page, action.sends)).click();
  if (action.sends !== undefined) await press();
  await page
    .getByText(action.refusal ?? NOT_YOURS)
    .first()
    .waitFor();
  const wrong = await done(page, action, press);
  await page.unroute(address);
  page.off('response', note);
  return [...wrong, ...complaints(action, sent)];
}

const API = '/dashboard/api';
const pathOf = (request: Request): string => new URL(request.url()).pathname.replace(API, '');
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
  JSON.stringify(body).replaceAll(/(?<="fingerprint":)"[^"]+"/g, '"?"') === JSON.stringify(expected);

/** Whether the page keeps the action from this person: its button is off, or is not there. */
export async function isKeptFrom(tab: Tab, { at, begins }: Action): Promise<boolean> {
  await tab.go(at);
  for (const name of begins) {
    const found = opener(tab.page, name);
    if ((await found.count()) === 0 || (await found.isDisabled())) return true;
    await found.click();
  }
  return false;
}

const opener = (page: Page, name: string): Locator =>
  page
    .locator('main, [role=menu]')
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('menuitem', { name, exact: true }));

/** In the dialog, or in the form of a page where there is none. */
const sender = (page: Page, name: string): Locator =>
  page.locator('[role=dialog] form, main form').getByRole('button', { name, exact: true });

async function keep(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByLabel('I have kept it').check();
  await dialog.getByRole('button', { name: 'Done', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
