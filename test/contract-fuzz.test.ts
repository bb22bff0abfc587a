/**
 * T21, the contract fuzz: requests drawn from the OpenAPI document, valid, nearly valid and wild, to every operation.
 * Every answer is a documented status with a documented code and a body that its schema describes; no 5xx; nothing that
 * the document forbids is accepted. Control: spoiled answers fail the very same property.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, type Holder, startApplication } from '../src/testing/application.ts';
import { type Answered, answerFaults, type Contract, readContract } from '../src/testing/contract.ts';
import { furnish } from '../src/testing/furniture.ts';
import { KnownIds, type Request, requestOf } from '../src/testing/requests.ts';

const RUNS = 10_000;
const RUNS_OVER_SOCKETS = 500;

let application: Application;
let contract: Contract;
let ids: KnownIds;
const counts = new Map<string, number>();

beforeAll(async () => {
  application = await startApplication();
  contract = readContract((await application.sandbox.client.get('/openapi.json')).json);
  ids = new KnownIds(await furnish(application, application.sandbox));
});

afterAll(() => application?.stop());

/** What would empty the sandbox or move its clock away from under the others has a sandbox of its own. */
const holderOf = ({ operation }: Request): Holder =>
  ['resetSandbox', 'advanceClock'].includes(operation.operationId) ? application.otherSandbox : application.sandbox;

type Send = (request: Request) => Promise<Answered>;

const inject: Send = (request) => {
  const { operation, url, payload } = request;
  const headers = { authorization: `Bearer ${holderOf(request).key}`, ...request.headers };
  return application.inject({ method: operation.method, url, headers, ...(payload !== '' && { payload }) });
};
const overSocket: Send = (request) =>
  holderOf(request).client.send(request.operation.method, request.url, request.payload, request.headers);

/** Faults of the answer to one request. */
async function faultsOf(request: Request, send: Send): Promise<readonly string[]> {
  const answer = await send(request);
  const { operationId } = request.operation;
  counts.set(`${operationId} ${answer.status}`, (counts.get(`${operationId} ${answer.status}`) ?? 0) + 1);
  if (answer.status === 200) ids.learn(answer.text);
  // Two kinds of answer are a 200 that says what was wrong: the check of a recipient, and a batch item by item.
  const { mustRefuse = '' } = request;
  const told = mustRefuse.startsWith('/payouts/') ? '"status":"rejected"' : '"valid":false';
  const accepted = answer.status === 200 && mustRefuse !== '' && !answer.text.includes(told);
  return [
    ...answerFaults(contract, request.operation, answer),
    ...(accepted ? [`accepted although ${mustRefuse}`] : []),
  ];
}

const request = () => fc.oneof(...contract.operations.map((operation) => requestOf(operation, ids)));

/** Some at once, because that is how requests come: their commands share commits. */
const AT_ONCE = 10;
const property = (send: Send) =>
  fc.asyncProperty(fc.array(request(), { minLength: 1, maxLength: AT_ONCE, size: 'max' }), async (requests) => {
    const faults = await Promise.all(requests.map((each) => faultsOf(each, send)));
    const said = requests.flatMap((each, index) =>
      (faults[index] ?? []).map((fault) => `${fault}\n  ${fc.stringify(each)}`),
    );
    if (said.length > 0) throw new Error(said.join('\n'));
  });
/** Arrays are half full on average. */
const runs = (requests: number) => ({ numRuns: Math.ceil(requests / (AT_ONCE / 2)) });

describe('every answer is what the document says', () => {
  it(`for ${RUNS} requests, with something of everything among them`, async () => {
    await fc.assert(property(inject), runs(RUNS));
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(RUNS * 0.95);
    const seen = (status: string) => new Set([...counts.keys()].filter((key) => key.endsWith(status)));
    expect(
      contract.operations
        .filter(({ operationId }) => !counts.has(`${operationId} 200`))
        .map((each) => each.operationId),
    ).toEqual([]);
    expect(seen(' 400').size).toBeGreaterThan(25);
    expect(seen(' 404').size).toBeGreaterThan(15);
    expect(seen(' 415').size).toBeGreaterThan(5);
  }, 120_000);

  it(`for ${RUNS_OVER_SOCKETS} requests over sockets`, async () => {
    await fc.assert(property(overSocket), runs(RUNS_OVER_SOCKETS));
  });
});

describe('control', () => {
  let sent = 0;

  const spoil =
    (change: (body: Record<string, unknown>) => void): Send =>
    async (request) => {
      const answer = await inject(request);
      if (answer.status !== 200) return answer;
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
        const answer = await inject(request);
        return answer.status === 200 ? answer : { ...answer, text: '{}' };
      },
    ],
    [
      'a refusal is a 422',
      async (request) => {
        const answer = await inject(request);
        return answer.status === 400 ? { ...answer, status: 422 } : answer;
      },
    ],
    [
      'one answer in fifty is a 500',
      async (request) => {
        const answer = await inject(request);
        return ++sent % 50 === 0 ? { ...answer, status: 500 } : answer;
      },
    ],
  ])('fails when %s', async (_, send) => {
    const { failed } = await fc.check(property(send), { ...runs(1_000), endOnFailure: true });
    expect(failed).toBe(true);
  });

  it('fails when something forbidden is accepted', async () => {
    const accepting: Send = async ({ operation }) => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'request-id': 'req_1' },
      text: JSON.stringify(operation.exampleResponse),
    });
    const { failed, counterexample } = await fc.check(property(accepting), { ...runs(1_000), endOnFailure: true });
    expect(failed).toBe(true);
    expect(counterexample?.[0].some(({ mustRefuse }) => mustRefuse !== undefined)).toBe(true);
  });
});
