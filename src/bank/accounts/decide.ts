/** Decisions about bank accounts: add, change, close. Each leaves an entry in the audit log. Pure. What the bank books: not here. */
import { type Decision, isRefusal } from '../../core/decision.ts';
import type { Draft } from '../../core/draft.ts';
import { missing, refusal } from '../../core/values/errors.ts';
import { mergeMetadata, newMetadata } from '../../core/metadata.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { PayingBank } from '../../core/rails/paying-banks.ts';
import type { Metadata } from '../../core/objects.ts';
import { DAY_MS, dayStartMs } from '../../core/values/time.ts';
import { type Given, previousOf, update, withGiven } from '../../core/update.ts';
import { isAddressWritable, isHolderWritable } from '../../iso20022/write/payable.ts';
import { type BankAccount, shownChanges } from './fields.ts';
import { forgetOlder, withShown } from './hold-decide.ts';

const CHANGING = [
  'name',
  'holder',
  'holderAddress',
  'uses',
  'profile',
  'calendar',
  'holidays',
  'cutOff',
  'timeZone',
  'bookedBy',
  'payeeCheck',
  'exports',
  'paidBy',
  'reversalSign',
  'charges',
  'onDrift',
] as const;
type Changing = (typeof CHANGING)[number];
/** What no payer is shown. */
const OTHERS = CHANGING.filter((name) => name !== 'holder' && name !== 'uses');

export interface CreateBankAccount
  extends Pick<BankAccount, Changing | 'currency' | 'country' | 'bankDetails'>,
    Given<BankAccount, 'metadata'> {
  readonly type: 'create_bank_account';
}

export interface UpdateBankAccount extends Given<BankAccount, Changing> {
  readonly type: 'update_bank_account';
  readonly bankAccount: string;
  readonly metadata: Metadata | undefined;
}

export interface CloseBankAccount {
  readonly type: 'close_bank_account';
  readonly bankAccount: string;
}

/** A person has looked at what drifted: payouts may leave again. */
export interface ResumeExports {
  readonly type: 'resume_bank_account';
  readonly bankAccount: string;
  readonly reason: string;
}

/** All of an environment are read with each command on them. */
export const MAX_BANK_ACCOUNTS = 100;

/** Refuses `bank_account_exists` and `bank_account_count`. */
export function createBankAccount(draft: Draft, command: CreateBankAccount): Decision {
  const { type: _, metadata, ...given } = command;
  const open = draft.all('bank_account').filter(({ status }) => status === 'open');
  const same = open.find((each) => each.currency === given.currency && numberOf(each) === numberOf(given));
  if (same) {
    const message = `Bank account ${same.id} has these bank details. Change that one instead, or close it first.`;
    return refusal('bank_account_exists', message, { resource_id: same.id });
  }
  if (open.length >= MAX_BANK_ACCOUNTS) {
    const message = `An environment has at most ${MAX_BANK_ACCOUNTS} open bank accounts. Close one first.`;
    return refusal('bank_account_count', message);
  }
  const { uses } = given;
  const made: BankAccount = {
    object: 'bank_account',
    id: draft.newId('ba'),
    ...given,
    uses: [],
    pendingChanges: null,
    balance: 0n,
    booksFrom: null,
    stoppedBy: null,
    driftDifference: null,
    booksVersion: 0,
    passedWindowAt: null,
    status: 'open',
    metadata: newMetadata(metadata),
    createdAt: draft.atMs,
    closedAt: null,
  };
  const account = withShown(draft, made, { uses, holder: undefined });
  draft.audit('bank_account.created', account.id, {
    currency: account.currency,
    last4: numberOf(account).slice(-4),
    uses,
  });
  const created = draft.create(account, 'bank_account.created');
  forgetOlder(draft, account);
  notePaying(draft);
  return created;
}

/** Refuses `resource_missing`, `bank_account_closed` and `metadata_invalid`. */
export function updateBankAccount(draft: Draft, command: UpdateBankAccount): Decision {
  const account = draft.find('bank_account', command.bankAccount);
  if (!account) return missing('bank account', command.bankAccount);
  if (account.status === 'closed') return closed(account);
  const metadata = mergeMetadata(account.metadata, command.metadata);
  if (isRefusal(metadata)) return metadata;
  const { uses, holder } = command;
  const shown = withShown(draft, { ...account, metadata }, { uses, holder });
  const after = withGiven(shown, withoutEqual(account, command), OTHERS);
  const previous = {
    ...previousOf(account, after, CHANGING),
    ...(after.pendingChanges !== account.pendingChanges && { pending_changes: shownChanges(account) }),
  };
  if (Object.keys(previous).length > 0) {
    draft.audit('bank_account.updated', account.id, { changed: Object.keys(previous) });
  }
  const updated = update(draft, account, after, previous, 'bank_account.updated');
  forgetOlder(draft, after);
  notePaying(draft);
  return updated;
}

/** Refuses `resource_missing`, `bank_account_closed` and `bank_account_not_empty`. */
export function closeBankAccount(draft: Draft, { bankAccount: id }: CloseBankAccount): Decision {
  const account = draft.find('bank_account', id);
  if (!account) return missing('bank account', id);
  if (account.status === 'closed') return closed(account);
  if (account.balance !== 0n) {
    const message = `Bank account ${id} holds ${formatMoney(account.balance, account.currency)} at the bank. It can be closed once a statement shows zero.`;
    return refusal('bank_account_not_empty', message);
  }
  draft.audit('bank_account.closed', id);
  const after: BankAccount = { ...account, status: 'closed', closedAt: draft.atMs, pendingChanges: null };
  const updated = draft.update(after, 'bank_account.closed', {
    status: account.status,
    ...(account.pendingChanges && { pending_changes: shownChanges(account) }),
  });
  notePaying(draft);
  return updated;
}

/** A statement that drifts by another difference stops them again. Refuses `resource_missing` and `exports_not_stopped`. */
export function resumeExports(draft: Draft, { bankAccount: id, reason }: ResumeExports): Decision {
  const account = draft.find('bank_account', id);
  if (!account) return missing('bank account', id);
  const { stoppedBy } = account;
  if (stoppedBy === null) {
    return refusal(
      'exports_not_stopped',
      `Exports of bank account ${id} are not stopped, so there is nothing to resume.`,
    );
  }
  draft.audit('bank_account.exports_resumed', id, { statement: stoppedBy, reason });
  const after: BankAccount = { ...account, stoppedBy: null };
  return draft.update(after, 'bank_account.exports_resumed', { exports_stopped_by: stoppedBy });
}

/** Which bank accounts payouts leave from, the oldest first. */
function notePaying(draft: Draft): void {
  const paying = draft.all('bank_account').filter(({ status, uses }) => status === 'open' && uses.includes('payouts'));
  const payingBanks = paying.map(({ bankDetails, ...account }): PayingBank => {
    const { id, currency, profile, country, calendar, cutOff, timeZone } = account;
    // In this row, which each batch reads, only those to come. In some time zones it is still the day before.
    const holidays = account.holidays.filter((day) => dayStartMs(day) > draft.atMs - 2 * DAY_MS);
    const hours = { calendar, ...(holidays.length > 0 && { holidays }), cutOff, timeZone };
    const hasIban = bankDetails['iban'] !== undefined;
    const hasName = isHolderWritable(account.holder, profile);
    const hasAddress = isAddressWritable(account.holderAddress, profile);
    return { id, currency, profile, country, hasIban, hasName, hasAddress, ...hours };
  });
  draft.patch({ payingBanks });
}

/** Addresses and lists of days are equal by what they hold. */
function withoutEqual(account: BankAccount, command: UpdateBankAccount): UpdateBankAccount {
  // The database does not keep the order of members.
  const text = (value: object | null = null) => JSON.stringify(value, Object.keys(value ?? {}).toSorted());
  const isEqual = (name: 'holderAddress' | 'holidays') => text(account[name]) === text(command[name]);
  const { holderAddress, holidays } = command;
  return {
    ...command,
    holderAddress: isEqual('holderAddress') ? undefined : holderAddress,
    holidays: isEqual('holidays') ? undefined : holidays,
  };
}

const closed = ({ id }: BankAccount) =>
  refusal('bank_account_closed', `Bank account ${id} is closed and stays closed. Name an open one.`, {
    current_status: 'closed',
  });

/** What names the account: its IBAN, or its number with that of the bank or branch. */
const numberOf = ({
  bankDetails: { iban, account_number: number, clabe, ...bank },
}: Pick<BankAccount, 'bankDetails'>) =>
  iban ?? clabe ?? [bank['routing_number'], bank['sort_code'], bank['bsb'], bank['ifsc'], number].join('');
