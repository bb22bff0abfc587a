/** Configuration: defaults, what each variable takes, and what a wrong one is told. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, loadConfig, SETTINGS } from '../src/config.ts';

const SECRET = 'k'.repeat(32);

function refusal(env: Record<string, string>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

test('an empty environment gives the documented defaults, frozen', () => {
  const config = loadConfig({});
  expect(config).toMatchObject({
    port: 4242,
    host: '127.0.0.1',
    dataDir: resolve('./data'),
    databaseUrl: null,
    secret: null,
    requestsPerSecond: 1000,
    bodyLimitBytes: 1_048_576,
    jsonDepth: 8,
    batchItems: 1000,
    batchCommandLimit: 256,
    batchChangeLimit: 4096,
    queueLimit: 10_000,
    idempotencyDays: 30,
    readPoolSize: 4,
    sandboxStepSeconds: 3,
    unsafeDurability: false,
    dashboard: true,
    dashboardUrl: null,
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('what clients are told to export is no mistyped setting', () => {
  expect(() => loadConfig({ BURSAR_KEY: 'sk_test_x', BURSAR_URL: 'http://127.0.0.1:4242' })).not.toThrow();
});

test('variables are taken, and an empty one counts as not set', () => {
  const config = loadConfig({
    PORT: '0',
    HOST: '0.0.0.0',
    BURSAR_RATE_LIMIT: '',
    BURSAR_PUBLIC_URL: 'https://pay.example/',
  });
  expect(config).toMatchObject({ port: 0, host: '0.0.0.0', requestsPerSecond: 1000, publicUrl: 'https://pay.example' });
});

test('an IPv6 address to listen on is one with brackets and without', () => {
  for (const HOST of ['::1', '[::1]']) expect(loadConfig({ HOST }).host).toBe('::1');
});

test.each([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '0x10'],
  ['PORT', '4242.0'],
  ['HOST', 'a b'],
  ['HOST', '[::1'],
  ['BURSAR_RATE_LIMIT', '1e3'],
  ['BURSAR_IDEMPOTENCY_DAYS', '0'],
  ['BURSAR_WEBHOOK_CONCURRENCY', '0'],
  ['BURSAR_LOG_LEVEL', 'verbose'],
  ['BURSAR_ALLOW_UNSAFE_DURABILITY', 'yes'],
  ['BURSAR_PUBLIC_URL', 'ftp://pay.example'],
  ['BURSAR_TRUSTED_PROXIES', '10.0.0.0/8, proxy.example'],
  ['BURSAR_TRUSTED_PROXIES', '0.0.0.0/0'],
  ['BURSAR_PAGE_RATE_LIMIT', '-1'],
  ['BURSAR_KEYLESS_RATE_LIMIT', 'off'],
  ['BURSAR_DASHBOARD', 'no'],
  ['BURSAR_DASHBOARD_URL', 'http://console.example'],
  ['BURSAR_DASHBOARD_URL', 'https://console.example/dashboard'],
  ['BURSAR_DASHBOARD_URL', 'console.example'],
])('%s=%s is refused, naming the variable, what was given and what is allowed', (variable, given) => {
  const message = refusal({ [variable]: given });
  expect(message).toContain(`${variable} is ${JSON.stringify(given)}`);
  expect(message).toContain(
    `Allowed: ${Object.values(SETTINGS).find((setting) => setting.variable === variable)?.allowed}`,
  );
});

test('the dashboard is on, unless it is switched off, and may have a host of its own', () => {
  expect(loadConfig({ BURSAR_DASHBOARD: 'off' }).dashboard).toBe(false);
  const origins = ['https://console.example', 'https://console.example:8443/', 'http://localhost:4242', 'http://[::1]'];
  expect(origins.map((each) => loadConfig({ BURSAR_DASHBOARD_URL: each }).dashboardUrl)).toEqual(
    origins.map((each) => each.replace(/\/$/, '')),
  );
});

test('a database of your own needs a secret', () => {
  const databaseUrl = 'postgres://me:hunter2@db.example/bursar';
  expect(refusal({ DATABASE_URL: databaseUrl })).toContain('BURSAR_SECRET is required');
  expect(loadConfig({ DATABASE_URL: databaseUrl, BURSAR_SECRET: SECRET })).toMatchObject({
    databaseUrl,
    secret: SECRET,
  });
});

test('a secret and previous ones may be given by value or by file, not both', () => {
  const databaseUrl = 'postgres://me@db.example/bursar';
  const byFile = loadConfig({ DATABASE_URL: databaseUrl, BURSAR_SECRET_FILE: '/run/secrets/bursar' });
  expect(byFile).toMatchObject({ secret: null, secretFile: '/run/secrets/bursar', previousSecrets: [] });
  const both = { BURSAR_SECRET: SECRET, BURSAR_SECRET_FILE: '/run/secrets/bursar' };
  expect(refusal(both)).toBe('BURSAR_SECRET and BURSAR_SECRET_FILE are both set. Set one of them.');
  const twice = { BURSAR_SECRET_PREVIOUS: SECRET, BURSAR_SECRET_PREVIOUS_FILE: '/run/secrets/old' };
  expect(refusal(twice)).toBe('BURSAR_SECRET_PREVIOUS and BURSAR_SECRET_PREVIOUS_FILE are both set. Set one of them.');
  const listed = loadConfig({ BURSAR_SECRET_PREVIOUS: `${SECRET}, ${'p'.repeat(32)} ,` });
  expect(listed.previousSecrets).toEqual([SECRET, 'p'.repeat(32)]);
  for (const wrong of [`${SECRET},hunter2`, Array.from({ length: 5 }, (_, n) => `${n}`.repeat(32)).join()]) {
    const message = refusal({ BURSAR_SECRET_PREVIOUS: wrong });
    expect(message).toBe(`BURSAR_SECRET_PREVIOUS is not such a list. Allowed: ${SETTINGS.previousSecrets.allowed}.`);
  }
});

test('refusals never repeat a secret', () => {
  expect(refusal({ BURSAR_SECRET: 'hunter2' })).toBe(
    `BURSAR_SECRET is only 7 characters long. Allowed: ${SETTINGS.secret.allowed}.`,
  );
  expect(refusal({ BURSAR_METRICS_TOKEN: 'hunter2' })).toBe(
    `BURSAR_METRICS_TOKEN is only 7 characters long. Allowed: ${SETTINGS.metricsToken.allowed}.`,
  );
  const blank = `hunter2 ${'x'.repeat(40)}`;
  expect(refusal({ BURSAR_METRICS_TOKEN: blank })).toContain('BURSAR_METRICS_TOKEN is malformed.');
  expect(refusal({ DATABASE_URL: 'mysql://me:hunter2@db', BURSAR_SECRET: SECRET })).not.toContain('hunter2');
});

test('a mistyped setting is refused instead of ignored', () => {
  expect(refusal({ BURSAR_RATELIMIT: '5' })).toBe('BURSAR_RATELIMIT is no setting. Did you mean BURSAR_RATE_LIMIT?');
  expect(() => loadConfig({ BURSAR_API_KEY: 'sk_test_1' })).not.toThrow();
});

test('a setting that is gone is refused where its name is near to another, and else counts for nothing', () => {
  const gone = (name: string) => Object.fromEntries([[`BURSAR_${name}`, '2']]);
  expect(refusal(gone('WRITERS'))).toBe('BURSAR_WRITERS is no setting. Did you mean BURSAR_WRITER?');
  expect(loadConfig({ ...gone('READ_POOL'), ...gone('QUEUE_LIMIT') })).toEqual(loadConfig({}));
});

test('live rates come from a file or an address, whose key no message shows', () => {
  const url = 'https://rates.example.com/daily?access_key=hush';
  expect(loadConfig({ BURSAR_RATES_URL: url })).toMatchObject({
    ratesFile: null,
    ratesUrl: url,
    ratesIntervalSeconds: 3600,
    ratesBusinessDays: 1,
    ratesMarkupBps: 0,
    ratesPointers: null,
  });
  expect(refusal({ BURSAR_RATES_FILE: 'rates.json', BURSAR_RATES_URL: url })).toBe(
    'BURSAR_RATES_FILE and BURSAR_RATES_URL are both set. Set one of them.',
  );
  for (const wrong of ['http://rates.example.com/?access_key=hush', 'https://a:hush@rates.example.com/', 'hush'])
    expect(refusal({ BURSAR_RATES_URL: wrong })).toBe(
      'BURSAR_RATES_URL is not such an address. Allowed: an https:// address on the public internet.',
    );
  expect(loadConfig({ BURSAR_RATES_POINTERS: 'at=/date, USD=/rates/USD' }).ratesPointers).toEqual({
    at: '/date',
    rates: { USD: '/rates/USD' },
  });
  expect(refusal({ BURSAR_RATES_POINTERS: 'USD=/rates/USD' })).toContain(
    'JSON pointers to the instant and to each rate',
  );
  expect(refusal({ BURSAR_RATES_BASE: 'EUX' })).toContain('an ISO 4217 code');
  expect(refusal({ BURSAR_RATES_INTERVAL_SECONDS: '5' })).toContain('a whole number from 60 to 86400');
});
