/**
 * HTML that escapes by construction: a value in an `html` template is escaped unless it is itself `html`. No function marks a
 * string as safe. Next: `render.ts`.
 */

/** Markup made by {@link html}. The private field keeps a look-alike from being taken for one. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }

  /** Only a literal of the source can be a `TemplateStringsArray`; values are escaped. */
  static of(strings: TemplateStringsArray, values: readonly Value[]): Html {
    let markup = strings[0] as string;
    for (let i = 0; i < values.length; i++) markup += markupOf(values[i]) + (strings[i + 1] as string);
    return new Html(markup);
  }
}

/** `null`, `undefined` and `false` make no markup, to leave a part out. Lists are joined without a separator. */
export type Value = Html | string | number | bigint | null | undefined | false | readonly Value[];

/** Escapes for text and for attributes in double quotes: values must stand nowhere else. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return Html.of(strings, values);
}

/** Text of a merchant or payer, isolated so that its bidirectional overrides do not reorder the text beside it. */
export function foreign(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** The same for `title`, which takes no elements: without bidirectional controls, on one line. */
export function plain(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replace(/\s+/g, ' ');
}

function markupOf(value: Value): string {
  if (typeof value === 'string') return escape(value);
  if (value instanceof Html) return value.toString();
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'number' || typeof value === 'bigint') return value.toString();
  let markup = '';
  for (const each of value) markup += markupOf(each);
  return markup;
}

// Characters with a meaning in HTML, and control characters, which no document may contain.
const SPECIAL = /[&<>"'`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/;
const EACH_SPECIAL = new RegExp(SPECIAL, 'g');
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escape(text: string): string {
  // Most text has nothing to escape, and the test takes a third of the time of a replace.
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (character) => ENTITIES[character] ?? '\ufffd') : text;
}
