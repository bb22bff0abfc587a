/**
 * What a bank’s report does to a payout: the one table of state × fact. Booked money beats messages: a booking that does not fit the
 * state is a conflict, its money waits for a person, and the payout stays as it is. In whatever order reports come, a payout ends in the
 * same state, unless the bank contradicts itself. Pure. Who reads reports: `bank/statements/`.
 */
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { Cause } from '../../core/transfer.ts';
import { type Refusal, refusal } from '../../core/values/errors.ts';
import { idAs, idOf, uuidOf } from '../../core/values/ids.ts';
import { checkFunds, move, type Outside } from '../../core/ledger.ts';
import { returnRefund } from '../../core/payments.ts';
import { assert } from '../../core/values/assert.ts';
import type { Stored } from '../../core/objects.ts';
import { afterMessage, afterReturn, bankReasonOf, formerMembers } from '../../core/bank-answer.ts';
import { comeBack, fail, settle, stayBehind } from './decide.ts';
import type { Payout, PayoutStatus } from './fields.ts';

type Instruction = Stored['bank_instruction'];
type Waiting = Instruction['early'][number];

/**
 * `noted`: received or checked. `accepted`, `rejected`: by message. `settled`: executed, by message, where the bank account counts it
 * (`paid_by`). `debited`, `returned`: booked. `given_back`: the same as `returned` while a second debit is open.
 */
export type FactKind = 'noted' | 'accepted' | 'rejected' | 'settled' | 'debited' | 'returned' | 'given_back';

/** `…_unbooked`: paid by a message, and its debit is not booked yet. */
export type FactState = PayoutStatus | 'paid_unbooked' | 'returned_unbooked';

/**
 * `note`: nothing changes. `announce`: it is paid, and its money is on its way to the booking, which is then only to `book`. `wait`: it came
 * back before its debit was reported, which then takes both steps. `conflict`: it cannot be, and the payout stays as it is; a debit is then
 * a second one, and open. `close`: what came back closes that one.
 */
export type Step = 'note' | 'fail' | 'announce' | 'settle' | 'book' | 'return' | 'wait' | 'conflict' | 'close';

const row = (accepted: Step, rejected: Step, settled: Step, debited: Step, returned: Step) =>
  ({ noted: 'note', accepted, rejected, settled, debited, returned, given_back: 'close' }) as const;

// biome-ignore format: a table reads best with one row a line.
export const STEPS_OF_FACTS: Readonly<Record<FactState, Readonly<Record<FactKind, Step>>>> = {
  //                     accepted    rejected    settled     debited     returned
  waiting:           row('note',     'note',     'note',     'conflict', 'conflict'),
  // Never exported, entered at the bank by hand, or free again. A message of a bank is about a file that was given up then, and is not
  // looked at (`answered`); the bank of a sandbox may reject at once.
  pending:           row('note',     'fail',     'note',     'settle',   'wait'),
  in_transit:        row('note',     'fail',     'announce', 'settle',   'wait'),
  paid:              row('note',     'conflict', 'note',     'conflict', 'return'),
  paid_unbooked:     row('note',     'conflict', 'note',     'book',     'return'),
  failed:            row('conflict', 'note',     'conflict', 'conflict', 'conflict'),
  canceled:          row('note',     'note',     'note',     'conflict', 'conflict'),
  // In parts: each is credited.
  returned:          row('note',     'conflict', 'note',     'conflict', 'return'),
  returned_unbooked: row('note',     'conflict', 'note',     'book',     'return'),
};

export function stepOf(draft: Draft, { id, status }: Payout, kind: FactKind): Step {
  const instruction = draft.find('bank_instruction', idAs('bi', id));
  const isUnbooked = instruction?.unbooked === true;
  const isOpen = instruction !== undefined && instruction.secondDebits.length > 0;
  const state = isUnbooked && (status === 'paid' || status === 'returned') ? (`${status}_unbooked` as const) : status;
  return STEPS_OF_FACTS[state][kind === 'returned' && isOpen ? 'given_back' : kind];
}

/** What is known of a payout at its bank; one that never was in a file gets its row with the first report. */
export function instructionOf(draft: Draft, payout: string): Instruction {
  const id = idAs('bi', payout);
  const known = draft.find('bank_instruction', id);
  if (known) return known;
  return draft.create({
    object: 'bank_instruction',
    id,
    file: null,
    position: 0,
    status: 'unfiled',
    answer: null,
    answers: [],
    reason: null,
    reasonText: null,
    unbooked: false,
    early: [],
    secondDebits: [],
    createdAt: draft.atMs,
  });
}

/** A message of the bank about a payout in a file. */
export interface Answer {
  readonly payout: string;
  readonly file: string;
  /** ISO 20022 status: ACSP, RJCT, … */
  readonly status: string;
  readonly reason: string | null;
  readonly reasonText: string | null;
}

export interface Meaning {
  readonly kind: keyof typeof DONE;
  readonly failureCode: string;
}

/** What the bank has done, in words. */
const DONE = { noted: 'noted', accepted: 'accepted', rejected: 'rejected', settled: 'executed' } as const;

/**
 * Takes a message in. Answers what of it cannot be, in words, which is an event too, unless the bank has said the same before: an old report
 * may come again. Refuses `balance_too_large`.
 */
export function answered(
  draft: Draft,
  answer: Answer,
  { kind, failureCode }: Meaning,
  entries: Entries,
): string | null | Refusal {
  const { payout: id, file, status, reason, reasonText } = answer;
  const payout = draft.find('payout', id);
  const instruction = draft.find('bank_instruction', idAs('bi', id));
  if (!payout || instruction?.file !== file) return `Payout ${id} is not in payment file ${file}.`;
  if (instruction.status !== 'claimed') return null;
  const step = stepOf(draft, payout, kind);
  noteAnswer(draft, instruction);
  const isKnown = kind === 'noted' || instruction.answers.includes(status);
  const answers = isKnown ? instruction.answers : [...instruction.answers, status];
  const bankAnswer = afterMessage(payout.bankAnswer, answer, draft.atMs, HAVE_ENDED.has(payout.status));
  const said = { ...payout, bankAnswer };
  const previous = formerMembers(payout.bankAnswer, bankAnswer);
  if (step === 'conflict') {
    if (isKnown) return null;
    draft.update({ ...instruction, answers });
    if (previous !== null) draft.update(said, 'payout.updated', previous);
    draft.emit('bank_entry.conflict_detected', said);
    return `Payout ${id} is ${payout.status}, and the bank has ${DONE[kind]} it (${reason ?? status}).`;
  }
  const unbooked = instruction.unbooked || step === 'announce';
  draft.update({ ...instruction, answer: status, answers, reason, reasonText, unbooked });
  if (step === 'announce') {
    settleWithEarly(draft, said, 'bank', entries);
    return null;
  }
  if (step === 'fail') {
    const failed = fail(draft, said, failureCode);
    return isRefusal(failed) ? failed : null;
  }
  if (previous !== null) draft.update(said, 'payout.updated', previous);
  return null;
}

const HAVE_ENDED: ReadonlySet<PayoutStatus> = new Set(['paid', 'failed', 'canceled', 'returned']);

/** A booking of the bank that names a payout. */
export interface Booked {
  readonly kind: 'debited' | 'returned';
  readonly entry: string;
  /** Minor units, in the currency of the bank account. */
  readonly amount: bigint;
  readonly currency: string;
  readonly by: Outside;
  /** ISO 20022, where it came back, and in words. */
  readonly reason: string | null;
  readonly reasonText: string | null;
  readonly failureCode: string;
}

/** An entry of the other side that a booking closed, and how much of it. */
interface Closed {
  readonly entry: string;
  readonly amount: bigint;
}

/** What became of a booking, or of what is left of it once it `closed` others: its place, the wait for the debit, or a conflict. */
export type Taken = { readonly closed: readonly Closed[] } & (
  | { readonly to: 'payout'; readonly amount: bigint; readonly transfer: string }
  | { readonly to: 'wait' | 'closed' }
  | { readonly to: null; readonly conflict: string }
);

/** What facts ask of entries that wait in `unmatched`; a person may have assigned them meanwhile. */
export interface Entries {
  /** Moves what came back of a payout before its debit was reported. Answers whether it still waits. */
  takeEarly(this: void, early: Waiting, paid: Payout): boolean;
  /** Assigns up to `most` of a waiting entry to the one that closes it. Answers how much was left to assign. */
  close(this: void, waiting: Waiting, by: { readonly entry: string; readonly payout: string }, most: bigint): bigint;
}

/** Takes a booking in. A debit also takes in what came back before it. */
export function booked(draft: Draft, payout: Payout, fact: Booked, entries: Entries): Taken {
  const { id, status, amount, currency } = payout;
  const isDebit = fact.kind === 'debited';
  const step = stepOf(draft, payout, fact.kind);
  const impossible = `Payout ${id} is ${status}, and ${isDebit ? 'the bank has booked it' : 'it has come back'}.`;
  const isOfPayout = fact.currency === currency && (isDebit ? fact.amount === amount : fact.amount <= amount);
  if (!isOfPayout && step === 'conflict') return { closed: [], to: null, conflict: impossible };
  if (!isOfPayout) return { closed: [], to: null, conflict: otherAmount(payout, fact) };
  const instruction = instructionOf(draft, id);
  const isClosing = step === 'close' || (isDebit && step === 'conflict');
  const closed = isClosing ? closeWaiting(draft, instruction, fact, entries) : [];
  const left = closed.reduce((sum, each) => sum - each.amount, fact.amount);
  if (left === 0n) return { closed, to: 'closed' };
  const rest = { ...fact, amount: left };
  const next = step === 'close' ? stepOf(draft, payout, fact.kind) : step;
  if (next === 'conflict' || (!isDebit && left > amount - payout.amountReturned)) {
    keepWaiting(draft, id, isDebit ? 'secondDebits' : 'early', rest);
    return { closed, to: null, conflict: next === 'conflict' ? impossible : otherAmount(payout, fact) };
  }
  noteAnswer(draft, instruction);
  if (next === 'wait') {
    keepWaiting(draft, id, 'early', rest);
    return { closed, to: 'wait' };
  }
  const transfer = moved(draft, payout, next, rest, entries);
  if (typeof transfer !== 'string') return { closed, to: null, conflict: transfer.message };
  return { closed, to: 'payout', amount: left, transfer };
}

/** Takes the step that moves the money of a booking. Answers its own transfer, whatever follows from it. */
function moved(draft: Draft, payout: Payout, step: Step, fact: Booked, entries: Entries): string | Refusal {
  const { amount, currency, by, entry } = fact;
  if (step === 'return') {
    const back = takeBack(draft, payout, fact);
    return isRefusal(back) ? back : (back.reversal as string);
  }
  if (step === 'settle') return settleWithEarly(draft, payout, by, entries);
  draft.update({ ...instructionOf(draft, payout.id), unbooked: false });
  return move(draft, { debit: 'bank', credit: by, amount, currency, cause: 'bank_entry', causeId: entry }).id;
}

/**
 * What waits on the other side is closed, the oldest first: second debits by what gives them back, and what came back in vain by the debit
 * that it is of.
 */
function closeWaiting(draft: Draft, instruction: Instruction, fact: Booked, entries: Entries): Closed[] {
  const list = fact.kind === 'debited' ? 'early' : 'secondDebits';
  const by = { entry: fact.entry, payout: idAs('po', instruction.id) };
  const closed: Closed[] = [];
  const waiting: Waiting[] = [];
  let left = fact.amount;
  for (const each of instruction[list]) {
    const open = BigInt(each.amount);
    const most = open < left ? open : left;
    const amount = most === 0n ? 0n : entries.close(each, by, most);
    if (amount > 0n) closed.push({ entry: idOf('be', each.entry), amount });
    if (amount === most && open > most) waiting.push({ ...each, amount: String(open - most) });
    left -= amount;
  }
  draft.update({ ...instruction, [list]: waiting });
  return closed;
}

/** An entry about a payout waits for one of the other side. What of it waits already is one with it. */
export function keepWaiting(
  draft: Draft,
  payout: string,
  list: 'early' | 'secondDebits',
  { entry: id, amount, reason }: Pick<Booked, 'entry' | 'amount' | 'reason'>,
): void {
  const instruction = instructionOf(draft, payout);
  const entry = uuidOf(id);
  const known = instruction[list].find((each) => each.entry === entry);
  const waiting = { entry, amount: String(amount + BigInt(known?.amount ?? 0)), reason };
  draft.update({ ...instruction, [list]: [...instruction[list].filter((each) => each !== known), waiting] });
}

/** The payout is paid, and what came back of it before is taken in. Answers the transfer that paid it. */
function settleWithEarly(draft: Draft, payout: Payout, by: Outside, entries: Entries): string {
  const { paid, transfer } = settle(draft, payout, by);
  const { early } = instructionOf(draft, payout.id);
  if (early.length === 0) return transfer;
  const waiting = early.filter((each) => entries.takeEarly(each, draft.find('payout', payout.id) ?? paid));
  draft.update({ ...instructionOf(draft, payout.id), early: waiting });
  return transfer;
}

/** Why a booking of this amount is not that of the payout, in words. */
export const otherAmount = (
  { id, amount, amountReturned, currency }: Payout,
  fact: Pick<Booked, 'amount' | 'currency'>,
): string =>
  `Payout ${id} is over ${amount} minor units of ${currency}, of which ${amountReturned} came back, and the bank says ${fact.amount} of ${fact.currency}.`;

/** A debit that is voided, and how its money had moved. */
export interface VoidedDebit {
  readonly entry: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly cause: Cause;
}

/**
 * Takes the step of a debit back: its money comes to `unmatched`. A payout that it paid is under way again in its file, or pending if it is in
 * none; one that a message had paid waits for its debit again. Answers the transfer. Refuses `bank_assignment_final` once money came back.
 */
export function voidDebit(
  draft: Draft,
  payout: Payout,
  { entry, amount, currency, cause }: VoidedDebit,
): string | Refusal {
  const { id, status, batch: batchId } = payout;
  const instruction = instructionOf(draft, id);
  if (cause === 'bank_entry') {
    draft.update({ ...instruction, unbooked: true });
    const sides = { debit: 'unmatched', credit: 'bank' } as const;
    return move(draft, { ...sides, amount, currency, cause: 'bank_assignment', causeId: entry }).id;
  }
  if (status !== 'paid') {
    const message = `Payout ${id} is ${status}: void the entry by which its money came back first.`;
    return refusal('bank_assignment_final', message, { current_status: status });
  }
  const sides = { debit: 'unmatched', credit: 'in_transit' } as const;
  const back = move(draft, { ...sides, amount, currency, cause: 'payout_settlement_void', causeId: id });
  const open = { ...payout, endedAt: null };
  if (instruction.status === 'claimed')
    draft.update({ ...open, status: 'in_transit', dueAt: null }, 'payout.in_transit', { status });
  else stayBehind(draft, open);
  const batch = batchId === null ? undefined : draft.find('payout_batch', batchId);
  if (batch) draft.update({ ...batch, openCount: batch.openCount + 1, status: 'processing', completedAt: null });
  return back.id;
}

/**
 * Money that came back leaves the account again, because the entry that brought it is voided: so much less came back of the payout, and with
 * nothing it is paid. Answers the transfer. Refuses `balance_insufficient`, and `bank_assignment_final` where its payment was refunded anew.
 */
export function voidReturn(draft: Draft, payout: Payout, { entry, amount }: Pick<VoidedDebit, 'entry' | 'amount'>) {
  const { id, status, amountReturned, refundOf, currency, bankAnswer } = payout;
  const left = amountReturned - amount;
  assert(status === 'returned' && left >= 0n, `${amount} of payout ${id} came back`);
  const payment = refundOf === null ? undefined : draft.find('payment', refundOf);
  if (payment && payment.refunded + amount > payment.received) {
    const message = `Payout ${id} came back, and its payment was refunded anew, so entry ${entry} cannot be voided.`;
    return refusal('bank_assignment_final', message, { current_status: status });
  }
  const account = draft.find('account', payout.account);
  assert(account, 'the account of a payout is loaded with it');
  const sides = { debit: account, credit: 'unmatched' } as const;
  const unfunded = checkFunds({ ...sides, amount });
  if (unfunded) return unfunded;
  const back = move(draft, { ...sides, amount, currency, cause: 'payout_reversal_void', causeId: id });
  if (left > 0n) {
    const previous = { amount_returned_minor: Number(amountReturned) };
    draft.update({ ...payout, amountReturned: left }, 'payout.updated', previous);
  } else {
    const after = {
      status: 'paid',
      reversal: null,
      amountReturned: 0n,
      failureCode: null,
      endedAt: draft.atMs,
    } as const;
    const said = bankAnswer && { ...bankAnswer, reason: null };
    draft.update({ ...payout, ...after, bankAnswer: said }, 'payout.paid', { status });
  }
  returnRefund(draft, { refundOf, amount: -amount });
  return back.id;
}

/** Credits what came back of a paid payout, which must have as much left. Refuses `balance_too_large`. */
export function takeBack(
  draft: Draft,
  payout: Payout,
  fact: Omit<Booked, 'kind' | 'entry' | 'currency'>,
): Payout | Refusal {
  const { by, amount, failureCode, reason } = fact;
  const said = { ...payout, bankAnswer: afterReturn(payout.bankAnswer, bankReasonOf(fact)) };
  const back = comeBack(draft, said, { by, amount, failureCode });
  if (isRefusal(back)) return back;
  const instruction = instructionOf(draft, payout.id);
  draft.update({ ...instruction, reason: reason ?? instruction.reason });
  return back;
}

/** The bank has the file that the payout left in. */
function noteAnswer(draft: Draft, { file: id, status }: Instruction): void {
  const file = id === null || status !== 'claimed' ? undefined : draft.find('payment_file', id);
  if (file?.answeredAt === null) draft.update({ ...file, answeredAt: draft.atMs });
}
