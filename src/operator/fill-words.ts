/**
 * Gives recipients that are older than `recipient_words` their words, before a server starts (migration 0145). As the owner, beside servers:
 * a row is held while its words are written, so that no erasure comes between, and one that a server holds waits for the next round. Killed,
 * it goes on. Nothing to do costs one look at an empty index.
 */
import type { Client } from 'pg';
import { wordsOfVersions } from '../paying/recipients/sql.ts';
import { idOf } from '../core/values/ids.ts';

/** Recipients in a transaction. */
const ROWS = 500;
/** Between two rounds that found only rows which servers hold. */
const PAUSE_MS = 20;

interface Version {
  readonly environment_id: string;
  readonly id: string;
  readonly name: string;
  readonly latin_name: string | null;
}

/** Returns how many recipients got their words. `client` is the owner's. */
export async function fillWords(client: Client): Promise<number> {
  let filled = 0;
  while (await isAnyLeft(client)) {
    const done = await fillSome(client);
    filled += done;
    if (done === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return filled;
}

/** Index recipients_wordless. */
async function isAnyLeft(client: Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM recipients WHERE has_words IS NULL LIMIT 1');
  return rowCount === 1;
}

async function fillSome(client: Client): Promise<number> {
  await client.query('BEGIN');
  try {
    const { rows: held } = await client.query<{ environment_id: string; id: string }>(
      `SELECT environment_id, id FROM recipients WHERE has_words IS NULL ORDER BY environment_id, id LIMIT ${ROWS} FOR UPDATE SKIP LOCKED`,
    );
    const keys = [held.map((row) => row.environment_id), held.map((row) => row.id)];
    const of = 'FROM unnest($1::uuid[], $2::uuid[]) AS k (e, i)';
    const { rows: versions } = await client.query<Version>(
      `SELECT v.environment_id, v.recipient_id AS id, v.name, v.latin_name ${of}
        JOIN recipient_versions v ON v.environment_id = k.e AND v.recipient_id = k.i
        JOIN recipients r ON r.environment_id = k.e AND r.id = k.i AND r.status <> 'redacted'`,
      keys,
    );
    const words = wordsOfVersions(
      versions.map(({ environment_id: environment, id, name, latin_name: latinName }) => {
        return { environmentId: idOf('env', environment), id: idOf('rcp', id), name, latinName };
      }),
    );
    if (words !== null) await client.query({ text: words.text, values: words.values });
    await client.query(
      `UPDATE recipients AS t SET has_words = true ${of} WHERE t.environment_id = k.e AND t.id = k.i`,
      keys,
    );
    await client.query('COMMIT');
    return held.length;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
