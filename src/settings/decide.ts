/** The decision that changes the settings of an environment. Pure. */
import type { Decision } from '../core/decision.ts';
import { snakeCase } from '../core/fields.ts';
import type { BankAccount } from '../core/objects.ts';
import type { Settings } from './fields.ts';
import type { Draft } from '../core/draft.ts';
import { type Given, previousOf, withGiven } from '../core/update.ts';

export interface UpdateSettings extends Given<Settings, 'name' | 'logo' | 'accentColor'> {
  readonly type: 'update_settings';
  /** By currency; accounts of other currencies stay. */
  readonly bankAccounts: Readonly<Record<string, BankAccount | null>> | undefined;
}

/** The settings of an environment that has set none. */
export function unset(environmentId: string, atMs: number): Settings {
  return {
    object: 'settings',
    id: environmentId,
    name: null,
    logo: null,
    accentColor: null,
    bankAccounts: {},
    createdAt: atMs,
  };
}

export function updateSettings(draft: Draft, command: UpdateSettings): Decision {
  const known = draft.find('settings', draft.state.environment.id);
  const before = known ?? unset(draft.state.environment.id, draft.atMs);
  const accounts = new Map(Object.entries(before.bankAccounts));
  for (const [currency, account] of Object.entries(command.bankAccounts ?? {})) {
    if (account === null) accounts.delete(currency);
    else accounts.set(currency, account);
  }
  const bankAccounts = Object.fromEntries([...accounts].sort(([one], [other]) => (one < other ? -1 : 1)));
  const after: Settings = { ...withGiven(before, command, ['name', 'logo', 'accentColor']), bankAccounts };
  const previous = {
    ...previousOf(before, after, ['name']),
    ...(after.logo !== before.logo && { has_logo: before.logo !== null }),
    ...previousOf(before, after, ['accentColor']),
    ...(contentOf(after) !== contentOf(before) && { bank_accounts: before.bankAccounts }),
  };
  if (Object.keys(previous).length === 0) return before;
  if (known) draft.update(after);
  else draft.create(after);
  draft.emit('settings.updated', after, previous);
  draft.audit('settings.updated', null, { changed: changesIn(before, after) });
  return after;
}

/** What an auditor looks for: which settings, and of bank accounts the currency and the last four characters. */
function changesIn(before: Settings, after: Settings): readonly string[] {
  const names = (['name', 'logo', 'accentColor'] as const).filter((name) => before[name] !== after[name]);
  const currencies = [...new Set([...Object.keys(before.bankAccounts), ...Object.keys(after.bankAccounts)])];
  const last4 = (account: BankAccount | undefined) =>
    (account?.['iban'] ?? account?.['account_number'] ?? 'none').slice(-4);
  const accounts = currencies
    .map((currency) => ({ currency, was: before.bankAccounts[currency], is: after.bankAccounts[currency] }))
    .filter(({ was, is }) => JSON.stringify(sorted(was)) !== JSON.stringify(sorted(is)))
    .map(({ currency, was, is }) => `bank_accounts.${currency}: ${last4(was)} → ${last4(is)}`);
  return [...names.map(snakeCase), ...accounts];
}

const sorted = (account: BankAccount | undefined) =>
  Object.entries(account ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));

/** The bank accounts as text to compare. Sorted, because jsonb does not keep the order of members. */
function contentOf({ bankAccounts }: Settings): string {
  const members = Object.entries(bankAccounts).flatMap(([currency, account]) =>
    Object.entries(account).map(([name, value]) => JSON.stringify([currency, name, value])),
  );
  return members.sort().join();
}
