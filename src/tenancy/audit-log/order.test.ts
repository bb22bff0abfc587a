/** The audit log is in the order of its sequence, whatever a clock did, and each page reads little of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { auditRoutes } from './routes.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

const page = async (query: string) => must(await application.sandbox.client.get(`/v1/audit_log?${query}`)).json;
const entries = async (query: string) => (await page(query))['data'] as readonly Json[];
const sequences = (of: readonly Json[]) => of.map(({ sequence }) => sequence as number);

describe('in order', () => {
  /** Entries of an hour ahead, of now, of one instant: what their ids and instants say is not their order. */
  beforeAll(async () => {
    const { client, environmentId } = application.sandbox;
    const settings = async (name: string) => must(await client.post('/v1/settings', { name }));
    const settle = async (prefix: string) => {
      for (let i = 0; i < 4; i++) await settings(`${prefix} ${i}`);
    };
    must(await client.post('/v1/test_helpers/clock/advance', { seconds: 3_600 }));
    await settle('ahead');
    must(await client.post('/v1/test_helpers/reset', {})); // puts the clock back
    await settle('after the reset');
    const swapped = `UPDATE audit_log SET id = CASE sequence WHEN 6 THEN $2::uuid ELSE $3::uuid END, created_at = 'epoch' WHERE environment_id = $1 AND sequence IN (6, 7)`;
    await application.sql(swapped, [
      uuidOf(environmentId),
      '00000000-0000-7fff-8000-000000000000',
      '00000000-0000-7000-8000-000000000000',
    ]);
  });

  const ALL = [1, 2, 3, 4, 5, 6, 7, 8, 9];

  it('the control: neither ids nor instants rise with the sequence', async () => {
    const found = (await entries('limit=100')).toSorted(
      (a, b) => (a['sequence'] as number) - (b['sequence'] as number),
    );
    const [ids, created] = [found.map(({ id }) => id as string), found.map((entry) => entry['created'] as number)];
    expect(ids).not.toEqual(ids.toSorted());
    expect(created).not.toEqual(created.toSorted((a, b) => a - b));
  });

  it('both ways, by the sequence', async () => {
    expect(sequences(await entries('limit=100&order=asc'))).toEqual(ALL);
    expect(sequences(await entries('limit=100'))).toEqual(ALL.toReversed());
    expect(sequences(await entries('limit=100&order=asc&action=settings.updated'))).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  });

  it.each(['asc', 'desc'])('page by page, forth and back: %s', async (order) => {
    const wanted = order === 'asc' ? ALL : ALL.toReversed();
    const whole = await entries(`limit=100&order=${order}`);
    const walk = async (name: string, next: (of: readonly Json[]) => string) => {
      const seen: number[][] = [];
      for (let at = `${name}=${next(name === 'starting_after' ? [whole[0] as Json] : [whole.at(-1) as Json])}`; ; ) {
        const json = await page(`limit=2&order=${order}&${at}`);
        const data = json['data'] as readonly Json[];
        seen.push(sequences(data));
        if (json['has_more'] !== true) return seen;
        at = `${name}=${next(data)}`;
      }
    };
    const forth = await walk('starting_after', (of) => of.at(-1)?.['id'] as string);
    expect(forth.flat()).toEqual(wanted.slice(1));
    const back = await walk('ending_before', (of) => of[0]?.['id'] as string);
    expect(back.toReversed().flat()).toEqual(wanted.slice(0, -1));
  });

  it('as CSV: everything, within its bounds too', async () => {
    const { client } = application.sandbox;
    const csv = async (query: string) => {
      const { text } = must(await client.send('GET', `/v1/audit_log?${query}`, '', { accept: 'text/csv' }));
      const [head = '', ...lines] = text.trim().split(/\r?\n/);
      const column = head.split(',').indexOf('sequence');
      return lines.map((line) => Number(line.split(',')[column]));
    };
    expect(await csv('order=asc')).toEqual(ALL);
    expect(await csv('')).toEqual(ALL.toReversed());
    const id = async (sequence: number) => (await entries('order=asc&limit=100'))[sequence - 1]?.['id'] as string;
    expect(await csv(`starting_after=${await id(4)}`)).toEqual([3, 2, 1]);
    expect(await csv(`ending_before=${await id(4)}`)).toEqual([9, 8, 7, 6, 5]);
    expect(await csv(`order=asc&ending_before=${await id(7)}`)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('by time: what was written then, in its order', async () => {
    expect(sequences(await entries('order=asc&created[lt]=1'))).toEqual([6, 7]);
  });

  it('refuses a cursor of nobody and of another environment', async () => {
    must(await application.otherSandbox.client.post('/v1/settings', { name: 'Other' }));
    const [theirs] = must(await application.otherSandbox.client.get('/v1/audit_log')).json['data'] as readonly [Json];
    for (const id of ['aud_01jd3v9q4ne8v8k3w2m6r5t7xa', theirs['id'] as string]) {
      const reply = await application.sandbox.client.get(`/v1/audit_log?starting_after=${id}`);
      expect(outcome(reply)).toBe('400 resource_missing starting_after');
    }
  });
});

describe('a page of a long log', () => {
  const ENTRIES = 20_000;
  const SUBJECT = 'key_of_many';
  beforeAll(async () => {
    await application.sql(
      `INSERT INTO audit_log SELECT $1::uuid, gen_random_uuid(), n, CASE WHEN n % 1000 = 0 THEN 'key.rolled' ELSE 'settings.updated' END,
        CASE WHEN n % 500 = 0 THEN $2::uuid ELSE $3::uuid END, NULL, NULL, CASE WHEN n % 700 = 0 THEN $4 END, '{}', '', '', now()
        FROM generate_series(1, ${ENTRIES}) AS n`,
      [uuidOf(application.live.environmentId), uuidOf(application.live.id), uuidOf(application.sandbox.id), SUBJECT],
    );
    await application.sql('ANALYZE audit_log');
  });

  /** Blocks that the list's own statement reads, and what its plan sorts. */
  async function cost(query: object): Promise<{ blocks: number; sorts: boolean }> {
    let sent: Statement | undefined;
    const rows = async (statement: Statement) => {
      sent ??= statement;
      return [];
    };
    const [list] = auditRoutes({ rows } as never);
    const { environmentId } = application.live;
    const call = { caller: { environmentId, accounts: null }, csv: null, url: '', query: { limit: 10, ...query } };
    await list?.handle(call as never).catch(() => undefined);
    const { text, values } = sent as Statement;
    const plan = await application.sql(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
    const json = plan[0]?.['QUERY PLAN'] as string;
    const [{ Plan: top }] = JSON.parse(json) as [{ Plan: Record<string, number> }];
    const blocks = (top['Shared Hit Blocks'] as number) + (top['Shared Read Blocks'] as number);
    return { blocks, sorts: json.includes('"Sort"') };
  }

  it.each([
    ['the newest', { order: 'desc' }],
    ['the oldest', { order: 'asc' }],
    ['one action', { order: 'desc', action: 'key.rolled' }],
    ['an action that never was', { order: 'desc', action: 'sandbox.reset' }],
    ['one actor', { order: 'desc', actor: () => application.live.id }],
    ['one subject', { order: 'asc', subject: SUBJECT }],
  ])('%s: by an index, in its order', async (_, query) => {
    const given = Object.entries(query).map(([name, value]) => [name, typeof value === 'function' ? value() : value]);
    const { blocks, sorts } = await cost(Object.fromEntries(given) as object);
    expect(sorts).toBe(false);
    expect(blocks).toBeLessThanOrEqual(50); // the log has hundreds
  });

  it('behind an entry in the middle', async () => {
    const [{ id } = {}] = await application.sql(
      'SELECT id FROM audit_log WHERE environment_id = $1 AND sequence = $2',
      [uuidOf(application.live.environmentId), ENTRIES / 2],
    );
    const { blocks, sorts } = await cost({ order: 'desc', starting_after: idOf('aud', id as string) });
    expect(sorts).toBe(false);
    expect(blocks).toBeLessThanOrEqual(50);
  });
});
