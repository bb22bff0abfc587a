/**
 * `bursar payouts batch FILE.csv`: everything is checked before anything is sent, first here, then by the server (dry runs), then against
 * the balances. Each chunk is a batch, all or nothing, under an id that follows from its rows: after a cut the same command goes on where
 * it stopped. Must never send a chunk that the server has. The plan: `batch-plan.ts`.
 */
import { basename } from 'node:path';
import { Command } from 'commander';
import {
  type Bursar,
  BursarError,
  ConnectionError,
  type CreatePayoutBatchRequest,
  fromMinor,
  type MatchRecipientBatchRequest,
  type Payout,
} from '../../../client/src/bursar.ts';
import { withoutBlanks } from '../../core/rails/blanks.ts';
import { Exit, UsageError } from '../../operator/exit.ts';
import { type Chunk, type Fault, type Plan, planOf, type Row, csvLine } from './batch-plan.ts';
import { asking, connect, remote, type RemoteOptions } from './connection.ts';
import { replacePrivate } from './private-file.ts';
import { described, isConfirmed, type Pair, pairs, printRows, wholeNumber } from './output.ts';
import { print, say, showProgress, visible } from './terminal.ts';
import { readText } from './text-file.ts';

interface BatchOptions extends RemoteOptions {
  readonly map: readonly Pair[];
  readonly set: readonly Pair[];
  readonly decimalComma?: boolean;
  readonly encoding?: string;
  readonly chunk: number;
  readonly createRecipients?: boolean;
  readonly allowRepeated?: boolean;
  readonly run?: string;
  readonly result?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

const MAX_CHUNK_ROWS = 1_000;
const SHOWN_FAULTS = 1_000;
const SHOWN_NEWCOMERS = 50;
/** A refusal stays under its key. A batch that is sent again after the cause is gone therefore takes the next key. */
const MAX_KEYS = 20;

export function batchCommand(): Command {
  const command = described(
    new Command('batch').argument('<file>'),
    'pay everybody in a CSV file; safe to run again',
    'payouts batch november.csv --map amount=Betrag --map reference=Zweck --set currency=EUR --decimal-comma',
  );
  return remote(command)
    .option('--map <field=column>', 'which column is what; may be repeated', pairs, [])
    .option('--set <field=value>', 'the same for every row: --set currency=EUR', pairs, [])
    .option('--decimal-comma', 'amounts are written 250,00')
    .option('--encoding <name>', 'of a file that is neither UTF-8 nor marked as UTF-16, such as windows-1252')
    .option('--chunk <rows>', 'rows a batch, 1 to 1000', wholeNumber(1, MAX_CHUNK_ROWS), 500)
    .option('--create-recipients', 'make recipients of payees that are none, without asking')
    .option('--allow-repeated', 'pay the same twice to a payee where the file says so')
    .option('--run <name>', 'tells this run from another of the same rows; by default the name of the file')
    .option('--result <file>', 'file for the result of every row; by default FILE.result.csv')
    .option('--dry-run', 'check everything, pay nothing')
    .option('--yes', 'do not ask before paying')
    .action(batch);
}

async function batch(file: string, options: BatchOptions): Promise<void> {
  const { bursar } = await connect(options);
  const plan = planOf(await readText(file, options.encoding), {
    map: new Map(options.map),
    fixed: Object.fromEntries(options.set),
    chunkRows: options.chunk,
    hasDecimalComma: options.decimalComma === true,
    mayRepeat: options.allowRepeated === true,
    run: options.run ?? basename(file),
  });
  if (plan.faults.length > 0) throw faulty(plan.faults);
  if (plan.ignored.length > 0) say(`Columns that are not sent: ${plan.ignored.join(', ')}`);
  const done = new Map<string, string>(); // chunk → batch
  for (const chunk of plan.chunks) {
    const made = await asking(() => madeBatch(bursar, chunk));
    if (made !== undefined) done.set(chunk.id, made);
  }
  const open = plan.chunks.filter(({ id }) => !done.has(id));
  if (done.size > 0)
    say(`Paid by an earlier run: ${rowsIn(plan.chunks) - rowsIn(open)} of ${rowsIn(plan.chunks)} rows.`);
  const faults: Fault[] = [];
  const newcomers = new Map<string, Row>(); // by account
  for (const chunk of open) {
    const found = await asking(() => newcomersIn(bursar, chunk));
    for (const row of found) newcomers.set(`${ibanIn(row)} ${row.currency}`, row);
    const asked = requestOf(chunk, { ...options, createRecipients: found.length > 0 });
    faults.push(...(await asking(() => faultsOf(bursar, chunk, asked))));
  }
  if (faults.length > 0) throw faulty(faults);
  await asking(() => compareWithBalances(bursar, open));
  const creating = newcomers.size > 0 ? ` and create ${newcomers.size} recipients` : '';
  if (newcomers.size > 0) tellNewcomers([...newcomers.values()]);
  if (options.dryRun === true) return say(`${rowsIn(open)} rows could be paid. Nothing was sent.`);
  if (newcomers.size > 0 && options.yes === true && options.createRecipients !== true)
    throw new UsageError('With --yes, --create-recipients is needed for them. Nothing was sent.');
  const question = `Pay ${rowsIn(open)} rows${creating}? [y/N] `;
  if (open.length > 0 && options.yes !== true && !(await isConfirmed(question, /^y(?:es)?$/i)))
    throw new UsageError('Nothing was sent.');
  const request = (chunk: Chunk) => requestOf(chunk, { ...options, createRecipients: newcomers.size > 0 });
  await send(bursar, plan, done, request, options.result ?? `${file}.result.csv`, options.json === true);
}

const rowsIn = (chunks: readonly Chunk[]): number => chunks.reduce((sum, { rows }) => sum + rows.length, 0);

function faulty(faults: readonly Fault[]): UsageError {
  const lines = faults
    .slice(0, SHOWN_FAULTS)
    .map(({ line, column, message }) => visible(`line ${line}${column === '' ? '' : `, ${column}`}: ${message}`));
  const more = faults.length > SHOWN_FAULTS ? [`and ${faults.length - SHOWN_FAULTS} more`] : [];
  return new UsageError(
    [`${faults.length === 1 ? '1 fault' : `${faults.length} faults`}. Nothing was sent.`, ...lines, ...more].join('\n'),
  );
}

const madeBatch = async (bursar: Bursar, { id }: Chunk): Promise<string | undefined> =>
  (await bursar.payoutBatches.list({ external_id: id }).page()).data[0]?.id;

type Request = Omit<CreatePayoutBatchRequest, 'dry_run'>;

const requestOf = ({ id, rows }: Chunk, { createRecipients = false, allowRepeated = false }: Allowed): Request => ({
  external_id: id,
  payouts: rows.map(({ order }) => order),
  ...(createRecipients && { create_recipients: true }),
  ...(allowRepeated && { allow_repeated: true }),
});

type Allowed = Pick<BatchOptions, 'createRecipients' | 'allowRepeated'>;

/** The rows to payees that are no recipients yet. Those that are doubtful are faults of the batch. */
async function newcomersIn(bursar: Bursar, { rows }: Chunk): Promise<readonly Row[]> {
  const sought = rows.filter(({ order }) => order.iban !== undefined && order.recipient === undefined);
  if (sought.length === 0) return [];
  const payees = sought.map(({ order: { name, iban, currency, bic, country, email, type } }) => {
    const given = Object.entries({ bic, country, email, type }).filter(([, value]) => value !== undefined);
    return { name, iban, currency, ...Object.fromEntries(given) };
  });
  const { results } = await bursar.recipients.matchBatch({ payees } as MatchRecipientBatchRequest);
  return sought.filter((_, index) => results[index]?.status === 'new');
}

const ibanIn = ({ order: { iban = '' } }: Row): string => withoutBlanks(iban).toUpperCase();

/** Whom the person would add, as in the file; of accounts the end. */
function tellNewcomers(rows: readonly Row[]): void {
  say(`Payees that are no recipients yet: ${rows.length}`);
  for (const row of rows.slice(0, SHOWN_NEWCOMERS))
    say(visible(`line ${row.line}: ${row.order.name}, …${ibanIn(row).slice(-4)}`));
  if (rows.length > SHOWN_NEWCOMERS) say(`and ${rows.length - SHOWN_NEWCOMERS} more`);
}

/** What the server would refuse. Money is compared over all chunks, elsewhere. */
async function faultsOf(bursar: Bursar, chunk: Chunk, request: Request): Promise<Fault[]> {
  try {
    await bursar.payoutBatches.create({ ...request, dry_run: true });
    return [];
  } catch (error) {
    if (!BursarError.is(error) || error.errors.length === 0) throw error;
    return error.errors
      .filter(({ code }) => code !== 'balance_insufficient')
      .map(({ index, param = '', message }) => ({ line: chunk.rows[index ?? 0]?.line ?? 0, column: param, message }));
  }
}

/** Rows that wait for money, or are paid from another currency, need none here. */
async function compareWithBalances(bursar: Bursar, chunks: readonly Chunk[]): Promise<void> {
  const needed = new Map<string, { rows: number; minor: bigint; currency: string }>();
  for (const row of chunks.flatMap(({ rows }) => rows)) {
    const key = row.account ?? row.currency;
    const sum = needed.get(key) ?? { rows: 0, minor: 0n, currency: row.currency };
    needed.set(key, { ...sum, rows: sum.rows + 1, minor: sum.minor + (takesNow(row) ? row.amountMinor : 0n) });
  }
  const held = new Map<string, number>();
  for await (const { id, currency, balance, status } of bursar.accounts.list({ order: 'asc' })) {
    held.set(id, balance);
    if (status === 'open' && !held.has(currency)) held.set(currency, balance); // the oldest one pays
  }
  let isShort = false;
  for (const [key, { rows, minor, currency }] of needed) {
    const has = BigInt(held.get(key) ?? 0);
    const missing = minor > has ? `, ${fromMinor(minor - has, currency)} is missing` : '';
    isShort ||= missing !== '';
    say(`${key}: ${rows} rows, ${fromMinor(minor, currency)}; there is ${fromMinor(has, currency)}${missing}`);
  }
  if (isShort) throw new UsageError('The money does not reach. Nothing was sent.');
}

const takesNow = ({ order }: Row): boolean =>
  order['on_insufficient_funds'] !== 'wait' &&
  order['source_currency'] === undefined &&
  order['source_account'] === undefined;

/** In order; each chunk's rows are in the result file before the next is sent. */
async function send(
  bursar: Bursar,
  plan: Plan,
  done: ReadonlyMap<string, string>,
  requestFor: (chunk: Chunk) => Request,
  result: string,
  json: boolean,
): Promise<void> {
  const lines = [csvLine(['line', 'external_id', 'status', 'payout', 'message'])];
  const write = () => replacePrivate(result, `${lines.join('\n')}\n`);
  const all = rowsIn(plan.chunks);
  for (const chunk of plan.chunks) {
    try {
      const payouts = await paid(bursar, chunk, requestFor(chunk), done.get(chunk.id));
      for (const { line, order } of chunk.rows) {
        const { id = '', status = '' } = payouts.get(order.external_id) ?? {};
        lines.push(csvLine([line, order.external_id, status, id, '']));
      }
    } catch (error) {
      for (const { line, order } of chunk.rows)
        lines.push(csvLine([line, order.external_id, 'not sent', '', (error as Error).message]));
      await write();
      say(`Stopped at line ${chunk.rows[0]?.line}. The same command goes on from there. What is paid: ${result}`);
      await asking(() => Promise.reject(error as Error));
    }
    await write();
    showProgress(`${lines.length - 1} of ${all} rows`);
  }
  showProgress('');
  if (json) print(JSON.stringify({ rows: all, batches: plan.chunks.length, result }));
  else await printRows(['rows', 'batches', 'result'], [[all, plan.chunks.length, result]]);
}

/** The payouts of a chunk by `external_id`: those that are there, or new ones. */
async function paid(
  bursar: Bursar,
  chunk: Chunk,
  request: Request,
  madeBefore: string | undefined,
): Promise<ReadonlyMap<string, Payout>> {
  const found = new Map<string, Payout>();
  let batchId = madeBefore;
  for (let turn = 1; batchId === undefined; turn += 1) {
    try {
      const made = await bursar.payoutBatches.create(request, { idempotencyKey: `${chunk.id}-${turn}` });
      for (const each of made.results)
        if (each.status === 'created') found.set(each.payout.external_id ?? '', each.payout);
      return found;
    } catch (error) {
      if (!BursarError.is(error) || error instanceof ConnectionError) throw error;
      batchId = await madeBatch(bursar, chunk);
      if (batchId !== undefined) break;
      if (turn === MAX_KEYS) throw error;
      // Either it is refused now, and this says so, or a refusal of an earlier run was recorded under this key.
      await bursar.payoutBatches.create({ ...request, dry_run: true });
    }
  }
  for await (const payout of bursar.payouts.list({ batch: batchId })) found.set(payout.external_id ?? '', payout);
  if (found.size !== chunk.rows.length)
    throw new Exit('failed', `The batch ${batchId} has ${found.size} payouts, the chunk ${chunk.rows.length} rows.`);
  return found;
}
