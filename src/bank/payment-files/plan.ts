/**
 * What an export would put into files, and what stays and why. It only reads: when a payout is claimed, it is looked at again, under the
 * environment's lock (`decide.ts`).
 */
import { executionDayOf } from '../../core/rails/execution-day.ts';
import { missing, RequestError } from '../../core/values/errors.ts';
import { idOf, uuidOf } from '../../core/values/ids.ts';
import type { Stored } from '../../core/objects.ts';
import type { Row, Statement } from '../../platform/db/wire/statement.ts';
import { shortfallsOf, sumsIn, underWayByAccount } from './coverage.ts';
import type { Held, Planned, Shortfall } from './fields.ts';
import { exportsStopped, type OpenPaymentFiles } from './decide.ts';
import { type DetailsOf, judge } from './payable.ts';
import {
  allInstructionsOf,
  cursorOfDue,
  duePage,
  type DueCursor,
  type DuePayout,
  notDue,
  payoutFrom,
  underWayPage,
} from './sql.ts';

type BankAccount = Stored['bank_account'];

/** Payouts that one statement reads: their bank details are opened before other work gets its turn. */
const PAGE_ROWS = 250;
const PAGE_AMOUNTS = 1_000;

export interface PlanParts {
  rows(statement: Statement): Promise<readonly Row[]>;
  /** By age. */
  accounts(environmentId: string): Promise<readonly BankAccount[]>;
  readonly detailsOf: DetailsOf;
}

export interface Asked {
  readonly environmentId: string;
  /** Only this bank account; `null`: of each currency the oldest open one that pays. */
  readonly bankAccount: string | null;
  /** Environment clock. */
  readonly nowMs: number;
  /** Payouts that are due so much later leave too. */
  readonly withinMs: number;
  /** Only instant ones. */
  readonly speed?: 'instant';
}

export type Plan = Omit<OpenPaymentFiles, 'type'>;

/** Throws `resource_missing`, `bank_account_closed`, `bank_account_not_paying` and `exports_stopped` about `asked.bankAccount`. */
export async function planExport(parts: PlanParts, asked: Asked): Promise<Plan> {
  const all = await parts.accounts(asked.environmentId);
  const paying = all.filter(({ status, uses }) => status === 'open' && uses.includes('payouts'));
  const accounts = payingAccounts(all, paying, asked);
  const isFrozen = await frozen(parts, asked.environmentId);
  const planned = new Map<string, Planned>();
  const held = new Map<string, Held>();
  const hold = (reason: Held['reason'], { currency, amount }: DuePayout, message: string): void =>
    addTo(held, `${reason} ${currency}`, { reason, currency, payoutsCount: 1, total: amount, message });
  for await (const payout of duePayouts(parts, asked)) {
    const { bankAccount: named } = payout;
    if (named !== null && asked.bankAccount !== null && named !== asked.bankAccount) continue;
    const usual = accounts.get(payout.currency);
    const account = named === null ? usual : paying.find(({ id }) => id === named);
    if (isFrozen) hold('frozen', payout, 'Payouts of this environment are frozen.');
    else if (account && account.stoppedBy !== null) {
      hold('exports_stopped', payout, exportsStopped(account.id, account.stoppedBy).message);
    } else if (account) {
      const { route, complaints } = judge(account, payout, parts.detailsOf);
      const { currency, amount: total, speed, categoryPurpose, batchBooking } = payout;
      const key = `${account.id} ${route} ${categoryPurpose} ${batchBooking}`;
      if (route === null) {
        hold('not_payable', payout, `Payout ${payout.id}: ${complaints.map(({ message }) => message).join(' ')}`);
      } else {
        const executionOn =
          planned.get(key)?.executionOn ?? executionDayOf(asked.nowMs, account, { speed, scheduledOn: null });
        const group = { bankAccount: account.id, route, currency, executionOn, categoryPurpose, batchBooking };
        addTo(planned, key, { ...group, onlyNamed: account.id !== usual?.id, payoutsCount: 1, total });
      }
    } else if (named !== null) {
      const message = `Payout ${payout.id}: bank account ${named}, which it names, is closed or does not pay. Change its bank_account.`;
      hold('no_bank_account', payout, message);
    } else if (asked.bankAccount === null) {
      const message = `No open bank account in ${payout.currency} pays. Add one with POST /v1/bank_accounts.`;
      hold('no_bank_account', payout, message);
    }
  }
  if (asked.speed === undefined) {
    for (const row of await parts.rows(notDue(asked.environmentId, asked.withinMs))) {
      const one = heldOf(row);
      if (asked.bankAccount === null || accounts.has(one.currency)) addTo(held, `${one.reason} ${one.currency}`, one);
    }
  }
  const files = [...planned.values()];
  return { planned: files, held: [...held.values()], shortfalls: await shortfalls(parts, asked, all, files) };
}

async function shortfalls(
  { rows }: PlanParts,
  { environmentId, nowMs }: Asked,
  accounts: readonly BankAccount[],
  files: readonly Planned[],
): Promise<readonly Shortfall[]> {
  if (files.length === 0) return [];
  const leaving = new Map<string, bigint>();
  for (const { bankAccount, total } of files) leaving.set(bankAccount, (leaving.get(bankAccount) ?? 0n) + total);
  return shortfallsOf(accounts, { leaving, underWay: sumsIn(await rows(underWayByAccount(environmentId, nowMs))) });
}

/** The bank account that pays what names none, by currency. */
function payingAccounts(
  all: readonly BankAccount[],
  paying: readonly BankAccount[],
  { bankAccount }: Asked,
): ReadonlyMap<string, BankAccount> {
  if (bankAccount === null) {
    return new Map(paying.toReversed().map((account) => [account.currency, account]));
  }
  const param = 'bank_account';
  const account = all.find(({ id }) => id === bankAccount);
  if (!account) throw noSuchAccount(bankAccount, param);
  if (account.status === 'closed')
    throw new RequestError('bank_account_closed', `${param} is ${bankAccount}, which is closed. Name an open one.`, {
      param,
    });
  if (!account.uses.includes('payouts')) {
    const message = `Payouts do not leave from bank account ${bankAccount}: its uses are ${account.uses.join(', ') || 'none'}. Name another bank_account, or add payouts to its uses.`;
    throw new RequestError('bank_account_not_paying', message, { param });
  }
  if (account.stoppedBy !== null) {
    const { code, message, details } = exportsStopped(account.id, account.stoppedBy);
    throw new RequestError(code, message, { param, ...details });
  }
  return new Map([[account.currency, account]]);
}

async function frozen({ rows }: PlanParts, environmentId: string): Promise<boolean> {
  const [row] = await rows({
    name: 'payouts_frozen',
    text: `SELECT coalesce((payout_rules->>'frozen')::boolean, false) AS frozen FROM environments WHERE environment_id = $1`,
    values: [uuidOf(environmentId)],
  });
  return row?.['frozen'] === true;
}

/** The payouts of an environment that may leave now, page by page. */
export async function* duePayouts(
  { rows }: Pick<PlanParts, 'rows'>,
  asked: Pick<Asked, 'environmentId' | 'withinMs'> & { currency?: string | null; speed?: 'instant' | null },
): AsyncGenerator<DuePayout> {
  const { environmentId, withinMs, currency = null, speed = null } = asked;
  for (let after: DueCursor | null = null; ; ) {
    const page = await rows(duePage(environmentId, { currency, speed, withinMs, after, limit: PAGE_ROWS }));
    for (const row of page) yield payoutFrom(row);
    if (page.length < PAGE_ROWS) return;
    after = cursorOfDue(page.at(-1) as Row);
  }
}

/** The payouts of a file, in its order. */
export async function* payoutsOfFile(
  rows: PlanParts['rows'],
  environmentId: string,
  file: string,
): AsyncGenerator<string> {
  for await (const row of allInstructionsOf(rows, environmentId, file)) yield idOf('po', row['id'] as string);
}

/** Those of its payouts that are under way, in its order. Amounts in minor units. */
export async function underWayOf(
  rows: PlanParts['rows'],
  environmentId: string,
  file: string,
): Promise<{ readonly payout: string; readonly amount: bigint }[]> {
  const found = [];
  for (let after = 0; ; ) {
    const page = await rows(underWayPage(environmentId, file, after, PAGE_AMOUNTS));
    found.push(...page.map((row) => ({ payout: idOf('po', row['id'] as string), amount: row['amount'] as bigint })));
    if (page.length < PAGE_AMOUNTS) return found;
    after = page.at(-1)?.['position'] as number;
  }
}

/** Adds count and sum to those of the same key; the rest stays that of the first. */
function addTo<T extends Pick<Planned, 'payoutsCount' | 'total'>>(all: Map<string, T>, key: string, each: T): void {
  const before = all.get(key);
  if (!before) all.set(key, each);
  else {
    const { payoutsCount, total } = before;
    all.set(key, { ...before, payoutsCount: payoutsCount + each.payoutsCount, total: total + each.total });
  }
}

function heldOf(row: Row): Held {
  const isHeld = row['is_held'] as boolean;
  const first = row['first'] as string | null;
  const later = first === null ? 'They leave in a moment.' : `The first of them leaves on ${first}.`;
  return {
    reason: isHeld ? 'held' : 'scheduled',
    currency: row['currency'] as string,
    payoutsCount: Number(row['count']),
    total: BigInt(row['total'] as string),
    message: isHeld ? 'They wait for approval.' : later,
  };
}

/** Thrown where a bank account is looked for outside of a decision. */
export function noSuchAccount(id: string, param: string): RequestError {
  const { code, message, details } = missing('bank account', id, param);
  return new RequestError(code, message, details);
}
