/** The statements of verifications: the last result of each environment. Who verifies: `server/verification.ts`. */
import { uuidOf } from '../../core/values/ids.ts';
import { int8s, texts, uuids } from '../../platform/db/wire/columns.ts';
import type { Statement } from '../../platform/db/wire/statement.ts';
import { unnest } from '../../platform/db/wire/unnest.ts';

/** What is kept of one environment. */
export interface Verified {
  readonly environmentId: string;
  readonly damagesCount: bigint;
  /** A JSON list. */
  readonly damages: string;
}

/** Replaces the results of these environments; those that are gone meanwhile are left out. `startedAt`: as PostgreSQL prints an instant. */
export const storeVerified = (
  all: readonly Verified[],
  { startedAt, rules }: { startedAt: string; rules: number },
): Statement => ({
  name: 'store_verified',
  text: `INSERT INTO verifications (environment_id, started_at, finished_at, rules_count, damages_count, damages)
      SELECT v.e, $4::timestamptz, clock_timestamp(), $5, v.c, v.d::jsonb FROM ${unnest({ e: 'uuid', c: 'int8', d: 'text' })} AS v
      ON CONFLICT (environment_id) DO UPDATE SET started_at = excluded.started_at, finished_at = excluded.finished_at,
        rules_count = excluded.rules_count, damages_count = excluded.damages_count, damages = excluded.damages`,
  values: [
    uuids(all.map(({ environmentId }) => environmentId)),
    int8s(all.map(({ damagesCount }) => damagesCount)),
    texts(all.map(({ damages }) => damages)),
    startedAt,
    rules,
  ],
});

/** The last result of an environment, if there is one; by primary key. */
export const lastVerified = (environmentId: string): Statement => ({
  name: 'last_verified',
  text: `SELECT (extract(epoch FROM started_at) * 1000)::int8 AS started_ms, (extract(epoch FROM finished_at) * 1000)::int8 AS finished_ms,
    rules_count, damages_count, damages FROM verifications WHERE environment_id = $1`,
  values: [uuidOf(environmentId)],
});

/** Over all environments: when the last verification ended, and what was found in all of them. Nulls: none has run yet. */
export const VERIFICATIONS: Statement = {
  name: 'verifications',
  text: `SELECT extract(epoch FROM max(finished_at))::float8 AS finished, extract(epoch FROM max(finished_at - started_at))::float8 AS seconds,
      sum(damages_count)::float8 AS damages, EXISTS (SELECT FROM environments) AS has_environments, extract(epoch FROM now())::float8 AS now FROM verifications`,
  values: [],
};
