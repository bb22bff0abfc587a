/** Persons as roots of families: whatever keys they make, and whoever else approved, one person says yes once, and never to its own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiKey, AT, environment, idAt, seededIds } from '../../test/support/harness/literals.ts';
import { user, userId } from '../../test/support/harness/people.ts';
import type { Actor } from './actor.ts';
import { unfitApprover } from './approvals.ts';
import { Draft } from './draft.ts';
import { State } from './state.ts';

const PERSONS = 3;
const KEYS = 6;

/** A world: who made each key. `null`: the command line; a number: the person of that place, or behind them an earlier key. */
const worlds = fc.array(fc.option(fc.nat(PERSONS + KEYS - 1)), { minLength: KEYS, maxLength: KEYS });

/** The lineage of each actor, and by it the human or root that is behind it. */
function built(makers: readonly (number | null)[]) {
  const lineages: string[][] = Array.from({ length: PERSONS }, (_, n) => [userId(n)]);
  for (const [n, maker] of makers.entries()) {
    const parent = maker === null ? [] : (lineages[maker % lineages.length] as string[]);
    lineages.push([...parent, idAt('key', n + 1)]);
  }
  return lineages;
}

function codeOf(lineages: readonly string[][], approver: number, by: readonly number[], approved: readonly number[]) {
  const state = new State(environment());
  for (let n = 0; n < PERSONS; n++) state.put(user(n));
  for (const [n, lineage] of lineages.slice(PERSONS).entries())
    state.put(apiKey(n + 1, { lineage, confirmedBy: idAt('key', 99) }));
  const id = (n: number) => (lineages[n] as string[]).at(-1) as Actor;
  const draft = new Draft(state, { atMs: AT, ids: seededIds(), actor: id(approver) });
  const asked = { what: 'It', by: by.map(id), approvals: approved.map((n) => ({ by: id(n) })) };
  return unfitApprover(draft, asked)?.code ?? null;
}

const place = fc.nat(PERSONS + KEYS - 1);
const several = fc.array(place, { maxLength: 4 });

/** Who approves is fit exactly where no human or root behind it asked or approved before. */
const holds = (rootOf: (lineage: readonly string[]) => unknown) =>
  fc.check(
    fc.property(worlds, place, several, several, (makers, approver, by, approved) => {
      const lineages = built(makers);
      const root = (n: number) => rootOf(lineages[n] as string[]);
      const wanted = by.some((n) => root(n) === root(approver))
        ? 'approval_by_creator'
        : approved.some((n) => root(n) === root(approver))
          ? 'approval_repeated'
          : null;
      return codeOf(lineages, approver, by, approved) === wanted;
    }),
    { numRuns: 2_000, seed: 104 },
  ).failed;

describe('families', () => {
  it('go by the root, which may be a person', () => expect(holds((lineage) => lineage[0])).toBe(false));
  it('control: each actor for itself is another rule', () => expect(holds((lineage) => lineage.at(-1))).toBe(true));
  it('control: keys of persons without them is another rule', () =>
    expect(holds((lineage) => lineage.find((id) => id.startsWith('key_')) ?? lineage[0])).toBe(true));
});

describe('a person', () => {
  const asks = (approver: ReturnType<typeof user> | null) => {
    const state = new State(environment());
    if (approver) state.put(approver);
    const draft = new Draft(state, { atMs: AT, ids: seededIds(), actor: userId(1) });
    return unfitApprover(draft, { what: 'It', by: ['worker'], approvals: [] })?.code ?? null;
  };
  it('approves once confirmed, and one that nobody loaded is a fault', () => {
    expect(asks(user(1))).toBeNull();
    expect(asks(user(1, { confirmedBy: null }))).toBe('approval_key_unconfirmed');
    expect(() => asks(null)).toThrow(userId(1));
  });
});
