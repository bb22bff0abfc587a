/**
 * The alerts and the board in `deploy/`, with the programs that they are for: promtool reads the rules and tries each alert on made-up series; a
 * real Prometheus scrapes a fresh installation, on which no alert fires and every query of the board has an answer.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registry } from '../../src/platform/http/metrics.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import { eventually } from '../support/harness/eventually.ts';
import { freePort, type ServerProcess, startServer } from '../support/harness/server-process.ts';

await import('../../src/server/app.ts'); // defines the metrics
const TOKEN = 'a-token-of-the-metrics-that-only-tests-know';
const RULES = resolve('deploy/prometheus/rules.yaml');
const WATCHING = readFileSync('docs/guides/operating/watching.md', 'utf8');
const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, HOME: tmpdir() };
const missing = ['promtool', 'prometheus'].filter(
  (program) => spawnSync('bash', ['-c', `command -v ${program}`], { env }).status !== 0,
);
if (missing.length > 0) {
  const why = `${missing.join(' and ')} not found, so alerts and board were not tried: apt-get install prometheus`;
  if (process.env['BURSAR_REQUIRE_PROGRAMS']) throw new Error(why);
  console.error(why);
}
const isMissing = missing.length > 0;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-prometheus-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function promtool(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout + stderr;
}

const rules = readFileSync(RULES, 'utf8');
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly expr: string;
    readonly refId: string;
    readonly datasource: { readonly uid: string };
  }[];
}
const board = JSON.parse(readFileSync('deploy/grafana/bursar.json', 'utf8')) as {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: string }[];
  };
};
const queries = board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const));

describe('names', () => {
  it('the page about watching has each alert, and no other', () => {
    const named = [...WATCHING.matchAll(/^\| `(Bursar\w+)` \|/gm)].map(([, name = '']) => name);
    expect(named).toEqual(alerts);
  });

  it('alerts and board ask for metrics that there are', () => {
    const known = registry.getMetricsAsArray().map(({ name }) => name);
    const asked = (rules + JSON.stringify(queries)).match(/\bbursar_\w+/g) ?? [];
    const stems = asked.map((name) => (known.includes(name) ? name : name.replace(/_(?:sum|count|bucket)$/, '')));
    expect(stems.filter((name) => !known.includes(name))).toEqual([]);
    expect(new Set(stems).size).toBeGreaterThan(25);
  });
});

describe('the board is what Grafana imports', () => {
  it('has an id, a schema and a choice of the Prometheus', () => {
    expect([board.uid, board.title]).toEqual(['bursar', 'Bursar']);
    expect(board.schemaVersion).toBeGreaterThanOrEqual(36);
    expect(board.templating.list.map(({ name, type, query }) => [name, type, query])).toEqual([
      ['datasource', 'datasource', 'prometheus'],
    ]);
  });

  it('every panel has an id, a place and words of its own, asks the chosen Prometheus, and names its queries', () => {
    const ids = board.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(cells.filter((cell) => Number(cell.split(' ')[0]) >= 24)).toEqual([]);
    for (const { type, title, description, datasource, targets = [] } of board.panels) {
      expect(['row', 'stat', 'timeseries'], title).toContain(type);
      if (type === 'row') continue;
      expect(description, title).toMatch(/^[A-Z0-9].*\.$/);
      const sources = [datasource, ...targets.map((target) => target.datasource)];
      expect(
        sources.map((each) => each?.uid),
        title,
      ).toEqual(sources.map(() => '${datasource}'));
      expect(
        targets.map(({ refId }) => refId),
        title,
      ).toEqual(targets.map((_, n) => String.fromCharCode(65 + n)));
      expect(targets.length, title).toBeGreaterThan(0);
    }
  });
});

const OF = 'job="bursar",instance="one"';
/** Samples of a series, one an interval. */
const LONG = 200;
/** Values as promtool writes them: first, step, how often. */
const still = (name: string, value: number | string, labels = '') => ({
  series: `${name}{${OF}${labels === '' ? '' : `,${labels}`}}`,
  values: `${value}+0x${LONG}`,
});
/** As a new installation tells them: made in the first minute, and nothing waits. */
const FRESH = [
  { series: `up{${OF}}`, values: `1+0x${LONG}` },
  ...registry
    .getMetricsAsArray()
    .filter(({ type }) => String(type) === 'gauge')
    .map(({ name }) => still(name, 0))
    .filter(({ series }) => !/bursar_(?:installed|data)_/.test(series)),
  still('bursar_installed_timestamp_seconds', 60),
  still('bursar_data_free_bytes', 50e9),
  still('bursar_data_size_bytes', 100e9),
  still('bursar_event_loop_active_seconds_total', 3),
  ...['created', 'failed', 'returned'].map((status) =>
    still('bursar_payouts_total', 0, `mode="live",status="${status}"`),
  ),
];

interface Series {
  readonly series: string;
  readonly values: string;
}
/** What is otherwise than on a new installation, when the alert is looked for, and whether its labels have an instance. */
interface Trouble {
  readonly with: readonly Series[];
  readonly at: string;
  readonly severity: 'page' | 'ticket';
  readonly ofInstance?: boolean;
}
const grows = (name: string, labels: string, step: number) => ({
  series: `${name}{${OF},${labels}}`,
  values: `0+${step}x${LONG}`,
});
const late = (metric: string, seconds: number, severity: 'page' | 'ticket' = 'ticket'): Trouble => ({
  with: [still(metric, seconds)],
  at: '30m',
  severity,
});
const FAULTS = 'bursar_http_request_duration_seconds_count';
const ROUTE = 'route="/v1/payouts",method="POST",status="5xx"';
const TROUBLES: Readonly<Record<string, Trouble>> = {
  BursarDown: { with: [{ series: `up{${OF}}`, values: '0+0x60' }], at: '10m', severity: 'page', ofInstance: true },
  BursarDamages: late('bursar_verification_damages', 2, 'page'),
  BursarNotVerified: {
    with: [still('bursar_verification_last_timestamp_seconds', 3600)],
    at: '3d',
    severity: 'ticket',
  },
  BursarBackupLate: { with: [still('bursar_backup_last_timestamp_seconds', 3600)], at: '3d', severity: 'ticket' },
  BursarDiskFull: { ...late('bursar_data_free_bytes', 9e9, 'page'), ofInstance: true },
  BursarFaults: { with: [grows(FAULTS, ROUTE, 1)], at: '30m', severity: 'page' },
  BursarEventLoopBusy: {
    with: [{ series: `bursar_event_loop_active_seconds_total{${OF}}`, values: '0+59x100' }],
    at: '30m',
    severity: 'ticket',
    ofInstance: true,
  },
  BursarWebhooksLate: late('bursar_webhook_oldest_undelivered_seconds', 3_700),
  BursarRatesUnusable: late('bursar_rates_unusable', 1, 'page'),
  BursarPayoutsFail: {
    with: [
      grows('bursar_payouts_total', 'mode="live",status="created"', 2),
      grows('bursar_payouts_total', 'mode="live",status="failed"', 1),
    ],
    at: '2h',
    severity: 'ticket',
  },
  BursarPayoutsNotLeaving: late('bursar_payouts_oldest_due_seconds', 400_000),
  BursarPayoutsHeld: late('bursar_payouts_oldest_held_seconds', 90_000),
  BursarBankSilent: late('bursar_bank_oldest_unanswered_file_seconds', 180_000),
  BursarBankEntriesWait: late('bursar_bank_oldest_unmatched_entry_seconds', 90_000),
  BursarStatementsToReview: { with: [still('bursar_bank_statements_to_review', 1)], at: '2h', severity: 'ticket' },
  BursarStatementsUnproved: { with: [still('bursar_bank_accounts_unproved', 1)], at: '2d', severity: 'ticket' },
};

/** Days are looked at every half an hour: each sample is one of those instants, so none is too old. */
const intervalOf = (at: string) => (/^(?:\d+d|46h)$/.test(at) ? '30m' : '1m');

/** One case of `promtool test rules`. `firing`: the only alerts that fire at that time. */
function caseOf(others: readonly Series[], at: string, firing: readonly string[]) {
  const names = new Set(others.map(({ series }) => series));
  return {
    interval: intervalOf(at),
    input_series: [...FRESH.filter(({ series }) => !names.has(series)), ...others],
    promql_expr_test: [
      {
        expr: 'ALERTS{alertstate="firing"}',
        eval_time: at,
        exp_samples: firing.map((labels) => ({ labels, value: 1 })),
      },
    ],
  };
}
const firing = (name: string, { severity, ofInstance = false }: Trouble) =>
  `ALERTS{alertname="${name}",alertstate="firing",${ofInstance ? OF : 'job="bursar"'},severity="${severity}"}`;

/** Cases of one interval. JSON is YAML. */
function test(cases: readonly { readonly interval: string }[], file = RULES): void {
  const path = join(folder, 'test.yaml');
  const [first] = cases;
  writeFileSync(path, JSON.stringify({ rule_files: [file], evaluation_interval: first?.interval, tests: cases }));
  promtool('test', 'rules', path);
}

describe.skipIf(isMissing)('the rules', () => {
  it('are read by promtool', () => {
    expect(promtool('check', 'rules', RULES)).toContain(`${alerts.length} rules found`);
  });

  it('each alert is tried below', () => expect(Object.keys(TROUBLES)).toEqual(alerts));

  it('none fires on a new installation, in its first hour and before its first night is two days old', () => {
    test([caseOf([], '1h', [])]);
    test([caseOf([], '46h', [])]);
  });

  it.each(Object.entries(TROUBLES))('%s fires on its trouble, alone', (name, trouble) => {
    const isDays = /^[23]d$/.test(trouble.at);
    // Who is that old has verified and backed up, but for what the case is about.
    const done = ['verification', 'backup'].map((each) => still(`bursar_${each}_last_timestamp_seconds`, 3 * 86_400));
    const others = trouble.with.map(({ series }) => series);
    const rest = isDays ? done.filter(({ series }) => !others.includes(series)) : [];
    test([caseOf([...rest, ...trouble.with], trouble.at, [firing(name, trouble)])]);
  });

  it('a single fault fires too, although its series was not there before', () => {
    const first = { series: `${FAULTS}{${OF},${ROUTE}}`, values: `_x60 1+0x${LONG}` };
    const trouble = TROUBLES['BursarFaults'] as Trouble;
    test([
      caseOf([first], '59m', []),
      caseOf(
        [first, { ...first, series: first.series.replace('payouts', 'accounts'), values: '_x63 1+0x100' }],
        '66m',
        [firing('BursarFaults', trouble)],
      ),
    ]);
  });

  it('two days without any verification or backup fire', () => {
    const both = ['BursarNotVerified', 'BursarBackupLate'].map((name) => firing(name, TROUBLES[name] as Trouble));
    test([caseOf([], '3d', both)]);
  });

  it('control: an alert that takes "never" for long ago would fire at once, and the test says so', () => {
    const path = join(folder, 'hasty.yaml');
    const [rule] = /^ +- alert: BursarBackupLate[\s\S]*?(?=\n\n)/m.exec(rules) ?? [''];
    const hasty = rule.replace(
      /expr: >-\n(?: {10}.*\n)+/,
      'expr: 172800 + bursar_backup_last_timestamp_seconds < 1e9\n',
    );
    expect(hasty).not.toBe(rule);
    writeFileSync(path, `groups:\n  - name: hasty\n    rules:\n${hasty}\n`);
    expect(() => test([caseOf([], '1h', [])], path)).toThrow('BursarBackupLate');
  });
});

describe.skipIf(isMissing)('a real Prometheus beside a fresh installation', () => {
  let database: Database;
  let server: ServerProcess;
  let prometheus: ReturnType<typeof spawn>;
  let address: string;

  interface Answer {
    readonly status: string;
    readonly error?: string;
    readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
  }
  const ask = async (expr: string): Promise<Answer> =>
    (await fetch(`${address}/api/v1/query?query=${encodeURIComponent(expr)}`)).json() as Promise<Answer>;
  const value = async (expr: string) => (await ask(expr)).data.result.length;

  beforeAll(async () => {
    database = await createDatabase();
    server = await startServer({
      databaseUrl: database.url,
      env: { BURSAR_DATA: folder, BURSAR_METRICS_TOKEN: TOKEN },
    });
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    const [, shown = ''] = /^ {4}(scrape_configs: .*)$/m.exec(WATCHING) ?? [];
    const config = shown
      .replace('/etc/prometheus/bursar-token', join(folder, 'token'))
      .replace('db1:4242', new URL(server.address).host);
    writeFileSync(join(folder, 'token'), TOKEN);
    writeFileSync(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 1s, evaluation_interval: 1s }\nrule_files: [${JSON.stringify(RULES)}]\n${config}\n`,
    );
    const options = {
      'config.file': join(folder, 'prometheus.yml'),
      'storage.tsdb.path': join(folder, 'series'),
      'web.listen-address': `127.0.0.1:${port}`,
      'log.level': 'error',
    };
    prometheus = spawn(
      'prometheus',
      Object.entries(options).map(([name, given]) => `--${name}=${given}`),
      {
        env,
        stdio: 'ignore',
      },
    );
    await eventually('Prometheus has scraped three times', async () => {
      const looks = await ask('count_over_time(bursar_info[1m])').catch(() => null);
      return Number(looks?.data.result[0]?.value[1] ?? 0) >= 3;
    });
  });
  afterAll(async () => {
    if (prometheus !== undefined) {
      const ended = new Promise((done) => prometheus.once('close', done));
      prometheus.kill('SIGKILL');
      await ended;
    }
    await server?.stop();
    await database?.drop();
  });

  it('every alert is evaluated, and none is pending or fires', async () => {
    interface Rule {
      readonly name: string;
      readonly health: string;
      readonly state: string;
      readonly lastError?: string;
    }
    const look = async () => {
      const answer = await fetch(`${address}/api/v1/rules`);
      const { data } = (await answer.json()) as { data: { groups: readonly { readonly rules: readonly Rule[] }[] } };
      return data.groups.flatMap((group) => group.rules);
    };
    await eventually('all are evaluated', async () => (await look()).every(({ health }) => health === 'ok'));
    const { bavail, blocks, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const isFull = free < 2e9 || (free < 2e10 && free < 0.1 * blocks * bsize); // of this machine, and then rightly so
    const found = await look();
    expect(found.map(({ name }) => name)).toEqual(alerts);
    const loud = found.filter(({ state }) => state !== 'inactive').map(({ name }) => name);
    expect(loud.filter((name) => !(isFull && name === 'BursarDiskFull'))).toEqual([]);
  });

  it.each(queries)('%s: %s', async (_, expr) => {
    const asked = expr.replaceAll('$__rate_interval', '1m');
    expect(asked).not.toContain('$');
    let last: Answer | undefined;
    await eventually('it has a series', async () => {
      last = await ask(asked);
      return last.status !== 'success' || last.data.result.length > 0;
    });
    expect([last?.status, last?.error]).toEqual(['success', undefined]);
  });

  it('control: what is no query is refused, and what nobody measures has no series', async () => {
    expect((await ask('sum by (')).status).toBe('error');
    expect(await value('bursar_nothing_of_this_name')).toBe(0);
  });
});
