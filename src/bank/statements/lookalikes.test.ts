/** Entries that look alike: one booking reported twice, or two. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownOf, type Mark, Lookalikes } from './lookalikes.ts';

const mark = (endToEndId: string | null, account: string | null = null): Mark => ({ endToEndId, account });
const NOTHING = mark(null);

describe('entries that were booked before', () => {
  it.each<[string, Mark[], Mark[], boolean[]]>([
    ['one of which nothing is said', [NOTHING], [NOTHING], [true]],
    ['the second of two of which nothing is said is new', [NOTHING, NOTHING], [NOTHING], [true, false]],
    ['none', [NOTHING], [], [false]],
    ['another end-to-end id is another booking', [mark('B')], [mark('A')], [false]],
    ['another account is another booking', [mark('A', '1')], [mark('A', '2')], [false]],
    ['the same one is found in any order', [mark('B'), mark('A')], [mark('A'), mark('B')], [true, true]],
    ['more is said later: it may be the same', [mark('A', '1')], [NOTHING], [true]],
    ['less is said later', [NOTHING], [mark('A', '1')], [true]],
    ['equal ones come before such that may be', [mark('B'), mark('A')], [NOTHING, mark('B')], [true, true]],
    ['one that may be either is taken once', [mark('A'), mark('B')], [NOTHING], [true, false]],
  ])('%s', (_, entries, booked, known) => expect(knownOf(entries, booked)).toEqual(known));

  it('are found again once they are booked, whatever else is', () => {
    const page = [mark('X'), mark('Y'), NOTHING, NOTHING];
    expect(knownOf(page, [...page, mark('Z')])).toEqual([true, true, true, true]);
  });
});

/** As it is meant: each pair is looked at. */
function knownSlowly(entries: readonly Mark[], booked: readonly Mark[]): readonly boolean[] {
  const left = [...booked];
  const took = (at: number): boolean => at !== -1 && left.splice(at, 1).length === 1;
  const isSame = (one: string | null, other: string | null) => one === null || other === null || one === other;
  const known = entries.map((one) =>
    took(left.findLastIndex((o) => o.endToEndId === one.endToEndId && o.account === one.account)),
  );
  return entries.map(
    (one, at) =>
      known[at] === true ||
      took(left.findIndex((o) => isSame(one.endToEndId, o.endToEndId) && isSame(one.account, o.account))),
  );
}

it('are found as by looking at each pair', () => {
  const part = fc.constantFrom(null, 'A', 'B', 'C');
  const marks = fc.array(fc.record({ endToEndId: part, account: part }), { maxLength: 9 });
  const holds = fc.property(marks, marks, (entries, booked) => {
    expect(knownOf(entries, booked)).toEqual(knownSlowly(entries, booked));
  });
  fc.assert(holds, { numRuns: 20_000 });
});

it('the work grows with their number', () => {
  const reads = (count: number): number => {
    let looks = 0;
    const counted = (endToEndId: string): Mark => ({
      get endToEndId() {
        looks += 1;
        return endToEndId;
      },
      account: null,
    });
    const all = (name: string) => Array.from({ length: count }, (_, n) => counted(`${name}${n}`));
    expect(knownOf(all('page'), all('booked')).includes(true)).toBe(false);
    return looks;
  };
  expect(reads(2_000)).toBe(2 * reads(1_000));
});

const [ONE, OTHER] = ['a1'.repeat(32), 'a2'.repeat(32)] as const;
it('a page knows the place of each among its likes', () => {
  const lookalikes = new Lookalikes();
  for (const each of [mark('A'), NOTHING]) lookalikes.add(ONE, each);
  lookalikes.add(OTHER, NOTHING);
  expect(lookalikes.next(ONE)).toEqual({ lookalikes: [mark('A'), NOTHING], occurrence: 1 });
  expect(lookalikes.next(OTHER).occurrence).toBe(1);
  expect(lookalikes.next(ONE).occurrence).toBe(2);
});
