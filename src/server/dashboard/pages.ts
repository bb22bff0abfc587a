/**
 * What a browser sees where the dashboard cannot be shown: while it is built, where it was not built, and at an address at which it must not
 * answer. With nothing of the request in it.
 */
import type { BuildState } from '../../platform/http/transfer/built-folder.ts';

const HOW =
  'In the folder of the service run <code>npm run dashboard</code> once, and load this page again. The service need not be restarted.';
const WHY_UNBUILT: Readonly<Record<BuildState, string>> = {
  none: `This service runs from its sources, and the dashboard was not built yet. ${HOW} The released package holds it.`,
  running:
    'The dashboard is being built, which takes some seconds at the first start. This page loads itself again and then shows it.',
  failed: `The dashboard could not be built: npm did not get a package, perhaps, and the log of the service says more. ${HOW}`,
  memory: `The dashboard was not built, because this machine has too little free memory for it beside the service. ${HOW}`,
};

/** Below `/dashboard`. */
export const AGAIN = 'again.js';
/** The only script of these pages. A `refresh` of the page would load nothing where a link stands behind `#`, as in the one that a start prints. */
export const AGAIN_SCRIPT = 'setTimeout(() => location.reload(), 3000);\n';
const RELOAD = `<script src="/dashboard/${AGAIN}" async></script>`;

/** The page until it is built. While it is being built, it loads itself again every three seconds. */
export function waitingPage(state: BuildState, nonce: string): string {
  return document('The dashboard', `<p>${WHY_UNBUILT[state]}`, nonce, state === 'running' ? RELOAD : '');
}

const ELSEWHERE = `<p>A browser keeps a session only where nobody on the way can read it: over <strong>https</strong>, or on the machine of the service itself.
<h2>From your own machine</h2>
<p>Open a tunnel, then go to <code>http://localhost:4242/dashboard</code>:
<p><code>ssh -L 4242:127.0.0.1:4242 your-server</code>
<h2>For everybody</h2>
<p>Put a proxy with a certificate in front, and set its address in <code>BURSAR_PUBLIC_URL</code>, or, for a host of its own, in <code>BURSAR_DASHBOARD_URL</code>. The proxy has to pass on <code>Host</code>.`;

/** The page at a name that is not one of the service, or that is reached by plain http. */
export function elsewherePage(nonce: string): string {
  return document('The dashboard does not answer at this address', ELSEWHERE, nonce);
}

function document(title: string, body: string, nonce: string, head = ''): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">${head}
<title>${title} · Bursar</title><style nonce="${nonce}">body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}h2{font-size:1.1rem}code{background:#8882;padding:.1em .3em;border-radius:4px}</style>
<main><h1>${title}</h1>${body}
</main></html>
`;
}
