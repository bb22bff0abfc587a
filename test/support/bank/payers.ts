/**
 * What payers write into a transfer, kindly and otherwise: texts with what they mean. `null`: nobody may say whose it is. Next:
 * `src/bank/statements/matching.test.ts`.
 */
import { rfReference } from '../../../src/core/rails/creditor-reference.ts';
import type { Chance } from '../generators/seeded.ts';
import type { WrittenDetail } from './camt.ts';

export interface Meant {
  readonly kind: string;
  readonly detail: WrittenDetail;
  /** The reference that is meant, if it is clear. */
  readonly reference: string | null;
}

export interface Known {
  /** References that lead somewhere. */
  readonly own: readonly string[];
  /** Of another environment. */
  readonly foreign: readonly string[];
  /** Of this one, in another currency. */
  readonly otherCurrency: readonly string[];
}

const WORDS = [
  'Invoice 2026-17',
  'thank you',
  'Rechnung',
  'SVWZ+',
  'for SURF12 board',
  'RF',
  '4711 ',
  '(',
  'Miete Nov.',
  '',
];
const LONG_WORDS = ['SURF12EXTRALONGBOARD', 'RF99', 'PERF 12 34', 'RFC7946GEOJSONDATA', 'AIRFRF2026'];
const ALIKE: Readonly<Record<string, string>> = {
  A: '\u0410',
  B: '\u0412',
  E: '\u0415',
  H: '\u041d',
  K: '\u039a',
  M: '\u041c',
  T: '\u0422',
  X: '\u0425',
  F: '\u03dc',
  R: '\uff32',
  0: '\uff10',
  1: 'l',
  S: '\u017f',
};

/** `chance`: the same makes the same texts. */
export class Payers {
  readonly #chance: Chance;
  readonly #known: Known;

  constructor(chance: Chance, known: Known) {
    this.#chance = chance;
    this.#known = known;
  }

  /** The n-th text: kinds take turns. */
  next(n: number): Meant {
    const kinds = Object.entries(this.#kinds);
    const [kind, write] = kinds[n % kinds.length] as (typeof kinds)[number];
    return { kind, ...write() };
  }

  readonly #kinds: Readonly<Record<string, () => Omit<Meant, 'kind'>>> = {
    'in a text': () => this.#clear((reference) => [this.#between(reference)]),
    'with blanks': () => this.#clear((reference) => [this.#between((reference.match(/.{1,4}/g) ?? []).join(' '))]),
    'cut by lines': () => {
      return this.#clear((reference) => {
        const at = this.#number(1, reference.length - 1);
        return [`${this.#of(WORDS)} ${reference.slice(0, at)}`, `${reference.slice(at)} ${this.#of(WORDS)}`];
      });
    },
    'blanks anywhere': () =>
      this.#clear((reference) => [
        this.#between([...reference].map((each) => each + this.#of(['', '', ' ', '\n'])).join('')),
      ]),
    structured: () => {
      const reference = this.#of(this.#known.own);
      return { detail: { creditorReference: reference.toLowerCase() }, reference };
    },
    'structured and in a text': () => {
      const reference = this.#of(this.#known.own);
      return { detail: { creditorReference: reference, text: this.#between(reference) }, reference };
    },
    'two references': () => this.#unclear(`${this.#of(this.#known.own)} ${this.#of(this.#known.own)}`, 'two'),
    'two without a blank': () => this.#unclear(this.#of(this.#known.own) + this.#of(this.#known.own), 'two'),
    'two, one structured': () => {
      const [one, other] = [this.#of(this.#known.own), this.#of(this.#known.own)];
      const reference = one === other ? one : null;
      return { detail: { creditorReference: one, text: this.#between(other) }, reference };
    },
    'transposed digits': () => this.#unclear(this.#between(this.#transposed())),
    'one wrong': () => this.#unclear(this.#between(this.#wrong())),
    'one missing': () => this.#unclear(this.#between(this.#of(this.#known.own).slice(0, -1))),
    'one more': () => this.#unclear(this.#between(`${this.#of(this.#known.own)}${this.#number(0, 9)}`)),
    'look-alike letters': () => this.#unclear(this.#between(this.#lookalike())),
    'of another environment': () => this.#unclear(this.#between(this.#of(this.#known.foreign))),
    'of another currency': () => this.#unclear(this.#between(this.#of(this.#known.otherCurrency))),
    'within a longer word': () => this.#unclear(`X${this.#of(this.#known.own)}`),
    'long words': () => this.#unclear(`${this.#of(LONG_WORDS)} ${this.#of(LONG_WORDS)}`),
    'beside one of another environment': () =>
      this.#unclear(`${this.#of(this.#known.own)}, ${this.#of(this.#known.foreign)}`),
    'beside a mistyped one': () => this.#unclear(`${this.#wrong()} ${this.#of(this.#known.own)}`),
    'beside one in foreign letters': () => this.#unclear(`${this.#of(this.#known.own)} + ${this.#lookalike()}`),
    'beside somebody’s of another length': () =>
      this.#unclear(`${rfReference(`INV${this.#number(1_000, 9_999)}`)} / ${this.#of(this.#known.own)}`),
    'one begun and one whole': () => {
      const begun = this.#of(this.#known.own);
      return this.#unclear(`${begun.slice(0, -1)}${begun.endsWith('X') ? 'Y' : 'X'} ${this.#of(this.#known.own)}`);
    },
  };

  #clear(write: (reference: string) => readonly string[]): Omit<Meant, 'kind'> {
    const reference = this.#of(this.#known.own);
    return { detail: { text: write(reference) }, reference };
  }

  /** `two`: unless both are the same. */
  #unclear(text: string, two?: 'two'): Omit<Meant, 'kind'> {
    const half = text.split(' ');
    const isOne = two === 'two' && half.length === 2 && half[0] === half[1];
    return { detail: { text: this.#lines(text) }, reference: isOne ? (half[0] as string) : null };
  }

  /** As banks give it: whole, or in lines of 35. */
  #lines(text: string): readonly string[] {
    return this.#chance() < 0.5 ? [text] : (text.match(/[^]{1,35}/g) ?? []);
  }

  #between = (text: string): string => `${this.#of(WORDS)} ${text} ${this.#of(WORDS)}`;

  #transposed(): string {
    for (;;) {
      const reference = this.#of(this.#known.own);
      const at = this.#number(2, reference.length - 2);
      const [one, other] = [reference[at] as string, reference[at + 1] as string];
      if (one !== other) return reference.slice(0, at) + other + one + reference.slice(at + 2);
    }
  }

  #wrong(): string {
    const reference = this.#of(this.#known.own);
    const at = this.#number(2, reference.length - 1);
    const other = reference[at] === '7' ? '1' : '7';
    return reference.slice(0, at) + other + reference.slice(at + 1);
  }

  #lookalike(): string {
    for (;;) {
      const reference = this.#of(this.#known.own);
      const changed = [...reference].map((each) => (this.#chance() < 0.5 ? (ALIKE[each] ?? each) : each)).join('');
      if (changed !== reference) return changed;
    }
  }

  #of<T>(all: readonly T[]): T {
    return all[Math.floor(this.#chance() * all.length)] as T;
  }

  #number(least: number, most: number): number {
    return least + Math.floor(this.#chance() * (most - least + 1));
  }
}
