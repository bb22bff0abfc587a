/**
 * Recomputes the books from what PostgreSQL has committed, and says where they do not agree. One snapshot beside a busy
 * server, without locks; memory does not grow with the database. Of each rule, the first breaks of each environment are
 * returned and the others counted. Next: `ledger.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, type Prefix } from '../core/values/ids.ts';
import { auditChains } from './audit-log.ts';
import { BANK_CHECKS, BANK_PLACE_CHECKS } from './bank.ts';
import type { Check, DamageKind, Run } from './check.ts';
import { DAILY_SUM_CHECKS } from './daily-sums.ts';
import { DELIVERY_CHECKS } from './deliveries.ts';
import { EVENT_CHECKS } from './events.ts';
import { IDEMPOTENCY_CHECKS } from './idempotency.ts';
import { LEDGER_CHECKS, FEE_CHECKS } from './ledger.ts';
import { SaidRules } from './payout-rules.ts';
import { changedFiles, type OpenFile, SEALED_CHECKS } from './sealed.ts';
import { PAYMENT_CHECKS, PAYMENT_EVENT_CHECKS } from './payments.ts';
import { PAYOUT_CHECKS, STANDING_ORDER_CHECKS } from './payouts.ts';

export interface Damage {
  readonly kind: DamageKind;
  readonly rule: string;
  /** `env_…` */
  readonly environment: string;
  /** The id of the object, or another name of it, such as `sequence 41`. */
  readonly object: string;
  readonly expected: string;
  readonly found: string;
}

export interface Verdict {
  readonly kind: DamageKind;
  readonly rule: string;
  /** At most {@link MAX_SHOWN} of each environment. */
  readonly damages: readonly Damage[];
  /** All breaks, by environment. */
  readonly counts: ReadonlyMap<string, number>;
  readonly elapsedMs: number;
}

/** More of one rule and environment are counted only. */
export const MAX_SHOWN = 50;

export const CHECKS: readonly Check[] = [
  ...LEDGER_CHECKS,
  ...PAYOUT_CHECKS,
  ...FEE_CHECKS,
  ...DAILY_SUM_CHECKS,
  ...PAYMENT_CHECKS,
  ...STANDING_ORDER_CHECKS,
  ...BANK_CHECKS,
  ...BANK_PLACE_CHECKS,
  ...EVENT_CHECKS,
  ...PAYMENT_EVENT_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...DELIVERY_CHECKS,
  ...SEALED_CHECKS,
];
const AUDIT_LOG_RULE = 'every entry of the audit log fits the one before, and none is missing at the end';
const PAYOUT_RULES_RULE = 'the payout rules in force are those that the audit log says';
const FILE_RULE = 'the bytes of a payment file open, and have its hash';
/** Of {@link verify}, for progress. */
export const RULES = CHECKS.length + 3;

/** Hash joins and sorts of a million rows in memory; a statement uses a few times as much. */
const SESSION = [
  'SET statement_timeout = 0',
  "SET lock_timeout = '5s'",
  "SET idle_in_transaction_session_timeout = '60s'",
  'SET jit = off',
  "SET work_mem = '64MB'",
  'SET hash_mem_multiplier = 2',
  "SET TimeZone = 'UTC'",
  "SET application_name = 'bursar verify'",
];
/** A statement ends soon when the connection has. */
const NOTICES_END = "SET client_connection_check_interval = '5s'";
/** Leaves the other cores to the server. */
const ONE_CORE = 'SET max_parallel_workers_per_gather = 0';

/** The longest rest after a statement. */
const MAX_REST_MS = 5_000;

export interface VerifyOptions {
  /** On one core, which it uses half of the time. */
  readonly isGentle?: boolean;
  /** `null`: the server secret is not here, and {@link FILE_RULE} is left out. */
  readonly openFile?: OpenFile | null;
}

/** The verdicts of all rules, in one snapshot. The session is this function's own. */
export async function* verify(
  run: Run,
  { isGentle = false, openFile = null }: VerifyOptions = {},
): AsyncGenerator<Verdict> {
  for (const setting of SESSION) await run(setting);
  if (isGentle) await run(ONE_CORE);
  await run(NOTICES_END).catch(() => []); // where the operating system cannot, a statement goes on to its end
  await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  for await (const verdict of verdicts(run, openFile)) {
    yield verdict;
    if (isGentle) await sleep(Math.min(verdict.elapsedMs, MAX_REST_MS));
  }
  await run('COMMIT');
}

/** The same in a transaction that is open. */
export async function* verdicts(run: Run, openFile: OpenFile | null = null): AsyncGenerator<Verdict> {
  for (const check of CHECKS) yield await verdictOf(check, run);
  yield* auditLogVerdicts(run);
  if (openFile !== null) yield await filesVerdict(run, openFile);
}

interface Break {
  readonly environment_id: string;
  readonly prefix: string;
  readonly id: string | null;
  readonly name: string | null;
  readonly expected: string;
  readonly found: string;
  readonly times: string;
}

async function verdictOf({ kind, rule, sql }: Check, run: Run): Promise<Verdict> {
  const startedMs = performance.now();
  const rows = (await run(
    `SELECT * FROM (SELECT b.environment_id, b.prefix, b.id, b.name, b.expected, b.found, (count(*) OVER w)::text AS times, row_number() OVER w AS number
      FROM (${sql}) AS b WINDOW w AS (PARTITION BY b.environment_id)) AS b WHERE number <= ${MAX_SHOWN} ORDER BY environment_id, number`,
  )) as readonly Break[];
  const counts = new Map(rows.map((row) => [idOf('env', row.environment_id), Number(row.times)]));
  const damages = rows.map((row): Damage => {
    const { environment_id: environment, prefix, id, name, expected, found } = row;
    const what = id === null ? prefix.replaceAll('_', ' ') : idOf(prefix as Prefix, id);
    const object = name === null ? what : id === null ? `${what} ${name}` : `${what} (${name})`;
    return {
      kind,
      rule,
      environment: idOf('env', environment),
      object: withIds(object),
      expected: withIds(expected),
      found: withIds(found),
    };
  });
  return { kind, rule, damages, counts, elapsedMs: performance.now() - startedMs };
}

/** `acct:` and a uuid, as SQL writes an id, as people know it. */
const withIds = (text: string): string =>
  text.replaceAll(/\b([a-z]{2,5}):([0-9a-f]{8}-[0-9a-f-]{27})/g, (_, prefix: string, uuid: string) =>
    idOf(prefix as Prefix, uuid),
  );

/** The chain of each log, and what it says of payout rules: one reading of the log. */
async function* auditLogVerdicts(run: Run): AsyncGenerator<Verdict> {
  const startedMs = performance.now();
  const [kind, rule] = ['audit_log', AUDIT_LOG_RULE] as const;
  const rows = (await run('SELECT environment_id, payout_rules::text AS rules FROM environments')) as readonly {
    readonly environment_id: string;
    readonly rules: string | null;
  }[];
  const stored = new Map(rows.map((row) => [row.environment_id, row.rules]));
  const [damages, ofRules]: [Damage[], Damage[]] = [[], []];
  let said = new SaidRules();
  const onEntry: SaidRules['note'] = (...entry) => said.note(...entry);
  for await (const { environment: uuid, fault } of auditChains(run, { onEntry })) {
    const environment = idOf('env', uuid);
    const differences = fault === null ? said.differencesTo(stored.get(uuid) ?? null) : [];
    said = new SaidRules();
    for (const each of differences)
      ofRules.push({ kind: 'payout_rules', rule: PAYOUT_RULES_RULE, environment, ...each });
    if (fault === null) continue;
    const { sequence, expected, found } = fault;
    damages.push({ kind, rule, environment, object: `entry ${sequence}`, expected, found });
  }
  yield verdictFrom(kind, rule, damages, startedMs);
  yield verdictFrom('payout_rules', PAYOUT_RULES_RULE, ofRules, startedMs);
}

async function filesVerdict(run: Run, openFile: OpenFile): Promise<Verdict> {
  const startedMs = performance.now();
  const damages: Damage[] = [];
  for await (const { environment, file: object, expected, found } of changedFiles(run, openFile)) {
    damages.push({
      kind: 'payment_file',
      rule: FILE_RULE,
      environment: idOf('env', environment),
      object,
      expected,
      found,
    });
  }
  return verdictFrom('payment_file', FILE_RULE, damages, startedMs);
}

function verdictFrom(kind: DamageKind, rule: string, all: readonly Damage[], startedMs: number): Verdict {
  const counts = new Map<string, number>();
  const damages = all.filter(({ environment }) => {
    const count = (counts.get(environment) ?? 0) + 1;
    counts.set(environment, count);
    return count <= MAX_SHOWN;
  });
  return { kind, rule, damages, counts, elapsedMs: performance.now() - startedMs };
}

export const inWords = ({ kind, environment, object, expected, found, rule }: Damage): string =>
  `${kind}: ${object} in ${environment}: expected ${expected}, found ${found}. Not so: ${rule}.`;
