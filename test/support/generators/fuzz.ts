/**
 * T21, the contract fuzz: requests drawn from the OpenAPI document, valid, nearly valid and wild, to every operation, and
 * what is wrong with the answers: a status, code or body that is not documented, a 5xx, a success of what the document
 * forbids. The short form is `test/soak/contract-fuzz.test.ts`, the long one `npm run soak`. Next: `requests.ts`, `contract.ts`.
 */
import fc from 'fast-check';
import { type Application, type Holder, startApplication } from '../harness/application.ts';
import { type Answered, answerFaults, type Contract, type Operation, readContract } from './contract.ts';
import { furnish, stoppedBank } from '../harness/fixtures.ts';
import { KnownIds, type Request, requestOf } from './requests.ts';

export type Send = (request: Request) => Promise<Answered>;

/** Some at once, because that is how requests come: their commands share commits. */
const AT_ONCE = 10;

const APART = new Set(
  'resetSandbox advanceClock retrievePayoutRules updatePayoutRules createLimit retrieveLimit deleteLimit createKey rollKey revokeKey updateExchangeSettings'.split(
    ' ',
  ),
);

/** Answers with many ids that are long done with, which would drive out those that something can still be done with. */
const LONG_PAST = new Set(['retrievePayoutBatchResults']);

/** Succeed only once days have passed, which would move the clock away from under the others. Its example is run by `openapi-examples.soak.test.ts`. */
const LATER = new Set(['resolvePayout']);

/** Make what rare operations need, such as batches that are held, bank accounts that are empty, and deletions of limits that wait. */
const MAKERS = new Set(
  'createPayout createPayoutBatch createRecipient fundAccount createBankAccount updateSettings creditBankAccount createLimit deleteLimit updatePayoutRules'.split(
    ' ',
  ),
);

export class Fuzz {
  readonly contract: Contract;
  /** How often each operation had each status, as `createPayout 200`. */
  readonly counts = new Map<string, number>();
  readonly #application: Application;
  readonly #ids: KnownIds;
  readonly #approver: Holder;
  /** Of the sandbox of what is apart. */
  readonly #approverApart: Holder;
  #imports: Promise<unknown> = Promise.resolve();
  readonly #drawn = new Map<string, fc.Arbitrary<Request>>();

  private constructor(
    application: Application,
    contract: Contract,
    ids: KnownIds,
    approvers: readonly [Holder, Holder],
  ) {
    this.#application = application;
    [this.#approver, this.#approverApart] = approvers;
    this.contract = contract;
    this.#ids = ids;
  }

  /** On an application of its own. */
  static async start(): Promise<Fuzz> {
    const application = await startApplication();
    const { sandbox, otherSandbox } = application;
    const contract = readContract((await sandbox.client.get('/openapi.json')).json);
    const approver = await application.key({ name: 'approver' });
    const approverApart = await application.key({ name: 'approver', merchant: 'second' });
    const fixtures = await furnish(application, sandbox);
    await stoppedBank(application, sandbox);
    // From the third payout to a recipient on they wait for the approver, and so do bank accounts.
    await sandbox.client.post('/v1/limits', { count: 2, per: 'recipient', action: 'hold' });
    await sandbox.client.post('/v1/settings/payouts', { hold_bank_accounts: true });
    await otherSandbox.client.post('/v1/settings/payouts', { hold_bank_accounts: true }); // so changes wait there
    const kept = [sandbox.id, otherSandbox.id, approver.id, approverApart.id]; // else they would be revoked
    const ids = new KnownIds(fixtures, kept);
    for (let n = 0; n < 10; n++) ids.learn((await sandbox.client.post('/v1/keys', { name: 'made by a key' })).text);
    return new Fuzz(application, contract, ids, [approver, approverApart]);
  }

  stop(): Promise<void> {
    return this.#application.stop();
  }

  /** What would empty, freeze or shut the sandbox, or move its clock away from under the others, has a sandbox of its own. */
  #holderOf({ operation }: Request): Holder {
    const { sandbox, otherSandbox } = this.#application;
    if (/^(?:approve|reject)(?:PayoutRules|LimitDeletion)/.test(operation.operationId)) return this.#approverApart;
    if (/^(?:approve|reject|confirm|abandon)/.test(operation.operationId)) return this.#approver;
    return APART.has(operation.operationId) ? otherSandbox : sandbox;
  }

  readonly inject: Send = (request) => {
    const { operation, url, payload } = request;
    const headers = { authorization: `Bearer ${this.#holderOf(request).key}`, ...request.headers };
    return this.#application.inject({ method: operation.method, url, headers, ...(payload !== '' && { payload }) });
  };
  readonly overSocket: Send = (request) =>
    this.#holderOf(request).client.send(request.operation.method, request.url, request.payload, request.headers);

  /** Requests answered so far. */
  get requests(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Statement files one after the other: of many at once some are refused as too many, rightly. */
  #sent(request: Request, send: Send): Promise<Answered> {
    if (request.operation.operationId !== 'importStatementFile') return send(request);
    const sent = this.#imports.then(() => send(request));
    this.#imports = sent.catch(() => undefined);
    return sent;
  }

  /** Where an approval has a good body, it sends the fingerprint that is shown now: nobody guesses one. */
  async #withFingerprint(request: Request, send: Send): Promise<Request> {
    const { operation, url, mustRefuse } = request;
    const shownBy = {
      approvePayout: 'retrievePayout',
      approvePayoutBatch: 'retrievePayoutBatchRelease',
      approveBankAccount: 'retrieveBankAccount',
      approveBankEntry: 'retrieveBankEntry',
      approvePayoutRules: 'retrievePayoutRules',
      approveLimitDeletion: 'retrieveLimit',
    }[operation.operationId];
    const reading = this.contract.operations.find(({ operationId }) => operationId === shownBy);
    if (mustRefuse !== undefined || reading === undefined || !request.payload.includes('fingerprint')) return request;
    const shown = url.replace(/\/approve.*$/, shownBy === 'retrievePayoutBatchRelease' ? '/release' : '');
    const answer = await send({ operation: reading, url: shown, headers: {}, payload: '' });
    const [, fingerprint] = /"fingerprint":"([0-9a-f]+)"/.exec(answer.text) ?? [];
    if (fingerprint === undefined) return request;
    const headers = { ...request.headers, 'content-type': 'application/x-www-form-urlencoded' };
    return { ...request, headers, payload: `fingerprint=${fingerprint}` };
  }

  /** Requests of an operation. Kept, because making the generators takes longer than many requests. */
  #requestsOf(operation: Operation, isRare: boolean): fc.Arbitrary<Request> {
    const name = `${operation.operationId} ${isRare}`;
    const drawn = this.#drawn.get(name) ?? requestOf(operation, this.#ids, { isRare });
    this.#drawn.set(name, drawn);
    return drawn;
  }

  /** Faults of the answer to one request. */
  async #faultsOf(request: Request, send: Send): Promise<readonly string[]> {
    const answer = await this.#sent(await this.#withFingerprint(request, send), send);
    const seen = `${request.operation.operationId} ${answer.status}`;
    this.counts.set(seen, (this.counts.get(seen) ?? 0) + 1);
    if (answer.status === 200 && !LONG_PAST.has(request.operation.operationId)) this.#ids.learn(answer.text);
    // Some answers are a 200 that says what was wrong: the check of a recipient, the search for one, and a batch item by item.
    const { mustRefuse = '' } = request;
    const reported = mustRefuse.startsWith('/payouts/')
      ? ['"status":"rejected"']
      : ['"valid":false', '"status":"invalid"'];
    const accepted =
      answer.status === 200 && mustRefuse !== '' && !reported.some((words) => answer.text.includes(words));
    return [
      ...answerFaults(this.contract, request.operation, answer),
      ...(accepted ? [`accepted although ${mustRefuse}`] : []),
    ];
  }

  /** Operations that have not succeeded yet. */
  get missing(): readonly string[] {
    const names = this.contract.operations.map(({ operationId }) => operationId);
    return names.filter((name) => !LATER.has(name) && !this.counts.has(`${name} 200`));
  }

  /** Sends some requests of every operation, one after the other. Resolves to what is wrong with the answers. */
  async ofEach(send: Send, count: number, seed: number): Promise<readonly string[]> {
    const wrong: string[] = [];
    for (const operation of this.contract.operations)
      for (const request of fc.sample(this.#requestsOf(operation, false), { numRuns: count, seed }))
        for (const fault of await this.#faultsOf(request, send)) wrong.push(`${fault}\n  ${fc.stringify(request)}`);
    return wrong;
  }

  /** Throws what is wrong with any answer. `only`: these operations and those that make what they are about; else all. */
  property(send: Send, only?: readonly string[]) {
    const isAsked = ({ operationId }: { readonly operationId: string }) =>
      only === undefined || only.includes(operationId) || MAKERS.has(operationId);
    const operations = this.contract.operations.filter(isAsked);
    const request = fc.oneof(...operations.map((operation) => this.#requestsOf(operation, only !== undefined)));
    const several = fc.array(request, { minLength: 1, maxLength: AT_ONCE, size: 'max' });
    return fc.asyncProperty(several, async (requests) => {
      const faults = await Promise.all(requests.map((each) => this.#faultsOf(each, send)));
      const said = requests.flatMap((each, index) =>
        (faults[index] ?? []).map((fault) => `${fault}\n  ${fc.stringify(each)}`),
      );
      if (said.length > 0) throw new Error(said.join('\n'));
    });
  }
}

/** So many runs of the property send about that many requests: its arrays are half full on average. */
export const runs = (requests: number) => ({ numRuns: Math.ceil(requests / (AT_ONCE / 2)) });
