/** The description of a backup, in JSON: its origin at the beginning, its contents at the end. */

/** A table as it was: its rows are in PostgreSQL's binary COPY format, with these columns. */
export interface TableHead {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The first frame. */
export interface BackupHead {
  readonly version: string;
  /** When the snapshot was taken, database clock, ISO. */
  readonly snapshotAt: string;
  /** `server_version` of PostgreSQL. */
  readonly postgres: string;
  /** The migrations that had run, in their order. */
  readonly migrations: readonly { readonly version: number; readonly name: string; readonly hash: string }[];
  /** Ids of the server secrets that the installation had, the current one first. They tell secrets apart and give nothing of them away. */
  readonly secretIds: readonly string[];
}

export interface Part {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  /** Of its rows as they are in the file (unsealed), hex. */
  readonly sha256: string;
}

/** The frame before the last. */
export interface Manifest {
  readonly parts: readonly Part[];
  /** Of the first frame, hex. */
  readonly headSha256: string;
}
