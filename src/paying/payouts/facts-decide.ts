/**
 * What a bank’s report does to a payout: the one table of state × fact. Booked money beats messages: a booking that does not fit the
 * state is a conflict, its money waits for a person, and the payout stays as it is. In whatever order reports come, a payout ends in the
 * same state, unless the bank contradicts itself. Pure. Who reads reports: `bank/statements/`.
 */
import { isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { Refusal } from '../../core/values/errors.ts';
import { idAs, uuidOf } from '../../core/values/ids.ts';
import { move, type Outside } from '../../core/ledger.ts';
import type { Stored } from '../../core/objects.ts';
import { afterMessage, afterReturn, bankReasonOf, formerMembers } from '../../core/bank-answer.ts';
import { comeBack, fail, settle } from './decide.ts';
import type { Payout, PayoutStatus } from './fields.ts';

type Instruction = Stored['bank_instruction'];

/**
 * `noted`: received, accepted, checked. `rejected`: by message. `settled`: executed, by message, where the bank account counts it (`paid_by`).
 * `debited`, `returned`: booked.
 */
export type FactKind = 'noted' | 'rejected' | 'settled' | 'debited' | 'returned';

/** `…_unbooked`: paid by a message, and its debit is not booked yet. */
export type FactState = PayoutStatus | 'paid_unbooked' | 'returned_unbooked';

/**
 * `note`: nothing changes. `announce`: it is paid, and its money is on its way to the booking, which is then only to `book`. `wait`: it came
 * back before its debit was reported, which then takes both steps. `conflict`: it cannot be, and the payout stays as it is.
 */
export type Step = 'note' | 'fail' | 'announce' | 'settle' | 'book' | 'return' | 'wait' | 'conflict';

const row = (noted: Step, rejected: Step, settled: Step, debited: Step, returned: Step) => ({
  noted,
  rejected,
  settled,
  debited,
  returned,
});

// biome-ignore format: a table reads best with one row a line.
export const STEPS_OF_FACTS: Readonly<Record<FactState, Readonly<Record<FactKind, Step>>>> = {
  //                     noted   rejected    settled     debited     returned
  waiting:           row('note', 'note',     'note',     'conflict', 'conflict'),
  // Never exported, entered at the bank by hand, or free again. A message of a bank is about a file that was given up then, and is not
  // looked at (`answered`); the bank of a sandbox may reject at once.
  pending:           row('note', 'fail',     'note',     'settle',   'wait'),
  in_transit:        row('note', 'fail',     'announce', 'settle',   'wait'),
  paid:              row('note', 'conflict', 'note',     'conflict', 'return'),
  paid_unbooked:     row('note', 'conflict', 'note',     'book',     'return'),
  failed:            row('note', 'note',     'conflict', 'conflict', 'conflict'),
  canceled:          row('note', 'note',     'note',     'conflict', 'conflict'),
  // In parts: each is credited.
  returned:          row('note', 'conflict', 'note',     'conflict', 'return'),
  returned_unbooked: row('note', 'conflict', 'note',     'book',     'return'),
};

export function stepOf(draft: Draft, { id, status }: Payout, kind: FactKind): Step {
  const isUnbooked = draft.find('bank_instruction', idAs('bi', id))?.unbooked === true;
  const state = isUnbooked && (status === 'paid' || status === 'returned') ? (`${status}_unbooked` as const) : status;
  return STEPS_OF_FACTS[state][kind];
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
    reason: null,
    reasonText: null,
    returned: 0n,
    unbooked: false,
    early: [],
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
  readonly kind: 'noted' | 'rejected' | 'settled';
  readonly failureCode: string;
  readonly takeEarly: TakeEarly;
}

/** Takes a message in. Answers what of it cannot be, in words. Refuses `balance_too_large`. */
export function answered(
  draft: Draft,
  answer: Answer,
  { kind, failureCode, takeEarly }: Meaning,
): string | null | Refusal {
  const { payout: id, file, status, reason, reasonText } = answer;
  const payout = draft.find('payout', id);
  const instruction = draft.find('bank_instruction', idAs('bi', id));
  if (!payout || instruction?.file !== file) return `Payout ${id} is not in payment file ${file}.`;
  if (instruction.status !== 'claimed') return null;
  const step = stepOf(draft, payout, kind);
  const unbooked = instruction.unbooked || step === 'announce';
  draft.update({ ...instruction, answer: status, reason, reasonText, unbooked });
  noteAnswer(draft, instruction);
  const bankAnswer = afterMessage(payout.bankAnswer, answer, draft.atMs, HAVE_ENDED.has(payout.status));
  const said = { ...payout, bankAnswer };
  if (step === 'announce') {
    settleWithEarly(draft, said, 'bank', instruction, takeEarly);
    return null;
  }
  if (step === 'fail') {
    const failed = fail(draft, said, failureCode);
    return isRefusal(failed) ? failed : null;
  }
  const previous = formerMembers(payout.bankAnswer, bankAnswer);
  if (previous !== null) draft.update(said, 'payout.updated', previous);
  if (step !== 'conflict') return null;
  const did = kind === 'settled' ? 'executed' : 'rejected';
  return `Payout ${id} is ${payout.status}, and the bank has ${did} it (${reason ?? status}).`;
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

/** What became of a booking: its money found its place, waits for the debit, or cannot be. */
export type Taken =
  | { readonly to: 'payout'; readonly transfer?: string }
  | { readonly to: 'wait' }
  | { readonly to: null; readonly conflict: string };

/** Moves what came back of a payout before its debit was reported. */
export type TakeEarly = (early: Instruction['early'][number], paid: Payout) => void;

/** Takes a booking in. A debit also takes in what came back before it, each by `takeEarly`. */
export function booked(draft: Draft, payout: Payout, fact: Booked, takeEarly: TakeEarly): Taken {
  const { id, status, amount, currency } = payout;
  const step = stepOf(draft, payout, fact.kind);
  if (step === 'conflict') {
    const said = fact.kind === 'debited' ? 'the bank has booked it' : 'it has come back';
    return { to: null, conflict: `Payout ${id} is ${status}, and ${said}.` };
  }
  const instruction = instructionOf(draft, id);
  const fits = fact.kind === 'debited' ? fact.amount === amount : fact.amount <= amount - instruction.returned;
  if (fact.currency !== currency || !fits) return { to: null, conflict: otherAmount(payout, instruction, fact) };
  noteAnswer(draft, instruction);
  if (step === 'wait') {
    const early = { entry: uuidOf(fact.entry), amount: String(fact.amount), reason: fact.reason };
    draft.update({ ...instruction, early: [...instruction.early, early] });
    return { to: 'wait' };
  }
  if (step === 'return') {
    const back = takeBack(draft, payout, fact);
    return isRefusal(back) ? { to: null, conflict: back.message } : { to: 'payout' };
  }
  if (step === 'book') {
    draft.update({ ...instruction, unbooked: false });
    const sides = { debit: 'bank', credit: fact.by, amount, currency } as const;
    const { id: transfer } = move(draft, { ...sides, cause: 'bank_entry', causeId: fact.entry });
    return { to: 'payout', transfer };
  }
  settleWithEarly(draft, payout, fact.by, instruction, takeEarly);
  return { to: 'payout' };
}

/** The payout is paid, and what came back of it before is taken in. */
function settleWithEarly(
  draft: Draft,
  payout: Payout,
  by: Outside,
  { early }: Instruction,
  takeEarly: TakeEarly,
): void {
  const paid = settle(draft, payout, by);
  for (const each of early) takeEarly(each, draft.find('payout', payout.id) ?? paid);
}

/** Why a booking of this amount is not that of the payout, in words. */
export const otherAmount = (
  { id, amount, currency }: Payout,
  { returned }: Instruction,
  fact: Pick<Booked, 'amount' | 'currency'>,
): string =>
  `Payout ${id} is over ${amount} minor units of ${currency}, of which ${returned} came back, and the bank says ${fact.amount} of ${fact.currency}.`;

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
  const returned = instruction.returned + amount;
  draft.update({ ...instruction, returned, reason: reason ?? instruction.reason, early: [] });
  return back;
}

/** The bank has the file that the payout left in. */
function noteAnswer(draft: Draft, { file: id, status }: Instruction): void {
  const file = id === null || status !== 'claimed' ? undefined : draft.find('bank_file', id);
  if (file?.answeredAt === null) draft.update({ ...file, answeredAt: draft.atMs });
}
