/**
 * The command line on a running server: what it prints, how it ends, what it loads to start; and cut off once or twice. The
 * controls of that, and more cuts: `test/long/command-line.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, webhooks } from '../../client/src/bursar.ts';
import { cutBatches, cutListening } from '../support/faults/cli-cuts.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { BUILT, cli, startCli } from '../support/harness/cli.ts';
import { eventually } from '../support/harness/eventually.ts';
import { modulesLoadedBy } from '../support/harness/loaded.ts';
import { builtProgram } from '../support/harness/server-process.ts';
import { answers, startReceiver } from '../support/webhooks/receiver.ts';

const WITHIN = { timeout: 20_000, interval: 100 };
/** Files; what works on the database loads twice as many. */
const LITTLE = 35;
const SMALL_BATCH = { size: 100, seed: 7, most: 1, control: false };
const SMALL_STREAM = { size: 12, seed: 7, most: 2, control: false };

let app: Application;
let folder: string;
let env: Record<string, string>;
let recipient: string;
/** Another merchant, whose figures stand still beside the others' cases. */
let alone: { readonly env: Record<string, string>; readonly recipient: string };

beforeAll(async () => {
  builtProgram();
  app = await startApplication();
  folder = mkdtempSync(join(tmpdir(), 'bursar-cli-'));
  env = { BURSAR_URL: app.address, BURSAR_API_KEY: app.sandbox.key, XDG_CONFIG_HOME: folder };
  recipient = await funded(app.sandbox.key);
  const { key } = app.otherSandbox;
  alone = { env: { ...env, BURSAR_API_KEY: key }, recipient: await funded(key) };
});

/** The recipient of somebody who has 1000.00 EUR. */
async function funded(key: string): Promise<string> {
  const bursar = createClient({ url: app.address, apiKey: key });
  const account = await bursar.accounts.create({ currency: 'EUR' });
  await bursar.testHelpers.accounts.fund(account.id, { amount: '1000.00' });
  const details = { currency: 'EUR', country: 'DE', iban: 'DE89370400440532013000' };
  return (await bursar.recipients.create({ name: 'Ada Lovelace', type: 'individual', ...details })).id;
}
afterAll(async () => {
  await app.stop();
  rmSync(folder, { recursive: true });
});

const run = (...args: readonly string[]) => cli(args, env);

describe.concurrent('with the money of the sandbox', () => {
  describe.sequential('resources', () => {
    it('are made, read and acted on', async () => {
      const made = await run(
        'payouts',
        'create',
        'amount=250.00',
        'currency=EUR',
        `recipient=${recipient}`,
        'metadata[a]=b',
      );
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(made.stdout).toContain('"amount":250.00,"amount_minor":25000');
      const { id } = JSON.parse(made.stdout) as { id: string };
      const listed = await run('payouts', 'list', 'status=pending');
      expect(listed.stdout.split('\n')[0]?.split('\t').slice(0, 4)).toEqual([id, '250.00', 'EUR', 'pending']);
      const asJson = await run('payouts', 'list', '--json', '--all');
      expect(JSON.parse(asJson.stdout)).toMatchObject({ id, amount: 250, metadata: { a: 'b' } });
      expect((await run('payouts', 'cancel', id)).stdout).toContain('"status":"canceled"');
      expect((await run('get', '/v1/payouts', 'status=canceled', 'limit=1')).stdout).toContain(id);
      expect((await run('post', `/v1/payouts/${id}`, 'metadata[c]=d')).stdout).toContain('"c":"d"');
    });

    it('the same idempotency key does a thing once', async () => {
      const args = [
        'payouts',
        'create',
        'amount=1',
        'currency=EUR',
        `recipient=${recipient}`,
        '--idempotency-key',
        'once',
      ];
      const [first, again] = [await run(...args), await run(...args)];
      expect(first.stdout).toBe(again.stdout);
    });

    it('stats say where the environment stands', async () => {
      const { stdout } = await run('stats', '--json');
      expect(JSON.parse(stdout)).toMatchObject({
        'balance EUR': expect.stringMatching(/^\d+\.00$/),
        'payouts in_transit': 0,
      });
    });
  });

  describe.sequential('payouts batch', () => {
    const runAlone = (...args: readonly string[]) => cli(args, alone.env);
    let files = 0;
    const batch = (text: string | Buffer, ...args: readonly string[]) => {
      const file = join(folder, `${(files += 1)}.csv`);
      writeFileSync(file, text);
      return runAlone('payouts', 'batch', file, ...args).then((ended) => ({ ...ended, file }));
    };

    it('tells all faults, its own and the server’s, before anything is sent', async () => {
      const before = await runAlone('stats', '--json');
      const own = await batch('amount,currency,recipient\n1.001,EUR,rcp_x\nx,EUR,rcp_x\n', '--yes');
      expect(own.code).toBe(2);
      expect(own.stderr).toMatch(/2 faults\. Nothing was sent\.\nline 2, amount: .*\nline 3, amount: /);
      const theirs = await batch(
        `amount,currency,recipient\n1,EUR,${alone.recipient}\n1,EUR,rcp_01jd3v9q4ne8v8k3w2m6r5t7xa\n`,
        '--yes',
      );
      expect(theirs.stderr).toContain('line 3, recipient: No such recipient');
      const poor = await batch(
        `amount,currency,recipient\n600,EUR,${alone.recipient}\n600,EUR,${alone.recipient}\n`,
        '--yes',
        '--chunk',
        '1',
      );
      expect(poor.stderr).toMatch(/EUR: 2 rows, 1200\.00; there is 1000\.00, 200\.00 is missing/);
      expect((await runAlone('stats', '--json')).stdout).toBe(before.stdout);
    });

    it('reads a file in its encoding, or says which line it cannot read', async () => {
      const text = `amount,currency,recipient,reference\n1,EUR,${alone.recipient},Grüße\n`;
      const unnamed = await batch(Buffer.from(text, 'latin1'), '--dry-run');
      expect([unnamed.code, unnamed.stderr]).toEqual([
        2,
        expect.stringMatching(/is not in utf-8: line 2 cannot be read/),
      ]);
      const named = await batch(Buffer.from(text, 'latin1'), '--dry-run', '--encoding', 'windows-1252');
      expect([named.code, named.stderr]).toEqual([0, expect.stringContaining('1 rows could be paid')]);
      const marked = await batch(Buffer.from(`\uFEFF${text}`, 'utf16le'), '--dry-run');
      expect([marked.code, marked.stderr]).toEqual([0, expect.stringContaining('1 rows could be paid')]);
    });

    it('pays, says what became of every row, and pays nothing again', async () => {
      const text = `Betrag;Wer\n1,50;${alone.recipient}\n2,50;${alone.recipient}\n`;
      const args = ['--map', 'amount=Betrag', '--map', 'recipient=Wer', '--set', 'currency=EUR', '--decimal-comma'];
      const unasked = await batch(text, ...args);
      expect([unasked.code, unasked.stderr.includes('Say --yes')]).toEqual([2, true]);
      const { code, file, stderr } = await batch(text, ...args, '--yes');
      expect(code).toBe(0);
      expect(stderr).toMatch(/^EUR: 2 rows, 4\.00; there is \d+\.\d\d\n$/);
      const result = readFileSync(`${file}.result.csv`, 'utf8');
      expect(result).toMatch(/^line,external_id,status,payout,message\n2,bursar-cli-\w+,pending,po_\w+,\n3,/);
      const again = await runAlone('payouts', 'batch', file, ...args, '--yes');
      expect(again.stderr).toContain('Paid by an earlier run: 2 of 2 rows.');
      expect(readFileSync(`${file}.result.csv`, 'utf8')).toBe(result);
    });

    it('pays names and IBANs once, and makes nobody a recipient unasked', async () => {
      const text =
        'name;iban;amount;currency\nADA LOVELACE;DE89 3704 0044 0532 0130 00;1;EUR\nBob;NL91ABNA0417164300;2;EUR\n';
      const people = async () =>
        (
          await createClient({ url: app.address, apiKey: alone.env['BURSAR_API_KEY'] as string })
            .recipients.list()
            .page()
        ).data;
      const known = (await people()).length;
      const shown = 'Payees that are no recipients yet: 1\nline 3: Bob, …4300\n';
      const tried = await batch(text, '--dry-run');
      expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining(shown)]);
      const unasked = await batch(text, '--yes');
      expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--create-recipients is needed')]);
      expect(await people()).toHaveLength(known);
      const { code, file } = await batch(text, '--yes', '--create-recipients');
      expect(code).toBe(0);
      const result = readFileSync(`${file}.result.csv`, 'utf8');
      expect(result).toMatch(/\n2,bursar-cli-\w+,pending,po_\w+,\n3,bursar-cli-\w+,pending,po_/);
      const again = await runAlone('payouts', 'batch', file, '--yes');
      expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Paid by an earlier run: 2 of 2 rows.')]);
      expect(await people()).toHaveLength(known + 1);
    });
  });

  describe.sequential('payouts why in a sandbox', () => {
    it('says what the key may not read', async () => {
      const { key } = await app.key({ scopes: ['payouts:read'] });
      const { id } = await createClient({ url: app.address, apiKey: app.sandbox.key }).payouts.create({
        amount: '1.00',
        currency: 'EUR',
        recipient,
      });
      const { code, stdout, stderr } = await cli(['payouts', 'why', id], { ...env, BURSAR_API_KEY: key });
      expect([code, stdout]).toEqual([0, expect.stringContaining('The sandbox bank takes the next step')]);
      expect(stderr).toContain('Not looked at: payout rules.');
    });

    it('says what a second person has not agreed to', async () => {
      const { key, id: by } = await app.key({ merchant: 'careful' });
      const bursar = createClient({ url: app.address, apiKey: key });
      const account = (await bursar.accounts.create({ currency: 'EUR' })).id;
      await bursar.testHelpers.accounts.fund(account, { amount: '10.00' });
      const to = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE' } as const;
      const whom = (await bursar.recipients.create({ ...to, iban: 'DE02120300000000202051' })).id;
      const { id: limit } = await bursar.limits.create({ count: 0, action: 'hold' });
      const order = { amount: '5.00', currency: 'EUR', recipient: whom } as const;
      const { id: byLimit } = await bursar.payouts.create(order);
      await bursar.payoutRules.update({ hold_new_recipients_hours: 24 });
      const { id } = await bursar.payouts.create(order);
      await bursar.payoutRules.update({ frozen: true });
      await bursar.payoutRules.update({ frozen: false, hold_new_recipients_hours: 0 });
      await bursar.limits.delete(limit);
      const why = (payout: string) => cli(['payouts', 'why', payout], { ...env, BURSAR_API_KEY: key });
      expect((await why(byLimit)).stdout).toContain(`Limit ${limit}, which holds it, is to be deleted: ${by} asked`);
      const { stdout } = await why(id);
      expect(stdout).toContain(`${by} asked to end the freeze, and nobody has agreed`);
      expect(stdout).toContain(`The rule that holds it is to become looser: ${by} asked`);
      const { fingerprint } = (await bursar.payoutRules.retrieve()).pending_changes ?? {};
      expect(stdout).toContain(`bursar post /v1/settings/payouts/approve fingerprint=${fingerprint}`);
    });
  });
});

describe.concurrent('payouts why', () => {
  it('follows a live payout from missing money to the bank', async ({ expect }) => {
    const bursar = createClient({ url: app.address, apiKey: app.live.key });
    const why = async (id: string, ...args: readonly string[]) =>
      (await cli(['payouts', 'why', id, ...args], { ...env, BURSAR_API_KEY: app.live.key })).stdout;
    const account = (await bursar.accounts.create({ currency: 'EUR' })).id;
    const iban = 'DE02120300000000202051';
    const hours = { cut_off: '14:30', time_zone: 'Europe/Berlin' };
    const bank = { currency: 'EUR', country: 'DE', holder: 'Example GmbH', bank_details: { iban }, ...hours } as const;
    const bankAccount = (await bursar.bankAccounts.create(bank)).id;
    const to = { name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE', iban } as const;
    const whom = (await bursar.recipients.create(to)).id;
    const order = { amount: '5.00', currency: 'EUR', recipient: whom, account, on_insufficient_funds: 'wait' } as const;
    const { id } = await bursar.payouts.create(order);
    expect(await why(id)).toContain(
      `${id} is waiting: 5.00 EUR\nAccount ${account} holds 0.00 EUR, and the payout needs 5.00 EUR`,
    );

    await app.submit(app.live.environmentId, { type: 'fund_account', account, amount: '5.00' });
    await expect.poll(async () => (await bursar.payouts.retrieve(id)).status, WITHIN).toBe('pending');
    await bursar.payoutRules.update({ frozen: true });
    expect(await why(id)).toContain('All payouts of this environment are frozen.\n');
    await bursar.payoutRules.update({ frozen: false });
    const byHand = JSON.parse(await why(id, '--json')) as unknown;
    expect(byHand).toMatchObject({ payout: id, status: 'pending', reasons: [{ reason: 'export_by_hand' }] });
    await bursar.bankAccounts.close(bankAccount);
    expect(await why(id)).toContain('No open bank account pays in EUR.');
    await bursar.bankAccounts.create({ ...bank, bank_details: { iban: 'DE89370400440532013000' } });

    const [file] = (await bursar.paymentFiles.create()).files;
    await expect.poll(async () => (await bursar.paymentFiles.retrieve(file?.id ?? '')).status, WITHIN).toBe('sealed');
    expect(await why(id)).toContain(`It is in payment file ${file?.id}, and the bank has reported nothing`);
  });
});

describe.concurrent('ends', () => {
  it('with 4 where the API refuses, saying code, parameter and request', async () => {
    const refused = await run('payouts', 'create', 'amount=5', 'currency=EU', `recipient=${recipient}`);
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toMatch(/code currency_unsupported, parameter currency, request req_/);
  });
  it('with 2 for a wrong command line', async () => {
    const wrong = [
      ['payots'],
      ['payouts', 'list', '--nope'],
      ['payouts', 'create', 'amount'],
      ['get', 'v2'],
      ['trigger', 'payout.payed'],
    ];
    const ended = await Promise.all(wrong.map(async (args) => [...args, (await run(...args)).code]));
    expect(ended).toEqual(wrong.map((args) => [...args, 2]));
    expect(await cli(['accounts', 'list'], { XDG_CONFIG_HOME: folder })).toMatchObject({ code: 2 });
  });
  it('with 1 where no server answers', async () => {
    const gone = await cli(['accounts', 'list'], { ...env, BURSAR_URL: 'http://127.0.0.1:9' });
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('No answer from http://127.0.0.1:9');
  });
});

describe.concurrent('profiles', () => {
  it('keep address and key in a file of the user alone', async () => {
    const saved = await run('login', '--profile', 'tests', '--url', app.address, '--key', app.sandbox.key);
    expect(saved).toMatchObject({ code: 0 });
    expect(statSync(join(folder, 'bursar/profiles.json')).mode & 0o777).toBe(0o600);
    const listed = await cli(['accounts', 'list', '--profile', 'tests'], { XDG_CONFIG_HOME: folder });
    expect(listed.stdout.split('\t').slice(1, 3)).toEqual(['EUR', expect.stringMatching(/^\d+\.00$/)]);
    expect((await run('accounts', 'list', '--profile', 'gone')).stderr).toContain('bursar login --profile gone');
    expect((await run('login', '--key', 'sk_test_wrong')).code).toBe(4);
  });
});

describe.concurrent('the shell', () => {
  it('is completed', async () => {
    const { stdout } = await run('completion', 'bash');
    const script = `${stdout}\nCOMP_WORDS=(bursar pay); COMP_CWORD=1; _bursar; echo "$COMPREPLY"\nCOMP_WORDS=(bursar payouts ba); COMP_CWORD=2; _bursar; echo "$COMPREPLY"`;
    expect(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout).toBe('payouts\nbatch\n');
    expect((await run('completion', 'zsh')).stdout).toContain('#compdef bursar');
    expect((await run('completion', 'fish')).stdout).toContain("__fish_seen_subcommand_from payouts' -a 'list get");
  });

  it('may stop reading: `| head` is no error', async () => {
    const { child, ended } = startCli(['events', 'list'], env);
    child.stdout?.destroy(); // before the first byte
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not kept waiting: a verb loads what it needs', () => {
    expect(modulesLoadedBy(BUILT, ['--version']).length).toBeLessThan(LITTLE);
    const listing = modulesLoadedBy(BUILT, ['accounts', '--help']);
    expect(listing.length).toBeLessThan(LITTLE);
    const heavy = /node_modules\/(?:pg|fastify|pino|undici)\//;
    expect(listing.filter((path) => heavy.test(path))).toEqual([]);
    // control: what works on the database needs far more
    const verifying = modulesLoadedBy(BUILT, ['verify', '--help']);
    expect(verifying.length).toBeGreaterThan(LITTLE);
    expect(verifying.some((path) => heavy.test(path))).toBe(true);
  });
});

describe.concurrent('what is cut off', () => {
  it('payouts batch, killed and run again, pays each row once', async () => {
    const { complaints, counts } = await cutBatches(SMALL_BATCH);
    expect(complaints).toEqual([]);
    expect(counts['cuts']).toBe(SMALL_BATCH.most);
  });

  it('listen forwards every event, in order, over a killed server and a stopped command', async () => {
    const { complaints, counts } = await cutListening(SMALL_STREAM);
    expect(complaints).toEqual([]);
    expect(counts['cuts']).toBe(SMALL_STREAM.most);
  });
});

describe.concurrent('listen', () => {
  it('forwards what is sent again, with the same bytes and the same id', async ({ expect }) => {
    const bursar = createClient({ url: app.address, apiKey: app.sandbox.key });
    const receiver = await startReceiver(answers(200));
    const hook = await bursar.webhookEndpoints.create({ url: receiver.url, enabled_events: ['recipient.created'] });
    const listening = startCli(
      ['listen', '--forward-to', receiver.url, '--events', 'recipient.*', '--since', '0'],
      env,
    );
    const secret = () => /whsec_\S+/.exec(listening.output().stderr)?.[0] ?? '';
    const got = async (): Promise<string[]> => {
      const mine = [];
      for (const { body, headers } of receiver.received)
        if (await webhooks.verify(body, headers, secret()).catch(() => null)) mine.push(body);
      return mine; // deliveries of the endpoint itself have another secret
    };
    try {
      await expect.poll(() => listening.output().stderr, WITHIN).toContain('sent again from now on');
      await expect.poll(async () => (await got()).length, WITHIN).toBe(1);
      const [event] = (await bursar.events.list({ types: ['recipient.created'] }).page()).data;
      await bursar.events.resend(event?.id ?? '');
      await expect.poll(async () => (await got()).length, WITHIN).toBe(2);
      await bursar.webhookEndpoints.replay(hook.id, { event: event?.id });
      await expect.poll(async () => (await got()).length, WITHIN).toBe(3);
      const [account] = (await bursar.events.list({ types: ['account.created'] }).page()).data;
      await bursar.events.resend(account?.id ?? '', { webhook_endpoint: hook.id }); // not among --events
      await bursar.webhookEndpoints.replay(hook.id, { only: 'all', after_sequence: 0 }); // a range is the endpoint's own affair
      await bursar.events.resend(event?.id ?? '');
      await expect.poll(async () => (await got()).length, WITHIN).toBe(4);
      expect(new Set(await got()).size).toBe(1);
      await expect.poll(() => listening.output().stdout.match(/again → 200/g)?.length, WITHIN).toBe(3);
    } finally {
      listening.child.kill('SIGTERM');
      expect((await listening.ended).code).toBe(0);
      await receiver.stop();
      await bursar.webhookEndpoints.delete(hook.id);
    }
  });

  it('names its secret again, once, to a receiver that does not believe it', async ({ expect }) => {
    const receiver = await startReceiver(answers(400));
    const { key } = await app.key({ merchant: 'doubted' });
    const own = { ...env, BURSAR_API_KEY: key, XDG_CONFIG_HOME: join(folder, 'doubted') };
    const listening = startCli(['listen', '--forward-to', receiver.url], own);
    await expect.poll(() => listening.output().stderr, WITHIN).toContain('sent again from now on');
    expect((await cli(['trigger', 'payout.paid'], own)).code).toBe(0);
    await expect.poll(() => listening.output().stdout.match(/→ 400/g)?.length, WITHIN).toBeGreaterThan(3);
    listening.child.kill('SIGTERM');
    const { code, stderr } = await listening.ended;
    expect(code).toBe(0);
    const [, secret = 'none'] = /signed with (whsec_\S+)/.exec(stderr) ?? [];
    expect(stderr.match(/If it verifies signatures, it needs this secret: \S+/g)).toEqual([
      `If it verifies signatures, it needs this secret: ${secret}`,
    ]);
    await receiver.stop();
  });

  it('brings the first webhook as the README says', async ({ expect }) => {
    const said = readFileSync('README.md', 'utf8').match(/^ {4}bursar .*$/gm) ?? [];
    const [listen = [], trigger = []] = said.map((line) => line.trim().split(' ').slice(1));
    expect([listen[0], trigger[0], said.length]).toEqual(['listen', 'trigger', 2]);
    const receiver = await startReceiver(answers(200));
    const here = listen.map((word) => word.replace('http://127.0.0.1:3000', receiver.url));
    const { key } = await app.key({ merchant: 'readme' });
    const own = { ...env, BURSAR_API_KEY: key, XDG_CONFIG_HOME: join(folder, 'readme') };
    const listening = startCli(here, own);
    await expect.poll(() => listening.output().stderr, WITHIN).toContain('sent again from now on');
    expect((await cli(trigger, own)).code).toBe(0);
    await expect.poll(() => receiver.received.some(({ body }) => body.includes('"payout.paid"')), WITHIN).toBe(true);
    listening.child.kill('SIGTERM');
    expect((await listening.ended).code).toBe(0);
    await receiver.stop();
  });

  it('tail prints events, from where it is said', async () => {
    const tailing = startCli(['events', 'tail', '--since', '0', '--events', 'account.created'], env);
    await eventually('it prints an event', () => tailing.output().stdout.includes('\n'));
    tailing.child.kill('SIGINT');
    expect((await tailing.ended).stdout).toMatch(/^1\tevt_\w+\taccount\.created\tacct_\w+\n/);
  });
});
