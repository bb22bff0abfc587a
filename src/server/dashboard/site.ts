/**
 * The dashboard as a browser gets it, below `/dashboard`: the page of the application with a fresh nonce, its files, and, where it is not there
 * yet, a page that says so. Where it may answer: `origin.ts`. What it asks for (`/dashboard/api/…`) is not served here, and an
 * unknown path below that is never the page. Next: `platform/http/public.ts`; who builds it: `scripts/dashboard.mjs`.
 */
import { randomBytes } from 'node:crypto';
import {
  type AskedHeaders,
  type BuildState,
  type BuiltFacts,
  builtFolder,
  type FileAnswer,
} from '../../platform/http/transfer/built-folder.ts';
import { type DashboardAddresses, originOfDashboard } from './origin.ts';
import { AGAIN, AGAIN_SCRIPT, elsewherePage, waitingPage } from './pages.ts';

export interface DashboardParts extends DashboardAddresses {
  /** Where the built application is, or will be; `null`: nowhere. */
  readonly folder: string | null;
  /** How far a build of it is. */
  readonly build?: () => BuildState;
}

interface Asked {
  readonly url: string;
  readonly headers: AskedHeaders;
}

const BASE = '/dashboard';
/** What `scripts/dashboard.mjs` lists the files in. */
const LIST = 'files.json';
const PAGE = 'index.html';
/** In the page, where the application finds the nonce for the styles that it makes. */
const NONCE_PLACE = '<meta name="csp-nonce" content="';
/** A year. Without subdomains, which may belong to others. */
const HSTS = 'max-age=31536000';

/** On every answer, of files too. */
const STANDING = {
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const;
/** A picture that is opened by itself is no page: no script of it runs. */
const POLICY_OF_FILES = "default-src 'none'; frame-ancestors 'none'; sandbox";

/**
 * The policy of the application: nothing of another site, no script in the page, styles with the nonce alone. No text becomes markup: whatever
 * is to be markup passes the one policy `default`, which the application makes first of all.
 */
export function policyOfPage(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

/**
 * Answers everything below `/dashboard` but its API; `null`: there is nothing at this path, or not on this host. The application may be built
 * while the service runs.
 */
export function dashboardSite({
  folder,
  build = () => 'none',
  ...addresses
}: DashboardParts): (request: Asked) => Promise<FileAnswer | null> {
  const application = builtFolder<BuiltFacts>(folder, LIST);
  return async ({ url, headers }) => {
    const place = originOfDashboard(addresses, headers['host'] as string | undefined);
    if (place === 404) return null;
    if (place === 421) return page(421, elsewherePage);
    const below = (url.split('?', 1)[0] as string).slice(BASE.length + 1);
    if (/^api(?:\/|$)/.test(below)) return null;
    const own = place.origin.startsWith('https:') ? { 'Strict-Transport-Security': HSTS } : {};
    const ofFile = { 'Content-Security-Policy': POLICY_OF_FILES, ...STANDING, ...own };
    // Also once it is built: a page from a moment before asks for it.
    if (below === AGAIN)
      return { status: 200, body: AGAIN_SCRIPT, contentType: 'text/javascript; charset=utf-8', headers: ofFile };
    const built = await application();
    if (below !== PAGE && built?.has(below) === true) return built.answer(below, headers, ofFile);
    if (below.startsWith('assets/')) return null;
    if (built === null) return page(503, (nonce) => waitingPage(build(), nonce), own);
    const text = (await built.read(PAGE)).toString();
    if (text.split(NONCE_PLACE).length !== 2) throw new Error(`${PAGE} of the dashboard has no one place for a nonce.`);
    return page(200, (nonce) => text.replace(NONCE_PLACE, () => NONCE_PLACE + nonce), own);
  };
}

function page(
  status: number,
  write: (nonce: string) => string,
  own: Readonly<Record<string, string>> = {},
): FileAnswer {
  const nonce = randomBytes(16).toString('base64');
  return {
    status,
    body: write(nonce),
    contentType: 'text/html; charset=utf-8',
    headers: { 'Cache-Control': 'no-store', 'Content-Security-Policy': policyOfPage(nonce), ...STANDING, ...own },
  };
}
