/**
 * Everything that people do in the dashboard, in a real browser: each action once refused and once allowed, by the roles that it is for, with
 * the request that it sends and the sentence that it says (`test/support/dashboard/actions.ts`). Who may not finds its button there, off, with
 * the reason as text.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutBrowser } from '../support/browser/browser.ts';
import { type Action, perform, shownTo } from '../support/dashboard/actions.ts';
import { bankActions } from '../support/dashboard/actions/bank.ts';
import { companyActions, ruleActions } from '../support/dashboard/actions/company.ts';
import { developerActions } from '../support/dashboard/actions/developers.ts';
import { incomingActions } from '../support/dashboard/actions/incoming.ts';
import { moneyActions } from '../support/dashboard/actions/money.ts';
import { payoutActions } from '../support/dashboard/actions/payouts.ts';
import { emptyingActions, sandboxActions } from '../support/dashboard/actions/sandbox.ts';
import { type Stage, stageOf, type Who } from '../support/dashboard/actions/stage.ts';
import { type Scene, startScene } from '../support/dashboard/scene.ts';
import type { Tab } from '../support/dashboard/tour.ts';

/** In this order: rules freeze what comes after them, and at last nothing is left. */
const AREAS = {
  bank: bankActions,
  payouts: payoutActions,
  money: moneyActions,
  'what is asked for': incomingActions,
  developers: developerActions,
  company: companyActions,
  'the tools of the sandbox': sandboxActions,
  rules: ruleActions,
  'an empty sandbox': emptyingActions,
} as const;
type Area = keyof typeof AREAS;
const NAMES = Object.keys(AREAS) as readonly Area[];
/** One after the other, since each sees what the one before has done. */
const IN_ORDER: ReadonlySet<Area> = new Set(['rules']);
/** Several tabs at once are slow on a busy machine, and none of these waits is what is tested. */
const PATIENCE_MS = 60_000;

describe.skipIf(withoutBrowser)('what people do in the dashboard', () => {
  let scene: Scene;
  let stage: Stage;
  const actions = {} as Record<Area, readonly Action[]>;
  beforeAll(async () => {
    scene = await startScene({ days: 1 });
    stage = await stageOf(scene);
    for (const name of NAMES) actions[name] = await AREAS[name](stage);
  }, 600_000);
  afterAll(() => scene?.end());

  /** Does `work` for each action in a tab of the person that `who` says, for each person in a tab of its own. */
  async function inTabsOf(
    those: readonly Action[],
    who: (action: Action) => Who,
    work: (tab: Tab, action: Action) => Promise<void>,
    isInOrder: boolean,
  ): Promise<void> {
    const tabs = new Map<Who, Tab>();
    const tabOf = async (name: Who) => {
      const tab = tabs.get(name) ?? (await scene.open(stage.people[name].browser, { answers: [403] }));
      tabs.set(name, tab);
      tab.page.setDefaultTimeout(PATIENCE_MS);
      return tab;
    };
    const all = async (some: readonly Action[]) => {
      for (const action of some) await work(await tabOf(who(action)), action);
    };
    const names = [...new Set(those.map(who))];
    if (isInOrder) await all(those);
    else await Promise.all(names.map((name) => all(those.filter((action) => who(action) === name))));
    for (const tab of tabs.values()) await tab.close();
  }

  // Before they are done: what is done is not offered again.
  it('is there for who may not, off, with the reason, before it is tried', { timeout: 600_000 }, async () => {
    const wrong: Record<string, string> = {};
    const those = NAMES.flatMap((name) => actions[name]).filter(({ isKeptBack }) => isKeptBack !== false);
    const look = async (tab: Tab, action: Action) => {
      const said = await shownTo(tab, action).catch((error: Error) => error.message);
      if (said !== null) wrong[action.name] = said;
    };
    await inTabsOf(those, ({ notBy }) => notBy, look, false);
    expect(wrong).toEqual({});
  });

  it('control: who may can press it', async () => {
    const [action] = actions.money as readonly [Action];
    const tab = await scene.open(stage.people[action.by].browser);
    expect(await shownTo(tab, action)).toBe('New account can be pressed');
    await tab.close();
  });

  it.each(NAMES)('is refused to who may not, and done for who may: %s', { timeout: 600_000 }, async (name) => {
    const wrong: Record<string, readonly string[]> = {};
    const go = async (tab: Tab, action: Action) => {
      const { browser } = stage.people[action.notBy];
      wrong[action.name] = await perform(tab, action, browser).catch((error: Error) => [error.message]);
    };
    await inTabsOf(actions[name], ({ by }) => by, go, IN_ORDER.has(name));
    expect(wrong).toEqual(Object.fromEntries(actions[name].map((action) => [action.name, []])));
  });
});
