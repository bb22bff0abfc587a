/** A prepared statement with its values: what `sql.ts` files return and what the write path and the readers run. */

export interface Statement {
  /** Unique per text; PostgreSQL keeps the plan under it. Left out for one-off statements. */
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** A row as the driver returns it: bigint for int8, milliseconds for timestamptz, text for uuid, jsonb and date. */
export type Row = Readonly<Record<string, unknown>>;

export interface Scoped<T> {
  readonly environmentId: string;
  readonly object: T;
}

export interface Key {
  readonly environmentId: string;
  readonly id: string;
}
