/**
 * Whose turn it is when writers and receivers want the same event loop: while writers queue, one delivery may begin for
 * every two commands that were committed. Without it who has more connections would get more: deliveries took half of what
 * 64 writers had, and 256 writers left them almost nothing. What does not begin waits, here or in its table, and follows as
 * soon as writers no longer queue. No clock of its own. Who asks: `dispatcher.ts`.
 */

/** A batch of so many commands has come together because writers queued; a quiet service commits one or two at a time. */
const CROWD = 24;
/** Without another such batch for so long, nobody queues any more. */
const CROWDED_FOR_MS = 150;
const DELIVERIES_PER_COMMAND = 0.5;
/** What is granted and not used is worth nothing later: two batches' share at the most. */
const GRANTED_MAX = 256;

export class WriteShare {
  private granted = 0;
  private crowdedUntilMs = Number.NEGATIVE_INFINITY;

  /** After a commit. */
  committed(commands: number, nowMs: number): void {
    if (commands >= CROWD) this.crowdedUntilMs = nowMs + CROWDED_FOR_MS;
    if (nowMs < this.crowdedUntilMs) {
      this.granted = Math.min(this.granted + commands * DELIVERIES_PER_COMMAND, GRANTED_MAX);
    } else this.granted = 0;
  }

  /** Whether a delivery may begin now. */
  allows(nowMs: number): boolean {
    return nowMs >= this.crowdedUntilMs || this.granted >= 1;
  }

  /** A delivery begins. */
  begin(): void {
    if (this.granted >= 1) this.granted -= 1;
  }

  /** When to ask again at the latest; every commit is a reason to ask sooner. */
  get asksAgainAtMs(): number {
    return this.crowdedUntilMs;
  }
}
