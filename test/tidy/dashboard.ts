/**
 * The house rules of the dashboard, which is a program for browsers: what a file may import by where it is, and what would let text of the API
 * become markup. The floors of the service: `floors.ts`.
 */
import { lineOf, type Rule } from './rules.ts';
import type { Source } from './source.ts';

const TOP = 'dashboard/src/';
/** Of the service and the client a browser gets these. What of the service changes the build stands in `scripts/dashboard.mjs`. */
const OUTSIDE =
  /^(?:client\/src\/|src\/(?:collecting\/checkout\/html\/colours|core\/rails\/business-days|core\/values\/time|paying\/standing-orders\/calendar)\.ts$)/;

/** The same with the text between tags blank: the scanner takes it for code. Nothing else of a program looks like it. */
export function withoutText(file: Source): Source {
  if (!file.path.endsWith('.tsx')) return file;
  const blank = (text: string) => text.replaceAll(/[^\n]/g, ' ');
  const code = file.code.replaceAll(/(?<=[>}])[^<>{}()=;]+(?=[<{])/g, blank);
  return { ...file, code };
}

/** A folder, and what of the dashboard its files may import beside it. What stands in none may import everything. */
const FLOORS: readonly (readonly [folder: RegExp, may: RegExp])[] = [
  [/^api\//, /^api\//],
  [/^ui\//, /^(?:ui|api)\/|^[a-z-]+\.ts$/],
  [/^factors\//, /^(?:factors|ui|api)\/|^[a-z-]+\.ts$/],
  [/^pages\/([a-z-]+)\//, /^(?:factors|ui|api)\/|^[a-z-]+\.ts$/],
  [/^shell\//, /^(?:shell|ui|api|pages\/signin)\/|^(?:routes\.tsx|[a-z-]+\.ts)$/],
  // Loose files that everything may import, themselves importing nothing of it.
  [/^(?:links|nonce|scheme|theme)\.ts$/, /^[a-z-]+\.ts$/],
];

/** Imports that do not lead down, from one page into another, or out of what a browser gets. */
export const dashboardImports: Rule = ({ path, imports }) => {
  if (path.endsWith('.test.ts')) return []; // tests see everything
  const own = path.slice(TOP.length);
  const [, may = null] = FLOORS.find(([folder]) => folder.test(own)) ?? [];
  const page = /^pages\/[a-z-]+\//.exec(own)?.[0];
  return imports
    .map(({ target }) => target)
    .filter((target) => {
      if (target.startsWith('node:')) return true;
      if (!/^(?:dashboard|src|client)\//.test(target)) return false; // packages: knip
      if (!target.startsWith(TOP)) return !OUTSIDE.test(target);
      const below = target.slice(TOP.length);
      return may !== null && !may.test(below) && !(page !== undefined && below.startsWith(page));
    })
    .map((target) => `may not import ${target}`);
};

/** Ways by which a text becomes markup or code. Trusted Types refuse them in the browser; nobody should meet that. */
const MARKUP =
  /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|srcDoc|eval)\b|\bdocument\.write\b|\bnew Function\b/g;
export const noMarkup: Rule = ({ code }) =>
  [...code.matchAll(MARKUP)].map(({ 0: found, index }) => `line ${lineOf(code, index)}: ${found}`);

/** One way to the server: it names the environment, and sees when a session has ended. */
export const asksInOnePlace: Rule = ({ path, code }) =>
  path.startsWith(`${TOP}api/`)
    ? []
    : [...code.matchAll(/(?<![.\w])fetch\(|\b(?:XMLHttpRequest|EventSource|WebSocket|sendBeacon)\b/g)].map(
        ({ 0: found, index }) => `line ${lineOf(code, index)}: ${found} stands in api/ alone`,
      );
