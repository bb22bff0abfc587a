/**
 * What amounts and texts can be made of, and what the contract says of each amount: an oracle that shares no line with
 * `core/values/money.ts`. It reads an amount character by character, as a person with the contract in hand would.
 */

const DIGITS = '0123456789';
/** The largest amount, in minor units. Contract, section 2. */
const MOST = 999_999_999_999_999n;
/** No amount needs more characters than this; longer ones are refused unread. */
const MOST_CHARACTERS = 40;

/**
 * Minor units of an amount as it was written, or `null` where it must be refused. As a JSON number it must also have the
 * grammar of one: no zero in front, which makes the whole body no JSON.
 */
export function expectedMinor(written: string, decimals: number, asJsonNumber = false): bigint | null {
  const text = asJsonNumber ? written.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '') : written;
  if (text.length === 0 || text.length > MOST_CHARACTERS) return null;
  let points = 0;
  let minor = 0n;
  let places = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '.') {
      points += 1;
      if (points > 1 || at === 0 || at === text.length - 1) return null;
      continue;
    }
    const digit = DIGITS.indexOf(character);
    if (digit === -1) return null;
    if (points === 1) places += 1;
    if (points === 1 && places > decimals) {
      if (digit !== 0) return null;
      continue;
    }
    minor = minor * 10n + BigInt(digit);
  }
  if (asJsonNumber && text.length > 1 && text.startsWith('0') && text[1] !== '.') return null;
  for (let missing = points === 0 ? decimals : decimals - places; missing > 0; missing--) minor *= 10n;
  return minor > 0n && minor <= MOST ? minor : null;
}

/** The amounts that are known to have gone wrong somewhere. */
const NOTORIOUS = [
  '1e3',
  '1E3',
  '1e+3',
  '1e-2',
  '1e0',
  '0e0',
  '1e999',
  '.1e1',
  '0x10',
  '0X1F',
  '0b11',
  '0o17',
  '1_000',
  '010',
  '00.10',
  '-5',
  '+5',
  '-0',
  '-0.00',
  '--5',
  '5-',
  '−5',
  '﹣5',
  'NaN',
  'nan',
  'Infinity',
  '-Infinity',
  'inf',
  '1,000.00',
  '1.000,00',
  '1 000',
  '1\u00a0000',
  "1'000",
  '1.000.000',
  '100.505',
  '100.50',
  '100.5',
  '100.',
  '.5',
  '.',
  '..',
  '',
  ' ',
  '0',
  '0.0',
  '0.00',
  '0.001',
  '0.004',
  '0.005',
  '0.009',
  '0.0049999',
  '9007199254740993.10',
  '9007199254740993',
  '9007199254740992',
  '9007199254740991',
  '90071992547409.93',
  '0.1',
  '0.2',
  '0.30000000000000004',
  '1.005',
  '2.675',
  '1.115',
  'null',
  'true',
  'false',
  'undefined',
  '[5]',
  '[]',
  '{}',
  '{"a":5}',
  '"5"',
  '""',
  '5;6',
  '5&amount=6',
  '5\u0000',
  '\u00005',
  '5\n',
  '\n5',
  '\t5',
  ' 5',
  '5 ',
  '5\u200b',
  '\ufeff5',
  '5\u202e',
  '５',
  '５.００',
  '٥',
  '५',
  '𝟓',
  '²',
  '½',
  'Ⅴ',
  '五',
  'O',
  'l0',
  '1O0',
  '5€',
  '€5',
  '5 EUR',
  'EUR 5',
  '$5',
  '5%',
  '5c',
  '5.00f',
  '5d',
  '5n',
  '5L',
  '(5)',
  '=5',
  "'5",
  '5/1',
  '5*2',
  '1<<3',
  '${5}',
  '{{5}}',
  '5--',
  "5' OR '1'='1",
  '5; DROP TABLE payouts',
  '../5',
  '%35',
  '%',
  '%zz',
  '9999999999999.99',
  '9999999999999.991',
  '10000000000000',
  '10000000000000.00',
  '999999999999999',
  '1000000000000000',
  '999999999999.999',
  '1000000000000',
  '99999999999999999999',
  '1'.repeat(30),
  '1'.repeat(40),
  '1'.repeat(41),
  '1'.repeat(400),
  '0'.repeat(30),
  '0'.repeat(39) + '1',
  '0'.repeat(40) + '1',
  `5.${'0'.repeat(38)}`,
  `5.${'0'.repeat(39)}`,
  `5.${'0'.repeat(37)}1`,
  '5.0000000000000000000000000000001',
  '1'.repeat(100_000),
  `0.${'0'.repeat(50_000)}1`,
];

const SIGNS = ['', '-', '+', ' ', '0x', '00', '$'];
const WHOLES = [
  '',
  '0',
  '1',
  '7',
  '10',
  '99',
  '250',
  '1000',
  '1,000',
  '12345678',
  '9007199254740993',
  '9999999999999',
  '10000000000000',
  '1e2',
];
const FRACTIONS = [
  '',
  '.',
  '.0',
  '.00',
  '.000',
  '.0000',
  '.1',
  '.10',
  '.100',
  '.5',
  '.05',
  '.005',
  '.0005',
  '.99',
  '.999',
  '.9999',
  ',50',
  '.5.5',
  '.5e1',
  '. 5',
];

/** Every combination of sign, whole and fraction, the notorious ones, and a ladder of plain amounts. Without doubles. */
export function amountsToTry(): readonly string[] {
  const combined = SIGNS.flatMap((sign) =>
    WHOLES.flatMap((whole) => FRACTIONS.map((fraction) => sign + whole + fraction)),
  );
  const ladder = Array.from({ length: 300 }, (_, i) => `${i * 37}.${String(i % 100).padStart(2, '0')}`);
  return [...new Set([...NOTORIOUS, ...combined, ...ladder])];
}

const character = (point: number) => String.fromCodePoint(point);
const points = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** What no text may hold, with a name for each: controls, line separators, bidi embeddings and isolates, half characters. */
export const FORBIDDEN_CHARACTERS: readonly (readonly [name: string, text: string])[] = [
  ...[
    ...points(0x00, 0x1f),
    ...points(0x7f, 0x9f),
    0x2028,
    0x2029,
    ...points(0x202a, 0x202e),
    ...points(0x2066, 0x2069),
  ].map((point) => [`U+${point.toString(16).padStart(4, '0')}`, character(point)] as const),
  ['a high surrogate', '\ud83d'],
  ['a low surrogate', '\ude00'],
  ['surrogates in the wrong order', '\ude00\ud83d'],
  ['a surrogate at the end', '\ud83d\ud83d'],
];

/** Percent-encodings that stand for no text, with a name for each. */
export const BROKEN_ENCODINGS: readonly (readonly [name: string, encoded: string])[] = [
  ['a lone percent sign', '%'],
  ['half a byte', '%4'],
  ['no hexadecimal', '%zz'],
  ['half of a character', '%C3'],
  ['a stray continuation', '%A0'],
  ['a byte that is never used', '%FF'],
  ['NUL in two bytes', '%C0%80'],
  ['a slash in three bytes', '%E0%80%AF'],
  ['a surrogate', '%ED%A0%80'],
  ['above U+10FFFF', '%F4%90%80%80'],
  ['five bytes', '%F8%88%80%80%80'],
];
