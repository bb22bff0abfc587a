/**
 * Takes the pictures of the dashboard for `docs/img`: a service and a PostgreSQL of its own, a company with thirty days behind it
 * (`test/support/dashboard/world.ts`), and a person who is signed in. Look at each picture afterwards. Takes half a minute.
 * Run: node --import tsx scripts/pictures.ts [name of a picture]
 */
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium, NO_BROWSER } from '../test/support/browser/chromium.ts';
import { buildDashboard, DASHBOARD_DIST } from '../test/support/dashboard/build.ts';
import { member } from '../test/support/dashboard/people.ts';
import { makeWorld, type World } from '../test/support/dashboard/world.ts';
import { startApplication } from '../test/support/harness/application.ts';
import { startCluster } from '../test/support/harness/cluster.ts';
import { must } from '../test/support/harness/tenant-fixture.ts';

interface Picture {
  readonly name: string;
  /** Below `/dashboard/sandbox`. */
  path(world: World): string;
  readonly isPhone?: boolean;
  /** What is done on the page before the picture. */
  act?(page: Page): Promise<void>;
}

/** One is known, one stands twice, one has digits changed about, one an amount that nobody can be sure of. */
const PAYROLL = `Name;IBAN;Betrag;Text
Noether Consulting;DE89370400440532013000;1.204,10;Gehalt November
Rosa Luxemburg;DE02120300000000202051;980,00;Gehalt November
Rosa Luxemburg;DE02120300000000202051;980,00;Gehalt November
Łukasz Żółć;DE03300209000106531065;1.200,00;Gehalt November
Nadia El Khoury;DE02500105170137075030;1e3;Gehalt November
Bob King;DE02200505501015871393;1.310,75;Gehalt November
`;

const PICTURES: readonly Picture[] = [
  { name: 'dashboard-overview-light', path: () => '' },
  { name: 'dashboard-overview-dark-phone', path: () => '', isPhone: true },
  { name: 'dashboard-payout-light', path: ({ failed }) => `/payouts/${failed}` },
  { name: 'dashboard-approvals-dark-phone', path: () => '/approvals', isPhone: true },
  {
    name: 'dashboard-batch-light',
    path: () => '/batches/new',
    async act(page) {
      const buffer = Buffer.from(PAYROLL);
      await page.setInputFiles('input[type=file]', { name: 'payroll-november.csv', mimeType: 'text/csv', buffer });
      await page.getByLabel('Currency').first().click();
      await page.getByRole('option', { name: 'EUR' }).click();
      await page.getByText(/rows are open/).waitFor();
    },
  },
  { name: 'dashboard-month-light', path: ({ bankAccount }) => `/bank-accounts/${bankAccount}/month` },
  { name: 'dashboard-requests-light', path: ({ refused }) => `/requests/${refused.requestId}` },
  {
    name: 'dashboard-search-light',
    path: () => '/accounts',
    async act(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('chien');
      await page.getByRole('option').first().waitFor();
    },
  },
];

const FOLDER = join(import.meta.dirname, '../docs/img');
const WIDE = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: 'dark' } as const;
const PATIENCE_MS = 10_000;
/** After the last answer: lists are laid out, and what fades in is there. */
const SETTLED_MS = 500;

async function take(context: BrowserContext, address: string, picture: Picture, world: World): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${address}/dashboard/sandbox${picture.path(world)}`);
  await page.locator('h1').first().waitFor();
  await page.waitForLoadState('networkidle');
  await picture.act?.(page);
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: join(FOLDER, `${picture.name}.png`), scale: 'css', animations: 'disabled' });
  await page.close();
}

const executablePath = findChromium(process.env);
if (executablePath === '') throw new Error(NO_BROWSER);
const [, , only] = process.argv;
buildDashboard();
const cluster = await startCluster();
const application = await startApplication({
  database: await cluster.createDatabase(),
  dashboardFolder: DASHBOARD_DIST,
  config: { requestLogDays: 14 },
});
const browser = await chromium.launch({ executablePath, chromiumSandbox: false, args: ['--font-render-hinting=none'] });
try {
  const key = await application.key({ merchant: 'Analytical Engines', name: 'ERP' });
  const world = await makeWorld(key.client);
  const { browser: person, user } = await member(application, [key], ['developer', 'approver', 'admin']);
  const other = await application.key({ merchant: 'Analytical Engines', name: 'Second key' });
  must(await other.client.post(`/v1/users/${user}/confirm`));
  await person.post('/person', { name: 'Ada Lovelace' }, { environment: null });
  for (const picture of PICTURES.filter(({ name }) => only === undefined || name === only)) {
    const context = await browser.newContext({ ...(picture.isPhone ? PHONE : WIDE), locale: 'en' });
    context.setDefaultTimeout(PATIENCE_MS);
    await context.addCookies([
      {
        name: '__Host-bursar',
        value: person.cookie ?? '',
        domain: 'localhost',
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
      },
    ]);
    await take(context, person.origin, picture, world);
    await context.close();
    process.stdout.write(`docs/img/${picture.name}.png\n`);
  }
} finally {
  await browser.close();
  await application.stop();
  await cluster.stop();
}
