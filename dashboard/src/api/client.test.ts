/** Where the next page of a list is. */
import { describe, expect, it } from 'vitest';
import { nextPath } from './client.ts';

const link = (cursor: string) =>
  `</v1/events?limit=100&starting_after=${cursor}>; rel="next", </v1/events?limit=100>; rel="first"`;

describe('the next page', () => {
  it('is found from the first one, and from any that was found so', () => {
    const second = nextPath('/v1/events', link('evt_1'));
    expect(second).toBe('/v1/events?limit=100&starting_after=evt_1');
    expect(nextPath(second ?? '', link('evt_2'))).toBe('/v1/events?limit=100&starting_after=evt_2');
  });
  it.each([null, '', '</v1/events?limit=100>; rel="first"'])('there is none behind the last one: %j', (last) => {
    expect(nextPath('/v1/events?limit=100', last)).toBeNull();
  });
});
