/** Statement files that are made to hold a core: each is refused where its trick begins. Next: `src/iso20022/read/refused.test.ts`. */
import { ACCOUNT, entry, statement } from './read-documents.ts';

const TOO_DEEP = 'Elements stand deeper than 64.';
const LAUGHS = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('');

/** With namespaces the parser would take 97 s for the third one (decision 0045). */
export const HOLD_A_CORE: readonly (readonly [name: string, text: string, code: string, sentence: string])[] = [
  ['100,000 elements within each other', '<a>'.repeat(100_000), 'limit', TOO_DEEP],
  ['100,000 in an entry', statement(ACCOUNT + entry({ rest: '<a>'.repeat(100_000) })), 'limit', TOO_DEEP],
  ['100,000 with namespaces', statement(ACCOUNT + '<a xmlns:b="c">'.repeat(100_000)), 'limit', TOO_DEEP],
  [
    'a billion laughs',
    `<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "lol">${LAUGHS}]>${statement(`<Id>&l9;</Id>${entry().repeat(100)}`)}`,
    'doctype',
    '',
  ],
];
