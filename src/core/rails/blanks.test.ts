/** Numbers as people copy them: what nobody sees in them is what a blank is. */
import { expect, it } from 'vitest';
import { withoutBlanks } from './blanks.ts';
import { parseRf } from './creditor-reference.ts';
import { ibanOf } from './iban.ts';

const UNSEEN = [' ', '\u00a0', '\u00ad', '\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u2060', '\ufeff'];
/** What editors and dialogs put around a number that is copied out of a text of the other direction. */
const MARKS = ['\u061c', '\u180e', '\u202a', '\u202b', '\u202c', '\u2061', '\u2066', '\u2068', '\u2069'];

it.each([...UNSEEN, ...MARKS])('%j does not count in a number', (unseen) => {
  const spelled = (text: string) => Array.from(text, (character) => unseen + character).join('') + unseen;
  expect(withoutBlanks(spelled('A-1'))).toBe('A-1');
  expect(ibanOf(spelled('de89370400440532013000'))).toBe('DE89370400440532013000');
  expect(ibanOf(spelled('DE89370400440532013001'))).toBeNull();
  expect(parseRf(spelled('RF18539007547034'))).toBe('RF18539007547034');
});

it('what can be seen counts', () => {
  // and so do overrides of direction
  for (const seen of ['\u2010', '.', '\u0301', '\ufffd', '\u202d', '\u202e'])
    expect(ibanOf(`DE89${seen}370400440532013000`)).toBeNull();
  expect(ibanOf(`${' '.repeat(200)}DE89370400440532013000`)).toBeNull();
});
