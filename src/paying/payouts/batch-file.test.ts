/** The same CSV file twice, over real HTTP: paid once where nothing else says which request it is. */
import { randomUUID as newUuid } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

const UNKNOWN = 'rcp_01jd3v9q4ne8v8k3w2m6r5t7xa';
const USED = '400 external_id_used external_id';

let application: Application;
let client: Client;
let fixtures: Fixtures;

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
});
afterAll(() => application?.stop());

const send = (text: string, query = '', options = {}, by = client) =>
  by.post(`/v1/payouts/batch${query}`, text, { headers: { 'content-type': 'text/csv' }, ...options });
/** A file that no other test has. */
const file = (recipients = [fixtures.rcp, fixtures.rcp]) =>
  ['amount,currency,recipient,reference', ...recipients.map((id) => `5,EUR,${id},${newUuid()}`)].join('\n');
const balance = async () => must(await client.get(`/v1/accounts/${fixtures.acct}`)).json['balance'] as number;
const fault = ({ json }: { readonly json: Json }) => json['error'] as Json;
/** How much is paid meanwhile, in minor units. */
async function paid(work: () => Promise<unknown>): Promise<number> {
  const before = await balance();
  await work();
  return before - (await balance());
}

describe('a file without an external id and without a key', () => {
  it('is paid once; the refusal names the batch that it was', async () => {
    const text = file();
    const first = must(await send(text)).json;
    expect(first['external_id']).toMatch(/^csv-[0-9a-f]{32}$/);
    const again = await send(text);
    expect(outcome(again)).toBe(USED);
    expect(fault(again)).toMatchObject({
      resource_id: first['id'],
      message: `The same file was sent before, as payout batch ${first['id'] as string}. To pay it once more, give an external_id that was not used.`,
    });
    expect(await paid(() => send(text))).toBe(0);
    const { data } = must(await client.get(`/v1/payout_batches?external_id=${first['external_id'] as string}`)).json;
    expect((data as readonly Json[]).map(({ id }) => id)).toEqual([first['id']]);
    expect(await paid(() => send(text, `?external_id=${newUuid()}`))).toBe(1_000);
  });

  it('is paid once of twenty that come at once', async () => {
    const text = file();
    let answers: readonly string[] = [];
    const all = async () => {
      answers = (await Promise.all(Array.from({ length: 20 }, () => send(text)))).map(outcome);
    };
    expect(await paid(all)).toBe(1_000);
    expect([...answers].sort()).toEqual(['200', ...Array.from({ length: 19 }, () => USED)]);
  });

  it('is the same file however its batch is made; another file, and for something else, is another', async () => {
    const text = file();
    must(await send(text, '?metadata[a]=1&metadata[b]=2'));
    for (const query of [
      '?metadata[b]=2&metadata[a]=1',
      '?metadata[a]=1&metadata[b]=2&metadata[c]=',
      '?mode=partial&metadata[a]=1&metadata[b]=2',
      '?create_recipients=true&allow_repeated=true&batch_booking=false&metadata[a]=1&metadata[b]=2',
    ])
      expect([query, outcome(await send(text, query))]).toEqual([query, USED]);
    for (const query of ['', '?metadata[a]=2', '?category_purpose=SUPP', '?purpose=RENT'])
      expect([query, await paid(async () => must(await send(text, query)))]).toEqual([query, 1_000]);
    expect(await paid(async () => must(await send(`${text}\n`)))).toBe(1_000);
  });

  it('is paid by each bank account that the query names', async () => {
    const text = file();
    const named = `?bank_account=${UNKNOWN.replace('rcp', 'ba')}`;
    must(await send(text));
    expect(outcome(await send(text))).toBe(USED);
    expect(outcome(await send(text, named))).toBe('400 batch_invalid payouts'); // no such bank account, but not refused as sent before
  });

  it('is free after a dry run, and can be tried when it was paid', async () => {
    const text = file();
    const tried = must(await send(text, '?dry_run=true')).json;
    expect([tried['dry_run'], tried['external_id']]).toEqual([true, null]);
    expect(await paid(() => send(text))).toBe(1_000);
    expect(outcome(await send(text, '?dry_run=true'))).toBe('200');
    expect(outcome(await send(text))).toBe(USED);
  });

  it('is free while nothing of it is paid, and used by one payout', async () => {
    const text = file([fixtures.rcp, UNKNOWN]);
    expect(outcome(await send(text))).toBe('400 batch_invalid payouts');
    expect(await paid(async () => must(await send(text, '?mode=partial')))).toBe(500);
    expect(outcome(await send(text, '?mode=partial'))).toBe(USED);
    const none = file([UNKNOWN]);
    for (const _ of [1, 2]) {
      const { payouts_count: count, external_id: id } = must(await send(none, '?mode=partial')).json;
      expect([count, id]).toEqual([0, null]);
    }
  });

  it('is another in another environment', async () => {
    const text = file();
    must(await send(text));
    const theirs = await send(text, '?mode=partial', {}, application.otherSandbox.client);
    expect(outcome(theirs)).toBe('200');
  });
});

describe('nothing changes', () => {
  it('with an idempotency key: the same one is answered again, another one pays', async () => {
    const text = file();
    const first = must(await send(text, '', { idempotencyKey: 'a file' }));
    expect(first.json['external_id']).toBeNull();
    expect((await send(text, '', { idempotencyKey: 'a file' })).text).toBe(first.text);
    expect(await paid(() => send(text, '', { idempotencyKey: 'the file once more' }))).toBe(1_000);
  });

  it('with an external id of its own', async () => {
    const text = file();
    const [mine, other] = [newUuid(), newUuid()];
    const { id } = must(await send(text, `?external_id=${mine}`)).json;
    const again = fault(await send(text, `?external_id=${mine}`));
    expect([again['resource_id'], again['message']]).toEqual([
      id,
      `Payout batch ${id as string} has this external_id. Another batch needs another external_id.`,
    ]);
    expect(await paid(() => send(text, `?external_id=${other}`))).toBe(1_000);
  });

  it('with an external id in every row: what was rejected is paid by the next run; one row without is too few', async () => {
    const rows = [`5,EUR,${fixtures.rcp},${newUuid()}`, `6,EUR,${fixtures.rcp},${newUuid()}`];
    const text = ['amount,currency,recipient,external_id', ...rows].join('\n');
    const results = async () => {
      const { json } = must(await send(text, '?mode=partial'));
      return [json['external_id'], ...(json['results'] as readonly Json[]).map(({ status }) => status)];
    };
    expect([await results(), await results()]).toEqual([
      [null, 'created', 'created'],
      [null, 'rejected', 'rejected'],
    ]);
    const mixed = [
      'amount,currency,recipient,external_id',
      `5,EUR,${fixtures.rcp},${newUuid()}`,
      `6,EUR,${fixtures.rcp},`,
    ];
    expect(await paid(async () => must(await send(mixed.join('\n'))))).toBe(1_100);
    expect(outcome(await send(mixed.join('\n')))).toBe(USED);
  });

  it('for JSON and forms', async () => {
    const body = { payouts: [{ amount: 5, currency: 'EUR', recipient: fixtures.rcp, reference: newUuid() }] };
    for (const form of [false, true]) {
      const twice = async () => {
        for (const _ of [1, 2])
          expect(must(await client.post('/v1/payouts/batch', body, { form })).json['external_id']).toBeNull();
      };
      expect(await paid(twice)).toBe(1_000);
    }
  });
});
