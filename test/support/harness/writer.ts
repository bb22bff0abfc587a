/**
 * The write path on a database of its own, without HTTP: one writer of either kind, as `server/app.ts` makes it. For tests
 * that send commands and look at what was committed. `tamper` sees every statement on its way, for control runs. Next: `write/writer.ts`.
 */
import type { Origin } from '../../../src/core/state.ts';
import { newId } from '../../../src/core/values/ids.ts';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { pipelineOver } from '../../../src/platform/db/wire/pipeline.ts';
import { refreshingPlans } from '../../../src/platform/db/plan-refresh.ts';
import { openPools } from '../../../src/platform/db/pool.ts';
import type { Row, Statement } from '../../../src/platform/db/wire/statement.ts';
import { TYPES } from '../../../src/platform/db/wire/types.ts';
import { ensureEnvironment } from '../../../src/tenancy/keys/keys.ts';
import type { Command } from '../../../src/write/slices.ts';
import type { Limits } from '../../../src/write/queue.ts';
import type { Outcome } from '../../../src/write/idempotency.ts';
import { atRest } from '../../../src/write/at-rest.ts';
import type { WriterConnection } from '../../../src/write/attempts.ts';
import { InFlightWriter } from '../../../src/write/in-flight.ts';
import { PlainWriter, type Writer } from '../../../src/write/writer.ts';
import { createDatabase } from './database.ts';

/** What a client adds to a command. */
export interface Sending {
  readonly key?: string;
  readonly fingerprint?: string;
  readonly dryRun?: boolean;
  /** Left out: the worker. */
  readonly by?: Pick<Origin, 'actor' | 'lineage'>;
}

/** Runs, replaces or swallows a statement. */
export type Tamper = (statement: Statement, run: WriterConnection['run']) => ReturnType<WriterConnection['run']>;

export interface Writing {
  readonly url: string;
  readonly writer: Writer;
  /** What the writer reported as a fault. */
  readonly faults: { readonly message: string; readonly error: unknown }[];
  /** Commands of every batch that was committed or abandoned, in order. */
  readonly batches: number[];
  tamper: Tamper | null;
  /** Instead of a dispatcher. */
  onCommitted: (() => void) | null;
  /** A new sandbox of its own. */
  environment(livemode?: boolean): Promise<string>;
  send(environmentId: string, command: Command, sending?: Sending): Promise<Outcome>;
  /** As the owner. */
  sql(text: string, values?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** What these writers seal with. */
export const SEALING = atRest({ current: 'the-writers-of-tests-seal-under-this', previous: [] });

export const WRITERS = { 'in-flight': InFlightWriter, plain: PlainWriter } as const;
export type WriterKind = keyof typeof WRITERS;

export async function startWriting(limits: Partial<Limits> = {}, kind: WriterKind = 'in-flight'): Promise<Writing> {
  const { url, serverUrl, drop } = await createDatabase();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const config = { ...loadConfig({}), readPoolSize: 1 };
  const pools = await openPools({ ...config, url: serverUrl, log });
  const owner = new pg.Client({ connectionString: url, types: TYPES });
  await owner.connect();
  await owner.query("SET TimeZone = 'UTC'");
  const connection = pools.openWriter();
  const sql: Writing['sql'] = async (text, values = []) => (await owner.query(text, [...values])).rows as Row[];
  let merchants = 0;

  const connect = async (): Promise<WriterConnection> => {
    const client = await connection.client();
    const { run: runPlain, sync, sent } = pipelineOver(client);
    const run = refreshingPlans(runPlain);
    // Whoever tampers may take his time: then every statement is a flight of its own.
    let before: Promise<unknown> = Promise.resolve();
    const alone: WriterConnection['run'] = (statement) => {
      const result = before.then(() => {
        const answer = run(statement);
        sync();
        return answer;
      });
      before = result.catch(() => undefined);
      return result;
    };
    return {
      run: (statement) => (writing.tamper ? writing.tamper(statement, alone) : run(statement)),
      sync,
      sent,
      close: () => connection.discard(client),
    };
  };
  const faults: Writing['faults'] = [];
  const batches: number[] = [];
  const writer = new WRITERS[kind]({
    limits: { batchCommands: 256, batchChanges: 4096, queueCommands: 10_000, ...limits },
    connect,
    patienceMs: 5_000,
    sealing: SEALING,
    onBatch: (commands) => batches.push(commands),
    outbox: { roomFor: () => 0, committed: () => writing.onCommitted?.() },
    onFault: (message, error) => faults.push({ message, error }),
  });
  const writing: Writing = {
    url,
    writer,
    faults,
    batches,
    tamper: null,
    onCommitted: null,
    sql,
    environment: (livemode = false) =>
      ensureEnvironment(({ text, values }) => sql(text, values), `merchant ${++merchants}`, livemode),
    send: (environmentId, command, { key, fingerprint = '', dryRun = false, by } = {}) => {
      const recordKey = key ?? null;
      const origin = { actor: 'worker' as const, ...by, requestId: newId('req'), idempotencyKey: recordKey };
      return writer.write({ environmentId, command, origin, recordKey, fingerprint, dryRun });
    },
    async stop() {
      await writer.stop();
      await pools.close();
      await owner.end();
      await drop();
    },
  };
  return writing;
}

/** Resolves when a statement of this database waits for a lock. */
export function untilItWaits(writing: Writing): Promise<void> {
  const waiting = `SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()`;
  const look = async () => {
    await writing.sql('SELECT pg_stat_clear_snapshot()'); // in a transaction, who is connected stays as it was seen first
    expect(await writing.sql(waiting)).toHaveLength(1);
  };
  return vi.waitFor(look, { timeout: 5_000 });
}

/** The statements that are sent while `work` runs, by name; whatever tampers with them goes on doing so. */
export async function statementsOf(writing: Writing, work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const { tamper } = writing;
  writing.tamper = (statement, run) => {
    names.push(statement.name ?? statement.text);
    return tamper === null ? run(statement) : tamper(statement, run);
  };
  await work().finally(() => {
    writing.tamper = tamper;
  });
  return names;
}
