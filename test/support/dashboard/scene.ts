/**
 * A service with a company on it, one Chromium, and people of every kind: what tests of the dashboard in a browser start from. Next:
 * `world.ts` for what there is to see, `tour.ts` for tabs, `views.ts`, `states.ts` and `actions.ts` for what is asked of pages.
 */
import type { Role } from '../../../src/core/roles.ts';
import { type Browser, startBrowser } from '../browser/browser.ts';
import { type Application, startApplication } from '../harness/application.ts';
import type { Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import type { BrowserClient } from './browser-client.ts';
import { buildDashboard, DASHBOARD_DIST } from './build.ts';
import { type Member, member } from './people.ts';
import { everyPage, type NamedPage, signedIn, stranger, type Tab, type TabOptions } from './tour.ts';
import { makeWorld, type World } from './world.ts';

export interface Scene {
  readonly application: Application;
  readonly browser: Browser;
  readonly world: World;
  /** May do everything in the sandbox. */
  readonly maker: Member;
  /** As the maker sees them. */
  readonly pages: readonly NamedPage[];
  /** Somebody new with these roles in the sandbox, or in live. Who approves is confirmed. */
  person(roles: readonly Role[], mode?: 'sandbox' | 'live'): Promise<Member>;
  /** A tab in the session of that person. */
  open(person: BrowserClient, options?: TabOptions): Promise<Tab>;
  /** A tab of nobody. */
  stranger(options?: TabOptions): Promise<Tab>;
  /** An object of the sandbox, as its key reads it. */
  read(path: string): Promise<Json>;
  end(): Promise<void>;
}

/** `days`: of history. Ends what it has started when it fails. */
export async function startScene({ days }: { readonly days: number }): Promise<Scene> {
  buildDashboard();
  const [application, browser] = await Promise.all([
    startApplication({ dashboardFolder: DASHBOARD_DIST, config: { requestLogDays: 7 } }),
    startBrowser(),
  ]);
  const end = async () => {
    await browser.stop().finally(() => application.stop());
  };
  try {
    return await furnished(application, browser, days, end);
  } catch (error) {
    await end();
    throw error;
  }
}

async function furnished(application: Application, browser: Browser, days: number, end: () => Promise<void>) {
  const { sandbox, live, address } = application;
  const world = await makeWorld(sandbox.client, { days });
  const third = { sandbox: await application.key(), live: await application.key({ livemode: true }) };
  const person = async (roles: readonly Role[], mode: 'sandbox' | 'live' = 'sandbox'): Promise<Member> => {
    const made = await member(application, [mode === 'live' ? live : sandbox], roles);
    if (roles.includes('approver')) must(await third[mode].client.post(`/v1/users/${made.user}/confirm`));
    return made;
  };
  const maker = await person(['developer', 'operator', 'admin']);
  const [event] = must(await sandbox.client.get('/v1/events?limit=1')).json['data'] as Json[];
  const scene: Scene = {
    application,
    browser,
    world,
    maker,
    pages: everyPage(world, { user: maker.user, event: event?.['id'] as string, key: sandbox.id }),
    person,
    open: (who, options) => signedIn(browser, address, who, options),
    stranger: (options) => stranger(browser, address, options),
    read: async (path) => must(await sandbox.client.get(path)).json,
    end,
  };
  return scene;
}
