/**
 * `bursar payouts why po_…`: why a payout is where it is, and what to do. Writes nothing; says what the key may not
 * read. The sentences: `why-reasons.ts`.
 */
import { Command } from 'commander';
import {
  type BankAccount,
  type PaymentFile,
  type Bursar,
  BursarError,
  ConnectionError,
  type Limit,
  type Payout,
} from '../../../client/src/bursar.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { asTyped } from '../../operator/program-name.ts';
import { asking, connect, remote, type RemoteOptions } from './connection.ts';
import { described } from './output.ts';
import { print, say } from './terminal.ts';
import { type Facts, type Reason, reasonsOf } from './why-reasons.ts';

/** Payment files, and entries without a place, that are looked at, the newest first. */
const MOST_FILES = 100;
const MOST_ENTRIES = 1_000;
/** Older payouts that wait for the same money. */
const MOST_OLDER = 1_000;

export function whyCommand(): Command {
  const about = 'say why a payout is where it is, and what to do';
  return remote(described(new Command('why').argument('<id>'), about, 'payouts why po_…')).action(
    async (id: string, options: RemoteOptions) => {
      const { bursar } = await connect(options);
      const payout = await asking(() => bursar.payouts.retrieve(id));
      const facts = await asking(() => factsOf(bursar, payout));
      const reasons = reasonsOf(facts).map((each) => ({ ...each, next: asTyped(each.next) }));
      show(payout, reasons, options.json === true);
    },
  );
}

function show({ id, status, amount, currency }: Payout, reasons: readonly Reason[], json: boolean): void {
  if (json) return print(JSON.stringify({ payout: id, status, reasons }));
  print(`${id} is ${status}: ${amount} ${currency}`);
  for (const { waits, next } of reasons) for (const line of [waits, `  ${next}`]) print(line);
  if (reasons.length === 0) print('This key sees no reason. Ask with a key that may read more.');
}

async function factsOf(bursar: Bursar, payout: Payout): Promise<Facts> {
  const { status, livemode, account } = payout;
  const isEarly = status === 'waiting' || status === 'pending';
  const file = status === 'in_transit' ? await seen('payment files', () => fileOf(bursar, payout)) : undefined;
  const bank = await seen('bank accounts', async () => {
    if (file) return bursar.bankAccounts.retrieve(file.bank_account);
    return status === 'pending' && livemode ? payingBank(bursar, payout.currency) : undefined;
  });
  const rules = isEarly ? await seen('payout rules', () => bursar.payoutRules.retrieve()) : undefined;
  const isInLine = status === 'waiting' && rules?.waiting_payouts !== 'may_be_passed';
  return {
    payout,
    today: isoDay(await seen('the clock', () => nowMs(bursar, livemode))),
    rules,
    limits: (await seen('limits', () => limitsOf(bursar, payout))) ?? [],
    account: status === 'waiting' ? await seen('accounts', () => bursar.accounts.retrieve(account)) : undefined,
    older: isInLine ? await olderOf(bursar, payout) : [],
    bank,
    file,
    unpayable: bank && status === 'pending' ? await seen('payability', () => complaint(bursar, payout)) : undefined,
    entries: (await seen('bank entries', () => entriesOf(bursar, payout))) ?? [],
  };
}

/** The answer, or `undefined` where the key may not read it; a line on standard error says so. */
async function seen<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!BursarError.is(error, 'scope_missing', 'account_not_allowed')) throw error;
    say(`Not looked at: ${what}. ${error.message}`);
    return undefined;
  }
}

const isoDay = (atMs: number | undefined): string => new Date(atMs ?? Date.now()).toISOString().slice(0, 10);

/** Only the clock of a sandbox can differ from this machine's. */
async function nowMs(bursar: Bursar, livemode: boolean): Promise<number> {
  return livemode ? Date.now() : (await bursar.balances.retrieve()).at * 1_000;
}

/** The limits that hold it, without those that are gone. */
async function limitsOf(bursar: Bursar, { release }: Payout): Promise<readonly Limit[]> {
  if (release?.status !== 'held') return [];
  const holding: Limit[] = [];
  for await (const each of bursar.limits.list()) if (release.reasons.includes(each.id)) holding.push(each);
  return holding;
}

async function olderOf(bursar: Bursar, { id, account, currency }: Payout): Promise<readonly Payout[]> {
  const older: Payout[] = [];
  for await (const each of bursar.payouts.list({ status: 'waiting', currency, order: 'asc' })) {
    if (each.id === id || older.length === MOST_OLDER) break;
    if (each.account === account) older.push(each);
  }
  return older;
}

/** The oldest open bank account of the currency that pays, as an export chooses it. */
async function payingBank(bursar: Bursar, currency: string): Promise<BankAccount | null> {
  for await (const each of bursar.bankAccounts.list({ status: 'open', order: 'asc' })) {
    if (each.currency === currency && each.uses.includes('payouts')) return each;
  }
  return null;
}

/** What a bank account says against a payout like this one; nothing is written. */
async function complaint(bursar: Bursar, payout: Payout): Promise<string | null> {
  const { amount, currency, recipient, account, speed } = payout;
  if (recipient === null) return null; // a salary, and the key may not see whom it pays
  try {
    await bursar.payouts.create({ amount, currency, recipient, account, speed, dry_run: true });
    return null;
  } catch (error) {
    if (BursarError.is(error, 'payout_not_payable')) return error.message;
    if (
      BursarError.is(error, 'scope_missing', 'account_not_allowed') ||
      error instanceof ConnectionError ||
      !BursarError.is(error)
    )
      throw error;
    return null; // refused for another cause, such as money, which a payout that is there has
  }
}

/** The payment file that a payout left in. Which one is told by its time, currency and day, and by its content. */
async function fileOf(bursar: Bursar, payout: Payout): Promise<PaymentFile | null> {
  const { id, currency, in_transit_at: left, expected_execution_on: day } = payout;
  if (left === null) return null;
  const fitting: PaymentFile[] = [];
  let count = 0;
  for await (const file of bursar.paymentFiles.list({ created: { lte: left } })) {
    count += 1;
    const isOpenThen = file.sealed_at === null || file.sealed_at >= left;
    const isAlive = file.status !== 'abandoned';
    if (isAlive && isOpenThen && file.currency === currency && file.execution_on === day) fitting.push(file);
    if (count === MOST_FILES) break;
  }
  for (const file of fitting) if (await holds(bursar, file, id)) return file;
  return fitting.find(({ status }) => status === 'claiming') ?? null;
}

async function holds(bursar: Bursar, { id, sealed_at: sealedAt }: PaymentFile, payout: string): Promise<boolean> {
  if (sealedAt === null) return false;
  return (await (await bursar.paymentFiles.download(id)).text()).includes(outgoingId(payout));
}

async function entriesOf(bursar: Bursar, { id }: Payout): Promise<Facts['entries']> {
  const found = [];
  let count = 0;
  for await (const entry of bursar.bankEntries.list({ status: 'unmatched' })) {
    count += 1;
    const names = entry.conflict?.includes(id) === true || entry.remittance.end_to_end_id === outgoingId(id);
    if (names) found.push(entry);
    if (count === MOST_ENTRIES) break;
  }
  return found;
}
