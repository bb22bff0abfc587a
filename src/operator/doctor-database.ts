/** What `bursar doctor` asks the database: whether a server may work on it, and how old backup and verification are. With the others: `doctor.ts`. */
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { assertFit, assertOwnSession } from '../platform/db/fitness.ts';
import { missingMigrations } from '../platform/db/migrate.ts';
import { connectPatiently } from '../platform/db/pool.ts';
import { hasRights, type LoginFacts, loginFacts } from '../platform/db/roles.ts';
import { atRest } from '../write/at-rest.ts';
import { type Finding, fine, judged, wrong } from './finding.ts';
import { isExposed } from './private-targets.ts';
import { SERVER_RIGHTS } from './rights.ts';
import { foreignSeal } from './seal-stored.ts';
import { keptSecrets } from './server-secret.ts';

const MAX_SKEW_MS = 2_000;
/** A night may fail; two are noticed. */
const MAX_AGE_HOURS = 48;
const MAX_ENDPOINTS = 20;

export interface OpenDatabase {
  /** As the owner. */
  readonly client: Client;
  /** As the server's login. */
  readonly serverUrl: string;
}

/** An endpoint that deliveries go to. */
export interface Endpoint {
  readonly url: string;
  readonly livemode: boolean;
}

export interface DatabaseFacts {
  readonly login: LoginFacts;
  readonly liveKeys: number;
  /** Enabled ones, at most {@link MAX_ENDPOINTS}, live ones first. */
  readonly endpoints: readonly Endpoint[];
}

const COUNTS = `SELECT (SELECT count(*)::int4 FROM api_keys k JOIN environments e ON e.environment_id = k.environment_id
    WHERE e.livemode AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())) AS live_keys,
  (SELECT extract(epoch FROM now() - max(finished_at))::float8 / 3600 FROM backups) AS backup_hours,
  (SELECT extract(epoch FROM now() - max(finished_at))::float8 / 3600 FROM verifications) AS verified_hours,
  (SELECT coalesce(sum(damages_count), 0)::float8 FROM verifications) AS damages,
  (SELECT extract(epoch FROM now() - min(created_at))::float8 / 3600 FROM environments) AS age_hours`;
const ENDPOINTS = `SELECT DISTINCT w.url, e.livemode FROM webhook_endpoints w JOIN environments e ON e.environment_id = w.environment_id
  WHERE w.status = 'enabled' AND w.deleted_at IS NULL ORDER BY e.livemode DESC, w.url LIMIT ${MAX_ENDPOINTS}`;

interface Counts {
  readonly live_keys: number;
  readonly backup_hours: number | null;
  readonly verified_hours: number | null;
  readonly damages: number;
  readonly age_hours: number | null;
}

/** Adds findings as they come, so that those before a fault are kept. `null` where the schema is not that of this program. */
export async function databaseFindings(
  config: Config,
  { client, serverUrl }: OpenDatabase,
  findings: Finding[],
): Promise<DatabaseFacts | null> {
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const look = async (title: string, mend: string, work: () => Promise<string>) => {
    const made = (words: string) => fine(title, words);
    findings.push(await work().then(made, (error: Error) => wrong(title, error.message, mend)));
  };
  await look('PostgreSQL', 'change its settings and restart it', async () => {
    await assertFit(client, { ...config, log: quiet });
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version') AS version");
    return `${rows[0]?.version}, durable`;
  });
  await look('Pooler', 'set pool_mode = session, or connect to PostgreSQL itself', async () => {
    await assertOwnSession(client, serverUrl, quiet);
    return 'sessions are kept';
  });
  findings.push(await clock(client));
  const missing = await missingMigrations(client);
  const gap = missing.length > 0 && `${missing.length} migrations have not run, from ${missing[0]} on`;
  findings.push(judged('Schema', 'as this version has it', gap, 'bursar backup <file>, then bursar migrate'));
  if (missing.length > 0) return null;
  const others = !(await hasRights(client, SERVER_RIGHTS)) && 'the server’s role has other rights than it is to have';
  findings.push(judged('Rights', 'the server’s role has exactly what it needs', others, 'bursar migrate'));
  const server = await connectPatiently(serverUrl, quiet);
  const login = await loginFacts(server).finally(() => server.end());
  const shut = 'the login in DATABASE_URL may not become bursar_app';
  if (!login.hasRights) findings.push(wrong('Login', shut, 'as a superuser: GRANT bursar_app TO <login>'));
  findings.push(await seals(config, client));
  const counts = (await client.query<Counts>(COUNTS)).rows[0] as Counts;
  findings.push(...ages(counts, isExposed(config) || counts.live_keys > 0, config));
  return {
    login: config.databaseUrl === null ? { isSuperuser: false, isOwner: false, hasRights: true } : login,
    liveKeys: counts.live_keys,
    endpoints: (await client.query<Endpoint>(ENDPOINTS)).rows,
  };
}

async function clock(client: Client): Promise<Finding> {
  const sentMs = Date.now();
  const { rows } = await client.query<{ ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
  );
  const skewMs = Math.round((rows[0]?.ms ?? 0) - (sentMs + Date.now()) / 2);
  const words = `database and this machine are ${Math.abs(skewMs)} ms apart`;
  return judged('Clock', words, Math.abs(skewMs) > MAX_SKEW_MS && words, 'timedatectl set-ntp true, on both machines');
}

async function seals(config: Config, client: Client): Promise<Finding> {
  const kept = await keptSecrets(config);
  const foreign = kept === null ? null : await foreignSeal(client, atRest(kept));
  const mend = 'put back the secret that the database was used under, or name it in BURSAR_SECRET_PREVIOUS';
  return judged('Sealed texts', 'under the server secret that is here', foreign, mend);
}

/** How old backup and verification are. Where nobody depends on the data yet, none is needed. */
export function ages(
  counts: Pick<Counts, 'backup_hours' | 'verified_hours' | 'damages' | 'age_hours'>,
  matters: boolean,
  { verifyHour }: Pick<Config, 'verifyHour'>,
): Finding[] {
  const age = (hours: number | null) => (hours === null ? 'none yet' : `${hours.toFixed(1)} h ago`);
  const isLate = (hours: number | null) => matters && (hours ?? counts.age_hours ?? 0) > MAX_AGE_HOURS;
  const { backup_hours: backup, verified_hours: verified, damages } = counts;
  const old = isLate(backup) && `${age(backup)}, of those that bursar backup has made`;
  const onTime =
    verifyHour === null
      ? 'set BURSAR_VERIFY_HOUR: bursar verify checks the same and leaves no record'
      : 'look in the log why the server does not; bursar verify checks the same and leaves no record';
  return [
    judged('Backup', age(backup), old, 'bursar backup <folder>, every night'),
    damages > 0
      ? wrong('Verification', `${damages} damages were found`, 'bursar verify')
      : judged('Verification', age(verified), isLate(verified) && age(verified), onTime),
  ];
}
