/** Test helpers of the sandbox as a whole: its clock, and starting over. Those of one object are with the object. */
import { ref } from '../http/request/params.ts';
import { type Route, route } from '../http/route.ts';
import type { Service } from '../http/service.ts';
import type { SandboxCommand } from './commands.ts';
import { advanceClockParams } from './schema.ts';

export interface Sandbox {
  /** Deletes everything the environment holds, its keys apart; refuses anything but a sandbox. */
  reset(environmentId: string): Promise<void>;
}

export function sandboxRoutes(service: Service<SandboxCommand>, sandbox: Sandbox): Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/test_helpers/clock/advance',
      operationId: 'advanceClock',
      tag: 'Test helpers',
      summary: 'Move the sandbox clock forward',
      description: 'Quotes expire and scheduled payouts leave by it. It never goes back; a reset sets it right.',
      scope: 'test_helpers:write',
      sandboxOnly: true,
      body: advanceClockParams,
      response: ref('Clock'),
      errors: [],
      example: {
        request: { seconds: 3600 },
        response: { object: 'clock', livemode: false, now: 1_732_187_600, offset_seconds: 3600 },
      },
      handle: (call) => service.write(call, { type: 'advance_clock', seconds: call.body.seconds }),
    }),
    route({
      method: 'POST',
      path: '/v1/test_helpers/reset',
      operationId: 'resetSandbox',
      tag: 'Test helpers',
      summary: 'Empty the sandbox',
      description:
        'Deletes all objects, events and idempotency records of the sandbox. Keys and the event sequence stay.',
      scope: 'test_helpers:write',
      sandboxOnly: true,
      response: ref('Reset'),
      errors: [],
      example: { response: { object: 'reset', livemode: false } },
      handle: async (call) => {
        await sandbox.reset(call.caller.environmentId);
        return { status: 200, body: '{"object":"reset","livemode":false}' };
      },
    }),
  ];
}
