/** JSON as text for people: the same value, and every number and text as it was written. */
import { expect, it } from 'vitest';
import fc from 'fast-check';
import { indented } from './json-text.ts';

it.each([
  ['{}', '{}\n'],
  ['[]', '[]\n'],
  [
    '{"a":10.50,"b":[],"c":{},"d":[1,{"e":null}]}',
    '{\n  "a": 10.50,\n  "b": [],\n  "c": {},\n  "d": [\n    1,\n    {\n      "e": null\n    }\n  ]\n}\n',
  ],
  [String.raw`{"a":"{\"x\":[1,2]}\\"}`, `{\n  "a": ${String.raw`"{\"x\":[1,2]}\\"`}\n}\n`],
])('%s', (json, text) => expect(indented(json)).toBe(text));

it('is what JSON.stringify would write, for any value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (json) => {
      const plain = JSON.stringify(JSON.parse(json));
      expect(indented(plain)).toBe(`${JSON.stringify(JSON.parse(plain), null, 2)}\n`);
    }),
  );
});
