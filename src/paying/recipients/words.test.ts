/** Recipients by the words of their names: kept with each version, filled for older ones, erased with the person, and cheap to look up. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { objectFaults } from '../../../test/support/harness/all-routes.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { readPlans } from '../../../test/support/measure/plan-costs.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { fillWords } from '../../operator/fill-words.ts';
import { page } from '../../platform/db/wire/page.ts';
import { newestVersions, ofWord, RECIPIENTS } from './sql.ts';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  ({ client } = application.sandbox);
}, 60_000);
afterAll(() => application?.stop());

const recipient = async (body: object, by = client) => idIn(await by.post('/v1/recipients', { ...RECIPIENT, ...body }));
const found = async (name: string, by = client): Promise<readonly string[]> => {
  const { json } = must(await by.post('/v1/recipients/search', { name }));
  return (json['data'] as readonly Json[]).map(({ id }) => id as string);
};
const wordsOf = async (id: string) => {
  const rows = await application.sql('SELECT word FROM recipient_words WHERE recipient_id = $1 ORDER BY 1', [
    uuidOf(id),
  ]);
  return rows.map(({ word }) => word);
};

describe('a search by name', () => {
  it('finds by the beginning of any word, without case and accents, newest first', async () => {
    const zolc = await recipient({ name: 'Łukasz Żółć' });
    const other = await recipient({ name: 'Lukasiewicz Brothers', type: 'company' });
    expect(await found('luk')).toEqual([other, zolc]);
    expect(await found('ZOL')).toEqual([zolc]);
    expect(await found('żół luka')).toEqual([zolc]);
    expect(await found('lukx')).toEqual([]);
    expect(await found('ukasz')).toEqual([]);
    expect((await client.post('/v1/recipients/search', { name: 'luk', type: 'company' })).json['data']).toMatchObject([
      { id: other },
    ]);
  });
  it('finds a name in another script by its letters, and by its Latin form', async () => {
    const taro = await recipient({ name: '山田太郎', latin_name: 'Yamada Taro' });
    expect(await found('山田')).toEqual([taro]);
    expect(await found('yamada')).toEqual([taro]);
  });
  it('finds a former name, which payouts still bear', async () => {
    const grace = await recipient({ name: 'Grace Brewster' });
    await client.post(`/v1/recipients/${grace}`, { name: 'Grace Hopper' });
    expect(await found('brewster')).toEqual([grace]);
    expect(await found('hopper')).toEqual([grace]);
  });
  it('stays within the environment', async () => {
    const ours = await recipient({ name: 'Wallflower' });
    const theirs = await recipient({ name: 'Wallflower' }, application.otherSandbox.client);
    expect(await found('wallfl')).toEqual([ours]);
    expect(await found('wallfl', application.otherSandbox.client)).toEqual([theirs]);
  });
  it('is refused where there is nothing to look for', async () => {
    const wrong = [
      ['🦄 -', 'parameter_invalid'],
      ['x'.repeat(141), 'text_too_long'],
      [7, 'parameter_invalid'],
    ] as const;
    for (const [name, code] of wrong) {
      const { status, json } = await client.post('/v1/recipients/search', { name });
      expect(status).toBe(400);
      expect(json['error']).toMatchObject({ code, param: 'name' });
    }
    const { status, json } = await client.post('/v1/recipients/search', { limit: 5 });
    expect([status, (json['error'] as Json)['code']]).toEqual([400, 'parameter_missing']);
  });
  it('says that there are more, and narrows by account', async () => {
    const made = [await recipient({ name: 'Pagewise A' }), await recipient({ name: 'Pagewise B' })];
    const page = must(await client.post('/v1/recipients/search', { name: 'pagew', limit: 1 })).json;
    expect(page).toMatchObject({ data: [{ id: made[1] }], has_more: true });
    const both = { name: 'pagew', iban: 'DE02120300000000202051' };
    expect(must(await client.post('/v1/recipients/search', both)).json['data']).toEqual([]);
  });
});

it('a batch that makes its recipients makes their words', async () => {
  const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
  must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 100 }));
  const payee = { name: 'Batchelor Payee', type: 'individual', country: 'DE', iban: 'DE02500105170137075030' };
  must(
    await client.post('/v1/payouts/batch', {
      create_recipients: true,
      payouts: [{ amount: 5, currency: 'EUR', ...payee }],
    }),
  );
  expect(await found('batchel')).toHaveLength(1);
});

it('an erased person is found by no word', async () => {
  const id = await recipient({ name: 'Vanessa Vanishing' });
  await client.post(`/v1/recipients/${id}`, { name: 'Vanessa Vanished' });
  expect(await wordsOf(id)).toEqual(['vanessa', 'vanished', 'vanishing']);
  must(await client.post(`/v1/recipients/${id}/redact`, {}));
  expect(await wordsOf(id)).toEqual([]);
});

it('the versions of a recipient are listed, masked, to its own environment', async () => {
  const address = { line1: 'Invalidenstraße 43', postal_code: '10115', city: 'Berlin', country: 'DE' };
  const id = await recipient({ name: 'Version One' });
  must(await client.post(`/v1/recipients/${id}`, { name: 'Version Two', address }));
  must(await client.post(`/v1/recipients/${id}`, { iban: 'DE02120300000000202051' }));
  must(await client.post(`/v1/recipients/${id}`, { email: 'v@example.com' })); // no version
  const path = `/v1/recipients/${id}/versions`;
  const { json, text } = must(await client.get(path));
  expect(json['data']).toMatchObject([
    { version: 3, name: 'Version Two', bank_details: { iban: '******************2051' } },
    { version: 2, name: 'Version Two', bank_details: { iban: '******************3000' }, address: { city: 'Berlin' } },
    { version: 1, name: 'Version One', latin_name: null, address: null },
  ]);
  expect(text).not.toContain(RECIPIENT.iban);
  expect(objectFaults('RecipientVersion', (json['data'] as readonly Json[])[1])).toEqual([]);
  expect(must(await client.get(`${path}?limit=1`)).json['data']).toHaveLength(1);
  expect((await application.otherSandbox.client.get(path)).status).toBe(404);
  expect((await application.live.client.get(path)).status).toBe(404);
  const plans = await readPlans(application.databaseUrl);
  for (const { blocks } of await plans.costs(newestVersions(application.sandbox.environmentId, id)))
    expect(blocks).toBeLessThan(10);
  await plans.end();
});

describe('recipients that are older than words', () => {
  const owner = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const connection = new pg.Client(application.databaseUrl);
    await connection.connect();
    return work(connection).finally(() => connection.end());
  };
  it('get those of all their names at a start, once, and not those of an erased person', async () => {
    const id = await recipient({ name: 'Olden Times' });
    await client.post(`/v1/recipients/${id}`, { name: 'Newer Times', latin_name: 'Newest' });
    const gone = await recipient({ name: 'Gone Person' });
    must(await client.post(`/v1/recipients/${gone}/redact`, {}));
    const which = [[id, gone].map(uuidOf)];
    await application.sql('DELETE FROM recipient_words WHERE recipient_id = ANY ($1)', which);
    await application.sql('UPDATE recipients SET has_words = NULL WHERE id = ANY ($1)', which);
    expect(await found('olden')).toEqual([]); // the control
    expect(await owner(fillWords)).toBe(2);
    expect(await wordsOf(id)).toEqual(['newer', 'newest', 'olden', 'times']);
    expect(await wordsOf(gone)).toEqual([]);
    expect(await owner(fillWords)).toBe(0);
  });
  it('wait while a server holds one', async () => {
    const id = await recipient({ name: 'Held Fast' });
    await application.sql('DELETE FROM recipient_words WHERE recipient_id = $1', [uuidOf(id)]);
    await application.sql('UPDATE recipients SET has_words = NULL WHERE id = $1', [uuidOf(id)]);
    await owner(async (holder) => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM recipients WHERE id = $1 FOR UPDATE', [uuidOf(id)]);
      const filling = owner(fillWords);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(await wordsOf(id)).toEqual([]);
      await holder.query('COMMIT');
      expect(await filling).toBe(1);
    });
    expect(await wordsOf(id)).toEqual(['fast', 'held']);
  });
});

it('a look-up reads little of a long history, for a rare word and for many recipients', async () => {
  const environmentId = application.live.environmentId;
  const id = `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
  const some = `FROM generate_series(1, 30000) AS n`;
  await application.sql(
    `INSERT INTO recipients (environment_id, id, name, type, currency, country, bank_details, status, version, metadata, created_at, has_words)
      SELECT $1, ${id}, 'n' || n, 'company', 'EUR', 'DE', '{}', 'active', 1, '{}', now(), true ${some}`,
    [uuidOf(environmentId)],
  );
  await application.sql(
    `INSERT INTO recipient_words (environment_id, word, recipient_id)
      SELECT $1, w, ${id} ${some}, unnest(ARRAY[md5(n::text), CASE WHEN n % 1000 = 7 THEN 'rare' ELSE 'common' END]) AS w`,
    [uuidOf(environmentId)],
  );
  await application.sql('VACUUM ANALYZE recipients, recipient_words');
  const plans = await readPlans(application.databaseUrl);
  const source = { from: 'recipients AS t', columns: RECIPIENTS.columns('t'), environmentId };
  const costs = (word: string) =>
    plans.costs(page({ ...source, conditions: [ofWord(word)] }, { limit: 10, order: 'desc' }));
  for (const { rows, blocks } of await costs('rar')) {
    expect(rows).toBe(11);
    expect(blocks).toBeLessThan(400);
  }
  const [planned] = await costs('commo');
  expect(planned?.rows).toBe(11);
  expect(planned?.blocks).toBeLessThan(2_000);
  await plans.client.query('BEGIN; ALTER TABLE recipient_words DROP CONSTRAINT recipient_words_pkey');
  const [without] = await costs('rar');
  await plans.client.query('ROLLBACK');
  await plans.end();
  expect(without?.blocks).toBeGreaterThan(400);
}, 60_000);
