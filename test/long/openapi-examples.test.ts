/**
 * The examples of the OpenAPI document run, as the reference shows them: each as the curl command and as the program with the client that stand there, sent to
 * a real sandbox, with ids that exist in the place of its own, and answered with 200. What is answered, and every event that follows, is
 * what the document says. Where there is no curl, a client sends the form.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../support/bank/camt.ts';
import { type Application, type Holder, startApplication } from '../support/harness/application.ts';
import { DOCUMENT, objectFaults } from '../support/harness/all-routes.ts';
import { eventually } from '../support/harness/eventually.ts';
import { type Fixtures, furnish, houseBank, stoppedBank } from '../support/harness/fixtures.ts';
import type { Client, Json } from '../support/harness/http.ts';
import { idIn, must } from '../support/harness/tenant-fixture.ts';
import { type Answered, answerFaults, type Operation, readContract } from '../support/generators/contract.ts';
import { exampleBody, pathOf } from '../support/generators/places.ts';
import { compileTypescript, hasCurl, runCurl, runTypescript } from '../support/generators/samples.ts';
import { readReference } from '../../site/reference/document.ts';
import { curlOf, typescriptOf } from '../../site/reference/samples.ts';

const contract = readContract(DOCUMENT);
const reference = new Map(readReference(DOCUMENT).operations.map((each) => [each.id, each]));
const examples = contract.operations.filter(({ exampleRequest }) => exampleRequest !== undefined);

let application: Application;

beforeAll(async () => {
  application = await startApplication();
  must(await application.sandbox.client.post('/v1/accounts', { currency: 'EUR' }));
});
afterAll(() => application?.stop());

/** What has to be so before an example makes sense, and the ids that it is about then. */
type Before = (client: Client, fixtures: Fixtures, holder: Holder) => Promise<Partial<Fixtures> & Fingerprint>;
/** What an approval sends, where the example shows another one. */
type Fingerprint = { readonly fingerprint?: string };

const held: Before = async (client, { rcp, acct }) => {
  must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
  const order = { amount: 5, currency: 'EUR', recipient: rcp, account: acct };
  return {
    po: idIn(await client.post('/v1/payouts', order)),
    pob: idIn(await client.post('/v1/payouts/batch', { payouts: [order] })),
  };
};
const heldAndSeen =
  (read: (made: Partial<Fixtures>) => string): Before =>
  async (client, fixtures, holder) => {
    const made = await held(client, fixtures, holder);
    const [, fingerprint = ''] = /"fingerprint":"(\w+)"/.exec(must(await holder.client.get(read(made))).text) ?? [];
    return { ...made, fingerprint };
  };

/** An entry without a place. */
async function credited(client: Client, iban: string): Promise<string> {
  const details = [{ name: 'Ada Lovelace', iban: 'NL91ABNA0417164300' }];
  const file = camt([{ iban, day: '2026-11-21', entries: [{ amount: '5.00', details }] }]);
  must(await client.send('POST', '/v1/statement_files', file, { 'content-type': 'application/xml' }));
  const [entry] = must(await client.get('/v1/bank_entries?status=unmatched&limit=1')).json['data'] as readonly [Json];
  return entry['id'] as string;
}

async function askedToVoid(client: Client, iban: string) {
  const be = await credited(client, iban);
  const { pending_changes: asked } = must(await client.post(`/v1/bank_entries/${be}/void`, { reason: 'Twice' })).json;
  return { be, fingerprint: (asked as Json)['fingerprint'] as string };
}

const BEFORE: Readonly<Record<string, Before>> = {
  approvePayout: heldAndSeen(({ po }) => `/v1/payouts/${po}`),
  approvePayouts: heldAndSeen(({ po }) => `/v1/payouts/${po}`),
  approvePayoutBatch: heldAndSeen(({ pob }) => `/v1/payout_batches/${pob}/release`),
  approvePayoutRules: async (client) => {
    must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 24 }));
    const asked = must(await client.post('/v1/settings/payouts', { hold_new_recipients_hours: 0 })).json;
    return { fingerprint: (asked['pending_changes'] as Json)['fingerprint'] as string };
  },
  approveBankAccount: async (client) => {
    must(await client.post('/v1/settings/payouts', { hold_bank_accounts: true }));
    const { id, pending_changes: asked } = must(await client.post('/v1/bank_accounts', houseBank())).json;
    return { ba: id as string, fingerprint: (asked as Json)['fingerprint'] as string };
  },
  approveLimitDeletion: async (client) => {
    const lim = idIn(await client.post('/v1/limits', { count: 1_000_000, action: 'hold' }));
    must(await client.send('DELETE', `/v1/limits/${lim}`, '', {}));
    const { pending_deletion: asked } = must(await client.get(`/v1/limits/${lim}`)).json;
    return { lim, fingerprint: (asked as Json)['fingerprint'] as string };
  },
  rejectPayout: held,
  rejectPayoutBatch: held,
  unassignBankEntry: async (client, { be }) => {
    must(await client.post(`/v1/bank_entries/${be}/assign`, { assignments: [{ to: 'fees', amount: 1 }] }));
    return { be };
  },
  returnBankEntry: async (client, { bankNumber }) => ({ be: await credited(client, bankNumber) }),
  voidBankEntry: async (client, { bankNumber }) => ({ be: await credited(client, bankNumber) }),
  unvoidBankEntry: async (client, { bankNumber }) => {
    const { be } = await askedToVoid(client, bankNumber);
    must(await client.post(`/v1/test_helpers/bank_entries/${be}/approve`));
    return { be };
  },
  approveBankEntry: async (client, { bankNumber }) => askedToVoid(client, bankNumber),
  reviewBankStatement: async (client) => {
    const { data } = must(await client.get('/v1/bank_statements?status=needs_review')).json;
    return { bs: (data as readonly Json[])[0]?.['id'] as string };
  },
  resumeExports: async (_, __, holder) => ({ ba: await stoppedBank(application, holder) }),
  resolvePayout: async (client, { rcp, acct, ba }) => {
    const po = idIn(await client.post('/v1/payouts', { amount: 5, currency: 'EUR', recipient: rcp, account: acct }));
    must(await client.post('/v1/payment_files', { bank_account: ba }));
    const isFilling = async () => {
      const { data } = must(await client.get('/v1/payment_files?limit=100')).json;
      return (data as readonly Json[]).some(({ status }) => status === 'claiming');
    };
    await eventually('the file is filled', async () => !(await isFilling()));
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: 14 * 86_400 }));
    return { po };
  },
  returnPayout: async (client, { po }) => {
    must(await client.post(`/v1/test_helpers/payouts/${po}/pay`));
    return { po };
  },
};

const HOW = ['curl', 'TypeScript'] as const;

/** Sends the example as the reference shows it, with the ids of `all`. */
async function sendAs(
  how: (typeof HOW)[number],
  operation: Operation,
  holder: Holder,
  all: Readonly<Record<string, string>>,
): Promise<Answered> {
  const shownThere = reference.get(operation.operationId);
  if (shownThere === undefined) throw new Error(`${operation.operationId} is not in the reference.`);
  const example = exampleBody(operation, all as Fixtures);
  const { fingerprint } = all;
  const isMany = 'payouts' in example && fingerprint !== undefined;
  const body = {
    ...example,
    ...(isMany && { payouts: [{ id: all['po'], fingerprint }] }),
    ...(!isMany && fingerprint !== undefined && { fingerprint }),
  };
  const exampleRequest = shownThere.exampleRequest === null ? null : (body as typeof shownThere.exampleRequest);
  const ids = (text: string) =>
    text.replace(/\b([a-z]+)_01jd3v9q4ne8v8k3w2m6r5t7xa\b/g, (id, kind: string) => all[kind] ?? id);
  const shown = { ...shownThere, exampleRequest };
  const env = { BURSAR_URL: application.address, BURSAR_KEY: holder.key };
  if (how === 'TypeScript') return runTypescript(ids(typescriptOf(shown)), env);
  if (hasCurl) return runCurl(ids(curlOf(shown)), env);
  const path = pathOf(operation, (kind) => all[kind] as string);
  return holder.client.write(operation.method, path, body, { form: true });
}

/** An environment, what it holds, and how far its events were looked at. */
interface Place {
  readonly merchant: string;
  readonly holder: Holder;
  /** Another key of it, for what one key may not do alone. */
  readonly second: Holder;
  readonly fixtures: Fixtures;
  seen: number;
}
const places = new Map<(typeof HOW)[number], Place>();
let made = 0;

async function newPlace(how: (typeof HOW)[number]): Promise<Place> {
  const merchant = `examples-${(made += 1)}`;
  const [holder, second] = [await application.key({ merchant }), await application.key({ merchant })];
  const place = { merchant, holder, second, fixtures: await furnish(application, holder, merchant), seen: 0 };
  places.set(how, place);
  return place;
}

async function sendIn(place: Place, operation: Operation, how: (typeof HOW)[number]): Promise<Answered> {
  const { merchant, holder, second, fixtures } = place;
  const more = await BEFORE[operation.operationId]?.(second.client, fixtures, holder);
  // Of what was made here, a third one is a second person.
  const sender = operation.operationId === 'abandonPaymentFile' ? await application.key({ merchant }) : holder;
  return sendAs(how, operation, sender, { ...fixtures, ...more });
}

/**
 * Sends the example in an environment that others have used, as an integrator's is. Where that comes to nothing, another example has
 * used up what it needs, and a new environment decides.
 */
async function send(operation: Operation, how: (typeof HOW)[number]): Promise<{ answer: Answered; place: Place }> {
  const used = places.get(how);
  if (used !== undefined) {
    const answer = await sendIn(used, operation, how).catch(() => undefined);
    if (answer?.status === 200) return { answer, place: used };
  }
  const place = await newPlace(how);
  return { answer: await sendIn(place, operation, how), place };
}

/** Events of the environment that no example before this one was followed by. */
async function newEvents(place: Place): Promise<readonly Json[]> {
  const { data } = must(await place.second.client.get('/v1/events?limit=100')).json;
  const events = (data as readonly Json[]).filter(({ sequence }) => Number(sequence) > place.seen);
  place.seen = Number(events[0]?.['sequence'] ?? place.seen);
  return events;
}

it.each(examples.map((operation) => [operation.operationId, operation] as const))('%s', async (_, operation) => {
  for (const how of HOW) {
    const { answer, place } = await send(operation, how);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    expect(answerFaults(contract, operation, answer)).toEqual([]);
    for (const event of await newEvents(place))
      expect([event['type'], objectFaults('Event', event)]).toEqual([event['type'], []]);
  }
});

describe('reads, and writes that need no body,', () => {
  const READS = contract.operations.filter(({ method, streams }) => method === 'GET' && !streams);
  /** A key that another key made is confirmed by a second person, which this one is not. */
  const refusedToOne = ({ operationId }: Operation) => (operationId === 'confirmKey' ? 403 : 400);
  const isDelete = ({ method }: Operation) => Number(method === 'DELETE');
  const WRITES = contract.operations
    .filter(({ method, bodyTypes }) => method !== 'GET' && bodyTypes.length === 0)
    .toSorted((a, b) => isDelete(a) - isDelete(b));
  let holder: Holder;
  let fixtures: Fixtures;
  beforeAll(async () => {
    holder = await application.key({ merchant: 'reads' });
    fixtures = await furnish(application, holder, 'reads', { limited: true });
  });

  // Of a write the answer may be a refusal: what it needs was done by another. What is deleted is deleted once.
  it.each([...READS, ...WRITES].map((operation) => [operation.operationId, operation] as const))(
    '%s',
    async (_, operation) => {
      for (const how of HOW) {
        const answer = await sendAs(how, operation, holder, fixtures);
        expect(answerFaults(contract, operation, answer)).toEqual([]);
        if (operation.method === 'GET') expect([how, answer.status, answer.text]).toEqual([how, 200, answer.text]);
        else expect(isDelete(operation) ? [200, 404] : [200, 400, refusedToOne(operation)]).toContain(answer.status);
      }
    },
  );
});

it('what the reference shows in TypeScript compiles, and a wrong call does not', () => {
  const shown = [...reference.values()].filter(({ id }) => id !== 'importStatementFile');
  const programs = Object.fromEntries(shown.map((operation) => [operation.id, typescriptOf(operation)]));
  const { createPayout = '' } = programs;
  const complaints = compileTypescript({ ...programs, control: createPayout.replace("'250.00'", '250') });
  const faults = complaints.split('\n').filter((line) => /^\S.*error TS/.test(line));
  expect(faults).toEqual([expect.stringMatching(/^\S*control\.ts\(/)]);
  expect(complaints).toContain("Type 'number' is not assignable to type");
});

it('control: a sample that asks for what is not there is seen', async () => {
  const operation = contract.operations.find(({ operationId }) => operationId === 'retrievePayout') as Operation;
  for (const how of HOW) expect((await sendAs(how, operation, application.sandbox, {})).status).toBe(404);
});

it('control: an event with the data of another type is noticed', async () => {
  const [event] = must(await application.sandbox.client.get('/v1/events?type=account.*&limit=1')).json[
    'data'
  ] as readonly [Json];
  expect(objectFaults('Event', event)).toEqual([]);
  for (const change of [{ type: 'payout.paid' }, { type: 'payout.payed' }, { more: 1 }, { data: { object: 1 } }]) {
    expect(objectFaults('Event', { ...event, ...change })).not.toEqual([]);
  }
});
