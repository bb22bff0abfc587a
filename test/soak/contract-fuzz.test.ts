/**
 * T21, the contract fuzz: every answer is a documented status with a documented code and a body that its schema describes;
 * no 5xx; nothing that the document forbids is accepted. Control: spoiled answers fail the very same property. What is
 * sent and how it is judged: `test/support/generators/fuzz.ts`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fuzz, runs, type Send } from '../support/generators/fuzz.ts';

const RUNS = 10_000;
/** Further ones, of what has not succeeded yet, as often as needed: what has a chance in five rounds has succeeded. */
const RARE = 2_000;
const ROUNDS = 5;
const RUNS_OVER_SOCKETS = 500;

let fuzz: Fuzz;
beforeAll(async () => {
  fuzz = await Fuzz.start();
});
afterAll(() => fuzz?.stop());

describe('every answer is what the document says', () => {
  // First: a connection that stood idle through the other test would be closed by the server just when it is used again.
  it(`for ${RUNS_OVER_SOCKETS} requests over sockets`, async () => {
    await fc.assert(fuzz.property(fuzz.overSocket), runs(RUNS_OVER_SOCKETS));
  });

  it(`for ${RUNS} requests, with something of everything among them`, async () => {
    await fc.assert(fuzz.property(fuzz.inject), runs(RUNS));
    expect(fuzz.requests).toBeGreaterThan(RUNS * 0.95);
    // Some find what they need only now and then.
    for (let round = 0; round < ROUNDS && fuzz.missing.length > 0; round++)
      await fc.assert(fuzz.property(fuzz.inject, fuzz.missing), runs(RARE));
    const { counts } = fuzz;
    const seen = (status: string) => new Set([...counts.keys()].filter((key) => key.endsWith(status)));
    expect(fuzz.missing).toEqual([]);
    expect(seen(' 400').size).toBeGreaterThan(25);
    expect(seen(' 404').size).toBeGreaterThan(15);
    expect(seen(' 415').size).toBeGreaterThan(5);
  }, 600_000);
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
    const { failed } = await fc.check(fuzz.property(send), { ...runs(1_000), endOnFailure: true });
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
    const { failed, counterexample } = await fc.check(fuzz.property(accepting), { ...runs(1_000), endOnFailure: true });
    expect(failed).toBe(true);
    expect(counterexample?.[0].some(({ mustRefuse }) => mustRefuse !== undefined)).toBe(true);
  });
});
