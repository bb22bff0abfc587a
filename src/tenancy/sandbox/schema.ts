/** The sandbox clock, test accounts and reset on the wire. */
import { type JsonSchema, strictObject } from '../../core/values/json-schema.ts';
import { PAID_ACCOUNT, TEST_ACCOUNTS } from '../../core/rails/test-accounts.ts';
import { unixSeconds } from '../../core/values/time.ts';
import { boolean, integer, optionalParams, params, ref } from '../../platform/http/request/params.ts';
import type { Clock } from './decide.ts';

/** One year a call, forward or back; ten years ahead in all (`decide.ts`). */
const MAX_SECONDS = 366 * 86_400;

export const advanceClockParams = params({
  seconds: integer({
    min: 1,
    max: MAX_SECONDS,
    description: 'How far to move the sandbox clock forward.',
    example: 3600,
  }),
});

export const resetParams = optionalParams({
  seed: boolean({ description: 'Whether the sandbox is filled as at the first start. By default it stays empty.' }),
  offset_seconds: integer({
    min: -MAX_SECONDS,
    max: 0,
    description: 'Where the clock begins: seconds ahead of the real clock, so below zero is in the past. By default 0.',
  }),
});

export function renderClock({ nowMs, offsetMs }: Clock, livemode: boolean): string {
  return `{"object":"clock","livemode":${livemode},"now":${unixSeconds(nowMs)},"offset_seconds":${Math.floor(offsetMs / 1000)}}`;
}

const PAID = {
  outcome: 'paid',
  failureCode: null,
  iban: PAID_ACCOUNT.iban,
  usAccountNumber: PAID_ACCOUNT.us.account_number,
  gbAccountNumber: PAID_ACCOUNT.gb.account_number,
  clabe: PAID_ACCOUNT.clabe,
};

/** One account a row: an example of those that are paid, then every one that is not. */
export const TEST_ACCOUNT_ROWS = [PAID, ...TEST_ACCOUNTS].map((each) => ({
  object: 'test_account',
  outcome: each.outcome,
  failure_code: each.failureCode,
  iban: each.iban,
  us_account_number: each.usAccountNumber,
  gb_account_number: each.gbAccountNumber,
  clabe: each.clabe,
}));

export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Clock: strictObject('The sandbox clock.', {
    object: { const: 'clock' },
    livemode: { type: 'boolean' },
    now: { type: 'integer', description: 'Unix seconds.' },
    offset_seconds: {
      type: 'integer',
      description: 'Seconds by which it is ahead of the real clock; below zero: behind.',
    },
  }),
  TestAccount: strictObject('Bank accounts in the sandbox and how a payout to them ends. All others are paid.', {
    object: { const: 'test_account' },
    outcome: {
      type: 'string',
      enum: ['paid', 'failed', 'returned'],
      description: '`failed` before it is paid, `returned` after.',
    },
    failure_code: { type: ['string', 'null'] },
    iban: { type: 'string', description: 'Country DE; any accepted currency.' },
    us_account_number: {
      type: 'string',
      description: 'Twelve digits: US with any routing number, and wherever twelve digits are accepted.',
    },
    gb_account_number: {
      type: 'string',
      description: 'Eight digits: GB with any sort code, and wherever eight digits are accepted.',
    },
    clabe: { type: 'string', description: 'Country MX.' },
  }),
  TestAccountList: strictObject('All test accounts.', {
    data: { type: 'array', items: ref('TestAccount') },
  }),
  Reset: strictObject('A sandbox that was emptied.', { object: { const: 'reset' }, livemode: { type: 'boolean' } }),
};
