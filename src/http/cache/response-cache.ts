/**
 * Answers to reads, kept with the version of their environment and given again while it is still at that version: the
 * database is asked every time, but only for the version, and one question asks for those of all reads that wait
 * (`http/cache/environment-version.ts`). A reader never gets data older than any commit that preceded its request; docs/decisions/0017. Routes that say so take
 * part (`isRepeatable` in `http/route.ts`), and the hosted pages. Next: `http/serve.ts`.
 */

/** An answer as it can be kept: `Answer` of `http/route.ts`, unless it is a stream. */
interface Kept<Body extends string | Buffer> {
  readonly status: number;
  readonly body: Body;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a read came to. */
export interface Read {
  readonly answer: Kept<string | Buffer>;
  /** The one whose state the answer depends on, and on nothing else; `null` for an answer that must not be given again. */
  readonly environmentId: string | null;
}

/** `key` holds everything that the answer depends on but the state of its environment. */
export type ResponseCache = (key: string, read: () => Promise<Read>) => Promise<Kept<string | Buffer>>;

/** Two of these are kept: the reads that are repeated, and those that were before them; one memory takes twice this. */
const GENERATION_BYTES = 4_000_000;
/** About what an entry takes beside its texts. */
const ENTRY_BYTES = 300;
/** A longer answer is read anew each time. */
const MAX_BODY_LENGTH = 65_536;
/** What somebody changes in the database by hand is seen after this at the latest. */
const KEEP_MS = 60_000;
/** Reads that go without the question, at most, where every question was in vain. */
const MOST_SKIPPED = 63;

interface Known {
  readonly environmentId: string;
  /** The version before the answer was read; with the answer, or null until the read is repeated. */
  version: string | null;
  answer: Kept<Buffer> | null;
  keptMs: number;
  /** Questions in vain, one after the other. */
  changes: number;
  /** Reads that are still to go without a question; then the next is kept, and the one after it asks whether it still holds. */
  skip: number;
}

type Repeatable = Read & { readonly environmentId: string };
const mayRepeat = (read: Read): read is Repeatable =>
  read.environmentId !== null && read.answer.body.length <= MAX_BODY_LENGTH;

/**
 * `versionOf` must answer with a version that was current after it was asked, and never the same after a change. `keepMs`:
 * how old an answer may become, for those that also depend on the time.
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
    // Read after the question: what is read is of this version, or of a later one, and then no later question finds it.
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
