/** JSON text to a tree: the language of JSON.parse, with numbers as written, bounded depth and work that grows no faster than the text. */
import { parse as losslessParse } from 'lossless-json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FASTER_THAN_LINEAR, growth } from '../../../../test/support/measure/growth.ts';
import { RequestError } from '../../../core/values/errors.ts';
import { readJson } from './json.ts';
import { NumberText, type Tree } from './param.ts';

// The tree as JSON.parse would have made it.
function plain(tree: Tree): unknown {
  if (tree instanceof NumberText) return Number(tree.text);
  if (Array.isArray(tree)) return tree.map(plain);
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, plain(value)]));
}

const attempt = (read: () => unknown) => {
  try {
    return { value: read() };
  } catch (error) {
    return { error: error as Error };
  }
};

describe('readJson speaks the language of JSON.parse', () => {
  test('valid documents mean the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom('', ' ', '\n\t'), (value, blank) => {
        const text = `${blank}${JSON.stringify(value, null, blank)}${blank}`;
        expect(plain(readJson(text, 99))).toEqual(JSON.parse(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('broken documents are refused by both', () => {
    const piece = fc.constantFrom(
      ...'{}[]:,"\\ -+.eE01aunlltrefs/'.split(''),
      '"a"',
      'true',
      'null',
      '\u0000',
      '\n',
      '\\u00',
      '1e',
      '0x1',
      'NaN',
      "'",
    );
    let refused = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const theirs = attempt(() => JSON.parse(text));
        const ours = attempt(() => plain(readJson(text, 99)));
        if (ours.error instanceof RequestError && ours.error.code === 'parameter_repeated') return;
        expect(ours.error === undefined, text).toBe(theirs.error === undefined);
        if (theirs.error) refused += 1;
        else expect(ours.value).toEqual(theirs.value);
        if (ours.error) expect(ours.error).toMatchObject({ code: 'body_invalid' });
      }),
      { numRuns: 5000 },
    );
    expect(refused).toBeGreaterThan(1000);
  });

  test('every mutation of a real body is refused or read, never anything else', () => {
    const body =
      '{"amount":250.00,"currency":"eur","recipient":"rcp_01","metadata":{"a\\u00e9":"b"},"x":[1,true,null]}';
    for (let at = 0; at < body.length; at++) {
      for (const put of ['', '"', '\\', '{', '0', '\u0001']) {
        const text = body.slice(0, at) + put + body.slice(at + 1);
        const theirs = attempt(() => JSON.parse(text));
        const ours = attempt(() => readJson(text, 9));
        if (ours.error) expect(ours.error).toBeInstanceOf(RequestError);
        if (theirs.error) expect(ours.error, text).toBeDefined();
      }
    }
  });
});

test('numbers keep their text', () => {
  for (const text of ['250.00', '1e3', '-0', '9007199254740993.10', '0.10', '1E+2']) {
    expect(readJson(`[${text}]`, 8)).toEqual([new NumberText(text)]);
    expect(String(losslessParse(text))).toBe(text);
  }
});

test('repeated members are refused, also equal ones and escaped spellings', () => {
  for (const text of ['{"a":1,"a":1}', '{"a":1,"\\u0061":2}', '{"x":{"a":null,"b":1,"a":null}}']) {
    expect(() => readJson(text, 8)).toThrow(expect.objectContaining({ code: 'parameter_repeated' }));
  }
  expect(() => readJson('{"x":[{"a":1,"a":2}]}', 8)).toThrow(
    expect.objectContaining({ details: { param: 'x[0][a]' } }),
  );
});

test('__proto__ and constructor are plain names', () => {
  const tree = readJson('{"__proto__":{"polluted":"yes"},"constructor":"x"}', 8) as Record<string, Tree>;
  expect(Object.keys(tree)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  expect((readJson('{}', 8) as Record<string, Tree>)['polluted']).toBeUndefined();
});

test('depth is bounded while reading', () => {
  expect(readJson('['.repeat(8) + ']'.repeat(8), 8)).toEqual([[[[[[[[]]]]]]]]);
  const deep = ['['.repeat(9) + ']'.repeat(9), '['.repeat(20_000), '{"a":'.repeat(20_000)];
  // Broken behind the ninth bracket: it is not looked at any more.
  for (const text of [...deep, `${'['.repeat(9)}\u0000`])
    expect(() => readJson(text, 8)).toThrow(expect.objectContaining({ code: 'body_too_deep' }));
});

describe('sixteen times the text takes sixteen times the work', () => {
  const MEBIBYTE = 1_048_576;
  test.each<[string, (size: number) => string]>([
    ['one string', (size) => `"${'a'.repeat(size)}"`],
    ['one number', (size) => '1'.repeat(size)],
    ['escapes', (size) => `"${'\\"'.repeat(size / 2)}"`],
    ['blanks', (size) => ' '.repeat(size)],
    ['an array', (size) => `[${'1,'.repeat(size / 2)}1]`],
  ])('%s', (_, textOf) => {
    const texts = new Map([MEBIBYTE, MEBIBYTE / 16].map((size) => [size, textOf(size)]));
    const ratio = growth((size) => void attempt(() => readJson(texts.get(size) ?? '', 8)), MEBIBYTE);
    expect(ratio).toBeLessThan(FASTER_THAN_LINEAR);
  });
  test('control: a reader that looks back is noticed', () => {
    const lookBack = (size: number) => {
      const names = Array.from({ length: size }, (_, at) => `name ${at}`);
      expect(names.filter((name, at) => names.indexOf(name) === at)).toHaveLength(size);
    };
    expect(growth(lookBack, 4_096)).toBeGreaterThan(FASTER_THAN_LINEAR);
  });
});
