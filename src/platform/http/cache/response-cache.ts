/**
 * Answers to reads, kept with the version of their environment and repeated while that stays the same. Every request
 * asks the database for the version (`environment-version.ts`), so nobody reads data older than a commit before the
 * request (docs/decisions/0017). Used by routes with `isRepeatable` and by the hosted pages.
 */

/** An answer that can be kept: an `Answer` of `platform/http/route.ts` that is no stream. */
interface Kept<Body extends string | Buffer> {
  readonly status: number;
  readonly body: Body;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Read {
  readonly answer: Kept<string | Buffer>;
  /** The only environment whose state the answer depends on; `null` for an answer that must not be repeated. */
  readonly environmentId: string | null;
}

/** `key` holds everything that the answer depends on beside the state of its environment. */
export type ResponseCache = (key: string, read: () => Promise<Read>) => Promise<Kept<string | Buffer>>;

/** Two generations are kept, the current and the previous one, so the cache takes twice this. */
const GENERATION_BYTES = 4_000_000;
/** An entry beside its texts, about. */
const ENTRY_BYTES = 300;
/** A longer answer is not kept. */
const MAX_BODY_LENGTH = 65_536;
/** Manual changes in the database, which move no version, are seen after this at the latest. */
const KEEP_MS = 60_000;
/** The most reads without a version query, for a key whose versions keep changing. */
const MOST_SKIPPED = 63;

interface Known {
  readonly environmentId: string;
  /** Read before the answer was; null, like the answer, until the read is repeated. */
  version: string | null;
  answer: Kept<Buffer> | null;
  keptMs: number;
  /** Version queries in a row that found a change. */
  changes: number;
  /** Reads still to run without a version query; the next answer is kept again, and the read after it compares versions. */
  skip: number;
}

type Repeatable = Read & { readonly environmentId: string };
const mayRepeat = (read: Read): read is Repeatable =>
  read.environmentId !== null && read.answer.body.length <= MAX_BODY_LENGTH;

/**
 * `versionOf` must give a version that was current after the call, and a different one after every change. `keepMs`: the
 * greatest age of an answer, for answers that also depend on the time.
 */
export function responseCache(versionOf: (environmentId: string) => Promise<string>, keepMs = KEEP_MS): ResponseCache {
  let young = new Map<string, Known>();
  let old = new Map<string, Known>();
  let youngBytes = 0;

  const keep = (key: string, known: Known) => {
    if (young.get(key) === known) return;
    young.set(key, known);
    old.delete(key);
    youngBytes += key.length + (known.answer?.body.length ?? 0) + ENTRY_BYTES;
    if (youngBytes < GENERATION_BYTES) return;
    old = young;
    young = new Map();
    youngBytes = 0;
  };

  return async (key, read) => {
    const known = young.get(key) ?? old.get(key);
    if (known === undefined || known.skip > 0) {
      const given = await read();
      if (known !== undefined) known.skip -= 1;
      else if (mayRepeat(given)) {
        const { environmentId } = given;
        keep(key, { environmentId, version: null, answer: null, keptMs: 0, changes: 0, skip: 0 });
      }
      return given.answer;
    }
    const version = await versionOf(known.environmentId);
    const isYoung = performance.now() - known.keptMs < keepMs;
    if (known.answer !== null && known.version === version && isYoung) {
      known.changes = 0;
      keep(key, known);
      return known.answer;
    }
    // The read follows the version query, so it sees this version or a later one; a later one is never matched.
    const given = await read();
    young.delete(key);
    old.delete(key);
    if (!mayRepeat(given)) return given.answer;
    const kept = { ...given.answer, body: Buffer.from(given.answer.body) };
    const wasVain = known.answer !== null && known.version !== version;
    const changes = wasVain ? known.changes + 1 : known.changes;
    const skip = wasVain ? Math.min(2 ** (changes - 1) - 1, MOST_SKIPPED) : 0;
    keep(key, {
      environmentId: given.environmentId,
      version,
      answer: skip > 0 ? null : kept,
      keptMs: performance.now(),
      changes,
      skip,
    });
    return kept;
  };
}
