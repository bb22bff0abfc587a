/**
 * The page at `/` for a browser: what this is, its documentation, and where keys come from. It looks like a payment page and has the same
 * policy. Programs get JSON at the same address (`platform/http/public.ts`).
 */
import { ICON_NAME, STYLE_SHEET_NAME } from '../collecting/checkout/html/assets.ts';
import { html } from '../collecting/checkout/html/html.ts';
import type { Config } from '../config.ts';
import { VERSION } from '../core/values/version.ts';
import { programName } from '../operator/program-name.ts';
import { contentSecurityPolicy } from '../platform/http/page.ts';

const ASSETS = '/pay/assets/';

const DASHBOARD = ['/dashboard', 'Dashboard', 'Balances, payouts and approvals, for people.'] as const;
/** Where a visitor may go on: address, name, what is there. */
const PLACES = [
  ['/docs/', 'Documentation', 'Guides, every operation, every error.'],
  ['/docs/guides/first-payout', 'The first payout', 'A payout in the sandbox, in five minutes.'],
  ['/openapi.json', 'API description', 'OpenAPI 3.1, for generators of clients.'],
  ['/readyz', 'Health', 'Whether the service can answer requests now.'],
] as const;

export interface HomeFacts {
  readonly version: string;
  /** The command line, as it is typed: `npx bursar`. */
  readonly program: string;
  /** Whether the dashboard answers here. One with a host of its own is not named to strangers. */
  readonly hasDashboard: boolean;
  /** Where clients find the service, without a trailing slash. */
  baseUrl(this: void): string;
}

const HOME_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': contentSecurityPolicy(),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  Vary: 'Accept',
};

/** The answer at `/`. `baseUrl`: where clients find the service, without a trailing slash. */
export function homeOf(
  { dashboard, dashboardUrl }: Pick<Config, 'dashboard' | 'dashboardUrl'>,
  baseUrl: () => string,
): () => { readonly body: string; readonly headers: typeof HOME_HEADERS } {
  const hasDashboard = dashboard && dashboardUrl === null;
  const facts = { version: VERSION, program: programName(), hasDashboard, baseUrl };
  return () => ({ body: homePage(facts), headers: HOME_HEADERS });
}

/** The whole document. It shows nothing that needs a key. */
export function homePage({ version, program, hasDashboard, baseUrl }: HomeFacts): string {
  const places = hasDashboard ? [DASHBOARD, ...PLACES] : PLACES;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="light dark">
<title>Bursar</title>
<link rel="icon" href="${ASSETS}${ICON_NAME}">
<link rel="stylesheet" href="${ASSETS}${STYLE_SHEET_NAME}">
</head>
<body>
<header><p class="name">Bursar</p><p class="muted">Version ${version}</p></header>
<main>
<section class="card">
<h1>This is a payments service.</h1>
<p class="text">Programs use it through a REST API: accounts in many currencies, exchanges, payouts, payment links, events and webhooks.</p>
</section>
<section class="card">
<h2>Read on</h2>
<dl class="details">${places.map(([address, name, about]) => html`<div><dt><a href="${address}">${name}</a></dt><dd class="muted">${about}</dd></div>`)}</dl>
</section>
<section class="card">
<h2>Where keys come from</h2>
<p>The first start prints a sandbox key on its terminal. Later keys are made on the machine of the service:</p>
<p class="text"><code>${program} keys create --sandbox</code>
<code>${program} keys create --live</code></p>
<p class="text">A first request with a key:</p>
<p class="text"><code>curl ${baseUrl()}/v1/accounts -H "Authorization: Bearer $BURSAR_KEY"</code></p>
</section>
</main>
</body>
</html>
`;
  return page.toString();
}
