/** Answers as values: JSON in which the amounts are quoted before it is parsed, so that their digits never pass through a float. */
import { AMOUNTS } from './generated/operations.ts';

// Inside of a text of JSON every quote is escaped, so this finds members and nothing else.
const AMOUNT = new RegExp(String.raw`"(${AMOUNTS.join('|')})"\s*:\s*(-?\d+(?:\.\d+)?)(?=\s*[,}])`, 'g');

/** The caller says what type it is: that of the document. Throws `SyntaxError`. */
export function parse(text: string): unknown {
  return JSON.parse(text.replaceAll(AMOUNT, '"$1":"$2"'));
}
