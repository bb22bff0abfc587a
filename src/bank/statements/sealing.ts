/** Bank entries and rules at rest: names, accounts and words of other people are sealed. Next: `write/at-rest.ts`. */
import { isSealed, type Seals } from '../../platform/vault/seals.ts';
import { type ServerSecrets, vault, type Vault } from '../../platform/vault/vault.ts';
import type { BankEntry, BankRule, Explanation } from './fields.ts';

export const bankEntryVault = (secrets: ServerSecrets): Vault => vault(secrets, 'bank entries', 'bank entry');

export function bankEntrySeals(secrets: ServerSecrets): Seals<BankEntry> {
  const entries = bankEntryVault(secrets);
  const sealedIn = (explanation: Explanation): string | undefined => {
    const { sealed } = explanation as { readonly sealed?: string };
    return sealed !== undefined && isSealed(sealed) ? sealed : undefined;
  };
  return {
    seal: (entry) => {
      const explanation = { sealed: entries.seal(JSON.stringify(entry.explanation), entry.id) };
      return { ...entry, explanation: explanation as unknown as Explanation };
    },
    open(stored) {
      const sealed = sealedIn(stored.explanation);
      if (sealed === undefined) return stored;
      return { ...stored, explanation: JSON.parse(entries.open(sealed, stored.id)) as Explanation };
    },
    isCurrent({ explanation }) {
      const sealed = sealedIn(explanation);
      return sealed !== undefined && entries.isCurrent(sealed);
    },
  };
}

export function bankRuleSeals(secrets: ServerSecrets): Seals<BankRule> {
  const box = bankEntryVault(secrets);
  return {
    seal: (rule) => ({ ...rule, iban: rule.iban && box.seal(rule.iban, rule.id) }),
    open: (stored) =>
      stored.iban !== null && isSealed(stored.iban) ? { ...stored, iban: box.open(stored.iban, stored.id) } : stored,
    isCurrent: ({ iban }) => iban === null || (isSealed(iban) && box.isCurrent(iban)),
  };
}
