/** Escaping: a value in a template is text when a parser reads it back; only templates are markup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreign, html, plain, type Value } from './html.ts';

const HOSTILE = [
  '<script>alert(1)</script>',
  '</title></script><img src=x onerror=alert(1)>',
  '" onfocus="alert(1)" autofocus="',
  "' onfocus='alert(1)",
  '--><svg/onload=alert(1)>',
  ']]><b>',
  '&lt;b&gt; &amp; &#60;',
  '`${alert(1)}`',
  '\u202egnp.exe',
  'a\u0000b\u0008\u001b\u007f\u0085',
];
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: fc.constantFrom(...'<>"\'`&;#/=-! \n\u0000\u202eax0'), maxLength: 30 }),
  fc.string({ unit: 'binary' }),
);

/** What a browser makes of escaped text. */
const read = (markup: string) =>
  markup.replace(
    /&(?:amp|lt|gt|quot|#39|#96);/g,
    (entity) =>
      ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#96;': '`' })[entity] as string,
  );
/** Control characters cannot stand in a document at all. */
const shown = (text: string) =>
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '\ufffd');

describe('html', () => {
  it('is its literal with the values in it', () => {
    expect(html`<p class="${'a'}">${1} ${2n}</p>`.toString()).toBe('<p class="a">1 2</p>');
    expect(html``.toString()).toBe('');
  });

  it('takes its own kind as it is, and lists, and leaves out what is not there', () => {
    const items = [html`<li>1</li>`, null, '<', [html`<li>2</li>`]];
    expect(html`<ul>${items}</ul>${null}${undefined}${false}`.toString()).toBe('<ul><li>1</li>&lt;<li>2</li></ul>');
  });

  it.each(HOSTILE)('makes text of %j', (text) => {
    const inside = html`${text}`.toString();
    expect(inside).not.toMatch(/[<>"'`\u0000-\u0008\u001b]/);
    expect(inside).not.toMatch(/&(?!(?:amp|lt|gt|quot|#39|#96);)/);
    expect(read(inside)).toBe(shown(text));
  });

  it('makes text of everything', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const inside = html`${text}`.toString();
        expect(inside).not.toMatch(/[<>"'`]/);
        expect(read(inside)).toBe(shown(text));
        expect(html`<a title="${text}">${[text]}</a>`.toString()).toBe(`<a title="${inside}">${inside}</a>`);
        // Escaped once, however often it is nested.
        expect(html`${html`${html`${text}`}`}`.toString()).toBe(inside);
      }),
    );
  });

  it('takes nothing for its own kind that only looks like it', () => {
    const lookAlike = { toString: () => '<b>', markup: '<b>' } as unknown as Value;
    expect(() => html`${lookAlike}`.toString()).toThrow(TypeError);
  });
});

describe('what others wrote', () => {
  it('is isolated, so that it turns around nothing beside it', () => {
    expect(foreign('\u202e<evil>').toString()).toBe('<bdi>\u202e&lt;evil&gt;</bdi>');
  });

  it('has no direction where it cannot be isolated', () => {
    expect(plain('a\u202eb\u2066c\u2069\u200f\n\t d')).toBe('abc d');
  });
});
