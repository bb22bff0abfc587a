/** Places that holders share, such as environments that download at once. */

export interface PlaceLimits {
  readonly all: number;
  /** Most of one holder. */
  readonly each: number;
  /** Of all, those that only a holder without a place gets: nobody is shut out by a few that take all they may. */
  readonly kept: number;
}

export class Places {
  readonly #limits: PlaceLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Gives the place back when it is called; `null`: there is none for this holder. */
  take(holder: string): (() => void) | null {
    const { all, each, kept } = this.#limits;
    const own = this.#taken.get(holder) ?? 0;
    if (own >= each || this.#all >= (own === 0 ? all : all - kept)) return null;
    this.#taken.set(holder, own + 1);
    this.#all += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#all -= 1;
      const left = (this.#taken.get(holder) ?? 0) - 1;
      if (left > 0) this.#taken.set(holder, left);
      else this.#taken.delete(holder);
    };
  }
}
