/**
 * A person of a story, who does everything with clicks: comes by an invitation with a passkey, goes by the navigation, drops files. Each page
 * that the person stands on is looked at, and each write that leaves the browser is kept. Next: `tour.ts` for tabs that go by addresses.
 */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { type Browser, tooWide, violations } from '../browser/browser.ts';
import { invite, type Holder } from './people.ts';
import { loaded, stranger, type Tab } from './tour.ts';

/** A write as it left the browser; dry runs are none. */
interface Sent {
  readonly path: string;
  readonly key: string;
}

interface Joining {
  readonly address: string;
  readonly holder: Holder;
  readonly role: string;
  readonly name: string;
  readonly phone?: boolean;
}

const API = '/dashboard/api/v1/';

export class Colleague {
  readonly user: string;
  readonly page: Page;
  readonly sent: Sent[] = [];
  /** Pages and what is wrong with them for who cannot see or has a narrow screen; none is right. */
  readonly faults: string[] = [];
  /** Touches of the screen so far. */
  taps = 0;
  readonly #tab: Tab;
  readonly #isPhone: boolean;

  private constructor(user: string, tab: Tab, isPhone: boolean) {
    this.user = user;
    this.#tab = tab;
    this.#isPhone = isPhone;
    this.page = tab.page;
    this.page.on('request', (request) => {
      const path = new URL(request.url()).pathname;
      const key = request.headers()['idempotency-key'];
      if (request.method() !== 'POST' || !path.startsWith(API) || key === undefined) return;
      if (request.postData()?.includes('"dry_run":true') !== true)
        this.sent.push({ path: path.slice(API.length), key });
    });
  }

  /** Somebody with that role who was invited, and has a passkey of the device. */
  static async join(browser: Browser, { address, holder, role, name, phone = false }: Joining): Promise<Colleague> {
    const { user, token } = await invite(holder, [role]);
    // What is refused on purpose: a name that is used, and a page that asks before somebody is signed in.
    const tab = await stranger(browser, address, { phone, answers: [400, 401] });
    const colleague = new Colleague(user, tab, phone);
    const { page } = tab;
    await page.context().exposeBinding('touched', () => void colleague.taps++);
    await page.addInitScript(`addEventListener('touchstart', (event) => event.isTrusted && touched(), true)`);
    await page.goto(`/dashboard#invite=${token}`);
    await page.getByLabel('Your name').fill(name);
    await colleague.press('Go on');
    await colleague.press('Make a passkey');
    await colleague.stands('Overview');
    return colleague;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Once, or twice as a nervous finger does. */
  async press(name: string | RegExp, within: Page | Locator = this.page, times: 1 | 2 = 1): Promise<void> {
    const button = within.getByRole('button', { name, exact: typeof name === 'string' });
    if (this.#isPhone) await button.tap();
    else if (times === 2) await button.dblclick();
    else await button.click();
  }

  /** By the navigation to a page with that heading. */
  async visit(word: string, heading = word): Promise<void> {
    if (this.#isPhone) await this.press('Pages');
    const pages = this.page.getByRole('navigation', { name: 'Pages' }).filter({ visible: true });
    const link = pages.getByRole('link', { name: new RegExp(`^${word}\\b`) });
    await (this.#isPhone ? link.tap() : link.click());
    if (this.#isPhone) await this.page.getByRole('dialog').waitFor({ state: 'detached' });
    await this.stands(heading);
  }

  /** By a link of the page. */
  async follow(word: string | RegExp, within: Page | Locator = this.page.getByRole('main')): Promise<void> {
    await within
      .getByRole('link', { name: word, exact: typeof word === 'string' })
      .first()
      .click();
    await this.looks();
  }

  async stands(heading: string | RegExp): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await this.looks();
  }

  /** Looks at the page as it is now. */
  async looks(): Promise<void> {
    await loaded(this.page);
    const title = await this.page.title();
    const found = [...(await violations(this.page)), ...(await tooWide(this.page))];
    this.faults.push(...found.map((each) => `${title}: ${each}`));
  }

  async says(words: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByText(words).first().waitFor();
  }

  /** Chooses an option of a list that opens. */
  async picks(label: string, option: string | RegExp, within: Page | Locator = this.page): Promise<void> {
    await within.getByRole('combobox', { name: label }).click();
    await this.page.getByRole('option', { name: option, exact: typeof option === 'string' }).click();
  }

  /** Drops a file onto a place of the page, as a hand does that has pulled it there. */
  async drops(place: Locator, name: string, content: string | Buffer): Promise<void> {
    const base64 = Buffer.from(content).toString('base64');
    const dataTransfer = await this.page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob('${base64}'), (each) => each.charCodeAt(0))], ${JSON.stringify(name)}));
      return data;
    })()`);
    await place.dispatchEvent('dragover', { dataTransfer });
    await place.dispatchEvent('drop', { dataTransfer });
  }

  /** What a button downloads. */
  async downloads(name: string | RegExp, within: Page | Locator = this.page): Promise<Buffer> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.press(name, within)]);
    return readFileSync(await download.path());
  }

  /** Rejects with what went wrong behind a page's back. */
  async leaves(): Promise<void> {
    await this.#tab.close();
  }
}
