/**
 * What work leaves as it was, beside workers that go on writing: the contents before and after must be the same in one of some rounds. Work
 * that changes anything itself changes it in every round.
 */
const MOST_ROUNDS = 10;

/** The contents that the work left as they were. Rejects with the names of what changed in the last round. */
export async function unchangedBy<C extends object>(
  contents: () => Promise<C>,
  work: () => Promise<unknown>,
): Promise<C> {
  for (let round = 1; ; round += 1) {
    const before = await contents();
    await work();
    const after = await contents();
    const names = Object.keys({ ...before, ...after }) as (keyof C & string)[];
    const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    if (changed.length === 0) return after;
    if (round === MOST_ROUNDS) throw new Error(`Changed in each of ${MOST_ROUNDS} rounds, now: ${changed.join(', ')}.`);
  }
}
