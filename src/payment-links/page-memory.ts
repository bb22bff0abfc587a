/**
 * Pages as they were shown last, for a second at most: a link that goes round is opened by thousands, and each would cost
 * a read (a page from here costs a tenth of one). A commit of its environment forgets a page at once, a commit of another
 * process when its hint arrives; without a hint it is a second old at the worst. What is decided never looks here.
 */
import type { PageAnswer } from '../http/page.ts';
import type { CommitSignal } from '../signal.ts';

const KEEP_MS = 1_000;
/** Some ten megabytes at the most; beyond it all are forgotten. */
const MAX_PAGES = 500;
const MAX_ENVIRONMENTS = 1_000;

interface Watched {
  readonly keys: Set<string>;
  /** The time, counted in commits, of its last one. */
  changed: number;
  readonly forget: () => void;
  readonly end: () => void;
}

export class PageMemory {
  private readonly signal: CommitSignal;
  private readonly pages = new Map<string, { readonly page: PageAnswer; readonly untilMs: number }>();
  private readonly watched = new Map<string, Watched>();
  /** Counts commits that were heard of. */
  private time = 0;

  constructor(signal: CommitSignal) {
    this.signal = signal;
  }

  /** `key` holds all that the page depends on but the state of its environment. */
  recall(key: string, nowMs: number): PageAnswer | undefined {
    const known = this.pages.get(key);
    return known !== undefined && nowMs < known.untilMs ? known.page : undefined;
  }

  /** To be called before the page is read, for {@link keep}: a commit in between makes it old before it is kept. */
  get now(): number {
    return this.time;
  }

  /** The first page of an environment is not kept, since nobody listened to its commits while it was read. */
  keep(key: string, environmentId: string, page: PageAnswer, readFrom: number, nowMs: number): void {
    const watched = this.watched.get(environmentId);
    if (watched === undefined) {
      this.watch(environmentId);
      return;
    }
    if (watched.changed > readFrom) return;
    if (this.pages.size >= MAX_PAGES) this.forgetAll();
    this.pages.set(key, { page, untilMs: nowMs + KEEP_MS });
    watched.keys.add(key);
  }

  /** For who has just sent a form: what another process has done about it may not have been heard of here. */
  forget(environmentId: string): void {
    this.watched.get(environmentId)?.forget();
  }

  private watch(environmentId: string): void {
    if (this.watched.size >= MAX_ENVIRONMENTS) {
      for (const { end } of this.watched.values()) end();
      this.forgetAll();
      this.watched.clear();
    }
    const keys = new Set<string>();
    const forget = () => {
      watched.changed = ++this.time;
      for (const key of keys) this.pages.delete(key);
      keys.clear();
    };
    const watched: Watched = { keys, changed: this.time, forget, end: this.signal.subscribe(environmentId, forget) };
    this.watched.set(environmentId, watched);
  }

  /** With the keys: in an environment where nothing happens a visitor could otherwise have any number of them remembered. */
  private forgetAll(): void {
    this.pages.clear();
    for (const { keys } of this.watched.values()) keys.clear();
  }
}
