/** What an error means for a page; above all, whether a write may have happened all the same. */
import { describe, expect, it } from 'vitest';
import { type Bursar, BursarError, ConnectionError, get, post } from './client.ts';
import { troubleOf } from './errors.ts';

/** A client whose every answer is this one. */
const answering = (response: () => Response) => ({ request: async () => response() }) as unknown as Bursar;
const cutOff = () =>
  new Response(new ReadableStream({ start: (stream) => stream.error(new Error('the cable')) }), { status: 200 });
const troubleIn = (call: Promise<unknown>) => call.then(() => 'none', troubleOf);

describe('whether a write happened is open', () => {
  it('when its answer is cut off behind the head, or is no answer of the service', async () => {
    expect(await troubleIn(post(answering(cutOff), '/v1/payouts'))).toBe('away');
    expect(await troubleIn(get(answering(cutOff), '/v1/payouts'))).toBe('away');
    expect(
      await troubleIn(
        post(
          answering(() => new Response('<html>')),
          '/v1/payouts',
        ),
      ),
    ).toBe('away');
    expect(
      await troubleIn(
        post(
          answering(() => new Response('{"id":"po_1"}')),
          '/v1/payouts',
        ),
      ),
    ).toBe('none'); // control
  });
  it.each([0, 200, 400, 401])('when the client says so, with status %i', (status) =>
    expect(troubleOf(new ConnectionError('connection_failed', status, 'cut off', {}))).toBe('away'),
  );
  it.each([
    [401, 'session_required', 'ended'],
    [403, 'scope_missing', 'forbidden'],
    [404, 'resource_missing', 'missing'],
    [400, 'refund_too_large', 'refused'],
    [503, 'unavailable', 'away'],
  ])('and not when the service answers %i %s: %s', (status, code, trouble) => {
    const detail = { type: 'invalid_request_error', code, message: '', request_id: '' } as never;
    expect(troubleOf(new BursarError(status, detail, {}))).toBe(trouble);
  });
});
