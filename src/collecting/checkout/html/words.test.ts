/** The words in four languages, as far as the compiler cannot check them. */
import { describe, expect, it } from 'vitest';
import { html, type Html } from './html.ts';
import { LANGUAGES, type Language } from './view.ts';
import { WORDS } from './render.ts';

const MERCHANT = html`MERCHANT`;

/** Every text of a language by its path; sentences with parameters get telling ones. */
function textsOf(language: Language): Map<string, string> {
  const texts = new Map<string, string>();
  const visit = (path: string, value: unknown) => {
    if (typeof value === 'string') texts.set(path, value);
    else if (typeof value === 'function')
      texts.set(path, String(called(path, value as (...all: unknown[]) => unknown)));
    else for (const [name, each] of Object.entries(value as object)) visit(`${path}.${name}`, each);
  };
  visit('', WORDS[language]);
  return texts;
}

function called(path: string, sentence: (...all: unknown[]) => unknown): unknown {
  if (/^\.(?:overpaid|duplicates)$/.test(path)) return sentence('AMOUNT', MERCHANT);
  if (/^\.(?:noWay|noBankDetails|ended\..*)$/.test(path)) return sentence(MERCHANT satisfies Html);
  return sentence('AMOUNT', 'OTHER');
}

const ALL = new Map(LANGUAGES.map((language) => [language, textsOf(language)] as const));
const english = ALL.get('en') as Map<string, string>;
const PARAMETERS = /AMOUNT|OTHER|MERCHANT|\{\}/g;
const used = (text: string | undefined) => [...(text ?? '').matchAll(PARAMETERS)].map(([name]) => name).sort();

/** The same in several languages, as it should be. */
const NAMES_OF_THINGS = /^(?:IBAN|BIC|BSB|IFSC|CLABE|Bank|Sort [Cc]ode|Routing [Nn]umber)$/;

describe.each(LANGUAGES)('%s', (language) => {
  const texts = ALL.get(language) as Map<string, string>;

  it('says everything, with the same parameters', () => {
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of texts) {
      expect(text.trim(), path).toBe(text);
      expect(text, path).not.toBe('');
      expect(used(text), path).toEqual(used(english.get(path)));
    }
  });

  it('is a language of its own', () => {
    if (language === 'en') return;
    for (const [path, text] of texts) {
      if (!NAMES_OF_THINGS.test(text)) expect(text, path).not.toBe(english.get(path));
    }
  });

  it('writes quotation marks and apostrophes as printed', () => {
    for (const [path, text] of texts) expect(text, path).not.toMatch(/['"]|\.\.\./);
  });
});

describe('French', () => {
  it('has a no-break space before : ; ! ? and nothing else there', () => {
    const french = [...(ALL.get('fr') as Map<string, string>)];
    expect(french.filter(([, text]) => /[:;!?]/.test(text)).length).toBeGreaterThan(3);
    for (const [path, text] of french) expect(text, path).not.toMatch(/(?<!\u00a0)[:;!?]/);
  });
});

describe('German', () => {
  it('is polite', () => {
    for (const [path, text] of ALL.get('de') as Map<string, string>) {
      expect(text, path).not.toMatch(/\b(?:du|dein\w*|dich|dir)\b/i);
    }
  });
});

describe('Spanish', () => {
  it('is polite, and opens its questions', () => {
    for (const [path, text] of ALL.get('es') as Map<string, string>) {
      expect(text, path).not.toMatch(/\b(?:tú|tus?|te|ti)\b/i);
      expect(text.includes('?'), path).toBe(text.includes('¿'));
    }
  });
});
