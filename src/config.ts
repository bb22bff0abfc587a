/**
 * The environment's variables → one frozen, typed value with every setting and limit. Parsed once at the start: a wrong
 * value stops the process with a sentence that names the variable. Must never be read again later, and nothing else may
 * read `process.env`. Next: `operator/server-secret.ts`, `server/app.ts`.
 */
import { resolve } from 'node:path';
import { nearest } from './core/values/nearest.ts';
import { addressesOf } from './platform/db/hosts.ts';
import { PRIVATE_TARGETS } from './platform/outbound/private-targets.ts';
import { parseUrl } from './core/values/url.ts';
import { type Chosen, fixed, integer, optional, perSecond, setting, type Setting } from './core/values/setting.ts';
import { RATE_SETTINGS } from './ledger/live-rates/rate-settings.ts';
import { type TrustedProxies, trustedProxies } from './platform/http/client-address.ts';

/** A variable that is missing or wrong. The message is meant for the person who starts the server. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const POSTGRES_ADDRESS =
  'postgres://user:password@host:port/database, or several hosts: …@host:port,host:port/database (the one that takes writes is used)';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A secret shorter than this could be guessed; 32 characters of hex are 128 bits. */
export const SECRET_MIN_CHARACTERS = 32;
/** Each one costs a look-up of a key that is not found under the others an HMAC. Their ids fit in the name of a session. */
export const MAX_PREVIOUS_SECRETS = 4;

/** The secrets of a list, without blanks around them and empty ones; `null` when one is too short or there are too many. */
export function previousSecretsIn(list: readonly string[]): readonly string[] | null {
  const secrets = list.map((each) => each.trim()).filter((each) => each !== '');
  const isRight =
    secrets.length <= MAX_PREVIOUS_SECRETS && secrets.every(({ length }) => length >= SECRET_MIN_CHARACTERS);
  return isRight ? secrets : null;
}

/** Every setting. The table of the documentation is made from it. */
export const SETTINGS = {
  port: integer('PORT', 4242, 0, 65_535, 'TCP port of the API; 0 takes any free one.'),
  host: setting(
    'HOST',
    '127.0.0.1',
    'a host name or address',
    'Address to listen on. By default only this machine can connect. An IPv6 address may stand in brackets.',
    (v) => /^(?:[\w.:%-]+|\[[\w.:%]+\])$/.exec(v)?.[0].replaceAll(/[[\]]/g, ''),
  ),
  publicUrl: setting(
    'BURSAR_PUBLIC_URL',
    '',
    'an http:// or https:// address',
    'Address of the service as clients see it, for links in answers.',
    (v) => (v === '' ? '' : httpUrl(v)),
  ),
  dashboard: setting(
    'BURSAR_DASHBOARD',
    'on',
    'on or off',
    'Whether the service has a dashboard, at /dashboard. `off`: that path answers 404, and nothing of it is built.',
    (v) => (v === 'on' ? true : v === 'off' ? false : undefined),
  ),
  dashboardUrl: optional(
    'BURSAR_DASHBOARD_URL',
    'an https:// address without a path (http:// for this machine)',
    'Address of the dashboard, where it has a host of its own: it answers on no other. Without it the dashboard answers at BURSAR_PUBLIC_URL and on this machine.',
    secureOrigin,
  ),
  dataDir: setting('BURSAR_DATA', './data', 'a folder', 'Where the embedded database and its secret live.', (v) =>
    resolve(v),
  ),
  databaseUrl: optional(
    'DATABASE_URL',
    POSTGRES_ADDRESS,
    'A PostgreSQL (15 or newer) of your own. Without it Bursar runs one in the data folder.',
    (v) => (addressesOf(v) === null ? undefined : v),
  ),
  databaseOwnerUrl: optional(
    'DATABASE_OWNER_URL',
    POSTGRES_ADDRESS,
    'The same database, with the login that owns the tables: for migrations, rights, retention and resets. Without it, DATABASE_URL is used for these too.',
    (v) => (addressesOf(v) === null ? undefined : v),
  ),
  secret: optional(
    'BURSAR_SECRET',
    `at least ${SECRET_MIN_CHARACTERS} characters, for example from: openssl rand -hex 32`,
    'Server secret: API keys are hashed under it; signing secrets and bank details are encrypted under it. A database keeps its secret until you rotate it (`bursar secret`). Required with DATABASE_URL, here or in BURSAR_SECRET_FILE.',
    (v) => (v.length >= SECRET_MIN_CHARACTERS ? v : undefined),
  ),
  secretFile: optional(
    'BURSAR_SECRET_FILE',
    'a file with the secret in it, such as /run/secrets/bursar',
    'The server secret in a file, as Docker and Kubernetes provide it, instead of BURSAR_SECRET.',
    (v) => resolve(v),
  ),
  previousSecrets: setting<readonly string[]>(
    'BURSAR_SECRET_PREVIOUS',
    '',
    `at most ${MAX_PREVIOUS_SECRETS} secrets of at least ${SECRET_MIN_CHARACTERS} characters, with commas between; a secret with a comma in it goes into BURSAR_SECRET_PREVIOUS_FILE`,
    'Server secrets from before a rotation. They are accepted for reading, and nothing new is made with them.',
    (v) => (v === '' ? [] : (previousSecretsIn(v.split(',')) ?? undefined)),
  ),
  previousSecretsFile: optional(
    'BURSAR_SECRET_PREVIOUS_FILE',
    'a file with one secret a line',
    'The previous secrets in a file, instead of BURSAR_SECRET_PREVIOUS. The file may be empty.',
    (v) => resolve(v),
  ),
  logLevel: optional(
    'BURSAR_LOG_LEVEL',
    LOG_LEVELS.join(', '),
    'The lowest level that is logged. By default `warn` on a terminal, `info` (a line for every request) elsewhere.',
    (v) => LOG_LEVELS.find((level) => level === v),
  ),
  requestsPerSecond: perSecond('BURSAR_RATE_LIMIT', 1000, 'Requests a second with one key; 0: no limit.'),
  keylessRequestsPerSecond: perSecond(
    'BURSAR_KEYLESS_RATE_LIMIT',
    100,
    'Requests a second from one client address without a valid key: made-up keys, unknown paths, /openapi.json. Health checks do not count; 0: no limit.',
  ),
  pageRequestsPerSecond: perSecond(
    'BURSAR_PAGE_RATE_LIMIT',
    50,
    'Views of payment pages a second from one client address; 0: no limit.',
  ),
  pagePostsPerSecond: perSecond(
    'BURSAR_PAGE_FORM_RATE_LIMIT',
    5,
    'Forms of payment pages a second from one client address; 0: no limit.',
  ),
  trustedProxies: setting<TrustedProxies>(
    'BURSAR_TRUSTED_PROXIES',
    '',
    'addresses and networks (CIDR) with commas between, for example 127.0.0.1, 10.0.0.0/8; not /0, which is everybody',
    'Proxies whose X-Forwarded-For or Forwarded names the client. Name only proxies that write one of these headers themselves.',
    trustedProxies,
  ),
  metricsToken: optional(
    'BURSAR_METRICS_TOKEN',
    `at least ${SECRET_MIN_CHARACTERS} printable characters without blanks, for example from: openssl rand -hex 32`,
    'Bearer token for GET /metrics. Without it metrics need a key with the scope metrics:read, or a request from this machine itself.',
    (v) => (v.length >= SECRET_MIN_CHARACTERS && /^[\x21-\x7e]+$/.test(v) ? v : undefined),
  ),
  idempotencyDays: integer('BURSAR_IDEMPOTENCY_DAYS', 30, 1, 3650, 'Days for which an idempotency key is kept.'),
  recordsRetentionYears: integer(
    'BURSAR_RECORDS_RETENTION_YEARS',
    10,
    0,
    100,
    'A person cannot be erased from a recipient, payment or bank entry for so many years after money last moved; 0: always possible.',
  ),
  requestLogDays: integer(
    'BURSAR_REQUEST_LOG_DAYS',
    14,
    0,
    365,
    'Days for which requests are kept for GET /v1/request_logs; 0: none are.',
  ),
  sandboxStepSeconds: integer(
    'BURSAR_SANDBOX_STEP_SECONDS',
    3,
    0,
    86_400,
    'A sandbox payout moves on by itself after so many seconds; 0: only the test helpers move it.',
  ),
  ...RATE_SETTINGS,
  writer: setting<'in-flight' | 'plain'>(
    'BURSAR_WRITER',
    'in-flight',
    'in-flight or plain',
    'For diagnosis: `plain` writes one batch at a time and reads everything from the database. It is slower, and shows whether a fault lies in the short cuts.',
    (v) => (['in-flight', 'plain'] as const).find((kind) => kind === v),
  ),
  webhookConcurrency: integer(
    'BURSAR_WEBHOOK_CONCURRENCY',
    256,
    1,
    10_000,
    'Webhook deliveries under way at once. One endpoint gets at most 32. While large batches commit, it gets a quarter of the commands in a commit, from 10 to 64.',
  ),
  webhookPrivateTargets: optional(
    'BURSAR_WEBHOOK_PRIVATE_TARGETS',
    'none, loopback or private',
    'Private addresses that sandbox webhooks may go to, also by http. Live webhooks never may. By default loopback, as long as HOST is loopback, there is one merchant and no BURSAR_PUBLIC_URL; else none.',
    (v) => PRIVATE_TARGETS.find((kind) => kind === v),
  ),
  stripeSecretKey: optional(
    'BURSAR_STRIPE_SECRET_KEY',
    'a secret or restricted key of Stripe: sk_live_…, rk_live_…, sk_test_… or rk_test_…',
    'Lets payment links take cards through Stripe Checkout: a live key in live environments, a test key in sandboxes.',
    (v) => (/^[sr]k_(?:live|test)_[0-9A-Za-z]{8,}$/.test(v) ? v : undefined),
  ),
  stripeWebhookSecret: optional(
    'BURSAR_STRIPE_WEBHOOK_SECRET',
    'the signing secret of the webhook endpoint at Stripe: whsec_…',
    'Verifies the notifications of Stripe at /pay/notifications/stripe. Required with the key.',
    (v) => (/^whsec_\S{8,}$/.test(v) ? v : undefined),
  ),
  stripeApiUrl: setting(
    'BURSAR_STRIPE_API_URL',
    'https://api.stripe.com',
    'an https:// address without a path (http:// for a stand-in on this machine)',
    'Address of Stripe’s API. Change it only for tests.',
    secureOrigin,
  ),
  verifyHour: setting<number | null>(
    'BURSAR_VERIFY_HOUR',
    '3',
    'an hour of the day (UTC) from 0 to 23, or off',
    'Hour of the daily verification of the books. The result is in /metrics and at GET /v1/verification.',
    (v) => (v === 'off' ? null : /^(?:1?\d|2[0-3])$/.test(v) ? Number(v) : undefined),
  ),
  unsafeDurability: setting(
    'BURSAR_ALLOW_UNSAFE_DURABILITY',
    'false',
    'true or false',
    'Start even if fsync, full_page_writes or synchronous_commit is off. A power cut then loses acknowledged payouts.',
    (v) => (v === 'true' ? true : v === 'false' ? false : undefined),
  ),

  bodyLimitBytes: fixed(1_048_576, 'Bytes of a request body.'),
  jsonDepth: fixed(8, 'Levels of nesting of a request body.'),
  batchItems: fixed(1000, 'Items of one payout batch.'),
  batchCommandLimit: fixed(256, 'Commands that share one commit.'),
  queueLimit: fixed(10_000, 'So many commands may wait. Further writes get 503.'),
  readPoolSize: fixed(4, 'Database connections for reads. Reads that arrive while all are busy share a round trip.'),
  batchChangeLimit: fixed(
    4096,
    'Changes that share one commit, so that a thousand-item batch stays a short transaction.',
  ),
  requestTimeoutMs: fixed(30_000, 'Milliseconds in which a request has to arrive, headers and body.'),
  headersTimeoutMs: fixed(10_000, 'Milliseconds in which the headers have to arrive.'),
  keepAliveTimeoutMs: fixed(
    72_000,
    'Milliseconds an idle connection stays open; longer than the 60 s of load balancers.',
  ),
  streamsPerEnvironment: fixed(100, 'Event streams open at once in one environment and process.'),
  streamHeartbeatMs: fixed(15_000, 'Milliseconds without an event after which a stream sends a comment.'),
  streamPollMs: fixed(
    1_000,
    'Milliseconds between two reads of other processes’ events. Events of this process wake a stream at once.',
  ),
  streamStallMs: fixed(
    30_000,
    'A receiver of a stream that takes nothing for so many milliseconds is cut off; so is an upload or a download that moves less than 1 MiB in them.',
  ),
  pageFaultsPerSecond: fixed(
    20,
    'Wrong links and wrong forms a second from one client address. They are counted apart from other requests.',
  ),
  exportSchedulePollMs: fixed(5_000, 'Milliseconds between two looks for bank accounts whose cut-off is near.'),
  pageStreams: fixed(1_000, 'Payment pages with live status open at once in one process.'),
  pageStreamsPerPath: fixed(20, 'The same payment page may be open with live status so many times at once.'),
  databasePatienceMs: fixed(
    15_000,
    'Milliseconds that a write waits for a database that went away, before it is answered with 503.',
  ),
  statementTimeoutMs: fixed(10_000, 'Milliseconds one database statement may take.'),
  lockTimeoutMs: fixed(5_000, 'Milliseconds one database statement may wait for a lock.'),
  idleInTransactionTimeoutMs: fixed(10_000, 'Milliseconds after which the database ends an idle transaction.'),
} as const;

export type Config = Chosen<typeof SETTINGS>;

/** Throws {@link ConfigError} for the first variable that is wrong. An empty variable counts as not set. */
export function loadConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  refuseMistyped(env);
  const entries = Object.entries(SETTINGS).map(([name, each]) => [name, read(each as Setting<unknown>, env)]);
  const config = Object.freeze(Object.fromEntries(entries) as Config);
  refuseBoth(config.secret !== null, SETTINGS.secret, config.secretFile, SETTINGS.secretFile);
  refuseBoth(
    config.previousSecrets.length > 0,
    SETTINGS.previousSecrets,
    config.previousSecretsFile,
    SETTINGS.previousSecretsFile,
  );
  refuseBoth(config.ratesFile !== null, SETTINGS.ratesFile, config.ratesUrl, SETTINGS.ratesUrl);
  if (config.databaseUrl !== null && config.secret === null && config.secretFile === null) {
    throw new ConfigError(
      `BURSAR_SECRET is required when DATABASE_URL is set, or BURSAR_SECRET_FILE. Allowed: ${SETTINGS.secret.allowed}. Keep it as long as the database.`,
    );
  }
  if (config.databaseOwnerUrl !== null && config.databaseUrl === null) {
    throw new ConfigError('DATABASE_OWNER_URL is the owner of the database in DATABASE_URL: set both or none.');
  }
  if ((config.stripeSecretKey === null) !== (config.stripeWebhookSecret === null)) {
    throw new ConfigError(
      'BURSAR_STRIPE_SECRET_KEY and BURSAR_STRIPE_WEBHOOK_SECRET belong together: set both or none.',
    );
  }
  return config;
}

/** Of a value and a file with the value, which one holds would depend on what nobody remembers. */
function refuseBoth(isGiven: boolean, value: Setting<unknown>, file: string | null, inFile: Setting<unknown>): void {
  if (isGiven && file !== null)
    throw new ConfigError(`${value.variable} and ${inFile.variable} are both set. Set one of them.`);
}

function read<T>(wanted: Setting<T>, env: Readonly<Record<string, string | undefined>>): T {
  const { variable, fallback } = wanted;
  const given = (variable === null ? '' : env[variable]?.trim()) || fallback;
  const value = wanted.parse(given);
  if (value !== undefined) return value;
  throw new ConfigError(`${variable} is ${shown(wanted, given)}. Allowed: ${wanted.allowed}.`);
}

/** What was given, without what must not end up in a log. */
function shown<T>({ variable }: Setting<T>, given: string): string {
  if (variable === SETTINGS.secret.variable) return `only ${given.length} characters long`;
  if (variable === SETTINGS.previousSecrets.variable) return 'not such a list';
  if (variable === SETTINGS.metricsToken.variable) {
    return given.length < SECRET_MIN_CHARACTERS ? `only ${given.length} characters long` : 'malformed';
  }
  if (variable === SETTINGS.databaseUrl.variable || variable === SETTINGS.databaseOwnerUrl.variable)
    return 'not a PostgreSQL address';
  if (variable === SETTINGS.ratesUrl.variable) return 'not such an address';
  if (variable?.startsWith('BURSAR_STRIPE_')) return 'malformed';
  return JSON.stringify(given);
}

/** What the banner of the start asks its reader to export; another start in that shell must not take them for mistyped settings. */
const OF_CLIENTS = ['BURSAR_KEY', 'BURSAR_URL'];

/** A mistyped variable would leave its limit at the default without a word. */
function refuseMistyped(env: Readonly<Record<string, string | undefined>>): void {
  const known = Object.values(SETTINGS).flatMap(({ variable }) => variable ?? []);
  const endings = known.filter((variable) => variable.startsWith('BURSAR_')).map((variable) => variable.slice(7));
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith('BURSAR_') || known.includes(variable) || OF_CLIENTS.includes(variable)) continue;
    const near = nearest(variable.slice(7), endings);
    if (near !== undefined) throw new ConfigError(`${variable} is no setting. Did you mean BURSAR_${near}?`);
  }
}

function httpUrl(value: string): string | undefined {
  const url = parseUrl(value);
  if (url === null) return undefined;
  return /^https?:$/.test(url.protocol) ? (url.origin + url.pathname).replace(/\/+$/, '') : undefined;
}

/** The origin of an https:// address without a path, or of an http:// one on this machine. */
function secureOrigin(value: string): string | undefined {
  const url = httpUrl(value);
  if (url === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(url);
  const isSafe = protocol === 'https:' || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return isSafe && url === origin ? origin : undefined;
}

/** What commands that ask a running server take from the environment; empty where it is not set. `src/cli/remote/connection.ts` */
export const clientSettings = (env: Readonly<Record<string, string | undefined>> = process.env) => ({
  url: env['BURSAR_URL'] ?? '',
  key: env['BURSAR_KEY'] ?? env['BURSAR_API_KEY'] ?? '',
  profile: env['BURSAR_PROFILE'] ?? '',
  /** The user's folder for settings of programs (XDG Base Directory). */
  configFolder: env['XDG_CONFIG_HOME'] ?? resolve(env['HOME'] ?? '.', '.config'),
});

/** For a process of one's own: `settings` where the environment says nothing. */
export const environmentWith = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...settings, ...process.env });
