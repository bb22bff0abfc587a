/** What an error means: above all whether a write may have happened all the same. */
import { describe, expect, it } from 'vitest';
import { type Bursar, BursarError, ConnectionError, get, post } from './client.ts';
import { isUnanswered, sentenceOf, troubleOf } from './errors.ts';

const refused = (status: number, code: string) =>
  new BursarError(status, { type: 'api_error', code, message: 'No.', request_id: '' } as never, {});
/** `status`: 0 where nothing came. */
const silence = (status: number, code: 'connection_failed' | 'answer_unreadable' = 'connection_failed') =>
  new ConnectionError(code, status, 'It was cut off.', {});

describe('an error', () => {
  it.each([
    [silence(0), 'away', true],
    [silence(200), 'away', true],
    [silence(401), 'away', true],
    [silence(200, 'answer_unreadable'), 'away', true],
    [refused(500, 'internal_error'), 'away', true],
    [refused(503, 'rate_unavailable'), 'away', false],
    [refused(429, 'rate_limited'), 'away', false],
    [refused(400, 'balance_insufficient'), 'refused', false],
    [refused(403, 'scope_missing'), 'forbidden', false],
    [refused(403, 'payout_own'), 'refused', false],
    [refused(404, 'resource_missing'), 'missing', false],
    [refused(401, 'session_required'), 'ended', false],
    [new Error('Other'), 'refused', false],
  ])('%s', (error, trouble, isOpen) => {
    expect([troubleOf(error), isUnanswered(error)]).toEqual([trouble, isOpen]);
  });

  it('says that nobody answers in the same words, however much of an answer came', () => {
    expect([silence(0), silence(200), refused(400, 'x')].map(sentenceOf)).toEqual([
      'The service does not answer.',
      'The service does not answer.',
      'No.',
    ]);
  });
});

/** A client whose every answer is this one. */
const answering = (response: Response) => ({ request: async () => response }) as unknown as Bursar;
const cutOff = () =>
  new Response(new ReadableStream({ start: (stream) => stream.error(new Error('the cable')) }), { status: 200 });
const troubleIn = (call: Promise<unknown>) => call.then(() => 'none', troubleOf);

it('an answer that is cut off behind its head, or is none of the service, leaves open what happened', async () => {
  expect(await troubleIn(post(answering(cutOff()), '/v1/payouts'))).toBe('away');
  expect(await troubleIn(get(answering(cutOff()), '/v1/payouts'))).toBe('away');
  expect(await troubleIn(post(answering(new Response('<html>')), '/v1/payouts'))).toBe('away');
  expect(await troubleIn(post(answering(new Response('{"id":"po_1"}')), '/v1/payouts'))).toBe('none'); // control
});
