/**
 * Decisions about payment files. A file is opened, payouts are claimed into it, a chunk a commit, and its bytes are sealed: then it never
 * changes. Under the environment's lock a payout is claimed or canceled, never both. A second person abandons a file that did not reach its bank:
 * its payouts are pending again and may enter another. Pure. Who drives it: `exporting.ts`.
 */
import type { Actor } from '../../core/actor.ts';
import { unfitApprover } from '../../core/approvals.ts';
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { idAs } from '../../core/values/ids.ts';
import { missing, type Refusal, refusal } from '../../core/values/errors.ts';
import type { Stored } from '../../core/objects.ts';
import { outgoingId } from '../../iso20022/write/identifiers.ts';
import { depart, stayBehind } from '../../paying/payouts/decide.ts';
import type { PaymentFile, Held, Planned, Shortfall } from './fields.ts';

/** Of one file; the rest of a larger export goes into the next. */
export const MAX_PAYOUTS = 10_000;

export interface OpenPaymentFiles {
  readonly type: 'open_payment_files';
  readonly planned: readonly Planned[];
  /** Payouts that stay, for the answer. */
  readonly held: readonly Held[];
  /** For the answer too. */
  readonly shortfalls: readonly Shortfall[];
}

export interface ClaimPayouts {
  readonly type: 'claim_payouts';
  readonly file: string;
  readonly payouts: readonly string[];
}

export interface SealPaymentFile extends Pick<PaymentFile, 'payoutsCount' | 'total'> {
  readonly type: 'seal_payment_file';
  readonly file: string;
  /** In hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
  /** As in `PaymentFileContent`. */
  readonly content: string;
}

export interface AbandonPaymentFile {
  readonly type: 'abandon_payment_file';
  readonly file: string;
  /** Who asked for its payouts; `null`: it was still being filled when they were looked for. */
  readonly makers: readonly string[] | null;
  /** Whom a test helper stands for. */
  readonly as?: Actor;
  readonly reason: string;
}

export interface ReleasePayouts {
  readonly type: 'release_payouts';
  readonly file: string;
  readonly payouts: readonly string[];
  /** None is left in it. */
  readonly isLast: boolean;
}

/**
 * Answers the files, new ones or those of the same kind that are still being filled. Refuses `resource_missing`, `bank_account_closed` and
 * `exports_stopped`.
 */
export function openPaymentFiles(draft: Draft, { planned, held, shortfalls }: OpenPaymentFiles): Decision {
  const files: PaymentFile[] = [];
  for (const plan of planned) {
    const account = draft.find('bank_account', plan.bankAccount);
    if (!account) return missing('bank account', plan.bankAccount, 'bank_account');
    if (account.status === 'closed') {
      const message = `Bank account ${account.id} is closed, so no payout leaves it. Name an open one.`;
      return refusal('bank_account_closed', message, { current_status: 'closed' });
    }
    if (account.stoppedBy !== null) return exportsStopped(account.id, account.stoppedBy);
    const filling = draft.all('payment_file').find((file) => file.status === 'claiming' && isOf(file, plan));
    files.push(filling ?? open(draft, account, plan));
  }
  return { object: 'payment_file_export', id: draft.state.environment.id, planned, files, held, shortfalls };
}

/** What all payouts of a file have in common. */
const GROUP = ['bankAccount', 'route', 'executionOn', 'categoryPurpose', 'batchBooking', 'onlyNamed'] as const;
const isOf = (file: PaymentFile, plan: Planned): boolean => GROUP.every((each) => file[each] === plan[each]);

function open(
  draft: Draft,
  { id: bankAccount, profile, currency }: Stored['bank_account'],
  { route, executionOn, categoryPurpose, batchBooking, onlyNamed }: Planned,
): PaymentFile {
  const id = draft.newId('pf');
  const file: PaymentFile = {
    object: 'payment_file',
    id,
    bankAccount,
    route,
    executionOn,
    categoryPurpose,
    batchBooking,
    onlyNamed,
    status: 'claiming',
    profile,
    currency,
    payoutsCount: 0,
    total: 0n,
    messageId: outgoingId(id),
    sha256: null,
    sizeBytes: null,
    reason: null,
    createdBy: draft.actor,
    sealedAt: null,
    answeredAt: null,
    bankReason: null,
    payeeCheck: null,
    abandonedAt: null,
    createdAt: draft.atMs,
  };
  draft.audit('payment_file.opened', id, { bank_account: bankAccount, route });
  return draft.create(file);
}

/**
 * Takes those that may leave now and leaves out the others. Answers the file. Refuses `resource_missing`, `payment_file_state_invalid` and
 * `exports_stopped`.
 */
export function claimPayouts(draft: Draft, { file: id, payouts }: ClaimPayouts): Decision {
  let file = fillingFile(draft, id);
  if (isRefusal(file)) return file;
  for (const payoutId of payouts) {
    const payout = draft.find('payout', payoutId);
    const instructionId = idAs('bi', payoutId);
    const before = draft.find('bank_instruction', instructionId);
    if (payout?.currency !== file.currency || before?.status === 'claimed') continue;
    if (!belongsInto(file, payout)) continue; // changed since it was looked at
    if (file.payoutsCount >= MAX_PAYOUTS || isRefusal(depart(draft, payout, file.executionOn))) continue;
    file = { ...file, payoutsCount: file.payoutsCount + 1, total: file.total + payout.amount };
    const place = { file: id, position: file.payoutsCount, status: 'claimed' } as const;
    if (before) draft.update({ ...before, ...place });
    else draft.create({ ...NOTHING_REPORTED, id: instructionId, ...place, createdAt: draft.atMs });
  }
  return draft.update(file);
}

/** As far as a payout may change it. */
export const belongsInto = (
  { bankAccount, onlyNamed, categoryPurpose }: PaymentFile,
  payout: Pick<Stored['payout'], 'bankAccount' | 'categoryPurpose'>,
): boolean =>
  payout.categoryPurpose === categoryPurpose &&
  (payout.bankAccount === null ? !onlyNamed : payout.bankAccount === bankAccount);

/** Of a payout that the bank has not heard of. */
const NOTHING_REPORTED = {
  object: 'bank_instruction',
  answer: null,
  answers: [],
  reason: null,
  reasonText: null,
  unbooked: false,
  early: [],
  secondDebits: [],
} as const;

/**
 * Stores the bytes, once. A file without payouts ends as abandoned. Refuses `resource_missing`, `exports_stopped`, and
 * `payment_file_state_invalid` also where the bytes do not hold the claimed payouts.
 */
export function sealPaymentFile(draft: Draft, command: SealPaymentFile): Decision {
  const file = fillingFile(draft, command.file);
  if (isRefusal(file)) return file;
  const { payoutsCount, total, sha256, sizeBytes, content } = command;
  if (payoutsCount !== file.payoutsCount || total !== file.total) {
    return refusal('payment_file_state_invalid', `More was claimed into payment file ${file.id} than was written.`);
  }
  if (payoutsCount === 0) return end(draft, { ...file, reason: 'Nothing was left to pay.' });
  draft.create({ object: 'payment_file_content', id: idAs('bfc', file.id), content, createdAt: draft.atMs });
  draft.audit('payment_file.sealed', file.id, { sha256, payouts_count: payoutsCount, total: String(total) });
  const sealed = { ...file, status: 'sealed', sha256, sizeBytes, sealedAt: draft.atMs } as const;
  return draft.update(sealed, 'payment_file.sealed');
}

/**
 * What was sealed may have reached the bank, and then pays twice. So a second person says that it did not, of another family than whoever made
 * the file or a payout in it. Refuses `resource_missing`, `payment_file_answered`, `payment_file_state_invalid`, and what `unfitApprover` refuses.
 */
export function abandonPaymentFile(draft: Draft, { file: id, makers, reason, as }: AbandonPaymentFile): Decision {
  const file = fileIn(draft, id, ['claiming', 'sealed', 'abandoning']);
  if (isRefusal(file) || file.status === 'abandoning') return file;
  if (file.answeredAt !== null) {
    const message = `The bank has reported on payment file ${id}: it was received. Its payouts end by the bank’s reports.`;
    return refusal('payment_file_answered', message, { current_status: file.status });
  }
  if (file.status === 'sealed') {
    if (makers === null) return sealedMeanwhile(id);
    const asked = { what: `The end of payment file ${id}`, by: [file.createdBy, ...makers], approvals: [] };
    const unfit = unfitApprover(draft, asked, as);
    if (unfit) return unfit;
  }
  draft.audit('payment_file.abandoned', id, { reason });
  return draft.update({ ...file, status: 'abandoning', reason } as const);
}

const sealedMeanwhile = (id: string): Refusal => {
  const message = `Payment file ${id} was sealed at this moment. Look at it, and try again.`;
  return { ...refusal('payment_file_state_invalid', message, { current_status: 'sealed' }), isUnrecorded: true };
};

/** Payouts of an abandoned file are pending again. Answers the file. Refuses `resource_missing` and `payment_file_state_invalid`. */
export function releasePayouts(draft: Draft, { file: id, payouts, isLast }: ReleasePayouts): Decision {
  const file = fileIn(draft, id, ['abandoning']);
  if (isRefusal(file)) return file;
  for (const payoutId of payouts) {
    const payout = draft.find('payout', payoutId);
    const instruction = draft.find('bank_instruction', idAs('bi', payoutId));
    if (!payout || instruction?.file !== id || instruction.status !== 'claimed') continue;
    if (payout.status === 'in_transit') stayBehind(draft, payout);
    draft.update({ ...instruction, status: 'released' } as const);
  }
  return isLast ? end(draft, file) : file;
}

function end(draft: Draft, file: PaymentFile): PaymentFile {
  return draft.update({ ...file, status: 'abandoned', abandonedAt: draft.atMs } as const, 'payment_file.abandoned');
}

/** A file that payouts may still enter. Refuses also while the exports of its bank account are stopped. */
function fillingFile(draft: Draft, id: string): PaymentFile | Refusal {
  const file = fileIn(draft, id, ['claiming']);
  if (isRefusal(file)) return file;
  const stoppedBy = draft.find('bank_account', file.bankAccount)?.stoppedBy ?? null;
  return stoppedBy === null ? file : exportsStopped(file.bankAccount, stoppedBy);
}

export const exportsStopped = (bankAccount: string, statement: string): Refusal =>
  refusal(
    'exports_stopped',
    `No payout leaves bank account ${bankAccount}: statement ${statement} says another balance than the ledger. Look at it, then resume with POST /v1/bank_accounts/${bankAccount}/resume_exports.`,
    { resource_id: statement },
  );

function fileIn(draft: Draft, id: string, statuses: readonly PaymentFile['status'][]): PaymentFile | Refusal {
  const file = draft.find('payment_file', id);
  if (!file) return missing('payment file', id);
  if (statuses.includes(file.status)) return file;
  const message = `Payment file ${id} is ${file.status}; this needs one that is ${statuses.join(' or ')}.`;
  return refusal('payment_file_state_invalid', message, { current_status: file.status, allowed: statuses });
}
