/** The words of the page in every language; the compiler names a missing language. Next: `words-en.ts`. */
import type { Language } from './view.ts';
import { ENGLISH, type Words } from './words-en.ts';
import { GERMAN } from './words-de.ts';
import { SPANISH } from './words-es.ts';
import { FRENCH } from './words-fr.ts';

export const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH };
