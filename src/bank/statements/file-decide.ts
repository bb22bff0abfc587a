/**
 * The decision about what a bank reports on a payment file as a whole, once what it says of the payouts in it is noted
 * (`core/bank-answer.ts`). The payouts themselves end by their own reports. Pure.
 */
import type { Decision } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import type { Stored } from '../../core/objects.ts';
import { missing } from '../../core/values/errors.ts';

type PaymentFile = Stored['payment_file'];

export interface NoteFileAnswer {
  readonly type: 'note_file_answer';
  /** The document that says it. */
  readonly document: string;
  readonly file: string;
  /** `null`: the report gives none. */
  readonly reason: PaymentFile['bankReason'];
  readonly isRejected: boolean;
  /** `null`: no report says anything about names. */
  readonly payeeCheck: PaymentFile['payeeCheck'];
}

/** Refuses `resource_missing`. Answers the document. A report that comes again changes nothing, and no event tells of it. */
export function noteFileAnswer(draft: Draft, { document: id, file: fileId, ...said }: NoteFileAnswer): Decision {
  const document = draft.find('statement_file', id);
  if (!document) return missing('statement file', id);
  const file = draft.find('payment_file', fileId);
  if (!file) return document; // of another environment, or of before a reset
  const { bankReason, payeeCheck } = file;
  let after = file;
  // Reports come in any order and again: a rejection says why, whatever else is reported, and nothing reported takes a reason away.
  const isTelling = said.reason !== null && (bankReason === null || said.isRejected);
  if (isTelling && !isSame(said.reason, bankReason)) {
    after = draft.update({ ...after, bankReason: said.reason }, 'payment_file.updated', { bank_reason: bankReason });
  }
  if (said.payeeCheck !== null && !isSame(said.payeeCheck, payeeCheck)) {
    draft.update({ ...after, payeeCheck: said.payeeCheck }, 'payment_file.payees_checked', { payee_check: payeeCheck });
  }
  return document;
}

/** By their JSON, whose members may stand in another order in a row. */
const isSame = (one: object | null, other: object | null): boolean => textOf(one) === textOf(other);
const textOf = (value: object | null): string => JSON.stringify(value && Object.entries(value).toSorted(byName));
const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;
