/**
 * What a running server clears away by itself, with the rights of the owner of the tables: old records and sign-ins, partitions of the request
 * log, secrets that were forgotten, hashes of keys under former secrets. One process at a time does each (a lease). Who calls this: `app.ts`.
 */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { asOwner } from '../platform/db/owner.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import type { Lease } from '../platform/workers/lease.ts';
import { startForgetting, startRetention } from '../platform/workers/retention.ts';
import { startUpkeep } from '../reports/request-logs/partitions.ts';
import { Rehasher } from '../tenancy/keys/rehash.ts';
import { oldSignIns } from '../tenancy/sessions/sql.ts';
import { forgetSecrets, forgottenSecrets } from '../write/idempotency.ts';

export interface Housekeeping {
  readonly rehasher: Rehasher;
  readonly workers: readonly { stop(): Promise<void> }[];
}

export function startHousekeeping(parts: {
  readonly config: Config;
  readonly ownerUrl: string;
  readonly log: Logger;
  rows(statement: Statement): Promise<readonly Row[]>;
  onFault(message: string, error: unknown): void;
  leaseOf(worker: string): Lease;
}): Housekeeping {
  const { config, ownerUrl, log, rows, onFault, leaseOf } = parts;
  const runAsOwner = (statement: Statement) =>
    asOwner(ownerUrl, log, async (run) => (await run(statement)).rowCount ?? 0);
  const rehasher = new Rehasher({ run: runAsOwner, onFault });
  const retention = startRetention({
    erase: runAsOwner,
    config,
    others: oldSignIns,
    onFault,
    lease: leaseOf('retention'),
  });
  const upkeep = startUpkeep({
    asOwner: (work) => asOwner(ownerUrl, log, work),
    days: config.requestLogDays,
    onFault,
    lease: leaseOf('request_logs'),
  });
  const forgetting = startForgetting({
    isDue: async () => (await rows(forgottenSecrets)).length > 0,
    forget: () => runAsOwner(forgetSecrets),
    onFault,
    lease: leaseOf('secrets'),
  });
  return { rehasher, workers: [retention, upkeep, forgetting, rehasher] };
}
