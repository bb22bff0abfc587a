/** `bursar bank accounts|export|import|status|files|entries|reconcile|download|watch`: payment files out and statement files in, on a running server. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { formatMoney } from '../core/values/money.ts';
import { accountsCommand } from './bank-accounts.ts';
import { type BankClient, bankClient, importedDocument } from './bank-client.ts';
import { type Seen, watchOnce } from './bank-folders.ts';
import { reconcileCommand } from './bank-reconcile.ts';
import { asking, remote, type RemoteOptions } from './remote/connection.ts';
import { type Json, print, printRows, say } from './remote/output.ts';
import { wholeNumber } from './terminal.ts';

const EXAMPLE = (line: string) => `\nExample:\n  bursar bank ${line}`;

export function bankCommand(): Command {
  const bank = new Command('bank')
    .description('payment files out and statement files in')
    .addHelpText('after', `${EXAMPLE('export --dry-run')}\n  bursar bank import statement.xml`);
  const verb = (line: string, about: string, example: string) =>
    remote(bank.command(line).description(about)).addHelpText('after', EXAMPLE(example));
  bank.addCommand(accountsCommand());
  verb('export', 'put what may leave into files for your bank, and wait until they are sealed', 'export --dry-run')
    .option('--account <ba_…>', 'pay from this bank account')
    .option('--dry-run', 'only say what would leave, and what stays and why')
    .action(exportNow);
  verb(
    'import <file...>',
    'import files of your bank: camt.053, camt.052, camt.054, pain.002, or a ZIP of such files',
    'import statement.xml',
  ).action(importFiles);
  verb('status', 'bank accounts with their balances, and what waits', 'status').action(status);
  verb('files', 'list the newest files for your bank', 'files --json').action(files);
  verb('entries', 'list entries that found no place by themselves', 'entries --all')
    .option('--all', 'also those that did')
    .action(entries);
  bank.addCommand(reconcileCommand());
  verb('download <bf_…>', 'write a sealed file to standard output', 'download bf_… > payments.xml')
    .option('--output <path>', 'or to this file')
    .action(download);
  verb(
    'watch <folder>',
    'keep a folder for each bank account: sealed files appear in out/, files in in/ are imported',
    'watch /var/lib/bank',
  )
    .option('--every <seconds>', 'how often to look', wholeNumber(1, 99_999, ' of seconds'), 10)
    .option('--once', 'look twice, a moment apart, and end')
    .action(watch);
  return bank;
}

const amount = (minor: unknown, currency: unknown): string => formatMoney(BigInt(minor as number), currency as string);

interface ExportOptions extends RemoteOptions {
  readonly account?: string;
  readonly dryRun?: boolean;
}

async function exportNow(options: ExportOptions): Promise<void> {
  const client = await bankClient(options);
  const asked = { ...(options.account && { bank_account: options.account }), ...(options.dryRun && { dry_run: true }) };
  const exported = await asking(() => client.post('/v1/bank/exports', asked));
  const done: Json[] = [];
  for (const { id } of exported['files'] as readonly Json[])
    done.push(await asking(() => sealed(client, id as string)));
  if (options.json) return print(JSON.stringify({ ...exported, files: done }));
  for (const each of exported['held'] as readonly Json[]) {
    say(
      `stays: ${each['payouts_count'] as number} payouts, ${amount(each['total'], each['currency'])}. ${each['message'] as string}`,
    );
  }
  if (options.dryRun) {
    const planned = exported['planned'] as readonly Json[];
    if (planned.length === 0) say('Nothing leaves.');
    for (const each of planned) {
      print(
        `${each['bank_account'] as string}  ${each['route'] as string}  ${each['execution_day'] as string}  ${each['payouts_count'] as number} payouts  ${amount(each['total'], each['currency'])}`,
      );
    }
    return;
  }
  if (done.length === 0) say('Nothing leaves.');
  for (const file of done) print(lineOf(file));
}

async function sealed(client: BankClient, id: string): Promise<Json> {
  for (let shown = -1; ; await sleep(200)) {
    const file = await client.get(`/v1/bank/files/${id}`);
    if (file['status'] !== 'claiming') return file;
    const count = file['payouts_count'] as number;
    if (count > shown && process.stderr.isTTY) say(`${id}: ${count} payouts …`);
    shown = count;
  }
}

const lineOf = (file: Json): string =>
  `${file['id'] as string}  ${file['status'] as string}  ${file['route'] as string}  ${file['execution_day'] as string}  ${file['payouts_count'] as number} payouts  ${amount(file['total'], file['currency'])}`;

async function importFiles(paths: readonly string[], options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  for (const path of paths) {
    const onWait = () => process.stderr.isTTY && say(`${path}: importing …`);
    const document = await asking(() => importedDocument(client, path, onWait));
    if (options.json) print(JSON.stringify(document));
    else {
      print(
        `${path}: ${document['id'] as string}, ${document['statements_count'] as number} statements, ${document['skipped_count'] as number} skipped`,
      );
      for (const note of document['notes'] as readonly string[]) say(`  ${note}`);
    }
  }
}

const STATUS = ['bank account', 'currency', 'balance', 'unmatched', 'newest statement', 'proof', 'files unanswered'];

async function status(options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  const accounts = await asking(() => client.whole('/v1/bank_accounts?status=open'));
  const rows = [];
  for (const account of accounts) rows.push({ account, ...(await asking(() => whatWaits(client, account))) });
  if (options.json)
    for (const { account, ...row } of rows) print(JSON.stringify({ bank_account: account['id'], ...row }));
  else await printRows(STATUS, rows.map(rowOf));
}

async function whatWaits(client: BankClient, account: Json) {
  const of = `bank_account=${account['id'] as string}`;
  const [statement] = (await client.get(`/v1/bank/statements?${of}&limit=1`))['data'] as readonly Json[];
  let [unmatched, files_unanswered] = [0, 0];
  for await (const _ of client.all(`/v1/bank/entries?${of}&status=unmatched`)) unmatched += 1;
  for await (const file of client.all(`/v1/bank/files?${of}&status=sealed`))
    files_unanswered += file['answered_at'] === null ? 1 : 0;
  const { currency, balance } = account;
  const newest = { newest_statement: statement?.['closed_on'] ?? null, proof: statement?.['proof'] ?? null };
  return { currency, balance, unmatched, ...newest, files_unanswered };
}

const rowOf = ({
  account,
  currency,
  balance,
  ...row
}: { readonly account: Json } & Awaited<ReturnType<typeof whatWaits>>) => [
  account['id'],
  currency,
  amount(balance, currency),
  row.unmatched,
  row.newest_statement ?? '–',
  row.proof ?? '–',
  row.files_unanswered,
];

async function files(options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  const { data } = await asking(() => client.get('/v1/bank/files?limit=20'));
  for (const file of data as readonly Json[]) print(options.json ? JSON.stringify(file) : lineOf(file));
}

async function entries(options: RemoteOptions & { readonly all?: boolean }): Promise<void> {
  const client = await bankClient(options);
  await asking(async () => {
    for await (const entry of client.all(`/v1/bank/entries${options.all ? '' : '?status=unmatched'}`)) {
      if (options.json) print(JSON.stringify(entry));
      else printEntry(entry);
    }
  });
}

function printEntry(entry: Json): void {
  const { name } = entry['counterparty'] as { readonly name: string | null };
  const { text } = entry['remittance'] as { readonly text: string | null };
  const sign = entry['direction'] === 'credit' ? '+' : '-';
  print(
    `${entry['id'] as string}  ${(entry['booked_on'] as string | null) ?? '–'}  ${sign}${amount(entry['amount_minor'], entry['currency'])}  ${name ?? '–'}  ${text ?? '–'}`,
  );
  if (entry['conflict'] !== null) print(`  ${entry['conflict'] as string}`);
}

async function download(file: string, options: RemoteOptions & { readonly output?: string }): Promise<void> {
  const client = await bankClient(options);
  const bytes = await asking(() => client.download(`/v1/bank/files/${encodeURIComponent(file)}/content`));
  if (options.output === undefined) process.stdout.write(bytes);
  else await writeFile(options.output, bytes, { mode: 0o600, flag: 'wx' });
}

interface WatchOptions extends RemoteOptions {
  readonly every: number;
  readonly once?: boolean;
}

async function watch(folder: string, { every, once, ...options }: WatchOptions): Promise<void> {
  const client = await bankClient(options);
  const seen: Seen = new Map();
  let isStopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isStopped = true));
  say(`Watching ${folder}, every ${every} s. Stop with Ctrl-C.`);
  for (let rounds = 1; !isStopped; rounds += 1) {
    // A server that is away comes back; the next round goes on where this one stopped.
    await asking(() => watchOnce(client, folder, seen, print)).catch((error: unknown) => {
      if (once) throw error;
      say(`${new Date().toISOString()}  ${error instanceof Error ? error.message : String(error)}`);
    });
    if (once && rounds === 2) return;
    for (let waited = 0; waited < (once ? 1 : every) && !isStopped; waited += 1) await sleep(1_000);
  }
}
