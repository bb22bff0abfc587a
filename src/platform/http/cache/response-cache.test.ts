/** What is given again, and what never is. With real versions and servers: `test/soak/repeated-reads.test.ts`. */
import { beforeEach, expect, it, vi } from 'vitest';
import { type ResponseCache, responseCache } from './response-cache.ts';
import type { Answer } from '../route.ts';

/** An environment whose version the test changes, and which counts the reads of it. */
let version = 1;
let asked = 0;
let reads = 0;
let cache: ResponseCache;
beforeEach(() => {
  version = 1;
  asked = 0;
  reads = 0;
  cache = responseCache(async () => {
    asked += 1;
    return String(version);
  });
});

const answer = (body: string, rest: Partial<Answer> = {}): Answer => ({ status: 200, body, ...rest });

async function get(key = 'env /v1/accounts', isRepeatable = true, given?: Answer): Promise<string> {
  const read = async () => {
    reads += 1;
    return { answer: given ?? answer(`state ${version}`), environmentId: isRepeatable ? 'env' : null };
  };
  return String((await cache(key, read)).body);
}

async function times(count: number, key?: string): Promise<void> {
  for (let i = 0; i < count; i++) await get(key);
}

it('asks for the version when a read is repeated, and gives its answer again while that stays', async () => {
  await times(5);
  expect([reads, asked]).toEqual([2, 4]);
});

it('never gives what a change has made old', async () => {
  await times(3);
  version = 2;
  expect(await get()).toBe('state 2');
  expect(reads).toBe(3);
});

it('does not keep as new what was read before a change, whichever came first', async () => {
  await times(1);
  const read = async () => {
    version = 2; // between the question and the rows
    return { answer: answer('state 2'), environmentId: 'env' };
  };
  expect(String((await cache('env /v1/accounts', read)).body)).toBe('state 2');
  version = 3;
  expect(await get()).toBe('state 3');
});

it('asks seldom where every question is in vain, and again often once it is not', async () => {
  for (let i = 0; i < 1_000; i++) {
    version += 1;
    await get();
  }
  expect(reads).toBe(1_000);
  expect(asked).toBeLessThan(60);
  await times(65); // what is left to be passed over, and the one that is kept
  const before = reads;
  await times(100);
  expect(reads - before).toBeLessThan(3);
});

it('keeps keys apart', async () => {
  await times(3, 'env /v1/accounts');
  expect(await get('env /v1/accounts?limit=1', true, answer('other'))).toBe('other');
  expect(await get('env /v1/accounts')).toBe('state 1');
});

it('gives headers and status again, and bytes for text', async () => {
  const given = answer('{"name":"Zoë"}', { headers: { Link: '</v1/accounts?starting_after=x>; rel="next"' } });
  for (let i = 0; i < 3; i++) expect(await get('key', true, given)).toBe(given.body);
  const again = await cache('key', () => Promise.reject(new Error('must not be read')));
  expect(again).toEqual({ ...given, body: Buffer.from(given.body) });
});

it('keeps neither what is not repeatable, nor what is large, nor a failure', async () => {
  for (let i = 0; i < 4; i++) await get('moving', false);
  expect([reads, asked]).toEqual([4, 0]);
  for (let i = 0; i < 4; i++) await get('large', true, answer('x'.repeat(65_537)));
  expect([reads, asked]).toEqual([8, 0]);
  await times(1, 'failing');
  for (let i = 0; i < 2; i++) {
    await expect(cache('failing', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  }
  expect(await get('failing')).toBe('state 1');
});

it('reads again after a minute, for what was changed by hand', async () => {
  vi.useFakeTimers();
  try {
    await times(3);
    expect(reads).toBe(2);
    vi.advanceTimersByTime(60_001);
    await times(1);
    expect(reads).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

it('drops reads that are not repeated, and keeps the one that is', async () => {
  const bulky = answer('y'.repeat(50_000));
  await times(3, 'asked all the time');
  for (let i = 0; i < 400; i++) {
    await get(`once ${i}`, true, bulky);
    await get(`once ${i}`, true, bulky);
    await get('asked all the time');
  }
  const before = reads;
  await get('once 0', true, bulky);
  expect(reads).toBe(before + 1);
  const read = () => Promise.reject(new Error('must not be read'));
  expect(String((await cache('asked all the time', read)).body)).toBe('state 1');
});
