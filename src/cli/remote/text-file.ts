/**
 * Text files of people, as their programs save them: UTF-8, UTF-16 with its mark, or an encoding that is named. A letter
 * is never guessed: a name that was read wrong would be paid. Files of banks are bytes, and are sent as they are.
 */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../../operator/exit.ts';

/** The byte order mark of an encoding, in hex. */
const MARKS: readonly (readonly [encoding: string, mark: string])[] = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
];
const SUCH_AS = 'utf-16le, iso-8859-2, shift_jis';
const LINE_FEED = 0x0a;

/** Without its mark. `encoding` is for a file that has none. Throws `UsageError`, with the line that cannot be read. */
export async function readText(path: string, encoding = 'utf-8'): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  const [marked] = MARKS.find(([, mark]) => bytes.subarray(0, mark.length / 2).toString('hex') === mark) ?? [];
  const read = marked ?? encoding;
  const decoder = decoderOf(read);
  const advice = `Save it as UTF-8, or say which encoding it has: --encoding windows-1252 (or ${SUCH_AS}, …).`;
  let text: string;
  try {
    // As a stream: decoded at once, Windows-1252 is read as ISO 8859-1 by some versions of Node, without the euro sign.
    text = decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    throw new UsageError(`${path} is not in ${read}: line ${brokenLine(bytes, read)} cannot be read. ${advice}`);
  }
  const control = text.search(/[\0\u0080-\u009f]/);
  if (control < 0) return text;
  const line = text.slice(0, control).split('\n').length;
  throw new UsageError(`${path} is no text in ${read}: line ${line} holds a control character. ${advice}`);
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new UsageError(`--encoding: there is no ${encoding}. Allowed: any that browsers know, such as ${SUCH_AS}.`);
  }
}

/** The first line with bytes that are no text. Piece by piece, so that the first fault tells where it is. */
function brokenLine(bytes: Buffer, encoding: string): number {
  const decoder = decoderOf(encoding);
  let line = 1;
  try {
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(LINE_FEED, from);
      const next = end < 0 ? bytes.length : end + 1;
      line += decoder.decode(bytes.subarray(from, next), { stream: true }).split('\n').length - 1;
      from = next;
    }
  } catch {} // here
  return line;
}
