/** Due work that was refused is left alone: 1 s, then twice as long each time, up to ten minutes. In memory. */

const FIRST_MS = 1_000;
const MOST_MS = 600_000;
/** The oldest is forgotten first, and tried again. */
const MAX_KEPT = 10_000;

export class Backoff {
  private readonly refused = new Map<string, { readonly pauseMs: number; readonly untilMs: number }>();

  /** Call when the work on the object with this id was refused. */
  note(id: string, nowMs: number): void {
    const before = this.refused.get(id);
    const pauseMs = before === undefined ? FIRST_MS : Math.min(before.pauseMs * 2, MOST_MS);
    this.refused.delete(id);
    this.refused.set(id, { pauseMs, untilMs: nowMs + pauseMs });
    if (this.refused.size > MAX_KEPT) this.refused.delete(this.refused.keys().next().value as string);
  }

  waiting(nowMs: number): string[] {
    return [...this.refused].flatMap(([id, { pauseMs, untilMs }]) => {
      if (nowMs < untilMs) return [id];
      if (nowMs > untilMs + pauseMs + MOST_MS) this.refused.delete(id); // it is due no more
      return [];
    });
  }
}
