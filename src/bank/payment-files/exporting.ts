/**
 * The worker that fills payment files: it claims payouts into an open file, a chunk a commit, writes the file from the claimed payouts, and
 * seals its bytes; and it releases the payouts of an abandoned file. It may end anywhere and goes on from what the database says. Two
 * workers on one file do no harm: a payout is claimed once, and a file is sealed once, with exactly what was claimed.
 */
import { createHash } from 'node:crypto';
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises';
import { idOf } from '../../core/values/ids.ts';
import type { Stored } from '../../core/objects.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import type { Payment } from '../../iso20022/write/initiation.ts';
import { writePain001 } from '../../iso20022/write/pain001.ts';
import type { Route } from '../../iso20022/write/routes.ts';
import { Backoff } from '../../platform/workers/backoff.ts';
import type { Lease } from '../../platform/workers/lease.ts';
import { type Poller, startPoller } from '../../platform/workers/poller.ts';
import { stopPoint } from '../../platform/workers/stop-points.ts';
import type { PaymentFileCommand } from './slice.ts';
import { belongsInto, MAX_PAYOUTS } from './decide.ts';
import { compressed } from './content.ts';
import type { PaymentFile } from './fields.ts';
import { type DetailsOf, judge, paymentOf } from './payable.ts';
import { duePayouts } from './plan.ts';
import { allInstructionsOf, PAYMENT_FILES, filesUnderWay, instructionsOf, payoutFrom } from './sql.ts';

type BankAccount = Stored['bank_account'];

/** Payouts of one commit, for which other writes wait. Also the number read and written before other work gets its turn. */
const CHUNK_PAYOUTS = 10;
/** Pause after a chunk, so that other writes get through: their p99 is 1.6 times as long meanwhile instead of twice. */
const BREATH_MS = 1;
const WRITTEN_AT_ONCE = 50;

const opened = stopPoint('payment_file.opened');
const claimed = stopPoint('payment_file.claimed');
const written = stopPoint('payment_file.written');
const sealed = stopPoint('payment_file.sealed');

export interface ExportOptions {
  rows(statement: Statement): Promise<readonly Row[]>;
  write(
    environmentId: string,
    command: PaymentFileCommand,
  ): Promise<{ readonly status: number; readonly body: string }>;
  account(environmentId: string, bankAccount: string): Promise<BankAccount>;
  readonly detailsOf: DetailsOf;
  /** How much earlier than due payouts of a sandbox leave. */
  readonly withinMs: number;
  readonly pollMs: number;
  readonly onFault: (message: string, error: unknown) => void;
  readonly lease?: Lease;
}

export function startExports(options: ExportOptions): Poller {
  const { rows, pollMs, onFault, lease } = options;
  const backoff = new Backoff();
  return startPoller({
    pauseMs: pollMs,
    ...(lease && { lease }),
    onFault: (error) => onFault('Round of payment files failed; trying again', error),
    poll: async () => {
      const found = await rows(filesUnderWay(backoff.waiting(performance.now())));
      for (const row of found) {
        const file = PAYMENT_FILES.read(row);
        const environmentId = idOf('env', row['environment_id'] as string);
        try {
          if (file.status === 'claiming') await fill(options, environmentId, file);
          else await release(options, environmentId, file);
        } catch (error) {
          if (error instanceof Overtaken) continue;
          onFault(`Payment file ${file.id} is not done; trying again`, error);
          backoff.note(file.id, performance.now());
        }
      }
      return found.length > 0;
    },
  });
}

/** Another process or a person was quicker, or a statement stopped the exports: the file goes on when somebody resumes them. */
class Overtaken extends Error {}

async function fill(options: ExportOptions, environmentId: string, file: PaymentFile): Promise<void> {
  const found = await options.account(environmentId, file.bankAccount);
  const account = { ...found, profile: file.profile as BankAccount['profile'] };
  opened();
  const isFull = await claim(options, environmentId, file, account);
  await seal(options, environmentId, file, account);
  if (!isFull) return;
  // The rest goes into another file.
  const next = { ...file, payoutsCount: 0, total: 0n };
  await accepted(options, environmentId, { type: 'open_payment_files', planned: [next], held: [], shortfalls: [] });
}

/** Claims all that is due and belongs into the file. Answers whether the file is full. */
async function claim(
  options: ExportOptions,
  environmentId: string,
  file: PaymentFile,
  account: BankAccount,
): Promise<boolean> {
  let chunk: string[] = [];
  let count = file.payoutsCount;
  const send = async (): Promise<void> => {
    const body = await accepted(options, environmentId, { type: 'claim_payouts', file: file.id, payouts: chunk });
    count = (JSON.parse(body) as { readonly payouts_count: number }).payouts_count;
    chunk = [];
    claimed();
  };
  const speed = file.route === 'sepa_instant' ? 'instant' : null;
  const asked = { environmentId, withinMs: options.withinMs, currency: file.currency, speed } as const;
  for await (const payout of duePayouts(options, asked)) {
    if (!belongsInto(file, payout) || payout.batchBooking !== file.batchBooking) continue;
    if (judge(account, payout, options.detailsOf).route !== file.route) continue;
    chunk.push(payout.id);
    if (chunk.length < CHUNK_PAYOUTS) continue;
    await send();
    await sleep(BREATH_MS);
    if (count >= MAX_PAYOUTS) return true;
  }
  if (chunk.length > 0) await send();
  return count >= MAX_PAYOUTS;
}

async function seal(
  options: ExportOptions,
  environmentId: string,
  file: PaymentFile,
  account: BankAccount,
): Promise<void> {
  const payments: Payment[] = [];
  for await (const row of allInstructionsOf(options.rows, environmentId, file.id)) {
    payments.push(paymentOf(payoutFrom(row), options.detailsOf));
  }
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const { bytes, sha256 } = await bytesOf(file, account, payments, total);
  const content = await compressed(bytes);
  written();
  const { byteLength: sizeBytes } = bytes;
  const made = { payoutsCount: payments.length, total, sha256, sizeBytes, content };
  await accepted(options, environmentId, { type: 'seal_payment_file', file: file.id, ...made });
  sealed();
}

/** The file in UTF-8, and its hash in hex; other work gets its turn in between. */
async function bytesOf(
  file: PaymentFile,
  account: BankAccount,
  payments: readonly Payment[],
  total: bigint,
): Promise<{ readonly bytes: Buffer; readonly sha256: string }> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  const add = (piece: string): void => {
    const bytes = Buffer.from(piece);
    hash.update(bytes);
    parts.push(bytes);
  };
  let text = '';
  let pieces = 0;
  const { messageId, executionOn, route, categoryPurpose, batchBooking, currency, createdAt: createdAtMs } = file;
  const { holder, holderAddress: address, bankDetails: details, country, profile } = account;
  for (const piece of writePain001({
    profile,
    messageId,
    paymentInformationId: messageId,
    createdAtMs,
    debtor: { name: holder, address, details, country },
    executionOn,
    route: route as Route,
    categoryPurpose,
    batchBooking,
    currency,
    count: payments.length,
    sum: total,
    payments,
  })) {
    text += piece;
    pieces += 1;
    if (pieces % WRITTEN_AT_ONCE !== 0) continue;
    add(text);
    text = '';
    await breathe();
  }
  add(text);
  return { bytes: Buffer.concat(parts), sha256: hash.digest('hex') };
}

async function release(options: ExportOptions, environmentId: string, { id: file }: PaymentFile): Promise<void> {
  for (let isLast = false; !isLast; ) {
    const page = await options.rows(instructionsOf(environmentId, file, 0, CHUNK_PAYOUTS));
    const payouts = page.map((row) => idOf('po', row['id'] as string));
    isLast = payouts.length === 0;
    await accepted(options, environmentId, { type: 'release_payouts', file, payouts, isLast });
  }
}

/** The body of the answer. Throws `Overtaken` where the file is in another state by now or must wait, and else the refusal. */
async function accepted({ write }: ExportOptions, environmentId: string, command: PaymentFileCommand): Promise<string> {
  const { status, body } = await write(environmentId, command);
  if (status === 200) return body;
  const { error } = JSON.parse(body) as { readonly error: { readonly code: string; readonly message: string } };
  if (error.code === 'payment_file_state_invalid' || error.code === 'exports_stopped')
    throw new Overtaken(error.message);
  throw new Error(`${command.type} was refused: ${error.message}`);
}
