/** Erasure of a person over HTTP: nothing of it is left, nothing else changes, and it happens whole or not at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, SERVER_SECRET, startApplication } from '../../../test/support/harness/application.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { recipientSeals } from './sealing.ts';

let application: Application;
let account = '';
beforeAll(async () => {
  application = await startApplication();
  const { client, environmentId } = application.sandbox;
  account = (await client.post('/v1/accounts', { currency: 'EUR' })).json['id'] as string;
  await application.submit(environmentId, { type: 'fund_account', account, amount: '100000' });
});
afterAll(() => application?.stop());

const IBANS = ['DE02120300000000202051', 'DE02500105170137075030'] as const;

interface Made {
  readonly id: string;
  readonly key: string;
  /** Everything that would tell who it is. */
  readonly words: readonly string[];
}
let count = 0;
async function person({ client } = application.sandbox): Promise<Made> {
  const key = `person ${++count}`;
  const [maiden, later] = [`Grace Brewster the ${count}th`, `Grace Hopper the ${count}th`];
  const [email, newEmail] = [`grace.${count}@example.com`, `amazing.grace.${count}@example.com`];
  const note = `born 1906, number ${count}.`;
  const body = { name: maiden, email, iban: IBANS[0], type: 'individual', currency: 'EUR', country: 'DE' };
  const made = await client.post('/v1/recipients', { ...body, metadata: { note } }, { idempotencyKey: key });
  expect(made.status, made.text).toBe(200);
  const id = made.json['id'] as string;
  const change = { name: later, email: newEmail, iban: IBANS[1] };
  await client.post(`/v1/recipients/${id}`, change, { idempotencyKey: `${key} changed` });
  await client.post(`/v1/recipients/${id}`, change, { idempotencyKey: `${key} unchanged` }); // its answer is kept whole
  return { id, key, words: [maiden, later, email, newEmail, note, ...IBANS] };
}
const redact = (id: string, options = {}) =>
  application.sandbox.client.post(`/v1/recipients/${id}/redact`, {}, options);
const pay = async (recipient: string) =>
  (await application.sandbox.client.post('/v1/payouts', { amount: 5, currency: 'EUR', recipient, account })).json[
    'id'
  ] as string;

/** Which of the person's words stand in any column of any table, sealed details opened. */
async function traces({ id: recipient, words }: Made): Promise<string[]> {
  const { detailsOf } = recipientSeals({ current: SERVER_SECRET, previous: [] });
  const tables = await application.sql(
    `SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'environment_id' AND table_schema = 'public' ORDER BY 1`,
  );
  const rows = await Promise.all(
    tables.map(({ name }) =>
      application.sql(
        `SELECT row_to_json(t)::text AS row FROM ${String(name)} t WHERE t::text LIKE '%' || $1 || '%' OR $2 IN ('events', 'idempotency_records')`,
        [uuidOf(recipient), name],
      ),
    ),
  );
  const text = rows
    .flat()
    .map(({ row }) => String(row))
    .join('\n');
  const sealed = await application.sql(
    'SELECT bank_details::text AS details FROM recipient_versions WHERE recipient_id = $1 UNION ALL SELECT bank_details::text FROM recipients WHERE id = $1',
    [uuidOf(recipient)],
  );
  const details = sealed.map((row) => JSON.stringify(detailsOf(row['details'] as string, recipient))).join('\n');
  return words.filter((word) => text.includes(word) || details.includes(word));
}

describe('a person', () => {
  it('is gone from every table, and from every answer; control: before, it was there', async () => {
    const made = await person();
    const { id, key, words } = made;
    const { client } = application.sandbox;
    const payout = await pay(id);
    await client.post(`/v1/payouts/${payout}/cancel`, {});
    expect(await traces(made)).toEqual(words);
    const sequences = async () =>
      ((await client.get(`/v1/events?related_object=${id}&order=asc`)).json['data'] as Json[]).map((event) => [
        event['type'],
        event['sequence'],
      ]);
    const before = await sequences();
    const reply = await redact(id, { idempotencyKey: `${key} redacted` });
    expect(reply.json).toMatchObject({
      id,
      name: 'Redacted',
      email: null,
      metadata: {},
      country: 'DE',
      bank_details: { iban: '******************5030' },
      status: 'redacted',
    });
    expect(await traces(made)).toEqual([]);
    const events = (await client.get(`/v1/events?related_object=${id}&order=asc`)).text;
    for (const word of words) expect(events).not.toContain(word);
    expect((await sequences()).slice(0, -1)).toEqual(before);
    expect((await sequences()).at(-1)?.[0]).toBe('recipient.redacted');
    const again = await redact(id, { idempotencyKey: `${key} redacted` });
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([reply.text, 'true']);
    expect(outcome(await redact(id))).toBe('200');
    for (const used of [key, `${key} changed`, `${key} unchanged`]) {
      const path = used === key ? '/v1/recipients' : `/v1/recipients/${id}`;
      const retried = await client.post(
        path,
        { name: 'Grace', iban: IBANS[0], type: 'individual', currency: 'EUR', country: 'DE' },
        { idempotencyKey: used },
      );
      expect(retried.text).not.toMatch(/Grace/);
      expect(retried.status).toBe(400);
    }
    expect((await client.get(`/v1/payouts/${payout}`)).json).toMatchObject({ recipient: id, amount_minor: 500 });
    const [version] = await application.sql(
      'SELECT name, bank_details::text AS details, country FROM recipient_versions WHERE recipient_id = $1 ORDER BY version LIMIT 1',
      [uuidOf(id)],
    );
    const { details, ...rest } = version ?? {};
    expect(rest).toEqual({ name: 'Redacted', country: 'DE' });
    expect(recipientSeals({ current: SERVER_SECRET, previous: [] }).detailsOf(details as string, id)).toEqual({
      iban: '******************2051',
    });
    const log = (await client.get(`/v1/audit_log?subject=${id}`)).json['data'];
    expect(log).toMatchObject([{ action: 'recipient.redacted', actor: application.sandbox.id, details: {} }]);
  });

  it('takes no payout and no change afterwards', async () => {
    const made = await person();
    const { id } = made;
    await redact(id);
    const { client } = application.sandbox;
    expect(outcome(await client.post('/v1/payouts', { amount: 5, currency: 'EUR', recipient: id, account }))).toBe(
      '400 recipient_redacted recipient',
    );
    expect(outcome(await client.post(`/v1/recipients/${id}`, { name: 'Grace' }))).toBe('400 recipient_redacted');
    expect(
      outcome(
        await client.post('/v1/payouts/batch', { payouts: [{ amount: 5, currency: 'EUR', recipient: id, account }] }),
      ),
    ).toMatch(/^400 batch_invalid/);
    expect(
      ((await client.get('/v1/recipients?status=redacted&limit=100')).json['data'] as Json[]).map((each) => each['id']),
    ).toContain(id);
    const sameAccount = (await client.post('/v1/recipients/search', { iban: IBANS[1], status: 'redacted' })).json[
      'data'
    ];
    expect(sameAccount).toEqual([]); // it is not found by its account any more
  });

  it('stays while payouts are on their way, and for ten years after the last one was paid', async () => {
    const made = await person();
    const { id } = made;
    const payout = await pay(id);
    expect(outcome(await redact(id))).toBe('400 recipient_has_open_payouts');
    await application.sandbox.client.post(`/v1/test_helpers/payouts/${payout}/pay`, {});
    const refused = await redact(id);
    expect(outcome(refused)).toBe('400 retention_required');
    expect(refused.text).toContain(`until ${new Date().getUTCFullYear() + 10}-`);
    expect((await traces(made)).length).toBe(made.words.length); // refused: nothing is erased
    await application.sql("UPDATE payouts SET ended_at = ended_at - interval '10 years 1 hour' WHERE id = $1", [
      uuidOf(payout),
    ]);
    expect(outcome(await redact(id))).toBe('200');
    expect(await traces(made)).toEqual([]);
  });

  it('of another environment is not found, and needs the scope', async () => {
    const made = await person();
    const { id } = made;
    for (const { client } of [application.otherSandbox, application.live]) {
      expect(outcome(await client.post(`/v1/recipients/${id}/redact`, {}))).toBe('404 resource_missing');
    }
    const reader = await application.key({ scopes: ['recipients:read'] });
    expect(outcome(await reader.client.post(`/v1/recipients/${id}/redact`, {}))).toBe('403 scope_missing');
    expect((await traces(made)).length).toBe(made.words.length);
  });

  it('is erased whole or not at all', async () => {
    const made = await person();
    const { id } = made;
    for (const table of ['events', 'recipient_versions', 'idempotency_records', 'audit_log']) {
      const broken =
        table === 'audit_log'
          ? "action <> 'recipient.redacted'"
          : table === 'events'
            ? "type <> 'recipient.redacted'"
            : table === 'recipient_versions'
              ? "name <> 'Redacted'"
              : "fingerprint <> ''";
      await application.sql(`ALTER TABLE ${table} ADD CONSTRAINT broken CHECK (${broken}) NOT VALID`);
      expect((await redact(id)).status).toBe(500);
      await application.sql(`ALTER TABLE ${table} DROP CONSTRAINT broken`);
      expect((await traces(made)).length).toBe(made.words.length);
    }
    expect(outcome(await redact(id))).toBe('200');
    expect(await traces(made)).toEqual([]);
  });

  it('beside writes: every request is answered, no 5xx, and the books balance', async () => {
    const people = await Promise.all(Array.from({ length: 12 }, () => person()));
    const others = await person();
    const writes = Promise.all(
      Array.from({ length: 200 }, () =>
        application.sandbox.client.post('/v1/payouts', { amount: 1, currency: 'EUR', recipient: others.id, account }),
      ),
    );
    const erased = await Promise.all(people.map(({ id }) => redact(id)));
    expect(erased.map(outcome)).toEqual(Array(12).fill('200'));
    expect((await writes).map(({ status }) => status)).toEqual(Array(200).fill(200));
    for (const each of people) expect(await traces(each)).toEqual([]);
    const [gaps] = await application.sql(
      'SELECT max(sequence) - count(*) AS gaps FROM events WHERE environment_id = $1',
      [uuidOf(application.sandbox.environmentId)],
    );
    expect(Number(gaps?.['gaps'])).toBe(0);
  });

  it('control: the server’s own login may not do it', async () => {
    const made = await person();
    const { id } = made;
    const { environmentId } = application.sandbox;
    const command = { type: 'redact_recipient', recipient: id, retentionYears: 0 } as const;
    await expect(application.submit(environmentId, command)).rejects.toThrow();
    expect((await traces(made)).length).toBe(made.words.length);
  });
});
