/** Test helpers of the sandbox as a whole: its clock, and starting over. Those of one object are with the object. */
import { renderWhole, wholeListParams } from '../../platform/http/lists.ts';
import { type Answer, answers, answersList, type Call, type Route, routesOf } from '../../platform/http/route.ts';
import type { Service } from '../../platform/http/service.ts';
import type { SandboxCommand } from './slice.ts';
import { advanceClockParams, resetParams, TEST_ACCOUNT_ROWS } from './schema.ts';

const helper = routesOf('Test helpers', 'test_helpers');

export interface Sandbox {
  /** Deletes everything in a sandbox but its keys and sets its clock, and answers `body`. */
  reset(call: Call<unknown, unknown>, body: string, to: FreshSandbox): Promise<Answer>;
}

/** What a sandbox is after a reset. */
export interface FreshSandbox {
  /** Filled as at the first start. */
  readonly seed: boolean;
  /** How far its clock is ahead of the real one; at most 0. */
  readonly offsetMs: number;
}

export function sandboxRoutes(service: Service<SandboxCommand>, sandbox: Sandbox): Route[] {
  return [
    helper('advanceClock', 'POST /v1/test_helpers/clock/advance', {
      summary: 'Move the sandbox clock forward',
      description:
        'Quotes expire and scheduled payouts leave by this clock. What `exports=before_cut_off` would have exported before the last cut-off that it passes is exported behind the move. It never goes back; a reset sets it anew.',
      body: advanceClockParams,
      request: { seconds: 3600 },
      response: answers('Clock', { object: 'clock', livemode: false, now: 1_732_187_600, offset_seconds: 3600 }),
      handle: (call) => service.write(call, { type: 'advance_clock', seconds: call.body.seconds }),
    }),
    helper('listTestAccounts', 'GET /v1/test_helpers/test_accounts', {
      summary: 'List the test bank accounts',
      description: 'Payouts to a recipient with one of these accounts end as the row says. All rows are in one answer.',
      query: wholeListParams,
      response: answersList('TestAccount', TEST_ACCOUNT_ROWS[1]),
      handle: async (call) => {
        const rows = TEST_ACCOUNT_ROWS.map((row) => JSON.stringify(row));
        return renderWhole(rows, call);
      },
    }),
    helper('resetSandbox', 'POST /v1/test_helpers/reset', {
      summary: 'Empty the sandbox',
      description:
        'Deletes all objects, events and idempotency records of the sandbox. Keys and the event sequence stay. With `seed=true` it is then filled as at the first start: EUR, USD and GBP accounts of 10,000.00 each, and a recipient. The clock is set to the real time, or with `offset_seconds` before it, so that a history can be made.',
      body: resetParams,
      request: { seed: true },
      response: answers('Reset', { object: 'reset', livemode: false }),
      handle: (call) => {
        const { seed = false, offset_seconds: offset = 0 } = call.body;
        return sandbox.reset(call, '{"object":"reset","livemode":false}', { seed, offsetMs: offset * 1000 });
      },
    }),
  ];
}
