/**
 * The clock of a sandbox that begins some weeks ago and is moved on to the present, stop by stop. It is never moved behind the present, and
 * never back. Who moves it: `demo-story.ts`.
 */
import type { Bursar } from '../../../client/src/bursar.ts';

const DAY_S = 86_400;
const MINUTE_S = 60;

/** A day of the story, counted from its first, which is a Monday. */
export type Day = number;

export class SandboxClock {
  private readonly bursar: Bursar;
  private readonly startS: number;
  private nowS: number;
  private behindS: number;

  private constructor(bursar: Bursar, startS: number, behindS: number) {
    this.bursar = bursar;
    this.startS = startS;
    this.nowS = startS;
    this.behindS = behindS;
  }

  /** Empties the sandbox, whose clock then stands at the midnight (UTC) with which the Monday began that is so many weeks before this week's. */
  static async begin(bursar: Bursar, weeks: number): Promise<SandboxClock> {
    const { now } = await bursar.me.retrieve();
    const { offset_seconds: offset } = await bursar.testHelpers.clock.advance({ seconds: 1 });
    const realS = now - offset;
    const today = Math.floor(realS / DAY_S);
    const sinceMonday = (today + 3) % 7; // 1 January 1970 was a Thursday
    const startS = (today - sinceMonday - weeks * 7) * DAY_S;
    await bursar.testHelpers.reset({ offset_seconds: startS - realS });
    return new SandboxClock(bursar, startS, realS - startS);
  }

  /** ISO. */
  dayOf(day: Day): string {
    return new Date((this.startS + day * DAY_S) * 1000).toISOString().slice(0, 10);
  }

  dayNamed(iso: string): Day {
    return Math.floor((Date.parse(iso) / 1000 - this.startS) / DAY_S);
  }

  today(): Day {
    return Math.floor((this.nowS - this.startS) / DAY_S);
  }

  /** Moves on to that minute (UTC) of the day, if it is still to come. `false`: it lies in the future, and the clock shows the present. */
  async to(day: Day, hours: number, minutes = 0): Promise<boolean> {
    const wantedS = this.startS + day * DAY_S + (hours * 60 + minutes) * MINUTE_S;
    await this.forward(wantedS - this.nowS);
    return this.nowS >= wantedS;
  }

  private async forward(wanted: number): Promise<void> {
    const seconds = Math.min(wanted, this.behindS);
    if (seconds <= 0) return;
    const clock = await this.bursar.testHelpers.clock.advance({ seconds });
    this.nowS = clock.now;
    this.behindS = -clock.offset_seconds;
  }
}
