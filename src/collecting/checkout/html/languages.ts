/** The language of a visitor: of the address, else of the `Accept-Language` header, else English. Words: `words-en.ts`. */
import { LANGUAGES, type Language } from './view.ts';

/** Each language by its own name, for visitors who read only that one. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** `en` is British: the day before the month, and `US$` distinct from other dollars. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };

const FALLBACK: Language = 'en';
/** A browser sends a few ranges. A longer header is not parsed. */
const MAX_HEADER_CHARACTERS = 1_000;
const RANGE = /^\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]+)?\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * `wanted` is `?lang=` and wins if it is known. `acceptLanguage` is a list of ranges with weights (RFC 9110, 12.5.4): the
 * heaviest known one, among equals the first; `q=0` is refused; ranges that cannot be read are passed over.
 */
export function languageOf(wanted: string | undefined, acceptLanguage: string | undefined): Language {
  const known = languageNamed(wanted ?? '');
  if (known !== null) return known;
  if (acceptLanguage === undefined || acceptLanguage.length > MAX_HEADER_CHARACTERS) return FALLBACK;
  let best: Language | '*' = FALLBACK;
  let bestWeight = 0;
  const named = new Set<Language>();
  for (const range of acceptLanguage.split(',')) {
    const parts = RANGE.exec(range);
    if (!parts) continue;
    const weight = Number(parts[2] ?? '1');
    const language = parts[1] === '*' ? '*' : languageNamed(parts[1] as string);
    if (language === null) continue;
    if (language !== '*') named.add(language);
    if (weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  // `*` is any language that was not named.
  return best === '*' ? (LANGUAGES.find((each) => !named.has(each)) ?? FALLBACK) : best;
}

function languageNamed(text: string): Language | null {
  const name = text.toLowerCase();
  return LANGUAGES.find((each) => each === name) ?? null;
}
