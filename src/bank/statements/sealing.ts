/** Bank entries and rules at rest: names, accounts and words of other people are sealed. Next: `write/at-rest.ts`. */
import type { Seals } from '../../platform/vault/seals.ts';
import { type ServerSecrets, vault, type Vault } from '../../platform/vault/vault.ts';
import type { BankEntry, BankWaitingLines, Explanation } from './fields.ts';
import type { BankRule } from './rule-fields.ts';

export const bankEntryVault = (secrets: ServerSecrets): Vault => vault(secrets, 'bank entries', 'bank entry');

export function bankEntrySeals(secrets: ServerSecrets): Seals<BankEntry> {
  const entries = bankEntryVault(secrets);
  const sealedIn = (explanation: Explanation): string => (explanation as { readonly sealed?: string }).sealed ?? '';
  return {
    seal: (entry) => {
      const explanation = { sealed: entries.seal(JSON.stringify(entry.explanation), entry.id) };
      return { ...entry, explanation: explanation as unknown as Explanation };
    },
    open(stored) {
      const explanation = entries.open(sealedIn(stored.explanation), stored.id);
      return { ...stored, explanation: JSON.parse(explanation) as Explanation };
    },
    isCurrent: ({ explanation }) => entries.isCurrent(sealedIn(explanation)),
  };
}

/** Who paid and for what, of the id of an entry and the text of its column, for the statements of accounts. */
export function bankEntryWords(
  secrets: ServerSecrets,
): (id: string, explanation: string) => Pick<Explanation, 'name' | 'text'> {
  const entries = bankEntryVault(secrets);
  return (id, explanation) => {
    const { sealed = '' } = JSON.parse(explanation) as { readonly sealed?: string };
    const { name, text } = JSON.parse(entries.open(sealed, id)) as Explanation;
    return { name, text };
  };
}

/** What of an entry tells it from others, of its id and the text of its column. */
export function bankEntryMarks(
  secrets: ServerSecrets,
): (id: string, explanation: string) => Pick<Explanation, 'bankReference' | 'endToEndId' | 'account'> {
  const entries = bankEntryVault(secrets);
  return (id, explanation) => {
    const { sealed = '' } = JSON.parse(explanation) as { readonly sealed?: string };
    return JSON.parse(entries.open(sealed, id)) as Explanation;
  };
}

export function bankRuleSeals(secrets: ServerSecrets): Seals<BankRule> {
  const box = bankEntryVault(secrets);
  return {
    seal: (rule) => ({ ...rule, iban: rule.iban && box.seal(rule.iban, rule.id) }),
    open: (stored) => ({ ...stored, iban: stored.iban && box.open(stored.iban, stored.id) }),
    isCurrent: ({ iban }) => iban === null || box.isCurrent(iban),
  };
}

export function waitingSeals(secrets: ServerSecrets): Seals<BankWaitingLines> {
  const box = bankEntryVault(secrets);
  return {
    seal: (row) => ({ ...row, content: box.seal(row.content, row.id) }),
    open: (stored) => ({ ...stored, content: box.open(stored.content, stored.id) }),
    isCurrent: ({ content }) => box.isCurrent(content),
  };
}
