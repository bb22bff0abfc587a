/**
 * Why a payout is where it is, and what to do: one sentence for each reason, and the next step. Pure. Every reason is
 * also in `docs/guides/stuck-payout.md` (`why-reasons.test.ts`). Who reads the API: `why.ts`.
 */
import type {
  Account,
  BankAccount,
  BankEntry,
  PaymentFile,
  Limit,
  Payout,
  PayoutRules,
} from '../../../client/src/bursar.ts';
import { fromMinor } from '../../../client/src/money.ts';
import { assert } from '../../core/values/assert.ts';
import { addBusinessDays, DAYS_OF_SILENCE } from '../../core/rails/business-days.ts';

interface Sentence {
  readonly waits: string;
  readonly next: string;
}

/** Words in braces are filled in; the page has `…` in their place. */
export const REASONS = {
  funds_missing: {
    waits: 'Account {account} holds {held}, and the payout needs {needed}, its fees included.',
    next: 'Add money to the account. The payout goes on by itself. If no money comes until {wait_until_on}, it fails.',
  },
  older_first: {
    waits:
      'Older payouts of account {account} come first ({count}); the oldest is {oldest}, of {oldest_amount}. With this one they need {needed}, and it holds {held}.',
    next: 'Add money for all payouts, or cancel the older ones: bursar payouts list status=waiting',
  },
  account_closed: {
    waits: 'Account {account} is closed, so no money can come.',
    next: 'Cancel the payout, and pay from another account: bursar payouts cancel {payout}',
  },
  frozen: {
    waits: 'All payouts of this environment are frozen.',
    next: 'Find out who froze them, and why. Then end the freeze: bursar post /v1/settings/payouts frozen=false',
  },
  unfreeze_unapproved: {
    waits: 'All payouts of this environment are frozen. {by} asked to end the freeze, and nobody has agreed to that.',
    next: 'Find out why it was asked. Then agree with a key of another family: bursar post /v1/settings/payouts/approve fingerprint={fingerprint}',
  },
  held: {
    waits: 'It is held for approval ({why}). {given} of {required} approvals are there.',
    next: 'Look at it. Then approve it with another key: bursar payouts approve {payout} fingerprint={fingerprint}',
  },
  rule_unapproved: {
    waits: 'The rule that holds it is to become looser: {by} asked for that, and nobody has agreed to it.',
    next: 'The approval of the payout is enough. For later ones, agree with a key of another family: bursar post /v1/settings/payouts/approve fingerprint={fingerprint}',
  },
  limit_unapproved: {
    waits: 'Limit {limit}, which holds it, is to be deleted: {by} asked for that, and nobody has agreed to it.',
    next: 'The approval of the payout is enough. For later ones, agree with a key of another family: bursar post /v1/limits/{limit}/approve fingerprint={fingerprint}',
  },
  scheduled: {
    waits: 'It leaves on {day}.',
    next: 'Wait, or change the day: bursar payouts update {payout} scheduled_on=…',
  },
  worker_next: {
    waits: 'Nothing holds it. A worker takes it within seconds.',
    next: 'If it is still here after a minute, read the log of the server, and look for the worker in bursar_worker_lease_held.',
  },
  sandbox_step: {
    waits: 'The sandbox bank takes the next step within seconds, or never if BURSAR_SANDBOX_STEP_SECONDS is 0.',
    next: 'Wait, or take the step yourself: bursar post /v1/test_helpers/payouts/{payout}/advance',
  },
  no_bank_account: {
    waits: 'No open bank account pays in {currency}.',
    next: 'Add a bank account, or open an existing one for payouts: bursar bank accounts add --help',
  },
  exports_stopped: {
    waits:
      'Exports of bank account {bank_account} are stopped: statement {statement} has another balance than the ledger.',
    next: 'Explain the difference. Then let payouts leave: bursar bank accounts resume-exports {bank_account} --reason …',
  },
  not_payable: {
    waits: 'The bank account cannot make this payment. {message}',
    next: 'Mend the recipient or the bank account. Then cancel the payout, and make it again: bursar payouts cancel {payout}',
  },
  export_by_hand: {
    waits: 'It waits for an export: bank account {bank_account} makes payment files only when you ask.',
    next: 'Make the payment file: bursar bank export',
  },
  export_before_cut_off: {
    waits:
      'It leaves in the half hour before {cut_off} ({time_zone}), with the payment file of bank account {bank_account}.',
    next: 'Wait, or make the payment file now: bursar bank export',
  },
  file_filling: {
    waits: 'It is in payment file {file}, which is being written.',
    next: 'Wait some seconds. If the file is still not sealed, read the log of the server: bursar bank files',
  },
  file_given_up: {
    waits: 'Payment file {file} was given up. Its payouts become pending again within seconds.',
    next: 'Wait some seconds, then make another payment file: bursar bank export',
  },
  file_unanswered: {
    waits: 'It is in payment file {file}, and the bank has reported nothing about that file.',
    next: 'Make sure that the bank has the file. Then import what the bank reports: bursar bank import FILE',
  },
  debit_unbooked: {
    waits: 'The bank has payment file {file}. It has not booked the debit of this payout.',
    next: 'Import the newest statement of the bank: bursar bank import FILE',
  },
  payee_differs: {
    waits: 'The bank compared the payee’s name with that of the account: {result}. {name}',
    next: 'Ask the recipient. Then let payment file {file} go, or stop it, at the bank: it waits about an hour.',
  },
  overdue: {
    waits: 'The bank was to execute payment file {file} on {day}, and its reports do not say how this payout ended.',
    next: 'Ask the bank. Then say what it did: bursar post /v1/payouts/{payout}/resolve outcome=… reason=…',
  },
  entry_unmatched: {
    waits: 'Entry {entry} of the bank names this payout, and its money has no place. {conflict}',
    next: 'Look at the entry, and assign its money: bursar bank entries',
  },
  paid: {
    waits: 'It is paid: its money has left.',
    next: 'If the recipient misses the money, ask the bank to trace it. Money that comes back makes the payout returned.',
  },
  unfunded: {
    waits: 'It waited for money until {wait_until_on}, and the money did not come.',
    next: 'Add money to account {account}, and make the payout again.',
  },
  failed: {
    waits: 'It failed, and account {account} has its money again. {message}',
    next: 'Mend the cause, and make the payout again with another idempotency key.',
  },
  rejected: {
    waits: 'A second person rejected it: {message}',
    next: 'Talk to that person. A rejected payout never leaves; make another one.',
  },
  canceled: {
    waits: 'It was canceled.',
    next: 'Make the payout again if it was canceled by mistake.',
  },
  returned: {
    waits: 'Its money came back to account {account}. {message}',
    next: 'Correct the recipient, and make the payout again with another idempotency key.',
  },
} as const satisfies Readonly<Record<string, Sentence>>;

export type ReasonName = keyof typeof REASONS;

export interface Reason extends Sentence {
  readonly reason: ReasonName;
}

type Of<T, K extends keyof T> = Pick<T, K>;

type Funds = Of<Payout, 'amount_minor' | 'fees'>;

type Judged = Funds &
  Of<Payout, 'id' | 'livemode' | 'status' | 'currency' | 'account' | 'speed' | 'scheduled_on' | 'wait_until_on'> &
  Of<Payout, 'transfer' | 'failure_message' | 'release' | 'bank_reason' | 'accepted_at' | 'payee_check'>;

type PayingBank = Of<
  BankAccount,
  'id' | 'calendar' | 'holidays' | 'cut_off' | 'time_zone' | 'exports' | 'exports_stopped_by'
>;

/** `undefined`: not looked at, because it does not matter here or the key may not read it. `null`: there is none. */
export interface Facts {
  readonly payout: Judged;
  /** By the clock of the environment, an ISO date. */
  readonly today: string;
  readonly rules: Of<PayoutRules, 'frozen' | 'pending_changes'> | undefined;
  /** Those that hold it. */
  readonly limits: readonly Of<Limit, 'id' | 'pending_deletion'>[];
  /** The account that pays. */
  readonly account: Of<Account, 'id' | 'balance' | 'status'> | undefined;
  /** Payouts of this account that wait for money and come before it, the oldest first. */
  readonly older: readonly (Funds & Of<Payout, 'id'>)[];
  /** The bank account that would pay, or that the payment file is of. */
  readonly bank: PayingBank | null | undefined;
  /** The payment file that it is in. */
  readonly file: Of<PaymentFile, 'id' | 'status' | 'execution_on' | 'answered_at'> | null | undefined;
  /** Why the bank account cannot make it; `null`: it can. */
  readonly unpayable: string | null | undefined;
  /** Entries without a place that name it. */
  readonly entries: readonly Of<BankEntry, 'id' | 'conflict'>[];
}

/** All that holds the payout, what must be done first in front. Empty where nothing is known of it. */
export function reasonsOf(facts: Facts): readonly Reason[] {
  const { payout, entries } = facts;
  const unmatched = entries.map(({ id, conflict }) =>
    reason('entry_unmatched', { entry: id, conflict: conflict ?? 'It came before the bank reported the debit.' }),
  );
  return [...unmatched, ...BY_STATUS[payout.status](facts)];
}

const BY_STATUS: Readonly<Record<Payout['status'], (facts: Facts) => readonly Reason[]>> = {
  waiting: (facts) => [...whileFrozen(facts), ...withoutMoney(facts)],
  pending: (facts) => [...whileFrozen(facts), ...beforeItLeaves(facts)],
  in_transit: underWay,
  paid: () => [reason('paid', {})],
  failed: ({ payout }) => {
    const { account, wait_until_on } = payout;
    if (payout.transfer === null) return [reason('unfunded', { account, wait_until_on })];
    return [reason('failed', { account, message: whyEnded(payout) })];
  },
  canceled: ({ payout: { release } }) =>
    release?.status === 'rejected'
      ? [reason('rejected', { message: release.rejection?.reason ?? 'no reason was given.' })]
      : [reason('canceled', {})],
  returned: ({ payout }) => [reason('returned', { account: payout.account, message: whyEnded(payout) })],
};

/** In our words, and in those of the bank. */
function whyEnded({ failure_message: message, bank_reason: said }: Judged): string {
  const words = [said?.code, said?.text].filter((each) => typeof each === 'string');
  return [message, ...(words.length > 0 ? [`The bank says: ${words.join(', ')}.`] : [])].join(' ');
}

function whileFrozen({ rules }: Facts): readonly Reason[] {
  if (rules?.frozen !== true) return [];
  const { pending_changes: pending } = rules;
  return [pending?.changes.frozen === false ? reason('unfreeze_unapproved', askedIn(pending)) : reason('frozen', {})];
}

const askedIn = ({
  actors,
  fingerprint,
}: Of<NonNullable<PayoutRules['pending_changes']>, 'actors' | 'fingerprint'>) => ({
  by: actors.join(', '),
  fingerprint,
});

function withoutMoney({ payout, account, older, rules }: Facts): readonly Reason[] {
  const { id, currency, wait_until_on } = payout;
  if (account === undefined) return [];
  if (account.status === 'closed') return [reason('account_closed', { account: account.id, payout: id })];
  const needed = [...older, payout].map(needOf).reduce((sum, each) => sum + each, 0n);
  if (BigInt(account.balance) >= needed) return rules?.frozen === true ? [] : [reason('worker_next', {})];
  const money = (minor: bigint | number) => `${fromMinor(minor, currency)} ${currency}`;
  const words = { account: account.id, held: money(account.balance), needed: money(needed) };
  const [oldest] = older;
  if (oldest !== undefined) {
    const first = { oldest: oldest.id, oldest_amount: money(oldest.amount_minor), count: older.length };
    return [reason('older_first', { ...words, ...first })];
  }
  return [reason('funds_missing', { ...words, wait_until_on })];
}

const needOf = ({ amount_minor, fees }: Funds): bigint =>
  fees.reduce((sum, fee) => sum + BigInt(fee.amount_minor), BigInt(amount_minor));

function beforeItLeaves(facts: Facts): readonly Reason[] {
  const { payout, today, rules } = facts;
  const { id, release, scheduled_on: day } = payout;
  if (release?.status === 'held') {
    const { reasons, approvals, approvals_required: required, fingerprint } = release;
    const words = { payout: id, why: reasons.join(', '), given: approvals.length, required, fingerprint };
    return [reason('held', words), ...toBeLooser(facts, reasons)];
  }
  if (day !== null && day > today) return [reason('scheduled', { payout: id, day })];
  if (rules?.frozen === true) return [];
  return payout.livemode ? beforeExport(facts) : [reason('sandbox_step', { payout: id })];
}

/** What somebody asked to loosen of that which holds it. */
function toBeLooser({ rules, limits }: Facts, holding: readonly string[]): readonly Reason[] {
  const pending = rules?.pending_changes;
  const isOfRecipient = holding.some((each) => !each.startsWith('lim_'));
  const isLooser = isOfRecipient && pending?.changes.hold_new_recipients_hours !== undefined;
  return [
    ...(pending && isLooser ? [reason('rule_unapproved', askedIn(pending))] : []),
    ...limits.flatMap(({ id: limit, pending_deletion: deletion }) =>
      deletion === null ? [] : [reason('limit_unapproved', { limit, ...askedIn(deletion) })],
    ),
  ];
}

function beforeExport({ payout, bank, unpayable }: Facts): readonly Reason[] {
  const { id: payoutId, currency, speed } = payout;
  if (bank === undefined) return [];
  if (bank === null) return [reason('no_bank_account', { currency })];
  const { id, exports, exports_stopped_by: statement, cut_off, time_zone } = bank;
  const words = { bank_account: id, payout: payoutId };
  if (statement !== null) return [reason('exports_stopped', { ...words, statement })];
  if (typeof unpayable === 'string') return [reason('not_payable', { ...words, message: unpayable })];
  if (exports === 'by_hand') return [reason('export_by_hand', words)];
  return speed === 'instant'
    ? [reason('worker_next', {})]
    : [reason('export_before_cut_off', { ...words, cut_off, time_zone })];
}

function underWay({ payout, today, bank, file }: Facts): readonly Reason[] {
  const words = { payout: payout.id, file: file?.id ?? '' };
  if (!file) return payout.livemode ? [] : [reason('sandbox_step', words)];
  if (file.status === 'claiming') {
    const statement = bank?.exports_stopped_by ?? null;
    if (bank && statement !== null) return [reason('exports_stopped', { bank_account: bank.id, statement })];
    return [reason('file_filling', words)];
  }
  if (file.status !== 'sealed') return [reason('file_given_up', words)];
  const { execution_on: day } = file;
  if (bank && today >= addBusinessDays(bank.calendar, day, DAYS_OF_SILENCE, bank.holidays))
    return [reason('overdue', { ...words, day })];
  const { payee_check: check, accepted_at: accepted } = payout;
  if (check !== null && check.result !== 'match' && accepted === null) {
    const name = check.name === null ? '' : `The account is of ${check.name}.`;
    return [reason('payee_differs', { ...words, result: check.result, name })];
  }
  return [reason(file.answered_at === null ? 'file_unanswered' : 'debit_unbooked', words)];
}

/** The sentences of a reason with its words in place. */
function reason(name: ReasonName, words: Readonly<Record<string, string | number | null>>): Reason {
  const { waits, next }: Sentence = REASONS[name];
  const filled = (text: string) =>
    text
      .replaceAll(/\{(\w+)\}/g, (_whole, word: string) => {
        assert(word in words, `reason ${name} has a ${word}`);
        return String(words[word] ?? '');
      })
      .trim();
  return { reason: name, waits: filled(waits), next: filled(next) };
}
