/** A second opinion on the planned days of standing orders, for tests. Next: `src/paying/standing-orders/calendar.test.ts`. */
import type { Plan } from '../../../src/paying/standing-orders/calendar.ts';

/**
 * A calendar that knows nothing of `Date`: it walks from day to day with the rule of leap years, and says of each whether it is
 * planned. It shares no arithmetic with the one under test.
 */
export class SlowCalendar {
  year: number;
  month: number;
  day: number;
  private readonly plan: Plan;
  private sinceDays = 0;
  private sinceMonths = 0;

  constructor(plan: Plan) {
    this.plan = plan;
    [this.year, this.month, this.day] = plan.first.split('-').map(Number) as [number, number, number];
  }

  private get length(): number {
    const isLeap = this.year % 4 === 0 && (this.year % 100 !== 0 || this.year % 400 === 0);
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][this.month - 1] as number;
  }

  private get isPlanned(): boolean {
    const { interval, intervalCount, first } = this.plan;
    if (interval === 'day') return this.sinceDays % intervalCount === 0;
    if (interval === 'week') return this.sinceDays % (7 * intervalCount) === 0;
    const every = interval === 'month' ? intervalCount : 12 * intervalCount;
    const wanted = Number(first.slice(8));
    return (
      this.sinceMonths % every === 0 && (this.day === wanted || (this.day === this.length && wanted > this.length))
    );
  }

  private step(): void {
    this.sinceDays += 1;
    this.day += 1;
    if (this.day <= this.length) return;
    this.day = 1;
    this.month += 1;
    this.sinceMonths += 1;
    if (this.month <= 12) return;
    this.month = 1;
    this.year += 1;
  }

  planned(count: number): string[] {
    const found: string[] = [];
    for (; found.length < count; this.step()) {
      const two = (part: number) => String(part).padStart(2, '0');
      if (this.isPlanned) found.push(`${this.year}-${two(this.month)}-${two(this.day)}`);
    }
    return found;
  }
}
