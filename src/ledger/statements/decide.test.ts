/** The statement of a day, given / when / then. */
import { expect, it } from 'vitest';
import { DAY_MS, dayStartMs } from '../../core/values/time.ts';
import { unset } from '../../tenancy/settings/decide.ts';
import { given, givenAt } from '../../../test/support/harness/given.ts';
import { BEFORE, environment } from '../../../test/support/harness/literals.ts';
import { MADE_UP_DAYS } from './decide.ts';

const ID = environment().id;
const DAY = '2026-03-13';
const NEXT = '2026-03-14';
/** The first instant behind the day. */
const ENDED = dayStartMs(DAY) + DAY_MS;
const wanted = (nextStatementDay: string | null) => ({ ...unset(ID, BEFORE), nextStatementDay });
const issue = (day = DAY) => ({ type: 'issue_statement' as const, day });

it('is made once the day has ended, and not a second time', () => {
  const made = givenAt(ENDED, wanted(DAY))
    .when(issue())
    .thenAccepts({
      reply: { object: 'daily_statement', day: DAY, createdAt: ENDED },
      events: ['daily_statement.created'],
      transfers: [],
      now: { [ID]: { nextStatementDay: NEXT } },
    });
  made.when(issue()).thenAccepts({ reply: { object: 'noted' }, events: [] });
});

it('is not made a millisecond before, nor for another day than the next, nor where none is wanted', () => {
  const refused = { reply: { object: 'noted' }, events: [], transfers: [] };
  givenAt(ENDED - 1, wanted(DAY))
    .when(issue())
    .thenAccepts(refused);
  givenAt(ENDED + DAY_MS, wanted(DAY))
    .when(issue(NEXT))
    .thenAccepts(refused);
  givenAt(ENDED, wanted(null)).when(issue()).thenAccepts(refused);
  given().when(issue()).thenAccepts(refused);
});

it('of a day that was missed is made up, but not of one more than a year back', () => {
  const late = givenAt(ENDED + 2 * DAY_MS, wanted(DAY));
  const first = late.when(issue()).thenAccepts({ events: ['daily_statement.created'] });
  first.when(issue(NEXT)).thenAccepts({ reply: { day: NEXT }, events: ['daily_statement.created'] });
  const far = givenAt(ENDED + 3 * MADE_UP_DAYS * DAY_MS, wanted(DAY))
    .when(issue())
    .thenAccepts({ events: [] });
  const [settings] = [...far.state.updated.values()];
  expect(settings).toMatchObject({ nextStatementDay: expect.stringMatching(/^202[78]-/) as string });
});
