/** Payment files at rest: names and accounts of people are in them, so their bytes are sealed. Next: `write/at-rest.ts`. */
import { isSealed, type Seals } from '../../platform/vault/seals.ts';
import { type ServerSecrets, vault, type Vault } from '../../platform/vault/vault.ts';
import type { BankFileContent } from './fields.ts';

export const bankFileVault = (secrets: ServerSecrets): Vault => vault(secrets, 'bank files', 'payment file');

export function bankFileSeals(secrets: ServerSecrets): Seals<BankFileContent> {
  const files = bankFileVault(secrets);
  return {
    seal: (stored) => ({ ...stored, content: files.seal(stored.content, stored.id) }),
    open: (stored) =>
      isSealed(stored.content) ? { ...stored, content: files.open(stored.content, stored.id) } : stored,
    isCurrent: ({ content }) => isSealed(content) && files.isCurrent(content),
  };
}
