/** The words of the page in every language; the compiler names a language that is missing. Next: `words.ts`. */
import type { Language } from './view.ts';
import type { Words } from './words.ts';
import { GERMAN } from './words-de.ts';
import { ENGLISH } from './words-en.ts';
import { SPANISH } from './words-es.ts';
import { FRENCH } from './words-fr.ts';

export const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH };
