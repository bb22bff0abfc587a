/**
 * The proof of statements by their balances, and of the ledger by the last of them: what follows on what, what is missing, what drifts. Pure.
 * Live rails, sections 10 and 17.
 */
import { isOtherPage } from '../../core/deduplication/outline.ts';
import { withEntries } from '../../core/deduplication/spans.ts';
import type { Draft } from '../../core/draft.ts';
import type { Stored } from '../../core/objects.ts';
import type { BankStatement } from './fields.ts';

type BankAccount = Stored['bank_account'];

export interface StatementHead
  extends Pick<
    BankStatement,
    | 'message'
    | 'reference'
    | 'sequence'
    | 'page'
    | 'startsOn'
    | 'openedOn'
    | 'opening'
    | 'closedOn'
    | 'closing'
    | 'entriesCount'
    | 'identity'
    | 'series'
    | 'entriesFrom'
    | 'entriesUntil'
    | 'periodFrom'
    | 'periodUntil'
    | 'messageInFile'
  > {
  /** Sum of its booked entries, debits below zero. */
  readonly sum: bigint;
}

/** `beside`: statements about a day of this one that are no other page of it. */
export type Neighbours = Readonly<Record<'before' | 'after' | 'beside', readonly BankStatement[]>>;

export function neighboursOf(
  head: Pick<StatementHead, 'identity' | 'series' | 'page'> & Period,
  others: readonly BankStatement[],
): Neighbours {
  const counts = isCounted(others);
  const booked = others.filter((each) => each.identity !== head.identity && counts(each));
  const at = (each: BankStatement): keyof Neighbours => {
    if (isOtherPage(each, head)) return (each.page ?? 0) < (head.page ?? 0) ? 'before' : 'after';
    if (isBefore(each, head)) return 'before';
    return isBefore(head, each) ? 'after' : 'beside';
  };
  const of = (where: keyof Neighbours) => booked.filter((each) => at(each) === where);
  return {
    before: nearest(of('before'), head, (each, other) => (each.closedOn ?? '') > (other.closedOn ?? '')),
    after: nearest(of('after'), head, (each, other) => (each.startsOn ?? '') < (other.startsOn ?? '')),
    beside: of('beside'),
  };
}

/** It was booked, and no other statement has taken its place. */
function isCounted(all: readonly BankStatement[]): (each: BankStatement) => boolean {
  const superseded = new Set(all.flatMap(({ status, supersedes }) => (status === 'imported' ? supersedes : [])));
  return ({ id, status }) => (status === 'imported' || status === 'importing') && !superseded.has(id);
}

type PageOf = Pick<StatementHead, 'series' | 'page'>;

/** Other pages, and of the rest those to which none is nearer. */
function nearest(
  all: readonly BankStatement[],
  head: PageOf,
  isNearer: (each: BankStatement, than: BankStatement) => boolean,
): readonly BankStatement[] {
  const rest = all.filter((each) => !isOtherPage(each, head));
  return all.filter((each) => isOtherPage(each, head) || !rest.some((other) => isNearer(other, each)));
}

/** With the days of its entries: one of Saturday is beside that of Monday in which its bookings stand. */
type Period = Pick<StatementHead, 'startsOn' | 'closedOn' | 'entriesFrom' | 'entriesUntil'>;
function isBefore(one: Period, other: Period): boolean {
  const [{ closedOn }, { startsOn }] = [withEntries(one), withEntries(other)];
  return closedOn !== null && startsOn !== null && closedOn < startsOn;
}

/** On one before it, on another of its day, or it begins within one: then the balances of both have decided what they share. */
const followsOn = (
  { before, beside }: Neighbours,
  { opening, startsOn }: Pick<StatementHead, 'opening' | 'startsOn'>,
): boolean =>
  before.length === 0 ||
  [...before, ...beside].some(({ closing }) => closing === opening) ||
  beside.some(
    (each) => each.closing !== null && each.startsOn !== null && startsOn !== null && each.startsOn < startsOn,
  );

/** By the balances alone. The ledger is asked last: {@link proven}. */
export function proofOf(head: StatementHead, neighbours: Neighbours): Pick<BankStatement, 'proof' | 'difference'> {
  const { opening, closing, sum } = head;
  if (opening === null || closing === null) return { proof: 'none', difference: null };
  if (opening + sum !== closing) return { proof: 'failed', difference: closing - opening - sum };
  if (followsOn(neighbours, head)) return { proof: 'ok', difference: null };
  const last = neighbours.before.toSorted(byDay).at(-1)?.closing ?? null;
  return { proof: 'gap', difference: last === null ? null : opening - last };
}

const byDay = (one: BankStatement, other: BankStatement): number =>
  (one.closedOn ?? '').localeCompare(other.closedOn ?? '') || (one.page ?? 0) - (other.page ?? 0);

/** The statement is imported, with its proof; those behind it follow it now. Answers the statement. */
export function finish(
  draft: Draft,
  account: BankAccount,
  done: BankStatement,
  all: readonly BankStatement[],
): BankStatement {
  const imported: BankStatement = { ...done, status: 'imported' };
  const after = proven(imported, all, account.balance);
  const statement = draft.update(after.get(done.identity) ?? imported, 'bank_statement.imported');
  const others = [...after.values()].filter(({ identity }) => identity !== done.identity);
  noteProofs(draft, account, [statement, ...others.map((other) => draft.update(other))], all);
  return statement;
}

/**
 * The ledger holds something else, and no statement has come: an entry was voided or un-voided. While a statement is half booked nothing is
 * said; its end compares. `account`: with its balance as it is now.
 */
export function proveAgain(draft: Draft, account: BankAccount): void {
  const all = draft.all('bank_statement').filter(({ bankAccount }) => bankAccount === account.id);
  if (all.some(({ status }) => status === 'importing')) return;
  const known = knownOf(all);
  const after = compared(known, known, { balance: account.balance, lacksPages: lacksPagesIn(all) });
  noteProofs(
    draft,
    account,
    Array.from(after.values(), (each) => draft.update(each)),
    all,
  );
}

/** Says what has changed. `before`: all as they were. */
function noteProofs(
  draft: Draft,
  account: BankAccount,
  changed: readonly BankStatement[],
  before: readonly BankStatement[],
): void {
  for (const each of changed) {
    if (each.proof === 'failed' || each.proof === 'gap') draft.emit('bank_statement.proof_failed', each);
    if (each.proof === 'drift') noteDrift(draft, account, each);
    if (each.proof === 'ok' && before.some(({ id, proof }) => id === each.id && proof === 'drift'))
      endDrift(draft, account);
  }
}

/** The ledger agrees: what differs later is another drift. */
function endDrift(draft: Draft, { id }: BankAccount): void {
  const account = draft.find('bank_account', id);
  if (account && account.driftDifference !== null) draft.update({ ...account, driftDifference: null });
}

/** The statements whose proof has changed, by identity. Those right behind this one follow it, or do so no more. `others`: as they were. */
function proven(
  done: BankStatement,
  others: readonly BankStatement[],
  balance: bigint,
): ReadonlyMap<string, BankStatement> {
  const all = [...others.filter(({ identity }) => identity !== done.identity), done];
  const { after: later, beside } = neighboursOf(done, all);
  const behind = [...later, ...beside];
  // One without balances brings entries that no balance has counted yet; those of a page its last page has counted.
  if (done.closing === null && !all.some((each) => isOtherPage(each, done) && each.closing !== null)) return new Map();
  const known = knownOf(all);
  const linked = known.map((each) => (behind.includes(each) ? linkedTo(each, all) : each));
  // What another one adds is not in the ledger yet.
  const isUnderWay = all.some(({ status }) => status === 'importing');
  return compared(known, linked, { balance, isUnderWay, lacksPages: lacksPagesIn(all) });
}

/** Those that the ledger is compared with. */
function knownOf(all: readonly BankStatement[]): readonly BankStatement[] {
  const counts = isCounted(all);
  return all.filter((each) => each.closing !== null && each.status === 'imported' && counts(each));
}

/** That only closes is the last page of one that began on another: what stands between them may not have come. */
const lacksPagesIn =
  (all: readonly BankStatement[]) =>
  ({ opening, page, series }: BankStatement): boolean => {
    if (opening !== null || page === null) return false;
    const before = all.filter(
      (each) => each.series === series && each.status === 'imported' && (each.page ?? page) < page,
    );
    return new Set(before.map((each) => each.page)).size < page - 1;
  };

interface Compared {
  readonly balance: bigint;
  readonly isUnderWay?: boolean;
  /** Whether pages before it are missing: its closing balance has counted them. */
  readonly lacksPages: (each: BankStatement) => boolean;
}

/**
 * Once no statement is missing, the ledger is compared with the last one; before, the ledger cannot agree, and that is no drift. Answers what
 * differs from `known`, by identity.
 */
function compared(
  known: readonly BankStatement[],
  following: readonly BankStatement[],
  { balance, isUnderWay = false, lacksPages }: Compared,
): ReadonlyMap<string, BankStatement> {
  const linked = following.toSorted(byDay);
  const newest = linked.filter((each) => byDay(each, linked.at(-1) as BankStatement) === 0);
  // Of two of one day, the second begins where the first ended.
  const ends = newest.filter((each) => !newest.some((other) => other !== each && other.opening === each.closing));
  const last = ends.length > 0 ? ends : newest;
  const isWhole = linked.every(({ proof }) => proof !== 'gap') && !isUnderWay && !last.some(lacksPages);
  const agrees = last.some(({ closing }) => closing === balance);
  const changed = new Map<string, BankStatement>();
  for (const each of linked) {
    const { proof, closing } = each;
    const difference = (closing ?? 0n) - balance;
    let after = each;
    if (isWhole && agrees && proof === 'drift') after = { ...each, proof: 'ok', difference: null };
    if (isWhole && !agrees && each === last.at(-1) && proof !== 'failed')
      after = { ...each, proof: 'drift', difference };
    const before = known.find(({ identity }) => identity === each.identity);
    if (after.proof !== before?.proof || after.difference !== before.difference) changed.set(each.identity, after);
  }
  return changed;
}

function linkedTo(each: BankStatement, all: readonly BankStatement[]): BankStatement {
  if (each.proof === 'failed' || each.proof === 'none') return each;
  const follows = followsOn(neighboursOf(each, all), each);
  if (follows === (each.proof !== 'gap')) return each;
  return { ...each, proof: follows ? 'ok' : 'gap', difference: null };
}

/** Stops the exports of the bank account if it asks for that, once for a difference. The statement that stopped them first stays named. */
export function noteDrift(draft: Draft, { id }: BankAccount, statement: BankStatement): void {
  draft.emit('bank_statement.drift_detected', statement);
  const account = draft.find('bank_account', id);
  const { difference: driftDifference } = statement;
  if (account?.onDrift !== 'stop_exports' || account.driftDifference === driftDifference) return;
  if (account.stoppedBy !== null) {
    draft.update({ ...account, driftDifference });
    return;
  }
  draft.audit('bank_account.exports_stopped', id, {
    statement: statement.id,
    difference: String(driftDifference),
  });
  const after = { ...account, stoppedBy: statement.id, driftDifference };
  draft.update(after, 'bank_account.exports_stopped', { exports_stopped_by: null });
}
