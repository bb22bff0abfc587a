import { describe, expect, it } from 'vitest';
import type { Payout } from '../../../../client/src/generated/types.ts';
import { holdsInWords } from '../../ui/payout-words.ts';
import { whyOf } from './why.ts';

const PAYOUT = {
  status: 'in_transit',
  amount_minor: 100,
  amount_returned_minor: 0,
  expected_arrival_on: '2026-12-01',
  scheduled_on: null,
  wait_until_on: null,
  transfer: 'trf_1',
  release: null,
  bank_reason: null,
  failure_message: null,
} as unknown as Payout;
const why = (change: Partial<Payout>, today = '2026-11-30') => whyOf({ ...PAYOUT, ...change }, today, (day) => day);

describe('where the money is, in words', () => {
  it('says by when it should arrive, and that it should have, once that day is over', () => {
    expect(why({})).toMatchObject({ tone: 'plain', text: 'It should arrive by 2026-12-01.' });
    expect(why({}, '2026-12-01').tone).toBe('plain');
    expect(why({}, '2026-12-02')).toMatchObject({ tone: 'wait', title: 'It should have arrived by 2026-12-01.' });
  });

  it('says that a failed one is back, with what the bank said', () => {
    const failed = why({
      status: 'failed',
      failure_message: 'No such account.',
      bank_reason: { code: 'AC01', text: null },
    });
    expect(failed).toEqual({
      tone: 'bad',
      title: 'No such account.',
      text: 'The bank said: AC01. The money is back on the account.',
    });
  });

  it('does not claim all of the money where a part came back', () => {
    expect(why({ status: 'returned', amount_returned_minor: 40 }).text).toBe(
      'A part of the money is back on the account.',
    );
    expect(why({ status: 'returned', amount_returned_minor: 100 }).text).toBe('The money is back on the account.');
  });

  it('does not speak of money that never left', () => {
    expect(why({ status: 'canceled', transfer: null }).text).toBe('Nothing was debited.');
  });

  it('names each reason of a hold once', () => {
    expect(holdsInWords(['lim_1', 'lim_2', 'new_recipient'])).toBe('It goes beyond a limit. The recipient is new.');
  });
});
