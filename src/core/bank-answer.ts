/**
 * What the bank says of a payout: why, that it accepted it, and whether the payee's name is that of the account. Kept with the payout, so
 * that answers, lists and events show the same; only reports of banks write it (decision 0083). Pure. Next: `paying/payouts/facts-decide.ts`.
 */
import * as field from './fields.ts';
import { type JsonSchema, nullableText, strictObject } from './values/json-schema.ts';
import { unixSeconds } from './values/time.ts';

/** In the bank's own words. */
export interface BankReason {
  /** ISO 20022, or a code of the bank. */
  readonly code: string | null;
  readonly text: string | null;
}

export const PAYEE_CHECK_RESULTS = ['match', 'close_match', 'no_match', 'not_possible'] as const;
export type PayeeCheckResult = (typeof PAYEE_CHECK_RESULTS)[number];

export interface BankAnswer {
  readonly reason: BankReason | null;
  /** Milliseconds. */
  readonly acceptedAt: number | null;
  readonly payeeCheck: {
    readonly result: PayeeCheckResult;
    /** That of the account; banks tell it where it nearly matches. */
    readonly name: string | null;
  } | null;
}

const NOTHING_SAID: BankAnswer = { reason: null, acceptedAt: null, payeeCheck: null };

const orNull = (schema: JsonSchema): JsonSchema => ({ ...schema, type: ['object', 'null'] });

export const bankReasonSchema = (description: string): JsonSchema =>
  orNull(
    strictObject(description, {
      code: nullableText('ISO 20022 code, or a code of the bank.'),
      text: nullableText('The bank’s own words.'),
    }),
  );

const SCHEMAS = {
  bank_reason: bankReasonSchema(
    'The reason that the bank gave last: why it rejected, delayed, changed or returned it.',
  ),
  accepted_at: {
    type: ['integer', 'null'],
    description: 'When the bank first reported that it accepted it. Unix seconds.',
  },
  payee_check: orNull(
    strictObject('Whether its name is that of the account (verification of payee), once the bank reports it.', {
      result: {
        type: 'string',
        enum: PAYEE_CHECK_RESULTS,
        description: '`not_possible`: the bank of the account did not say.',
      },
      name: nullableText('The name of the account holder, if the bank tells it: where it is a `close_match`.'),
    }),
  ),
} as const;

/** In this order, which a row does not keep, and erasure relies on (`write/erasure.ts`). */
const membersOf = ({ reason, acceptedAt, payeeCheck }: BankAnswer): string => {
  const said = reason && { code: reason.code, text: reason.text };
  const check = payeeCheck && { result: payeeCheck.result, name: payeeCheck.name };
  const accepted = acceptedAt && unixSeconds(acceptedAt);
  return `"bank_reason":${JSON.stringify(said)},"accepted_at":${accepted},"payee_check":${JSON.stringify(check)}`;
};
/** Of nearly all payouts when they are made. */
const NO_MEMBERS = membersOf(NOTHING_SAID);

export const bankAnswerField: field.Field<BankAnswer | null> = {
  column: field.jsonOrNull<BankAnswer>({}, { mutable: true }).column,
  shown: () => ({ schemas: SCHEMAS, json: (value) => (value === null ? NO_MEMBERS : membersOf(value)) }),
};

/**
 * The bank takes it, whatever may come later: beyond the checks of form (`ACTC`) and receipt. Source: ISO 20022,
 * ExternalPaymentTransactionStatus1Code, 2025.
 */
const ACCEPTANCES: ReadonlySet<string> = new Set('ACCP ACFC ACSP ACPD ACWC ACWP ACSC ACCC'.split(' '));

/** Of one payment. Source: the same code set; EPC verification of payee, 2025. */
const PAYEE_CHECKS: ReadonlyMap<string, PayeeCheckResult> = new Map([
  ['RCVC', 'match'],
  ['RVMC', 'close_match'],
  ['RVNM', 'no_match'],
  ['RVNA', 'not_possible'],
]);

/** Whether a status is about names, of a payment or of a file: it accepts and rejects nothing. */
export const isPayeeCheck = (status: string): boolean => PAYEE_CHECKS.has(status) || status === 'RVCM';

/** In place of a status of the bank: a person has found out what it did. */
export const BY_HAND = 'BY_HAND';

/** A message of the bank, as `Answer` has it. */
interface Message {
  readonly status: string;
  readonly reason: string | null;
  readonly reasonText: string | null;
}

export const bankReasonOf = ({ reason: code, reasonText: text }: Pick<Message, 'reason' | 'reasonText'>) =>
  code === null && text === null ? null : { code, text };

/**
 * What is known after a message. One without a reason takes none away, so that reports which come again change nothing. Of a payout that
 * has ended, the first reason stays: what comes later is about its past. The name of the
 * account stands where other messages have their words (DK, Anlage 3, version 3.9, section 2.2.6).
 */
export function afterMessage(before: BankAnswer | null, message: Message, atMs: number, hasEnded: boolean): BankAnswer {
  const known = before ?? NOTHING_SAID;
  const { status, reasonText } = message;
  const result = PAYEE_CHECKS.get(status);
  if (result !== undefined) {
    return { ...known, payeeCheck: { result, name: result === 'close_match' ? reasonText : null } };
  }
  if (isPayeeCheck(status) || status === BY_HAND) return known;
  const reason = bankReasonOf(message);
  return {
    ...known,
    reason: hasEnded ? (known.reason ?? reason) : (reason ?? known.reason),
    acceptedAt: known.acceptedAt ?? (ACCEPTANCES.has(status) ? atMs : null),
  };
}

/** After money came back for this reason. */
export const afterReturn = (before: BankAnswer | null, reason: BankReason | null): BankAnswer | null =>
  reason === null ? before : { ...(before ?? NOTHING_SAID), reason };

/** The members that a change of the answer changes, as they were. */
export function formerMembers(before: BankAnswer | null, after: BankAnswer): Readonly<Record<string, unknown>> | null {
  const was = JSON.parse(`{${membersOf(before ?? NOTHING_SAID)}}`) as Readonly<Record<string, unknown>>;
  const is = JSON.parse(`{${membersOf(after)}}`) as typeof was;
  const changed = Object.entries(was).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(is[name]));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}
