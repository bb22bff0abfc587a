/** Entries that look alike: one booking reported twice, or two. */
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

const [ONE, OTHER] = ['a1'.repeat(32), 'a2'.repeat(32)] as const;
it('a page knows the place of each among its likes', () => {
  const lookalikes = new Lookalikes();
  for (const each of [mark('A'), NOTHING]) lookalikes.add(ONE, each);
  lookalikes.add(OTHER, NOTHING);
  expect(lookalikes.next(ONE)).toEqual({ lookalikes: [mark('A'), NOTHING], occurrence: 1 });
  expect(lookalikes.next(OTHER).occurrence).toBe(1);
  expect(lookalikes.next(ONE).occurrence).toBe(2);
});
