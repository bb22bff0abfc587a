/** The health of an endpoint as a sentence, attempts in words, and how far sending again has come. */
import { describe, expect, it } from 'vitest';
import { attemptInWords } from '../../ui/attempts.ts';
import { changesOf, EMPTY, eventsInWords, sentOf, valuesOf } from './form-values.ts';
import { healthOf, replayShare } from './words.ts';

const ENABLED = { status: 'enabled', disabled_reason: null, first_failed_at: null };
const attempt = { started_at: 1, duration_ms: 1_400, http_status: null, error: null };

describe('an endpoint', () => {
  it.each([
    [ENABLED, null, 'wait', 'Nothing was sent to it yet.'],
    [ENABLED, { succeeded: 20, failing: 0, lastFault: null }, 'good', 'All of the last 20 deliveries arrived.'],
    [ENABLED, { succeeded: 1, failing: 0, lastFault: null }, 'good', 'The last delivery arrived.'],
    [
      ENABLED,
      { succeeded: 17, failing: 3, lastFault: 'No answer in time' },
      'wait',
      '3 of the last 20 deliveries did not arrive yet. No answer in time.',
    ],
    [
      { ...ENABLED, first_failed_at: 5 },
      { succeeded: 0, failing: 9, lastFault: 'Answered 500' },
      'bad',
      'Since then. Answered 500.',
    ],
    [
      { ...ENABLED, status: 'disabled', disabled_reason: 'gone' },
      null,
      'off',
      'By itself, since it answered 410 Gone. Its deliveries are held until it is enabled and they are sent again.',
    ],
  ] as const)('%j with %j is %s', (endpoint, recent, health, sentence) =>
    expect(healthOf(endpoint, recent, 'then')).toEqual([health, sentence]),
  );

  it.each([
    ['succeeded', 200, 'Answered 200 after 1.4 s'],
    ['status', 503, 'Answered 503 after 1.4 s'],
    ['timeout', null, 'No answer in time, after 1.4 s'],
    ['of_a_later_version', null, 'of a later version, after 1.4 s'],
  ])('says of an attempt that ended as %s', (outcome, status, words) =>
    expect(attemptInWords({ ...attempt, outcome, http_status: status })).toBe(words),
  );

  it('is sent as it stood, where nothing was changed', () => {
    const stands = { url: 'https://a.example', description: null, enabled_events: ['payout.*', 'ping'], ordered: true };
    expect(sentOf(valuesOf(stands))).toEqual(stands);
    expect(sentOf(valuesOf({ ...stands, enabled_events: ['*'] })).enabled_events).toEqual(['*']);
  });

  it.each([
    [['*'], 'Every event'],
    [['payout.*', 'payment.*'], 'Payouts, Payments'],
    [['payout.*', 'payment.*', 'key.*', 'account.closed'], 'Payouts, Payments and 2 more'],
  ])('shows %j as %s', (events, words) => expect(eventsInWords(events)).toBe(words));
});

describe('sending again', () => {
  it.each([
    [{ after_sequence: 10, until_sequence: 20, reached_sequence: 15, status: 'running' }, 0.5],
    [{ after_sequence: 10, until_sequence: 20, reached_sequence: 0, status: 'running' }, 0],
    [{ after_sequence: 10, until_sequence: 10, reached_sequence: 10, status: 'running' }, 1],
    [{ after_sequence: 10, until_sequence: 20, reached_sequence: 15, status: 'completed' }, 1],
  ])('of %j is %d done', (replay, share) => expect(replayShare(replay)).toBe(share));
});

describe('an endpoint that is edited', () => {
  const stands = { url: 'https://a', description: null, enabled_events: ['payout.*'], ordered: false };
  const first = valuesOf(stands);
  it('sends what was changed, so that what somebody else changed meanwhile stays', () => {
    expect(changesOf(first, { ...first, description: ' ERP ' })).toEqual({ description: 'ERP' });
    expect(changesOf(first, { ...first, isAll: true, url: 'https://b' })).toEqual({
      url: 'https://b',
      enabled_events: ['*'],
    });
  });
  it('sends nothing where nothing was changed', () => {
    expect(changesOf(first, { ...first, description: ' ', url: 'https://a ' })).toEqual({});
    expect(changesOf(EMPTY, EMPTY)).toEqual({});
  });
});
