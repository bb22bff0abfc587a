/** `bursar bank …` against a server: payment files out, statement files in, and folders that are watched. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../support/bank/camt.ts';
import { pain002 } from '../support/bank/pain002.ts';
import { cli } from '../support/harness/cli.ts';
import { createDatabase, type Database } from '../support/harness/database.ts';
import type { Json } from '../support/harness/http.ts';
import { makeKey, type ServerProcess, startServer } from '../support/harness/server-process.ts';
import { createTenant, idIn, must, type Tenant } from '../support/harness/tenant-fixture.ts';

const IBAN = 'DE89370400440532013000';

interface Merchant {
  readonly tenant: Tenant;
  readonly env: Record<string, string>;
  readonly bankAccount: string;
  /** `bursar bank …` with its key. */
  bank(...args: string[]): ReturnType<typeof cli>;
}

let database: Database;
let server: ServerProcess;
let folder: string;
const merchants: Merchant[] = [];

/** One for each group of cases, so that the groups run side by side; in a group, one case goes on where the one before ended. */
async function newMerchant(name: string): Promise<Merchant> {
  const tenant = await createTenant(database.url, server.address, name);
  const env = { BURSAR_URL: server.address, BURSAR_KEY: (await makeKey(database.url, name)).key };
  await tenant.account('EUR', '1000');
  const account = { currency: 'EUR', country: 'DE', holder: 'Rossum', bank_details: { iban: IBAN } };
  const hours = { cut_off: '14:30', time_zone: 'Europe/Berlin' };
  const bankAccount = idIn(await tenant.client.post('/v1/bank_accounts', { ...account, ...hours }));
  const made = { tenant, env, bankAccount, bank: (...args: string[]) => cli(['bank', ...args], env) };
  merchants.push(made);
  return made;
}

beforeAll(async () => {
  database = await createDatabase();
  server = await startServer({ databaseUrl: database.url, env: { BURSAR_SANDBOX_STEP_SECONDS: '0' } });
  folder = mkdtempSync(join(tmpdir(), 'bursar-bank-'));
});
afterAll(async () => {
  for (const { tenant } of merchants) tenant.client.close();
  await server?.kill();
  await database?.drop();
  if (folder) rmSync(folder, { recursive: true });
});

const outgoing = (id: string) => id.replace('_', '').toUpperCase();
const statement = (day: string, opening: string, closing: string, entries: Parameters<typeof camt>[0][0]['entries']) =>
  camt([{ iban: IBAN, day, opening, closing, entries }]);

describe.concurrent('accounts', () => {
  let env: Merchant['env'];
  let bankAccount: string;
  let bank: Merchant['bank'];
  beforeAll(async () => ({ env, bankAccount, bank } = await newMerchant('accounts')));

  it.sequential('are added, listed, changed and closed', async () => {
    const where = ['--currency', 'GBP', '--country', 'GB', '--holder', 'Rossum Ltd'];
    const when = ['--cut-off', '17:00', '--time-zone', 'Europe/London'];
    const which = ['--detail', 'sort_code=20-00-00', '--detail', 'account_number=55779911'];
    const added = await bank('accounts', 'add', ...where, ...which, ...when, '--uses', 'collections', '--json');
    expect(added.code).toBe(0);
    const made = JSON.parse(added.stdout) as Json;
    expect(made).toMatchObject({ calendar: 'gb', uses: ['collections'], bank_details: { sort_code: '200000' } });
    const id = made['id'] as string;

    const changed = await bank('accounts', 'change', id, '--name', 'Pounds', '--paid-by', 'status');
    expect([changed.code, changed.stdout]).toEqual([0, `${id}  GBP  open\n`]);
    const listed = (await bank('accounts')).stdout;
    expect(listed).toContain('Pounds');
    expect(listed).toContain('…9911');
    expect(listed).toContain(bankAccount);
    expect(
      (await bank('accounts', 'list', '--json')).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Json),
    ).toMatchObject([{ id, name: 'Pounds', paid_by: 'status' }, { id: bankAccount }]);
    expect((await bank('accounts', 'close', id)).stdout).toBe(`${id}  GBP  closed\n`);
  });

  it.sequential('know profiles, addresses and keys as all commands do', async () => {
    const { BURSAR_URL: url = '', BURSAR_KEY: key = '' } = env;
    const config = { XDG_CONFIG_HOME: folder };
    expect((await cli(['login', '--profile', 'bank', '--url', url, '--key', key], config)).code).toBe(0);
    const byProfile = await cli(['bank', 'status', '--json', '--profile', 'bank'], config);
    expect(JSON.parse(byProfile.stdout.split('\n')[0] ?? '')).toMatchObject({
      currency: 'EUR',
      unmatched: 0,
      proof: null,
    });
    const named = await cli(['bank', 'files', '--url', url, '--key', key], config);
    expect([named.code, named.stdout]).toEqual([0, '']);
    const unknown = await cli(['bank', 'files', '--key', 'sk_test_x'], { ...config, BURSAR_URL: url });
    expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('code api_key_invalid')]);
  });

  it.sequential('say what is wrong', async () => {
    const wrong = await bank('accounts', 'change', bankAccount, '--bank-profile', 'german');
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringMatching(/profile/)]);
    const missing = await bank('accounts', 'add', '--currency', 'EUR');
    expect([missing.code, missing.stderr]).toEqual([expect.any(Number), expect.stringContaining('--country')]);
    expect(missing.code).not.toBe(0);
  });
});

describe.concurrent('several files', () => {
  let bank: Merchant['bank'];
  beforeAll(async () => ({ bank } = await newMerchant('several')));

  it.sequential('a file that cannot be imported is named, and the import ends there or goes on', async () => {
    const [good, bad, missing, later] = ['good', 'bad', 'missing', 'later'].map((each) =>
      join(folder, `${each}.xml`),
    ) as [string, string, string, string];
    writeFileSync(good, statement('2026-11-24', '0.00', '1.00', [{ amount: '1.00' }]));
    writeFileSync(bad, '<Document>');
    writeFileSync(later, statement('2026-11-25', '1.00', '3.00', [{ amount: '2.00' }]));
    const ended = await bank('import', good, bad, later);
    expect([ended.code, ended.stdout]).toEqual([
      4,
      expect.stringMatching(/good\.xml: sf_\w+, 1 statements, 0 skipped\n$/),
    ]);
    expect(ended.stderr).toContain(`${bad}: `);
    expect(ended.stderr).toContain(`Imported before it: ${good}\n`);
    expect(ended.stderr).toContain(`Not looked at: ${later}.`);
    const went = await bank('import', bad, missing, later, '--continue');
    expect([went.code, went.stdout]).toEqual([
      4,
      expect.stringMatching(/^\S+later\.xml: sf_\w+, 1 statements, 0 skipped\n$/),
    ]);
    expect(went.stderr).toContain(`${bad}: `);
    expect(went.stderr).toContain(`${missing}: `);
    expect(went.stderr).toContain(`Not imported, 2 of 3 files: ${bad}, ${missing}`);
    const only = await bank('import', missing);
    expect([only.code, only.stderr]).toEqual([1, expect.stringContaining(`${missing}: `)]);
  });
});

describe.concurrent('a month', () => {
  let bank: Merchant['bank'];
  beforeAll(async () => ({ bank } = await newMerchant('month')));

  it.sequential('is reconciled for people, for spreadsheets and for programs, and signed once it is over', async () => {
    const where = ['--currency', 'CHF', '--country', 'CH', '--holder', 'Rossum', '--iban', 'CH9300762011623852957'];
    const when = ['--cut-off', '17:00', '--time-zone', 'Europe/Zurich', '--on-drift', 'stop_exports'];
    const id = (JSON.parse((await bank('accounts', 'add', ...where, ...when, '--json')).stdout) as Json)[
      'id'
    ] as string;
    const path = join(folder, 'october.xml');
    const of = { iban: 'CH9300762011623852957', currency: 'CHF', day: '2026-10-20', opening: '10.00', closing: '9.50' };
    writeFileSync(path, camt([{ ...of, entries: [{ amount: '-0.50', code: 'PMNT-MDOP-CHRG' }] }]));
    expect((await bank('import', path)).code).toBe(0);
    const shown = await bank('reconcile', id, '2026-10');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/closing balance[ │]+9\.50/)]);
    expect(shown.stdout).toMatch(/fees[ │]+-0\.50/);
    expect(shown.stdout).toMatch(/proof: ok\nsha256: [0-9a-f]{64}, not signed\n$/);
    expect((await bank('reconcile', id, '2026-10', '--sign')).stdout).toMatch(/, signed by key_\w+\n$/);
    expect((await bank('reconcile', id, '2026-10', '--csv')).stdout).toContain('balance,closing,,9.50,950,2026-10-31,');
    const json = JSON.parse((await bank('reconcile', id, '2026-10', '--json')).stdout) as Json;
    expect(json).toMatchObject({ closing_balance: 950, signature: { is_current: true } });
    const wrong = await bank('reconcile', id, 'October');
    expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('a month such as 2026-11')]);
    const running = await bank('accounts', 'resume-exports', id, '--reason', 'Looked');
    expect([running.code, running.stderr]).toEqual([4, expect.stringContaining('are not stopped')]);
    const closed = await bank('accounts', 'close', id);
    expect(closed.stderr).toContain('can be closed once a statement shows zero');
  });
});

describe.concurrent('payment files', () => {
  let tenant: Tenant;
  let env: Merchant['env'];
  let bankAccount: string;
  let bank: Merchant['bank'];
  beforeAll(async () => ({ tenant, env, bankAccount, bank } = await newMerchant('files')));
  const payout = async (amount: string) =>
    idIn(await tenant.client.post('/v1/payouts', { amount, currency: 'EUR', recipient: await tenant.recipient() }));
  const listed = (...names: string[]) => readdirSync(join(folder, bankAccount, ...names)).sort();

  describe.sequential('by hand', () => {
    let first: string;
    let file: string;

    it('an export says what would leave, then what left', async () => {
      first = await payout('10.50');
      const dry = await bank('export', '--dry-run');
      expect([dry.code, dry.stdout]).toEqual([
        0,
        expect.stringMatching(/^ba_\w+ {2}sepa {2}20[\d-]+ {2}1 payouts {2}10\.50 EUR\n$/),
      ]);
      const done = await bank('export');
      expect(done.stdout).toMatch(/^pf_\w+ {2}sealed {2}sepa .* 1 payouts {2}10\.50 EUR\n$/);
      [file = ''] = done.stdout.split(' ');
      expect((await bank('export')).stderr).toContain('Nothing leaves.');
      expect((await bank('files')).stdout).toBe(done.stdout);
    });

    it('a file is downloaded, to the output or into a new file', async () => {
      const { stdout } = await bank('download', file);
      expect(stdout).toContain(`<EndToEndId>${outgoing(first)}</EndToEndId>`);
      const path = join(folder, 'payments.xml');
      expect((await bank('download', file, '--output', path)).code).toBe(0);
      expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([stdout, 0o600]);
      expect((await bank('download', file, '--output', path)).stderr).toContain('EEXIST');
    });

    it('files of the bank are imported, and what is wrong is said', async () => {
      const path = join(folder, 'statement.xml');
      writeFileSync(
        path,
        statement('2026-11-23', '100.00', '89.50', [{ amount: '-10.50', details: [{ endToEndId: outgoing(first) }] }]),
      );
      const { code, stdout } = await bank('import', path);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/: sf_\w+, 1 statements, 0 skipped\n$/)]);
      expect(must(await tenant.client.get(`/v1/payouts/${first}`)).json['status']).toBe('paid');
      expect((await bank('entries')).stdout).toMatch(/^be_\w+ {2}2026-11-23 {2}\+100\.00 EUR/);
      expect((await bank('status')).stdout).toMatch(/89\.50 EUR.*1.*2026-11-23.*ok.*0/);
      writeFileSync(path, '<Document>');
      const broken = await bank('import', path);
      expect([broken.code, broken.stdout]).toEqual([4, '']);
      expect(broken.stderr).toMatch(/: The file .*\n$|XML|Document/);
    });

    it('says what is missing', async () => {
      const { code, stderr } = await cli(['bank', 'files'], {});
      expect([code, stderr]).toEqual([2, expect.stringContaining('BURSAR_URL and BURSAR_KEY')]);
      expect((await cli(['bank', 'watch', '/tmp', '--every', '0'], env)).stderr).toContain('1 to 99999');
      expect((await cli(['bank', '--help'], {})).stdout).toContain('bursar bank export --dry-run');
    });
  });

  describe.sequential('watched folders', () => {
    let second: string;
    let name: string;

    it('get each sealed file once, with a manifest', async () => {
      second = await payout('3');
      await bank('export');
      const { code, stdout } = await bank('watch', folder, '--once');
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(/^out {2}payouts-EUR-[\d-]+-PF\w+\.xml {2}1 payouts\n$/),
      ]);
      [name = ''] = listed('out');
      expect(listed('out')).toEqual([name, `${name}.json`]);
      const bytes = readFileSync(join(folder, bankAccount, 'out', name));
      const manifest = JSON.parse(readFileSync(join(folder, bankAccount, 'out', `${name}.json`), 'utf8')) as Json;
      expect(manifest).toMatchObject({
        file: name,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        size_bytes: bytes.length,
        payouts_count: 1,
        total_minor: 300,
        bank_account: bankAccount,
        verification_of_payee: true,
        suggested_ebics_order_type: 'CTV',
      });
      expect(statSync(join(folder, bankAccount, 'out', name)).mode & 0o777).toBe(0o600);
    });

    it('do not get it again, sent or not; a file that was cut off gets its name', async () => {
      const path = join(folder, bankAccount, 'out', name);
      renameSync(path, `${path}.part`); // as if killed before the last step
      expect((await bank('watch', folder, '--once')).stdout).toContain(`out  ${name}`);
      expect(listed('out')).toContain(name);
      rmSync(path); // sent and removed by the client of the bank
      expect((await bank('watch', folder, '--once')).stdout).toBe('');
      expect(listed('out')).toEqual([`${name}.json`]);
    });

    it('take in what is put there, whole, and keep it with a report', async () => {
      const put = (file: string, text: string) => writeFileSync(join(folder, bankAccount, 'in', file), text);
      const messageId = /PF\w+/.exec(name)?.[0] as string;
      put(
        'report.xml',
        pain002({ messageId, answers: [{ endToEndId: outgoing(second), status: 'RJCT', reason: 'AC04' }] }),
      );
      put('later.xml.part', 'is still being written');
      put('broken.xml', 'no statement file');
      const { stdout } = await bank('watch', folder, '--once');
      expect(stdout).toMatch(/FAILED {2}broken\.xml/);
      expect(stdout).toMatch(/done {2}report\.xml/);
      expect(listed('in')).toEqual(['later.xml.part']);
      expect(listed('done')).toEqual([
        expect.stringMatching(/-report\.xml$/),
        expect.stringMatching(/-report\.xml\.json$/),
      ]);
      const [, report] = listed('failed');
      expect(readFileSync(join(folder, bankAccount, 'failed', report as string), 'utf8')).toContain(
        'statement_file_invalid',
      );
      expect(must(await tenant.client.get(`/v1/payouts/${second}`)).json['status']).toBe('failed');
    });

    it('leave everything where it is while the server is away', async () => {
      writeFileSync(join(folder, bankAccount, 'in', 'waits.xml'), 'x');
      const away = await cli(['bank', 'watch', folder, '--once'], { ...env, BURSAR_URL: 'http://127.0.0.1:9' });
      expect(away.code).toBe(1);
      expect(listed('in')).toContain('waits.xml');
    });
  });
});
