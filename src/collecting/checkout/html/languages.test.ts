/** The choice of a language: by the address, else by the weights of the browser's header. */
import { describe, expect, it } from 'vitest';
import { languageOf } from './languages.ts';

describe('languageOf', () => {
  it.each([
    [undefined, undefined, 'en'],
    ['de', 'fr', 'de'],
    ['DE', undefined, 'de'],
    ['', 'fr', 'fr'],
    ['xx', 'fr', 'fr'],
    ['de-AT', 'fr', 'fr'],
    ['__proto__', undefined, 'en'],
    [undefined, '', 'en'],
    [undefined, 'de', 'de'],
    [undefined, 'de-CH', 'de'],
    [undefined, 'es-419,es;q=0.9', 'es'],
    [undefined, 'zh-Hant-TW', 'en'],
    [undefined, 'it,nl;q=0.9,fr;q=0.1', 'fr'],
    [undefined, 'fr;q=0.5,de;q=0.8,en;q=0.3', 'de'],
    [undefined, 'fr ; q=0.5 , de ; Q=0.8', 'de'],
    [undefined, 'es,de', 'es'],
    [undefined, 'de;q=0.7,fr;q=0.7', 'de'],
    [undefined, 'de;q=0,fr;q=0.1', 'fr'],
    [undefined, 'de;q=0', 'en'],
    [undefined, 'de;q=0.000,es;q=0.001', 'es'],
    [undefined, '*', 'en'],
    [undefined, 'en;q=0,*', 'de'],
    [undefined, 'en;q=0.2,*;q=0.5', 'de'],
    [undefined, 'it,*;q=0.1', 'en'],
    [undefined, 'de;q=2,fr', 'fr'],
    [undefined, 'de;q=high,fr;q=0.2', 'fr'],
    [undefined, 'de;q=1.5,,;;,fr;q=0.2', 'fr'],
    [undefined, 'german,fr;q=0.1', 'fr'],
    [undefined, `${'x,'.repeat(600)}de`, 'en'],
  ] as const)('?lang=%s, Accept-Language: %s is %s', (wanted, header, language) =>
    expect(languageOf(wanted, header)).toBe(language),
  );
});
