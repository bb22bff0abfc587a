/** The log is behind by a second: an id is looked for again, and a list is read again when there is more, and only then. */
import { describe, expect, it } from 'vitest';
import { BursarError } from '../../api/client.ts';
import { isAwaited, LOOK_MS, newestIn } from './behind.ts';

const fault = (status: number, code: string) =>
  new BursarError(status, { type: 'invalid_request_error', code, message: 'No.' } as never, {});

describe('an id that is not in the log', () => {
  it('is looked for again for five seconds, and then no more', () => {
    const missing = fault(404, 'resource_missing');
    const looks = [...Array(30).keys()].filter((before) => isAwaited(before, missing)).length + 1;
    expect(looks * LOOK_MS).toBe(5_000);
  });

  it('is not looked for after another refusal', () => {
    expect(isAwaited(0, fault(403, 'scope_missing'))).toBe(false);
    expect(isAwaited(0, fault(400, 'parameter_invalid'))).toBe(false);
  });
});

describe('a list', () => {
  const [a, b] = [{ id: 'req_a' }, { id: 'req_b' }];
  it.each([
    [undefined, [], null],
    [[], [], null],
    [[a], [a, b], null],
    [[b], [a, b], null],
    [[a], [b], 'req_a'],
    [[a], [], 'req_a'],
  ] as const)('with %j in the log and %j on the page reads for %j', (log, shown, newest) =>
    expect(newestIn(log, shown)).toBe(newest),
  );
});
