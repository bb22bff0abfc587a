/**
 * Backups every night as `deploy/` ships them: the unit and the timer of systemd, the script of compose, the CronJob of the chart, and the
 * script that runs `bursar` as the service. What each would run is run here; systemd itself reads the units where it is installed.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Database } from './support/harness/database.ts';
import { startCli } from './support/harness/cli.ts';
import { makeKey, TEST_SECRET } from './support/harness/server-process.ts';

const shipped = (name: string) => readFileSync(`deploy/${name}`, 'utf8');
const PACKAGE = '/opt/bursar/lib/node_modules/bursar';
const DAYS_MS = 86_400_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bursar-backup-units-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Settings of a section, one NAME=value a line. */
function settingsOf(unit: string, section: string): readonly string[] {
  const [, part = ''] = new RegExp(`^\\[${section}\\]\\n([\\s\\S]*?)(?=^\\[|(?![\\s\\S]))`, 'm').exec(unit) ?? [];
  return part.split('\n').filter((line) => /^[A-Z]\w*=/.test(line));
}
const valueOf = (unit: string, name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

describe('the units of systemd', () => {
  const [service, backup, timer] = ['bursar.service', 'bursar-backup.service', 'bursar-backup.timer'].map(shipped) as [
    string,
    string,
    string,
  ];

  it('a backup runs as the user and with the settings of the server', () => {
    for (const name of ['DynamicUser', 'User', 'StateDirectoryMode', 'WorkingDirectory', 'EnvironmentFile', 'UMask'])
      expect([name, valueOf(backup, name)]).toEqual([name, valueOf(service, name)]);
    expect(valueOf(backup, 'StateDirectory').split(' ')).toEqual([
      valueOf(service, 'StateDirectory'),
      'bursar-backups',
    ]);
    expect(valueOf(service, 'Environment')).toContain(valueOf(backup, 'Environment'));
  });

  it('and may do nothing that the server may not', () => {
    const RUNS = /^(?:Type|StateDirectory|Environment|Exec\w+|LoadCredential|Timeout\w+|Nice|IOSchedulingClass)=/;
    const allowed = settingsOf(service, 'Service');
    const further = (unit: string) =>
      settingsOf(unit, 'Service').filter((line) => !allowed.includes(line) && !RUNS.test(line));
    // It prints no addresses, so it needs fewer families of them.
    expect(further(backup)).toEqual(['RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX']);
    const missing = allowed.filter((line) => !settingsOf(backup, 'Service').includes(line));
    expect(missing.map((line) => line.split('=')[0])).toEqual([
      'Type',
      'StateDirectory',
      'Environment',
      'ExecStart',
      'Restart',
      'RestartSec',
      'KillMode',
      'TimeoutStopSec',
      'LimitNOFILE',
      'RestrictAddressFamilies',
    ]);
    // control
    expect(further(backup.replace('ProtectHome=yes', 'ProtectHome=no'))).toContain('ProtectHome=no');
  });

  it('the timer starts it every night, ahead of the verification', () => {
    expect(settingsOf(timer, 'Timer')).toContain('OnCalendar=*-*-* 01:30:00 UTC');
    expect(settingsOf(timer, 'Timer')).toContain('Persistent=yes');
    expect(settingsOf(timer, 'Install')).toEqual(['WantedBy=timers.target']);
  });

  const canVerify = spawnSync('bash', ['-c', 'command -v systemd-analyze']).status === 0;
  if (!canVerify) console.error('systemd-analyze was not found, so it did not read the units: apt-get install systemd');
  it.skipIf(!canVerify)('are read by systemd without a warning', () => {
    const verify = (name: string, change = (text: string) => text) => {
      const place = mkdtempSync(join(folder, 'units-'));
      for (const each of ['bursar.service', 'bursar-backup.service', 'bursar-backup.timer'])
        writeFileSync(join(place, each), change(shipped(each)));
      const done = spawnSync('systemd-analyze', ['verify', '--man=no', join(place, name)], { encoding: 'utf8' });
      return (done.stdout + done.stderr).split('\n').filter((line) => line.includes(place) || line.includes('bursar'));
    };
    expect(verify('bursar.service')).toEqual([]);
    expect(verify('bursar-backup.timer')).toEqual([]);
    expect(verify('bursar-backup.service')).toEqual([]);
    // control
    const wrong = verify('bursar-backup.timer', (text) => text.replace('OnCalendar=*-*-*', 'OnCalendar=every night'));
    expect(wrong.join('\n')).toContain('calendar');
  });

  it('a start that fails is repeated without end: systemd itself gives up at the fifth', () => {
    expect(settingsOf(service, 'Unit')).toContain('StartLimitIntervalSec=0');
    expect(valueOf(service, 'Restart')).toBe('always');
  });

  it.skipIf(!canVerify)('are rated as well sandboxed by systemd', () => {
    const exposure = (name: string, text: string, threshold: number) => {
      const file = join(mkdtempSync(join(folder, 'rated-')), name);
      writeFileSync(file, text);
      return spawnSync('systemd-analyze', ['security', '--offline=true', `--threshold=${threshold}`, file]).status;
    };
    // In tenths: 1.3 by systemd 252.
    expect(exposure('bursar.service', service, 20)).toBe(0);
    expect(exposure('bursar-backup.service', backup, 20)).toBe(0);
    // control
    expect(exposure('bursar.service', service.replace('CapabilityBoundingSet=\n', ''), 20)).not.toBe(0);
  });

  it('deletes what is old where the folder is a symbolic link too, as with DynamicUser', () => {
    const [, arguments_ = ''] = /^ExecStartPost=\/usr\/bin\/find (.*)$/m.exec(backup) ?? [];
    const cleaned = (words: string) => {
      const place = mkdtempSync(join(folder, 'cleaned-'));
      const real = join(place, 'private');
      mkdirSync(real);
      symlinkSync(real, join(place, 'link'));
      for (const [name, days] of [
        ['bursar-1.backup', 16],
        ['bursar-2.backup', 13],
        ['notes', 16],
      ] as const) {
        writeFileSync(join(real, name), '');
        const at = (Date.now() - days * DAYS_MS) / 1000;
        utimesSync(join(real, name), at, at);
      }
      // No shell: systemd puts no names in place of a star.
      spawnSync('find', words.replace('/var/lib/bursar-backups', join(place, 'link')).split(' '));
      return readdirSync(real).toSorted();
    };
    expect(cleaned(arguments_)).toEqual(['bursar-2.backup', 'notes']);
    // control: without its last slash the link itself is looked at
    expect(cleaned(arguments_.replace('backups/', 'backups'))).toHaveLength(3);
  });

  it('`bursar` by bursar-run.sh is the same user with the same settings', () => {
    const script = shipped('bursar-run.sh');
    const properties = [...script.matchAll(/--property=(\S+)/g)].map(([, each = '']) => each);
    expect(properties.filter((each) => !settingsOf(service, 'Service').includes(each))).toEqual([]);
    for (const name of ['DynamicUser', 'User', 'StateDirectory', 'WorkingDirectory', 'EnvironmentFile'])
      expect(properties.map((each) => each.split('=')[0])).toContain(name);
    const set = [...script.matchAll(/--setenv=(\w+=\S+)/g)].map(([, each = '']) => each);
    for (const each of set.filter((one) => !one.startsWith('NO_COLOR')))
      expect(valueOf(service, 'Environment')).toContain(each);
    expect(set).toContain('BURSAR_DATA=/var/lib/bursar');
    // What it hands to systemd-run, word by word.
    const bin = mkdtempSync(join(folder, 'bin-'));
    writeFileSync(join(bin, 'systemd-run'), '#!/bin/sh\nfor each; do echo "$each"; done\n');
    chmodSync(join(bin, 'systemd-run'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
    const done = spawnSync('sh', ['deploy/bursar-run.sh', 'keys', 'create', '--name', 'two words', '$HOME ${PATH}'], {
      env,
      encoding: 'utf8',
    });
    const words = done.stdout.trimEnd().split('\n');
    expect(words.slice(words.indexOf('--') + 1)).toEqual([
      '/usr/bin/env',
      'node',
      `${PACKAGE}/bin/bursar.cjs`,
      'keys',
      'create',
      '--name',
      'two words',
      '$$HOME $${PATH}', // systemd puts no variables of its own in their place
    ]);
  });
});

describe('the command of each', () => {
  let database: Database;
  beforeAll(async () => {
    database = await createDatabase();
    await makeKey(database.url);
  });
  afterAll(() => database?.drop());

  /** What follows `bursar`, with the places that are there only on the real machine. */
  const unit = /bursar\.cjs (backup .*)$/m.exec(shipped('bursar-backup.service'))?.[1] ?? '';
  const chart = /- >-\n +bursar (backup .*)$/m.exec(shipped('helm/bursar/templates/backup.yaml'))?.[1] ?? '';
  const script = /^ +bursar (backup .*?) \|\|/m.exec(shipped('backup.sh'))?.[1] ?? '';

  it.each([
    ['systemd', unit, '/var/lib/bursar-backups', '%d/passphrase'],
    ['the chart', chart, '/var/backups/bursar', '/run/bursar/backup-passphrase'],
    ['compose', script.replaceAll('"', ''), '$folder', '$sealing'],
  ])('%s is: backup into a folder, sealed', (_, command, place, passphrase) => {
    expect(command.split(' ')).toEqual(['backup', place, '--passphrase-file', passphrase]);
  });

  it('makes a whole, sealed file with the name that the cleaning looks for', async () => {
    const place = mkdtempSync(join(folder, 'kept-'));
    const passphrase = join(place, 'passphrase');
    writeFileSync(passphrase, 'a passphrase that is long enough\n', { mode: 0o600 });
    const env = { DATABASE_URL: database.url, BURSAR_SECRET: TEST_SECRET };
    const { code, stderr } = await startCli(['backup', place, '--passphrase-file', passphrase], env).ended;
    expect([code, stderr]).toEqual([0, stderr]);
    const found = spawnSync('find', [place, '-maxdepth', '1', '-name', 'bursar-*.backup'], { encoding: 'utf8' });
    const made = found.stdout.trim();
    expect(made).toMatch(/^\S+\/bursar-\d{8}T\d{6}Z\.backup$/);
    const check = await startCli(['restore', '--check', made, '--passphrase-file', passphrase], env).ended;
    expect(check.code).toBe(0);
    for (const name of ['bursar-backup.service', 'backup.sh', 'helm/bursar/templates/backup.yaml'])
      expect(shipped(name)).toMatch(
        /-maxdepth 1 -name '?bursar-\*\.backup'? -mtime \+(?:14|\{\{ \.keepDays \}\}) -delete/,
      );
  });
});

describe('backup.sh', () => {
  /** Runs it with a `bursar` that does what a shell says, and with a clock that stands still. */
  function run(bursar: string, args: readonly string[], now = 0) {
    const [bin, kept] = [mkdtempSync(join(folder, 'bin-')), mkdtempSync(join(folder, 'kept-'))];
    const programs = {
      bursar: `echo "$@" >>${bin}/asked; cat "$4" >>${bin}/passphrase; ${bursar}`,
      date: `echo ${now}`,
      sleep: `echo "$1" >${bin}/slept; kill -TERM $PPID`,
    };
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const old = join(kept, 'bursar-20260101T013000Z.backup');
    const files = { [old]: 15, [join(kept, 'bursar-20260114T013000Z.backup')]: 13, [join(kept, 'notes')]: 15 };
    for (const [path, days] of Object.entries(files)) {
      writeFileSync(path, '');
      const at = (Date.now() - days * DAYS_MS) / 1000;
      utimesSync(path, at, at);
    }
    mkdirSync(join(bin, 'tmp'));
    const env = {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      TMPDIR: join(bin, 'tmp'),
      BACKUP_FOLDER: kept,
      BACKUP_PASSPHRASE: 'secret words',
    };
    const { status } = spawnSync('sh', ['deploy/backup.sh', ...args], { env, encoding: 'utf8', timeout: 60_000 });
    const read = (name: string) => {
      try {
        return readFileSync(join(bin, name), 'utf8').trim();
      } catch {
        return null;
      }
    };
    return {
      status,
      kept,
      asked: read('asked'),
      passphrase: read('passphrase'),
      slept: read('slept'),
      files: readdirSync(kept),
      left: readdirSync(join(bin, 'tmp')),
    };
  }

  it('makes one now, sealed, deletes what is older than two weeks, and leaves no passphrase behind', () => {
    const { status, asked, passphrase, files, left, kept } = run('exit 0', ['now']);
    expect([status, passphrase, left]).toEqual([0, 'secret words', []]);
    expect(asked).toMatch(new RegExp(`^backup ${kept} --passphrase-file \\S+$`));
    expect(files.toSorted()).toEqual(['bursar-20260114T013000Z.backup', 'notes']);
  });

  it('one that fails deletes nothing, and says so by its status', () => {
    const { status, files, left } = run('exit 1', ['now']);
    expect([status, left]).toEqual([1, []]);
    expect(files).toHaveLength(3);
  });

  it.each([
    ['at midnight', 1_795_824_000, 5_400],
    ['at 01:29:59', 1_795_829_399, 1],
    ['at 01:30, to the next night', 1_795_829_400, 86_400],
    ['at noon', 1_795_867_200, 48_600],
  ])('waits until 01:30 UTC, %s', (_, now, seconds) => {
    expect(new Date(now * 1000).toISOString().slice(0, 10)).toBe('2026-11-28');
    const { slept, asked } = run('exit 0', [], now);
    expect([slept, asked]).toEqual([String(seconds), null]);
  });
});

describe('compose and the chart', () => {
  it('the backup of compose has the settings of the server, a place to write, and is no server', () => {
    const [part = ''] = /^ {2}backup:\n(?: {4}.*\n|\n)+/m.exec(shipped('compose.yaml')) ?? [];
    for (const each of ['<<: *settings', 'backups:/var/backups/bursar', 'disable: true', 'pull_policy: never'])
      expect(part).toContain(each);
    expect(shipped('compose.yaml')).toMatch(/^ {4}environment: &settings\n/m);
    // A volume takes the owner of the folder that it covers.
    expect(shipped('Dockerfile')).toContain(
      'install --directory --owner bursar --group bursar --mode 0700 /var/backups/bursar',
    );
  });

  it('the pod of a backup gets the secrets of the server, and none of its requests', () => {
    const [job, deployment] = ['backup', 'deployment'].map((each) => shipped(`helm/bursar/templates/${each}.yaml`)) as [
      string,
      string,
    ];
    const keysOf = (text: string) => [...text.matchAll(/secretKeyRef: .* key: ([\w-]+)/g)].map(([, key]) => key);
    expect(keysOf(job)).toEqual(keysOf(deployment));
    const [labels = ''] = /template:\n +metadata:[\s\S]*?spec:/.exec(job) ?? [];
    expect(labels).toContain('app.kubernetes.io/name: bursar-backup');
    expect(labels).not.toContain('bursar.selector');
    expect(job).toMatch(
      /helm\.sh\/resource-policy: keep[\s\S]*kind: CronJob[\s\S]*claimName: \{\{ \$\.Release\.Name \}\}-backups/,
    );
  });
});
