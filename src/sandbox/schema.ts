/** The sandbox clock and reset on the wire. */
import type { Reply } from '../core/decision.ts';
import { unixSeconds } from '../core/time.ts';
import { integer, type JsonSchema, params } from '../http/request/params.ts';

/** One year a call; ten years in all (`decide.ts`). */
const MAX_SECONDS = 366 * 86_400;

export const advanceClockParams = params({
  seconds: integer({
    min: 1,
    max: MAX_SECONDS,
    description: 'How far to move the sandbox clock forward.',
    example: 3600,
  }),
});

export function renderClock(clock: Extract<Reply, { object: 'clock' }>, livemode: boolean): string {
  return `{"object":"clock","livemode":${livemode},"now":${unixSeconds(clock.nowMs)},"offset_seconds":${Math.floor(clock.offsetMs / 1000)}}`;
}

export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Clock: {
    type: 'object',
    description: 'The sandbox clock.',
    additionalProperties: false,
    required: ['object', 'livemode', 'now', 'offset_seconds'],
    properties: {
      object: { const: 'clock' },
      livemode: { type: 'boolean' },
      now: { type: 'integer', description: 'Unix seconds.' },
      offset_seconds: { type: 'integer', description: 'How far it is ahead of the real clock.' },
    },
  },
  Reset: {
    type: 'object',
    description: 'A sandbox that was emptied.',
    additionalProperties: false,
    required: ['object', 'livemode'],
    properties: { object: { const: 'reset' }, livemode: { type: 'boolean' } },
  },
};
