/** A rehearsed restore over real HTTP: the gap and its event, once a key, in one sandbox alone. The real one: `operator/restored.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { auditDatabase } from '../../../test/support/model/audit.ts';

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
afterAll(() => application?.stop());

const PATH = '/v1/test_helpers/restore';
const open = async (as = client) => must(await as.post('/v1/accounts', { currency: 'EUR' }));
const data = async (path: string, as = client) => must(await as.get(path)).json['data'] as readonly Json[];
const newest = async (as = client) => (await data('/v1/events?limit=1', as))[0]?.['sequence'] as number;

describe('200', () => {
  it('leaves numbers out, says so in the event behind them, and goes on from there', async () => {
    await open();
    const last = await newest();
    const { json } = must(await client.post(PATH, { skip: 7 }));
    expect(json).toMatchObject({ object: 'restore', livemode: false, last_sequence: last, next_sequence: last + 8 });
    await open();
    const after = await data(`/v1/events?order=asc&after_sequence=${last}`);
    expect(after.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['environment.restored', last + 8],
      ['account.created', last + 9],
    ]);
    expect(after[0]).toMatchObject({ data: { object: json }, request: { actor: application.sandbox.id } });
    // A reader in the gap goes on behind it.
    expect(await data(`/v1/events?order=asc&after_sequence=${last + 3}`)).toEqual(after);
  });

  it('a thousand, if nothing is said; once a key; in the audit log', async () => {
    const last = await newest();
    const key = { idempotencyKey: 'rehearsal' };
    const first = must(await client.post(PATH, {}, key));
    expect(first.json).toMatchObject({ next_sequence: last + 1_001 });
    const again = must(await client.post(PATH, {}, key));
    expect([again.text, await newest()]).toEqual([first.text, last + 1_001]);
    const entries = await data('/v1/audit_log?limit=1');
    expect(entries).toMatchObject([
      { action: 'environment.restored', details: { last_sequence: last, next_sequence: last + 1_001 } },
    ]);
  });

  it('moves no other environment, and the books stay right; control: they do not with a gap that nobody noted', async () => {
    const other = application.otherSandbox.client;
    await open(other);
    const [theirs, last] = [await newest(other), await newest()];
    must(await client.post(PATH, { skip: 10_000 }));
    await open(other);
    expect([await newest(other), await newest()]).toEqual([theirs + 1, last + 10_001]);
    expect(await auditDatabase(application.databaseUrl)).toEqual([]);
    await application.sql('DELETE FROM restores WHERE last_sequence = $1', [last]);
    expect(await auditDatabase(application.databaseUrl)).not.toEqual([]);
  });
});

it.each([0, 10_001, -1, 'many'])('400: skip %s', async (skip) => {
  const last = await newest();
  expect(outcome(await client.post(PATH, { skip }))).toMatch(/^400 parameter_invalid(?:_\w+)? skip/);
  expect(await newest()).toBe(last);
});

it('403: a live key, and one without the scope', async () => {
  expect(outcome(await application.live.client.post(PATH))).toBe('403 sandbox_only');
  const reader = await application.key({ scopes: ['events:read', 'test_helpers:read'] });
  expect(outcome(await reader.client.post(PATH))).toMatch(/^403 scope_missing/);
});
