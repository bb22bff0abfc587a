/**
 * One word per thing: words of our own that the field has a word for, and which word that is. No identifier may hold one of
 * the former, in whatever compound or spelling. Words that people also need for something else stand in no list.
 */
import type { Source } from './source.ts';

/** The field's word, and the words that it took the place of. */
const WORDS: Readonly<Record<string, string>> = {
  'pipeline, sync, in flight': 'flight flights',
  writer: 'lane lanes',
  'state cache or response cache: get, put, suspend':
    'recall recalled recalls remember remembered remembering remembers mistrust mistrusted',
  queue: 'gather gathered gathering gathers',
  context: 'moment moments',
  scoped: 'placed',
  'bookkeeping connection': 'keeper keepers',
  'event codec: encode, decode': 'pack packed unpack unpacked',
  'commit signal': 'bell bells',
  'notified, handle': 'told untold hear heard hears hearing unheard',
  checkout: 'desk',
  'test account numbers': 'magic',
  'plan refresh': 'replan replanned replanning',
  fixtures: 'furniture furnitures',
  'hostile inputs': 'bomb bombs',
  'random choices': 'dice',
  'model check': 'rehearse rehearsed rehearsal rehearsals',
  'probe client': 'asker askers',
  'second server': 'twin twins',
  'fault injection': 'sabotage sabotages',
};

const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries(WORDS).flatMap(([word, olds]) => olds.split(' ').map((old): [string, string] => [old, word])),
);

/** `pipelineOver` → pipeline, over; `MAX_LINES` → max, lines. */
const wordsOf = (identifier: string): string[] =>
  identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ');

/** Terms of the field that hold one of the words. */
const isTerm = (before: string | undefined, word: string): boolean =>
  word === 'flight' && (before === 'in' || before === 'single');

/** Identifiers of a file that hold a word which the field has another one for. Strings and comments do not count. */
export function forbiddenWords({ code }: Source): string[] {
  const identifiers = new Set([...code.matchAll(/[A-Za-z_$][\w$]*/g)].map(([identifier]) => identifier));
  return [...identifiers].flatMap((identifier) => {
    const words = wordsOf(identifier);
    return words
      .filter((word, index) => INSTEAD.has(word) && !isTerm(words[index - 1], word))
      .map((word) => `${identifier}: "${word}" is called "${INSTEAD.get(word)}"`);
  });
}

/** One noun, one thing: phrases that name a thing by another noun, and the noun it has. For code, comments, messages and pages. */
const PHRASES: readonly (readonly [noun: string, phrase: RegExp, where?: RegExp])[] = [
  // `bursar bank files` is a command, and a secret is derived from the name.
  ['a statement file comes in, a payment file goes out', /(?<!bursar )\bbank files?\b(?!', 'payment file')/gi],
  [
    'the sandbox bank',
    /\bbank of the sandbox\b|\bsandbox['’]s bank\b|\b(?:fake|invented|simulated) bank\b(?! account)/gi,
  ],
  ['verify', /\bthe auditor (?:of|knows|finds|tells)\b|\baudit(?:s|ed|ing)? the (?:books|database|ledger)\b/gi],
  ['verify; a verification is its kept result', /\bverifications?\b(?!\.ts)/gi, /^src\/verify\//],
  ['the audit log', /\b(?:audit trail|audit journal|audit history)\b/gi],
];

/** Phrases of a file or page that have another noun. */
export const confusedNouns = ({ path, text }: Pick<Source, 'path' | 'text'>): string[] =>
  PHRASES.flatMap(([noun, phrase, where]) =>
    where?.test(path) === false ? [] : [...text.matchAll(phrase)].map(([found]) => `"${found}" is: ${noun}`),
  );
