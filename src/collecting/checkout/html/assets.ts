/**
 * The assets of the page. A name holds a hash of the content, so browsers may cache it for ever. Next:
 * `style-sheet.ts`.
 */
import { createHash } from 'node:crypto';
import { assert } from '../../../core/values/assert.ts';
import { CLIENT_SCRIPT } from './client-script.ts';
import { accentOn, DARK, LIGHT, properties } from './colours.ts';
import { STYLE_SHEET } from './style-sheet.ts';

/** The icon of merchants without a logo. Without one browsers ask for `/favicon.ico`. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f4fd8"/><path d="M9 16.5l5 5 9-10" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const named = (name: string, ending: string, body: string) =>
  `${name}-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${ending}`;

export const STYLE_SHEET_NAME = named('page', 'css', STYLE_SHEET);
export const CLIENT_SCRIPT_NAME = named('page', 'js', CLIENT_SCRIPT);
export const ICON_NAME = named('icon', 'svg', ICON);

type Asset = { readonly contentType: string; readonly body: string };
const CSS = 'text/css; charset=utf-8';

/** Style sheet, script and icon. */
export const ASSETS: ReadonlyMap<string, Asset> = new Map([
  [STYLE_SHEET_NAME, { contentType: CSS, body: STYLE_SHEET }],
  [CLIENT_SCRIPT_NAME, { contentType: 'text/javascript; charset=utf-8', body: CLIENT_SCRIPT }],
  [ICON_NAME, { contentType: 'image/svg+xml', body: ICON }],
]);

const HEX = /^[0-9a-f]{6}$/i;

/** The name of a colour's style sheet, `accent-1f4fd8.css`; `null` for a text that is not `#rrggbb`. */
export function accentName(accent: string | null): string | null {
  return accent?.startsWith('#') && HEX.test(accent.slice(1)) ? `accent-${accent.slice(1).toLowerCase()}.css` : null;
}

/** The asset of that name: one of {@link ASSETS}, or a colour's style sheet. */
export function assetNamed(name: string): Asset | undefined {
  const accent = /^accent-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  return accent === undefined ? ASSETS.get(name) : { contentType: CSS, body: accentSheet(accent) };
}

/** The style sheet of a merchant's colour, six hexadecimal digits. A sheet of its own: the page may hold no inline style. */
export function accentSheet(rrggbb: string): string {
  assert(HEX.test(rrggbb), 'a colour is six hexadecimal digits');
  const accent = `#${rrggbb.toLowerCase()}`;
  const dark = `@media screen and (prefers-color-scheme:dark){:root{${properties(accentOn(accent, DARK), 'accent-')}}}`;
  return `:root{${properties(accentOn(accent, LIGHT), 'accent-')}}${dark}`;
}
