/** `bursar bank accounts|export|import|status|files|entries|review|reconcile|download|watch`: payment files out and statement files in, on a running server. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { BankAccount, BankEntry, PaymentFileExport, PaymentFile, BankStatement } from '../../client/src/bursar.ts';
import { formatMoney } from '../core/values/money.ts';
import { EXIT_CODES, Exit } from '../operator/exit.ts';
import { accountsCommand } from './bank-accounts.ts';
import { type BankClient, bankClient, importedDocument } from './bank-client.ts';
import { type Seen, watchOnce } from './bank-folders.ts';
import { reconcileCommand } from './bank-reconcile.ts';
import { reviewCommand } from './bank-review.ts';
import { asking, remote, type RemoteOptions } from './remote/connection.ts';
import { described, endSignal, printRows, wholeNumber } from './remote/output.ts';
import { print, printFile, say, sayText } from './remote/terminal.ts';

export function bankCommand(): Command {
  const examples = 'bank export --dry-run\n  bursar bank import statement.xml';
  const bank = described(new Command('bank'), 'payment files out and statement files in', examples);
  const verb = (line: string, about: string, example: string) =>
    remote(described(bank.command(line), about, `bank ${example}`));
  bank.addCommand(accountsCommand());
  verb('export', 'put what may leave into files for your bank, and wait until they are sealed', 'export --dry-run')
    .option('--account <ba_…>', 'pay from this bank account')
    .option('--dry-run', 'only say what would leave, and what stays and why')
    .action(exportNow);
  verb(
    'import <file...>',
    'import files of your bank: camt.053, camt.052, camt.054, pain.002, MT940, MT942, or a ZIP of such files',
    'import statement.xml',
  )
    .option('--continue', 'go on behind a file that cannot be imported')
    .option('--encoding <name>', 'of a file that does not say its own, or lies about it, such as iso-8859-1')
    .action(importFiles);
  verb('status', 'bank accounts with their balances, and what waits', 'status').action(status);
  verb('files', 'list the newest files for your bank', 'files --json').action(files);
  verb('entries', 'list entries that found no place by themselves', 'entries --all')
    .option('--all', 'also those that did')
    .action(entries);
  bank.addCommand(reviewCommand());
  bank.addCommand(reconcileCommand());
  verb('download <pf_…>', 'write a sealed file to standard output', 'download pf_… > payments.xml')
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

const amount = (minor: number, currency: string): string => formatMoney(BigInt(minor), currency);

interface ExportOptions extends RemoteOptions {
  readonly account?: string;
  readonly dryRun?: boolean;
}

async function exportNow(options: ExportOptions): Promise<void> {
  const client = await bankClient(options);
  const asked = { ...(options.account && { bank_account: options.account }), ...(options.dryRun && { dry_run: true }) };
  const exported = await asking(() => client.post<PaymentFileExport>('/v1/payment_files', asked));
  const done: PaymentFile[] = [];
  for (const { id } of exported.files) done.push(await asking(() => sealed(client, id)));
  if (options.json) return print(JSON.stringify({ ...exported, files: done }));
  for (const { payouts_count, total_minor, currency, message } of exported.held)
    say(`stays: ${payouts_count} payouts, ${amount(total_minor, currency)}. ${message}`);
  const lines = options.dryRun
    ? exported.planned.map((each) => `${each.bank_account}  ${paymentsOf(each)}`)
    : done.map(lineOf);
  if (lines.length === 0) say('Nothing leaves.');
  for (const line of lines) print(line);
}

async function sealed(client: BankClient, id: string): Promise<PaymentFile> {
  for (let shown = -1; ; await sleep(200)) {
    const file = await client.get<PaymentFile>(`/v1/payment_files/${id}`);
    const { status, payouts_count: count } = file;
    if (status !== 'claiming') return file;
    if (count > shown && process.stderr.isTTY) say(`${id}: ${count} payouts …`);
    shown = count;
  }
}

const paymentsOf = ({
  route,
  execution_on,
  payouts_count,
  total_minor,
  currency,
}: PaymentFileExport['planned'][number]) =>
  `${route}  ${execution_on}  ${payouts_count} payouts  ${amount(total_minor, currency)}`;
const lineOf = (file: PaymentFile): string => `${file.id}  ${file.status}  ${paymentsOf(file)}`;

interface ImportOptions extends RemoteOptions {
  readonly encoding?: string;
  readonly continue?: boolean;
}

/** One after the other. The first that fails ends it and says how far it came, unless the command is to go on behind it. */
async function importFiles(paths: readonly string[], options: ImportOptions): Promise<void> {
  const client = await bankClient(options);
  const failed: { readonly path: string; readonly reason: 'refused' | 'failed' }[] = [];
  for (const [index, path] of paths.entries()) {
    try {
      await asking(() => importFile(client, path, options));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      const reason = error.code === EXIT_CODES.refused ? 'refused' : 'failed';
      const fault = `${path}: ${error.message}`;
      if (!options.continue) throw new Exit(reason, [fault, ...rest(paths, index)].join('\n'));
      sayText(`${fault}\n`);
      failed.push({ path, reason });
    }
  }
  const [first] = failed;
  if (!first) return;
  const names = failed.map(({ path }) => path).join(', ');
  throw new Exit(first.reason, `Not imported, ${failed.length} of ${paths.length} files: ${names}`);
}

/** Of several files, which were imported before one that was not, and which were not looked at. */
function rest(paths: readonly string[], index: number): readonly string[] {
  const [before, after] = [paths.slice(0, index), paths.slice(index + 1)];
  return [
    ...(before.length > 0 ? [`Imported before it: ${before.join(', ')}`] : []),
    ...(after.length > 0
      ? [`Not looked at: ${after.join(', ')}. With --continue the import goes on behind such a file.`]
      : []),
  ];
}

async function importFile(client: BankClient, path: string, options: ImportOptions): Promise<void> {
  const onWait = () => process.stderr.isTTY && say(`${path}: importing …`);
  const document = await importedDocument(client, path, onWait, options.encoding);
  const { id, statements_count, skipped_count, notes } = document;
  if (options.json) return print(JSON.stringify(document));
  print(`${path}: ${id}, ${statements_count} statements, ${skipped_count} skipped`);
  for (const note of notes) say(`  ${note}`);
}

const STATUS = ['bank account', 'currency', 'balance', 'unmatched', 'newest statement', 'proof', 'files unanswered'];

async function status(options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  const accounts = await asking(() => client.whole<BankAccount>('/v1/bank_accounts?status=open'));
  const rows = [];
  for (const account of accounts) rows.push(await asking(() => whatWaits(client, account)));
  if (options.json) for (const row of rows) print(JSON.stringify(row));
  else
    await printRows(
      STATUS,
      rows.map((row) =>
        Object.values({ ...row, balance: amount(row.balance, row.currency) }).map((cell) => cell ?? '–'),
      ),
    );
}

/** Members in the order of {@link STATUS}. */
async function whatWaits(client: BankClient, { id, currency, balance }: BankAccount) {
  const of = `bank_account=${id}`;
  const [statement] = (await client.get<Listed<BankStatement>>(`/v1/bank_statements?${of}&limit=1`)).data;
  let [unmatched, files_unanswered] = [0, 0];
  for await (const _ of client.all(`/v1/bank_entries?${of}&status=unmatched`)) unmatched += 1;
  for await (const file of client.all<PaymentFile>(`/v1/payment_files?${of}&status=sealed`))
    files_unanswered += file.answered_at === null ? 1 : 0;
  const newest = { newest_statement: statement?.closed_on ?? null, proof: statement?.proof ?? null };
  return { bank_account: id, currency, balance, unmatched, ...newest, files_unanswered };
}

interface Listed<T> {
  readonly data: readonly T[];
}

async function files(options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  const { data } = await asking(() => client.get<Listed<PaymentFile>>('/v1/payment_files?limit=20'));
  for (const file of data) print(options.json ? JSON.stringify(file) : lineOf(file));
}

async function entries(options: RemoteOptions & { readonly all?: boolean }): Promise<void> {
  const client = await bankClient(options);
  await asking(async () => {
    for await (const entry of client.all<BankEntry>(`/v1/bank_entries${options.all ? '' : '?status=unmatched'}`)) {
      if (options.json) print(JSON.stringify(entry));
      else printEntry(entry);
    }
  });
}

function printEntry({ id, booked_on, direction, amount_minor, currency, ...entry }: BankEntry): void {
  const money = `${direction === 'credit' ? '+' : '-'}${amount(amount_minor, currency)}`;
  const { counterparty, remittance, conflict } = entry;
  print(`${id}  ${booked_on ?? '–'}  ${money}  ${counterparty.name ?? '–'}  ${remittance.text ?? '–'}`);
  if (conflict !== null) print(`  ${conflict}`);
}

async function download(file: string, options: RemoteOptions & { readonly output?: string }): Promise<void> {
  const client = await bankClient(options);
  const bytes = await asking(() => client.download(`/v1/payment_files/${encodeURIComponent(file)}/content`));
  if (options.output === undefined) printFile(bytes);
  else await writeFile(options.output, bytes, { mode: 0o600, flag: 'wx' });
}

interface WatchOptions extends RemoteOptions {
  readonly every: number;
  readonly once?: boolean;
}

async function watch(folder: string, { every, once, ...options }: WatchOptions): Promise<void> {
  const client = await bankClient(options);
  const seen: Seen = new Map();
  const signal = endSignal();
  say(`Watching ${folder}, every ${every} s. Stop with Ctrl-C.`);
  for (let rounds = 1; !signal.aborted; rounds += 1) {
    // A server that is away comes back; the next round goes on where this one stopped.
    await asking(() => watchOnce(client, folder, seen, print)).catch((error: unknown) => {
      if (once) throw error;
      say(`${new Date().toISOString()}  ${error instanceof Error ? error.message : String(error)}`);
    });
    if (once && rounds === 2) return;
    await sleep((once ? 1 : every) * 1_000, undefined, { signal }).catch(() => undefined);
  }
}
