/** Payment files at rest: names and accounts of people are in them, so their bytes are sealed. Next: `write/at-rest.ts`. */
import type { Seals } from '../../platform/vault/seals.ts';
import { type ServerSecrets, vault, type Vault } from '../../platform/vault/vault.ts';
import type { BankFileContent } from './fields.ts';

export const bankFileVault = (secrets: ServerSecrets): Vault => vault(secrets, 'bank files', 'payment file');

export function bankFileSeals(secrets: ServerSecrets): Seals<BankFileContent> {
  const files = bankFileVault(secrets);
  return {
    seal: (stored) => ({ ...stored, content: files.seal(stored.content, stored.id) }),
    open: (stored) => ({ ...stored, content: files.open(stored.content, stored.id) }),
    isCurrent: ({ content }) => files.isCurrent(content),
  };
}
