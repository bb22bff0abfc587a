/**
 * Whether two spellings are one name. Case, accents, blanks and punctuation do not count, and a letter of another alphabet is its usual
 * Latin one. Words in another order, left out or cut short make another name. Pure. Who compares: `match-decide.ts`.
 */
import { STAND_INS } from '../../core/values/letters.ts';

/** German and Nordic languages write two letters for one: `Müller` is `Mueller`. It is `Muller` too, as banks write it. */
const WRITTEN_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

export function isSameName(one: string, other: string): boolean {
  if (one === other) return true;
  const spellings = spellingsOf(other);
  return spellingsOf(one).some((each) => each !== '' && spellings.includes(each));
}

function spellingsOf(name: string): readonly string[] {
  const lower = name.normalize('NFC').toLowerCase();
  return [lettersOf(lower), lettersOf(lower.replaceAll(/[äöüøå]/g, (letter) => WRITTEN_OUT[letter] as string))];
}

/** Letters and digits alone. What has no Latin form stays as it is, so names in other scripts are told apart. */
function lettersOf(lower: string): string {
  const bare = lower.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]/gu, '');
  // Passports and banks write the Greek `ου` as `ou` (ELOT 743).
  const latin = Array.from(bare.replaceAll('ου', 'ou'), (letter) => STAND_INS[letter] ?? letter);
  return latin.join('').toLowerCase();
}
