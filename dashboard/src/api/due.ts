/**
 * Which answers are read again when something changed. Pure. An answer that is just being read is not asked for twice, which would throw away
 * what is on its way and, where changes come faster than answers, never show any; it is owed, and read at the next look. A list of many pages
 * is read again the more rarely the longer it is: about one page a look.
 */

export interface Known {
  readonly hash: string;
  readonly isBeingRead: boolean;
  /** How many requests it takes. */
  readonly pages: number;
  readonly readAtMs: number;
}

export interface Due {
  readonly now: ReadonlySet<string>;
  readonly owed: ReadonlySet<string>;
}

/** `hasMoved`: something changed since the last look. `owed`: what that one left. `lookMs`: how long it is from look to look. */
export function dueOf(
  known: readonly Known[],
  hasMoved: boolean,
  owed: ReadonlySet<string>,
  nowMs: number,
  lookMs: number,
): Due {
  const wanted = known.filter(({ hash }) => hasMoved || owed.has(hash));
  const mayBeRead = ({ isBeingRead, pages, readAtMs }: Known) =>
    !isBeingRead && (pages <= 1 || nowMs - readAtMs >= pages * lookMs);
  const hashes = (those: readonly Known[]) => new Set(those.map(({ hash }) => hash));
  return { now: hashes(wanted.filter(mayBeRead)), owed: hashes(wanted.filter((each) => !mayBeRead(each))) };
}
