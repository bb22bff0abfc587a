/** Keys after a rotation of the server secret: they work as before, move to the new secret when they are used, and are never lost. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config.ts';
import { TYPES } from '../../platform/db/wire/types.ts';
import { serversWithout } from '../../platform/db/wire/servers.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { asServer, createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { eventually } from '../../../test/support/harness/eventually.ts';
import { Client } from '../../../test/support/harness/http.ts';
import { insertKey } from '../../../test/support/harness/keys.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { startApp } from '../../server/app.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { secretIdOf } from '../../platform/vault/vault.ts';
import { authenticator } from './authenticate.ts';
import { hashKey } from './key.ts';
import { Rehasher } from './rehash.ts';
import { rehashKeys } from './sql.ts';
import { Versions } from '../../platform/http/version/versions.ts';

const [OLD, NEW, OTHER] = ['o', 'n', 'x'].map((letter) => letter.repeat(40)) as [string, string, string];
const PATIENCE = { timeout: 20_000 };
const QUIET = pino({ level: 'silent' });

let database: Database;
let owner: pg.Client;
const run = async (statement: Statement): Promise<readonly Row[]> => (await owner.query(statement)).rows as Row[];

beforeAll(async () => {
  database = await createDatabase();
  owner = new pg.Client({ connectionString: database.url, types: TYPES });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await database?.drop();
});

const newKey = (secret: string) => insertKey(run, secret, { merchant: 'first', livemode: false });
async function stored(id: string): Promise<{ hash: Buffer; secret_id: string | null }> {
  const { rows } = await owner.query('SELECT hash, secret_id FROM api_keys WHERE id = $1', [uuidOf(id)]);
  return rows[0] as { hash: Buffer; secret_id: string | null };
}

/** A server with these secrets for as long as `work` takes. */
async function serving<T>(
  current: string,
  previous: readonly string[],
  work: (address: string) => Promise<T>,
): Promise<T> {
  const app = await startApp({
    config: { ...loadConfig({ BURSAR_RATE_LIMIT: '0' }), readPoolSize: 1 },
    databaseUrl: asServer(database.url),
    ownerUrl: database.url,
    serverSecret: current,
    previousSecrets: previous,
    log: QUIET,
  });
  try {
    return await work(await app.server.listen({ host: '127.0.0.1', port: 0 }));
  } finally {
    await app.stop();
  }
}

/** From now on, statements that move keys are counted, also those that move none. */
async function countMoves(): Promise<void> {
  await owner.query(`
    CREATE TABLE moves ();
    CREATE FUNCTION count_move() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO moves DEFAULT VALUES; RETURN NULL; END $$;
    CREATE TRIGGER count_moves AFTER UPDATE OF hash ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION count_move()`);
}
const moves = async () => Number((await owner.query('SELECT count(*) FROM moves')).rows[0].count);

async function ask(address: string, key: string): Promise<string> {
  const client = new Client(address, key);
  try {
    return outcome(await client.get('/v1/accounts'));
  } finally {
    client.close();
  }
}

describe('a key from before a rotation', () => {
  it('works, and is under the new secret after its first use; the role of the server cannot do that', async () => {
    const { id, key } = await newKey(OLD);
    expect((await stored(id)).secret_id).toBe(secretIdOf(OLD));
    await serving(NEW, [OTHER, OLD], async (address) => {
      expect(await ask(address, key)).toBe('200');
      await expect.poll(async () => (await stored(id)).secret_id, PATIENCE).toBe(secretIdOf(NEW));
      expect((await stored(id)).hash).toEqual(hashKey(NEW, key));
    });
    // One that has not found the key before looks for it.
    await serving(NEW, [OTHER, OLD], async (address) => expect(await ask(address, key)).toBe('200'));
    await serving(NEW, [], async (address) => expect(await ask(address, key)).toBe('200'));
    const server = new pg.Client(asServer(database.url));
    await server.connect();
    await expect(server.query('UPDATE api_keys SET hash = hash')).rejects.toThrow('permission denied');
    await expect(server.query('UPDATE api_keys SET secret_id = secret_id')).rejects.toThrow('permission denied');
    await server.end();
  });

  it('control: without the previous secret it is refused, and nothing is moved', async () => {
    const { id, key } = await newKey(OLD);
    await serving(NEW, [], async (address) => expect(await ask(address, key)).toBe('401 api_key_invalid'));
    expect((await stored(id)).hash).toEqual(hashKey(OLD, key));
  });

  it('is refused when it was revoked, under whatever secret it is hashed', async () => {
    const { id, key } = await newKey(OLD);
    await owner.query('UPDATE api_keys SET revoked_at = now() WHERE id = $1', [uuidOf(id)]);
    await serving(NEW, [OLD], async (address) => expect(await ask(address, key)).toBe('401 api_key_invalid'));
    expect((await stored(id)).secret_id).toBe(secretIdOf(OLD));
  });

  it('stays where it is while a server runs that does not know the new secret, and goes on working there', async () => {
    const { id, key } = await newKey(OLD);
    await serving(OLD, [], (before) =>
      serving(NEW, [OLD], async (after) => {
        await countMoves();
        expect(await ask(after, key)).toBe('200');
        await eventually('the statement that moves keys has run', async () => (await moves()) > 0);
        expect((await stored(id)).secret_id).toBe(secretIdOf(OLD));
        expect(await ask(before, key)).toBe('200');
        // The owner of the tables is seldom a superuser: a role without rights sees as much.
        const nobody = new pg.Client(asServer(database.url));
        await nobody.connect();
        const behind = async (secret: string) =>
          (await nobody.query(`SELECT count(*)::int AS behind ${serversWithout('$1')}`, [secretIdOf(secret)])).rows[0]
            .behind;
        expect([await behind(OLD), await behind(NEW), await behind(OTHER)]).toEqual([0, 1, 2]);
        await nobody.end();
      }),
    );
  });
});

it('a key of a version that kept no id of the secret is noted when it is used', async () => {
  const { id, key } = await newKey(NEW);
  await owner.query('UPDATE api_keys SET secret_id = NULL WHERE id = $1', [uuidOf(id)]);
  await serving(NEW, [], async (address) => {
    expect(await ask(address, key)).toBe('200');
    await expect.poll(async () => (await stored(id)).secret_id, PATIENCE).toBe(secretIdOf(NEW));
  });
});

describe('the look-up', () => {
  const seen: string[] = [];
  const rows = (statement: Statement) => {
    seen.push(statement.name ?? '');
    return run(statement);
  };
  const find = (previous: readonly string[], key: string) => {
    seen.length = 0;
    return authenticator({
      secrets: { current: NEW, previous },
      rows,
      versions: new Versions(),
      onFault: () => undefined,
    })(key);
  };
  const lookUps = () => seen.filter((name) => name !== 'mark_key_used');

  it('is one statement for a key under the current secret, whether there are previous secrets or not', async () => {
    const { key } = await newKey(NEW);
    for (const previous of [[], [OLD, OTHER]]) {
      expect(await find(previous, key)).not.toBeNull();
      expect(lookUps()).toEqual(['key_by_hash']);
    }
  });

  it('is a second one for a key under a previous secret', async () => {
    const { key } = await newKey(OLD);
    expect(await find([OTHER, OLD], key)).not.toBeNull();
    expect(lookUps()).toEqual(['key_by_hash', 'key_by_hashes']);
  });

  it('finds a key that is moved between the two statements', async () => {
    const { key } = await newKey(OLD);
    const moving = async (statement: Statement) => {
      const found = await run(statement);
      if (statement.name === 'key_by_hash')
        await run(rehashKeys([{ from: hashKey(OLD, key), to: hashKey(NEW, key), secretId: secretIdOf(NEW) }]));
      return found;
    };
    const authenticate = authenticator({
      versions: new Versions(),
      secrets: { current: NEW, previous: [OLD] },
      rows: moving,
      onFault: () => undefined,
    });
    expect(await authenticate(key)).not.toBeNull();
  });

  it('goes by the primary key', async () => {
    await owner.query('SET enable_seqscan = off');
    const { text, values } = (await import('./sql.ts')).keyByHashes([randomBytes(32), randomBytes(32)]);
    const { rows: plan } = await owner.query(`EXPLAIN ${text}`, values);
    await owner.query('RESET enable_seqscan');
    expect(JSON.stringify(plan)).toContain('api_keys_pkey');
  });
});

describe('moving keys', () => {
  const change = () => ({ from: randomBytes(32), to: randomBytes(32), secretId: '01234567' });

  it('gathers what comes within a moment into one statement, each key once', async () => {
    const sizes: number[] = [];
    const rehasher = new Rehasher({
      run: async ({ values }) => void sizes.push((values[0] as unknown[]).length),
      onFault: () => undefined,
    });
    const [first, second] = [change(), change()];
    for (let i = 0; i < 100; i++) for (const each of [first, second]) rehasher.add(each);
    await expect.poll(() => sizes, PATIENCE).toEqual([2]);
    rehasher.add(first); // a minute has not passed
    rehasher.add(change());
    await expect.poll(() => sizes, PATIENCE).toEqual([2, 1]);
    await rehasher.stop();
  });

  it('tells of a failure, and tries again later', async () => {
    const faults: string[] = [];
    const rehasher = new Rehasher({
      run: () => Promise.reject(new Error('away')),
      onFault: (message) => void faults.push(message),
      againAfterMs: 0,
    });
    const one = change();
    rehasher.add(one);
    await expect.poll(() => faults.length, PATIENCE).toBe(1);
    rehasher.add(one);
    await expect.poll(() => faults.length, PATIENCE).toBe(2);
    await rehasher.stop();
  });

  it('leaves a key alone that is no longer under the hash it was found under', async () => {
    const { id, key } = await newKey(OTHER);
    await run(rehashKeys([{ from: hashKey(OLD, key), to: hashKey(NEW, key), secretId: secretIdOf(NEW) }]));
    expect((await stored(id)).hash).toEqual(hashKey(OTHER, key));
  });
});
