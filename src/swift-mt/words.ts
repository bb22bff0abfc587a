/** What the structured shapes of `:86:` say, by one word each, whatever the bank calls it. Pure. Next: `information.ts`. */

export type Word =
  /** The kind of booking: three digits of German banks (Geschäftsvorfallcode), or the code of another bank. */
  | 'code'
  /** The same in words. */
  | 'kind'
  /** The number of the bank's journal (Primanota). */
  | 'journal'
  /** Of the code. It says why something came back. */
  | 'extension'
  | 'endToEndId'
  /** Of the file or group that was handed in. */
  | 'paymentId'
  | 'mandateId'
  /** Of the other side. */
  | 'name'
  | 'account'
  | 'bic'
  | 'ultimateDebtor'
  | 'ultimateCreditor'
  /** Structured. */
  | 'creditorReference'
  | 'purpose'
  | 'returnReason'
  /** An amount with or without its currency: `EUR11,85`. */
  | 'original'
  | 'charges';

export interface Information {
  /** Without blanks around them; none is empty. */
  readonly words: ReadonlyMap<Word, string>;
  /** What the payer wrote. */
  readonly texts: readonly string[];
}

export const LINE_WIDTH = 65;

interface FoundWord {
  readonly word: Word;
  readonly value: string;
  /** It stands behind the payer's text. */
  readonly isBehind: boolean;
}

/** Of each word that which counts: the first before the text, else the last behind it. */
export function wordsThatCount(found: Iterable<FoundWord>): Map<Word, string> {
  const before = new Map<Word, string>();
  const behind = new Map<Word, string>();
  for (const { word, value, isBehind } of found) {
    const text = value.trim();
    if (text === '') continue;
    if (isBehind) behind.set(word, text);
    else if (!before.has(word)) before.set(word, text);
  }
  return new Map([...behind, ...before]);
}
