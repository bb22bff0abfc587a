/**
 * T21, the contract fuzz: every answer is a documented status with a documented code and a body that its schema describes;
 * no 5xx; nothing that the document forbids is accepted. Control: spoiled answers fail the very same property. What is
 * sent and how it is judged: `test/support/generators/fuzz.ts`. Ten thousand, until something of everything has succeeded:
 * `test/long/contract-fuzz.test.ts`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fuzz, runs, type Send } from '../support/generators/fuzz.ts';
import { newSeed } from '../support/generators/seeded.ts';

const RUNS = 80;
const RUNS_OVER_SOCKETS = 20;

/** Another one each time; to repeat what failed, put it here. */
const seed = newSeed();
console.info(`seed ${seed}`);

let fuzz: Fuzz;
beforeAll(async () => {
  fuzz = await Fuzz.start();
});
afterAll(() => fuzz?.stop());

describe('every answer is what the document says', () => {
  // First: a connection that stood idle through the other test would be closed by the server just when it is used again.
  it(`for ${RUNS_OVER_SOCKETS} requests over sockets`, async () => {
    await fc.assert(fuzz.property(fuzz.overSocket), { ...runs(RUNS_OVER_SOCKETS), seed });
  });

  it('for a request of each operation', async () => {
    expect(await fuzz.ofEach(fuzz.inject, 1, seed)).toEqual([]);
    const asked = new Set([...fuzz.counts.keys()].map((key) => key.split(' ')[0]));
    expect(fuzz.contract.operations.filter(({ operationId }) => !asked.has(operationId))).toEqual([]);
  });

  it(`for ${RUNS} requests, many at once`, async () => {
    const before = fuzz.requests;
    await fc.assert(fuzz.property(fuzz.inject), { ...runs(RUNS), seed });
    expect(fuzz.requests).toBeGreaterThan(before);
  });
});

describe('control', () => {
  let sent = 0;

  const spoil =
    (change: (body: Record<string, unknown>) => void): Send =>
    async (request) => {
      const answer = await fuzz.inject(request);
      if (answer.status !== 200 || request.operation.streams) return answer;
      const body = JSON.parse(answer.text) as Record<string, unknown>;
      change(body);
      return { ...answer, text: JSON.stringify(body) };
    };

  it.each<[string, Send]>([
    [
      'a member is gone',
      spoil((body) => {
        delete body['livemode'];
      }),
    ],
    [
      'there is one more',
      spoil((body) => {
        body['internal_id'] = 7;
      }),
    ],
    [
      'a list is called otherwise',
      spoil((body) => {
        if ('data' in body) {
          body['items'] = body['data'];
          delete body['data'];
        }
      }),
    ],
    [
      'an amount is text',
      spoil((body) => {
        if ('amount' in body) body['amount'] = String(body['amount']);
      }),
    ],
    [
      'a status has a new word',
      spoil((body) => {
        if ('status' in body) body['status'] = 'done';
      }),
    ],
    [
      'a refusal says nothing',
      async (request) => {
        const answer = await fuzz.inject(request);
        return answer.status === 200 ? answer : { ...answer, text: '{}' };
      },
    ],
    [
      'a refusal is a 422',
      async (request) => {
        const answer = await fuzz.inject(request);
        return answer.status === 400 ? { ...answer, status: 422 } : answer;
      },
    ],
    [
      'one answer in fifty is a 500',
      async (request) => {
        const answer = await fuzz.inject(request);
        return ++sent % 50 === 0 ? { ...answer, status: 500 } : answer;
      },
    ],
  ])('fails when %s', async (_, send) => {
    const { failed } = await fc.check(fuzz.property(send), { ...runs(1_000), seed, endOnFailure: true });
    expect(failed).toBe(true);
  });

  it('fails when something forbidden is accepted', async () => {
    const accepting: Send = async (request) => {
      const { streams, exampleResponse: example } = request.operation;
      // Lists and steps have no example, and that of a file is no JSON.
      if (example === undefined || (typeof example === 'string' && !streams)) return fuzz.inject(request);
      return {
        status: 200,
        headers: { 'content-type': streams ? 'text/event-stream' : 'application/json', 'request-id': 'req_1' },
        text: typeof example === 'string' ? example : JSON.stringify(example),
      };
    };
    const { failed, counterexample } = await fc.check(fuzz.property(accepting), {
      ...runs(1_000),
      seed,
      endOnFailure: true,
    });
    expect(failed).toBe(true);
    expect(counterexample?.[0].some(({ mustRefuse }) => mustRefuse !== undefined)).toBe(true);
  });
});
