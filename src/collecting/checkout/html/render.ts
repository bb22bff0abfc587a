/**
 * The hosted page, a function of a view. The content security policy refuses inline scripts and styles. Next:
 * `sections.ts`.
 */
import { accentName, CLIENT_SCRIPT_NAME, ICON_NAME, STYLE_SHEET_NAME } from './assets.ts';
import { companyFooter } from './company.ts';
import { foreign, html, type Html, plain } from './html.ts';
import { LANGUAGE_NAMES, LOCALES } from './languages.ts';
import { addressOf, sections, showsAccount } from './sections.ts';
import { LANGUAGES, type Language, type PageView } from './view.ts';
import { ENGLISH, type Fault, type Words } from './words-en.ts';
import { GERMAN } from './words-de.ts';
import { SPANISH } from './words-es.ts';
import { FRENCH } from './words-fr.ts';

/** The words of the page in every language; the compiler names a missing language. */
export const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH };

const ASSETS_PATH = '/pay/assets/';

/** The whole document, `<!doctype html>` and all. Forms and links keep the language of the view. */
export function renderPage(view: PageView): string {
  const { language, merchant, path, version, livemode, nowMs } = view;
  const words = WORDS[language];
  const accent = accentName(merchant.accent);
  // Two columns only where the second has content.
  const wide = showsAccount(view) && 'wide';
  const live = isLive(view) && `${path}/status?version=${encodeURIComponent(version)}`;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
${head(`${words.title[view.state]} · ${plain(merchant.name)}`, merchant.logo)}
${accent !== null && html`<link rel="stylesheet" href="${ASSETS_PATH}${accent}">`}
<script src="${ASSETS_PATH}${CLIENT_SCRIPT_NAME}" defer></script>
</head>
<body class="${wide}" data-page="${addressOf(view)}" data-live="${live}" data-now="${nowMs}" data-copied="${words.copied}" data-locale="${LOCALES[language]}">
<header>
${merchant.logo !== null && html`<img src="${merchant.logo}" alt="">`}
<p class="name">${foreign(merchant.name)}</p>
${!livemode && html`<p class="badge">${words.testMode}</p>`}
</header>
<main tabindex="-1">
${sections(view, words)}
</main>
${footer(language, words, (other) => addressOf(view, other), companyFooter(view, words))}
</body>
</html>
`;
  return page.toString();
}

/** The page for an address without a payment page, or a failure. It names no merchant: the link may be nobody's. */
export function renderFault(language: Language, fault: Fault): string {
  const words = WORDS[language];
  const { title, text } = words.fault[fault];
  const page = html`<!doctype html>
<html lang="${language}">
<head>
${head(title, null)}
</head>
<body>
<main>
<section class="card"><h1>${title}</h1><p class="text">${text}</p></section>
</main>
${footer(language, words, (other) => `?lang=${other}`)}
</body>
</html>
`;
  return page.toString();
}

function head(title: string, icon: string | null): Html {
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon ?? ASSETS_PATH + ICON_NAME}">
<link rel="stylesheet" href="${ASSETS_PATH}${STYLE_SHEET_NAME}">`;
}

/** The live region (`role="status"`) stands outside of `main`, which the script replaces. */
function footer(
  language: Language,
  words: Words,
  addressIn: (other: Language) => string,
  about: Html | null = null,
): Html {
  const links = LANGUAGES.map(
    (each) =>
      html`<li><a href="${addressIn(each)}" hreflang="${each}" lang="${each}"${each === language && CURRENT}>${LANGUAGE_NAMES[each]}</a></li>`,
  );
  return html`<footer>
${about}<nav aria-label="${words.languages}"><ul>${links}</ul></nav>
<p id="live" class="unseen" role="status"></p>
</footer>`;
}
const CURRENT = html` aria-current="true"`;

/** Whether the page may change while it is open. In the sandbox its panel can change a paid page too. */
function isLive({ state, livemode }: PageView): boolean {
  return state === 'open' || state === 'waiting' || state === 'partially_paid' || (state === 'paid' && !livemode);
}
