/** The sandbox clock and reset on the wire. */
import { type JsonSchema, strictObject } from '../core/json-schema.ts';
import { unixSeconds } from '../core/time.ts';
import { integer, params } from '../http/request/params.ts';
import type { Clock } from './decide.ts';

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

export function renderClock({ nowMs, offsetMs }: Clock, livemode: boolean): string {
  return `{"object":"clock","livemode":${livemode},"now":${unixSeconds(nowMs)},"offset_seconds":${Math.floor(offsetMs / 1000)}}`;
}

export const SANDBOX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Clock: strictObject('The sandbox clock.', {
    object: { const: 'clock' },
    livemode: { type: 'boolean' },
    now: { type: 'integer', description: 'Unix seconds.' },
    offset_seconds: { type: 'integer', description: 'How far it is ahead of the real clock.' },
  }),
  Reset: strictObject('A sandbox that was emptied.', { object: { const: 'reset' }, livemode: { type: 'boolean' } }),
};
