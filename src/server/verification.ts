/**
 * Verifies the books once a day, at BURSAR_VERIFY_HOUR: one process (a lease), on a connection of its own that reads
 * one snapshot and rests as long as it works. The result is kept for each environment and shown at GET /metrics. What
 * is checked: `verify/verify.ts`.
 */
import type { Client } from 'pg';
import { Gauge } from 'prom-client';
import type { Config } from '../config.ts';
import { ALL_ENVIRONMENTS } from '../tenancy/environments/sql.ts';
import { idOf } from '../core/values/ids.ts';
import type { Log } from '../platform/db/embedded/embedded.ts';
import { runOn } from '../operator/database.ts';
import { connectPatiently } from '../platform/db/pool.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import { registry } from '../platform/http/metrics.ts';
import { storeVerified, VERIFICATIONS, type Verified } from '../tenancy/verification/sql.ts';
import type { OpenFile } from '../verify/sealed.ts';
import { type Damage, inWords, verify } from '../verify/verify.ts';
import type { Lease } from '../platform/workers/lease.ts';
import { type Poller, startPoller } from '../platform/workers/poller.ts';

const POLL_MS = 60_000;
/** A lease is renewed at half of its life. */
const RENEW_MS = 2_000;
/** A start later than this does not make up for a missed hour: it would read the whole database by day. */
const WINDOW_SECONDS = 6 * 3_600;
const DAY_SECONDS = 86_400;
/** The rest is counted, and in the result. */
const LOGGED_DAMAGES = 20;

const registers = [registry];
const finishedAt = new Gauge({
  name: 'bursar_verification_last_timestamp_seconds',
  help: 'When the last verification of the books ended, Unix seconds; 0: none has.',
  registers,
});
const durationSeconds = new Gauge({
  name: 'bursar_verification_duration_seconds',
  help: 'How long the last verification of the books took.',
  registers,
});
const damagesFound = new Gauge({
  name: 'bursar_verification_damages',
  help: 'Breaks that the last verification of each environment found, all environments together. Anything but 0 needs a person.',
  registers,
});

export interface VerificationOptions {
  readonly config: Pick<Config, 'verifyHour'>;
  /** Of the database, as the server's login. */
  readonly url: string;
  readonly openFile: OpenFile;
  rows(statement: Statement): Promise<readonly Row[]>;
  /** Runs a statement whose commit may be lost in a crash. */
  keep(statement: Statement): Promise<unknown>;
  leaseOf(worker: string): Lease;
  readonly log: Log;
  readonly onFault: (message: string, error: unknown) => void;
}

/** Whether the books are to be verified now. All in Unix seconds; `last`: when that ended last, 0 for never. */
export function isDue(hour: number, { now, last }: { readonly now: number; readonly last: number }): boolean {
  const sinceHour = (((now - hour * 3_600) % DAY_SECONDS) + DAY_SECONDS) % DAY_SECONDS;
  return sinceHour < WINDOW_SECONDS && last < now - sinceHour;
}

export function startVerification(options: VerificationOptions): Poller {
  const { rows, log, onFault } = options;
  const { verifyHour: hour } = options.config;
  const lease = options.leaseOf('verification');
  const running = new Set<Client>();
  const poller = startPoller({
    pauseMs: POLL_MS,
    onFault: (error) => onFault('The books were not verified; trying again in a minute', error),
    poll: async () => {
      const [row] = await rows(VERIFICATIONS);
      const of = (name: string) => (row?.[name] as number | null) ?? 0;
      const [now, last] = [of('now'), of('finished')];
      finishedAt.set(last);
      durationSeconds.set(of('seconds'));
      damagesFound.set(of('damages'));
      if (hour === null || row?.['has_environments'] !== true || !isDue(hour, { now, last })) return false;
      if (!(await lease.hold())) return false;
      const renewal = setInterval(() => void lease.hold().catch(() => undefined), RENEW_MS);
      try {
        await verifyNow(options, running);
      } finally {
        clearInterval(renewal);
        await lease.release();
      }
      return true; // the gauges
    },
  });
  return {
    wake: () => poller.wake(),
    async stop() {
      const stopped = poller.stop();
      for (const client of running) await client.end(); // a verification can be begun anew
      await stopped.catch((error: unknown) => log.error(String(error)));
    },
  };
}

/** One verification of all environments, kept. Logs what was found, in words. */
export async function verifyNow(
  { url, openFile, rows, keep, log }: Pick<VerificationOptions, 'url' | 'openFile' | 'rows' | 'keep' | 'log'>,
  running: Set<Client> = new Set(),
): Promise<void> {
  const environments = (await rows(ALL_ENVIRONMENTS)).map((row) => idOf('env', row['environment_id'] as string));
  const found = new Map(environments.map((id) => [id, { damages: [] as Damage[], count: 0 }]));
  const client = await connectPatiently(url, log);
  running.add(client);
  let [rules, startedAt] = [0, ''];
  try {
    const run = runOn(client);
    const [now] = (await run('SELECT now()::text AS now')) as readonly { now: string }[];
    startedAt = now?.now ?? '';
    for await (const { damages, counts } of verify(run, { isGentle: true, openFile })) {
      rules += 1;
      for (const [environment, count] of counts) {
        const of = found.get(environment);
        if (of !== undefined) of.count += count;
      }
      for (const damage of damages) found.get(damage.environment)?.damages.push(damage);
    }
  } finally {
    running.delete(client);
    await client.end();
  }
  const verified = Array.from(found, ([environmentId, { damages, count }]): Verified => {
    const shown = damages.map((damage) => ({ ...damage, environment: undefined }));
    return { environmentId, damagesCount: BigInt(count), damages: JSON.stringify(shown) };
  });
  await keep(storeVerified(verified, { startedAt, rules }));
  const all = [...found.values()];
  const count = all.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return;
  for (const damage of all.flatMap(({ damages }) => damages).slice(0, LOGGED_DAMAGES)) log.error(inWords(damage));
  log.error(`The verification of the books found ${count} damages. See: bursar verify`);
}
