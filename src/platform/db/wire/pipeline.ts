/**
 * A pipeline of statements that end with one Sync and are answered together. The driver's own pipeline sends a Sync after
 * every statement, so PostgreSQL answers and this process wakes once a statement (measured: docs/decisions/0016). After
 * the first error of a sync group PostgreSQL runs none of its later statements, COMMIT included.
 */
import type { Client, Connection, FieldDef, Submittable } from 'pg';
import { assert } from '../../../core/values/assert.ts';
import type { Row, Statement } from './statement.ts';
import { TYPES } from './types.ts';

export interface Result {
  readonly rows: Row[];
}

export interface Pipeline {
  /** Sends a statement. Resolves when its sync group is answered; rejects with the first error of the group. */
  run(statement: Statement): Promise<Result>;
  /** Ends the group with a Sync. Statements of a group that is never synced are never answered. */
  sync(): void;
  /** Resolves when all synced bytes have left this process, so that PostgreSQL can work while this thread does. */
  sent(): Promise<void>;
}

/** Bytes after which a part of a group is sent, so that PostgreSQL works while the rest is encoded. */
const SEND_BYTES = 16_384;

/** For a connection without another user. PostgreSQL runs the groups in order, also when one fails. */
export function pipelineOver(client: Client): Pipeline {
  let pipeline = pipelines.get(client);
  if (pipeline === undefined) pipelines.set(client, (pipeline = newPipeline(client)));
  return pipeline;
}

const pipelines = new WeakMap<Client, Pipeline>();

function newPipeline(client: Client): Pipeline {
  const known: Known = new Map();
  let open: SyncGroup | null = null;
  let last: SyncGroup | null = null;
  /** Those that are not over, in order. Only the first is handed to `pg`, which keeps no queue from version 9 on. */
  const waiting: SyncGroup[] = [];
  const handNext = () => {
    waiting.shift();
    if (waiting[0] !== undefined) client.query(waiting[0]);
  };
  return {
    run(statement) {
      if (open === null) {
        open = new SyncGroup(known, handNext);
        if (waiting.push(open) === 1) client.query(open);
        else if (last !== null) open.follow(last);
        last = open;
      }
      return open.run(statement);
    },
    sync() {
      open?.sync();
      open = null;
    },
    sent: () => last?.sent() ?? Promise.resolve(),
  };
}

type Known = Map<string, Reading>;

interface Reading {
  readonly text: string;
  columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[];
}

interface Asked {
  readonly statement: Statement;
  readonly values: readonly (Buffer | string | null)[];
  readonly reading: Reading;
  readonly isNew: boolean;
  readonly rows: Row[];
  resolve(result: Result): void;
  reject(error: Error): void;
}

/** One sync group, with the methods that `pg` calls for each message of the protocol. */
class SyncGroup implements Submittable {
  /** Set by `pg`; called when the group is over, so that `pg` clears its time-out. */
  callback?: (error?: Error) => void;
  readonly #known: Known;
  /** Prepared in this group. They become known when they are answered, since an error may undo them. */
  readonly #fresh: Known = new Map();
  readonly #asked: Asked[] = [];
  #answered = 0;
  #isSynced = false;
  /** PostgreSQL has answered the group, or refused it. */
  #isOver = false;
  #connection: Wire | null = null;
  #error: Error | null = null;
  readonly #onOver: () => void;

  constructor(known: Known, onOver: () => void) {
    this.#known = known;
    this.#onOver = onOver;
  }

  run(statement: Statement): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { name, text } = statement;
      const known = isNamed(statement)
        ? (this.#known.get(statement.name) ?? this.#fresh.get(statement.name))
        : undefined;
      const reading = known ?? { text, columns: [] };
      let values: Asked['values'] = [];
      try {
        assert(reading.text === text, `${name} is the name of one statement`);
        values = statement.values.map(onTheWire);
      } catch (error) {
        this.#error ??= error as Error; // later statements must not be sent, COMMIT above all
      }
      if (this.#error !== null) return reject(this.#error);
      const asked: Asked = { statement, values, reading, isNew: known === undefined, rows: [], resolve, reject };
      if (isNamed(statement)) this.#fresh.set(statement.name, reading);
      this.#asked.push(asked);
      if (this.#connection !== null) this.#send(this.#connection, asked);
    });
  }

  sync(): void {
    this.#isSynced = true;
    this.#connection?.sync();
    this.#connection?.stream.uncork();
    // Sent in part: the connection is destroyed, so that no statement joins the open transaction.
    if (this.#error !== null && this.#asked.length > 0) this.#connection?.stream.destroy();
  }

  /** Called by `pg` when the group before is over. */
  submit(connection: Connection): void {
    if (this.#connection === null) this.#start(connection as unknown as Wire);
  }

  /** Sends this group behind `before`, which is in flight. */
  follow(before: SyncGroup): void {
    const connection = before.#connection;
    if (this.#connection === null && connection !== null && before.#isSynced && !before.#isOver)
      this.#start(connection);
  }

  sent(): Promise<void> {
    const stream = this.#connection?.stream;
    if (stream === undefined || !stream.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => void stream.once('drain', resolve));
  }

  #start(connection: Wire): void {
    this.#connection = connection;
    connection.stream.cork();
    for (const asked of this.#asked) this.#send(connection, asked);
    if (this.#isSynced) this.sync();
  }

  #send(connection: Wire, asked: Asked): void {
    const { name = '', text } = asked.statement;
    if (asked.isNew) {
      // Needed where an earlier group failed after this same Parse; harmless elsewhere.
      if (name !== '') connection.close({ type: 'S', name });
      connection.parse({ name, text, types: [] });
    }
    connection.bind({ statement: name, values: asked.values });
    if (asked.isNew) connection.describe({ type: 'P' });
    connection.execute(null);
    const { stream } = connection;
    // The first statement, mostly BEGIN, is sent with the second: alone it is not worth waking PostgreSQL for.
    if (asked === this.#asked[1] || stream.writableLength >= SEND_BYTES) {
      stream.uncork();
      stream.cork();
    }
  }

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    const { reading } = this.#asked[this.#answered] as Asked;
    reading.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: TYPES.getTypeParser(dataTypeID) }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { reading, rows } = this.#asked[this.#answered] as Asked;
    const row: Record<string, unknown> = {};
    try {
      for (let i = 0; i < fields.length; i++) {
        const { name, parse } = reading.columns[i] as Reading['columns'][number];
        const text = fields[i] as string | null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      this.#error ??= error as Error; // a throw here would end the process; the group rejects with it when it is over
    }
    rows.push(row);
  }

  handleCommandComplete(): void {
    const { statement, reading } = this.#asked[this.#answered] as Asked;
    this.#answered += 1;
    if (isNamed(statement)) this.#known.set(statement.name, reading);
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete();
  }

  handleReadyForQuery(): void {
    if (this.#error !== null) return this.handleError(this.#error);
    this.callback?.();
    this.#end();
    for (const { rows, resolve } of this.#asked) resolve({ rows });
  }

  /** A time-out and the loss of the connection may both be told. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver();
  }

  handleError(error: Error): void {
    this.callback?.(error);
    // The host is frozen: later queries on this connection would wait as well.
    if (error.message === 'Query read timeout') this.#connection?.stream.destroy();
    this.#error ??= error;
    this.#end();
    for (const { reject } of this.#asked) reject(this.#error);
  }
}

/** Members of a connection that the types of `pg` leave out. */
interface Wire {
  readonly stream: Connection['stream'];
  close(message: { type: 'S'; name: string }): void;
  parse(message: { name: string; text: string; types: string[] }): void;
  bind(message: { statement: string; values: Asked['values'] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: null): void;
  sync(): void;
}

/** A statement without a name is parsed anew each time: the next one without a name has another text. */
const isNamed = (statement: Statement): statement is Statement & { readonly name: string } =>
  statement.name !== undefined && statement.name !== '';

/** Columns of the write path are buffers. Everything else is sent as text, lists in PostgreSQL's notation. */
function onTheWire(value: unknown): Buffer | string | null {
  if (value === null || typeof value === 'string' || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`;
  assert(
    typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean',
    'a value has a form on the wire',
  );
  return String(value);
}

function element(value: unknown): string {
  const text = onTheWire(value);
  assert(!Buffer.isBuffer(text), 'a list holds no bytes');
  return text === null ? 'NULL' : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
