/**
 * Bodies and queries made to cost a parser as much as possible for their size: deep, wide, long, repeated, escaped,
 * quoted, colliding. Each is at most the size that a request may have. Next: `torture.ts` for wrong values.
 */

export interface HostileInput {
  readonly name: string;
  readonly type: string;
  readonly body: string | Buffer;
}

const MIB = 1_048_576;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const CSV = 'text/csv';

/** `text` as often as fits. */
const filled = (text: string, around = ''): string => text.repeat(Math.floor((MIB - around.length) / text.length));
const json = (name: string, body: string): HostileInput => ({ name: `JSON ${name}`, type: JSON_TYPE, body });
const form = (name: string, body: string): HostileInput => ({ name: `form ${name}`, type: FORM, body });
const csv = (name: string, body: string): HostileInput => ({ name: `CSV ${name}`, type: CSV, body });

const deep = (open: string, close: string, depth: number, core = '1') =>
  open.repeat(depth) + core + close.repeat(depth);
const members = (count: number, name: (i: number) => string, value = '1') =>
  `{${Array.from({ length: count }, (_, i) => `${JSON.stringify(name(i))}:${value}`).join(',')}}`;
const pairs = (count: number, name: (i: number) => string, value = '1') =>
  Array.from({ length: count }, (_, i) => `${name(i)}=${value}`).join('&');
const inMetadata = (value: string) => `{"metadata":${value}}`;
const field = (name: string, value: string) => `{"${name}":${value}}`;
/** A payout of which every field is wrong, with names that are none. */
const ALL_WRONG = JSON.stringify({
  ...Object.fromEntries(
    'amount currency recipient account reference external_id scheduled_on metadata'
      .split(' ')
      .map((name) => [name, []]),
  ),
  ...Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`amoun${i}`, 1])),
});

const DEPTHS = [9, 100, 20_000, 100_000];

const HOSTILE_JSON: readonly HostileInput[] = [
  ...DEPTHS.flatMap((depth) => [
    json(`arrays ${depth} deep`, deep('[', ']', depth)),
    json(`objects ${depth} deep`, deep('{"a":', '}', depth)),
    json(`metadata ${depth} deep`, inMetadata(deep('{"a":', '}', depth))),
    json(`${depth} open arrays`, '['.repeat(depth)),
    json(`a list ${depth} deep in payouts`, field('payouts', deep('[', ']', depth))),
  ]),
  json('half a million open objects', '{"a":'.repeat(200_000)),
  json('a million closing brackets', `{}${filled(']', '{}')}`),
  json('a mebibyte of blanks', `{${filled(' ', '{}')}}`),
  json('a mebibyte of line breaks and nothing', filled('\n')),
  json('a mebibyte of one string', field('name', `"${filled('x', '{"name":""}')}"`)),
  json('a string that never ends', `{"name":"${filled('x', '{"name":"')}`),
  json('a string of escapes', field('name', `"${filled('\\u0041', '{"name":""}')}"`)),
  json('a string of backslashes', field('name', `"${filled('\\\\', '{"name":""}')}"`)),
  json('an escape that never ends', `{"name":"${filled('\\', '{"name":"')}`),
  json('lone surrogates', field('name', `"${filled('\\ud800', '{"name":""}')}"`)),
  json('a number of a million digits', field('amount', filled('9', '{"amount":}'))),
  json('a number of a million decimals', field('amount', `0.${filled('0', '{"amount":0.}')}`)),
  json('a number with a huge exponent', field('amount', '1e999999999')),
  json('a number of a million signs', field('amount', filled('-', '{"amount":}'))),
  json('text of a million digits', field('amount', `"${filled('9', '{"amount":""}')}"`)),
  json('a million digits as a reference', field('name', `"${filled('4111 1111 ', '{"name":""}')}"`)),
  json(
    'a hundred thousand unknown members',
    members(90_000, (i) => `k${i}`),
  ),
  json('a hundred thousand metadata keys', inMetadata(members(70_000, (i) => `k${i}`, '"v"'))),
  json('the same member again and again', `{${filled('"a":1,', '{"a":1}')}"a":1}`),
  json(
    'members named like numbers',
    members(60_000, (i) => String(4_294_967_296 + i * 65_536)),
  ),
  json(
    'prototypes',
    members(1, () => '__proto__', deep('{"constructor":', '}', 6)),
  ),
  json('a name of half a mebibyte', `{"${'n'.repeat(500_000)}":1}`),
  json(
    'names that are nearly one',
    members(20_000, (i) => `amoun${i}`),
  ),
  json('a list of two hundred thousand numbers', field('payouts', `[${filled('1,', '{"payouts":[1]}')}1]`)),
  json('a list of a hundred thousand empty objects', field('payouts', `[${filled('{},', '{"payouts":[{}]}')}{}]`)),
  json('a thousand items in which everything is wrong', field('payouts', `[${Array(1000).fill(ALL_WRONG).join(',')}]`)),
  json('a thousand items that are all wrong', field('payouts', `[${Array(1000).fill('{"amount":"x"}').join(',')}]`)),
  json(
    'a thousand items with fifty metadata keys',
    field(
      'payouts',
      `[${Array(1000)
        .fill(inMetadata(members(50, (i) => `k${i}`, '"v"')))
        .join(',')}]`,
    ),
  ),
  json('a list of nulls', field('payouts', `[${filled('null,', '{"payouts":[null]}')}null]`)),
  json('commas', `{${filled(',', '{}')}}`),
  json('colons', `{${filled(':', '{}')}}`),
  json('quotes', filled('"')),
  json('a top-level list', `[${filled('1,', '[1]')}1]`),
  json('a top-level text', `"${filled('x', '""')}"`),
  json('words', filled('true')),
  json('an almost true', `{"a":tru${filled('e', '{"a":tru')}`),
  json('combining marks', field('name', `"a${filled('\u0301'.slice(0, 1), '').slice(0, 400_000)}"`)),
  json('ligatures that grow in NFKC', field('name', `"${'\ufdfa'.repeat(300_000)}"`)),
  json('an e-mail address of dots', field('email', `"${'a.'.repeat(100)}@${'a.'.repeat(20)}"`)),
  json('an e-mail address of at signs', field('email', `"${'@'.repeat(250)}"`)),
  json('a long IBAN', field('iban', `"DE${filled('8', '{"iban":"DE"}')}"`)),
  json('an IBAN of blanks', field('iban', `"${filled(' ', '{"iban":""}')}"`)),
  json('a byte order mark and nothing', '\ufeff'),
  json('NULs', filled('\u0000')),
];

const HOSTILE_FORMS: readonly HostileInput[] = [
  ...[9, 100, 20_000].map((depth) => form(`brackets ${depth} deep`, `metadata${'[a]'.repeat(depth)}=1`)),
  form('a name of open brackets', `${filled('[', '=1')}=1`),
  form('a name of closing brackets', `a${filled(']', 'a=1')}=1`),
  form('empty brackets', `a${filled('[]', 'a=1')}=1`),
  form(
    'a hundred thousand names',
    pairs(90_000, (i) => `k${i}`),
  ),
  form(
    'twenty thousand names',
    pairs(20_000, (i) => `k${i}`),
  ),
  form('the same name again and again', filled('a=1&')),
  form('the same list again and again', filled('payouts[]=1&')),
  form(
    'a hundred thousand indices',
    pairs(40_000, (i) => `payouts[${i}][amount]`),
  ),
  form(
    'indices from the end',
    pairs(20_000, (i) => `payouts[${20_000 - i}][a]`),
  ),
  form('one huge index', 'payouts[4294967295][amount]=1&payouts[9007199254740993][amount]=1'),
  form('negative and odd indices', 'payouts[-1][amount]=1&payouts[1e3][amount]=1&payouts[00][amount]=1'),
  form(
    'a thousand times twenty fields',
    pairs(19_000, (i) => `payouts[${Math.floor(i / 19)}][f${i % 19}]`),
  ),
  form(
    'metadata keys',
    pairs(40_000, (i) => `metadata[k${i}]`),
  ),
  form('ampersands', filled('&')),
  form('equals signs', filled('=')),
  form('percent signs', filled('%')),
  form('broken percent signs', `a=${filled('%zz', 'a=')}`),
  form('valid percent signs', `a=${filled('%41', 'a=')}`),
  form('half characters', `a=${filled('%C3', 'a=')}`),
  form('plus signs', `name=${filled('+', 'name=')}`),
  form('one huge value', `name=${filled('x', 'name=')}`),
  form('one huge name', `${filled('x', '=1')}=1`),
  form('prototypes', '__proto__[a]=1&constructor[prototype][a]=1&metadata[__proto__]=1'),
  form(
    'names that are nearly one',
    pairs(20_000, (i) => `amoun${i}`),
  ),
  form('a million digits', `amount=${filled('9', 'amount=')}`),
];

const HOSTILE_CSV: readonly HostileInput[] = [
  csv('commas', filled(',')),
  csv('quotes', filled('"')),
  csv('doubled quotes', `a\n"${filled('""', 'a\n""')}"`),
  csv('a quote that never closes', `a\n"${filled('x', 'a\n"')}`),
  csv('line breaks', filled('\n')),
  csv('carriage returns', filled('\r')),
  csv('half a million rows of one cell', `amount\n${filled('1\n', 'amount\n')}`),
  csv('a hundred thousand columns', Array.from({ length: 90_000 }, (_, i) => `c${i}`).join(',')),
  csv('the same column again and again', filled('a,')),
  csv('rows of the wrong width', `a,b\n${filled('1\n', 'a,b\n')}`),
  csv('quoted line breaks', `a\n"${filled('\n', 'a\n""')}"`),
  csv('columns of brackets', `metadata${'[a]'.repeat(20_000)}\n1`),
  csv('one huge cell', `reference\n${filled('x', 'reference\n')}`),
  csv('tabs', filled('\t')),
  csv('a byte order mark', '\ufeff'),
];

const HOSTILE_BYTES: readonly HostileInput[] = [
  { name: 'JSON of broken UTF-8', type: JSON_TYPE, body: Buffer.alloc(MIB, 0xff) },
  { name: 'form of broken UTF-8', type: FORM, body: Buffer.alloc(MIB, 0xc3) },
  { name: 'CSV of broken UTF-8', type: CSV, body: Buffer.alloc(MIB, 0xa0) },
  { name: 'JSON in UTF-16', type: JSON_TYPE, body: Buffer.from('{"name":"Ada"}', 'utf16le') },
];

/** All of them; at least a hundred. */
export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...HOSTILE_JSON,
  ...HOSTILE_FORMS,
  ...HOSTILE_CSV,
  ...HOSTILE_BYTES,
];

/** Where a body costs the most. */
export const routeOf = ({ name, type }: HostileInput): string =>
  type === 'text/csv' || name.includes('items') || name.includes('payouts') ? '/v1/payouts/batch' : '/v1/recipients';

/** What the largest honest body costs: a batch of as many payouts as there may be, to a recipient that is gone. */
export const HONEST_BATCH = JSON.stringify({
  dry_run: true,
  payouts: Array.from({ length: 1_000 }, (_, i) => ({
    amount: '250.00',
    currency: 'EUR',
    recipient: 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa',
    external_id: `salary ${i}`,
    metadata: { month: '2026-11', employee: `e-${i}` },
  })),
});
