/** Payment files at rest: names and accounts of people are in them, so their bytes are sealed. Next: `write/at-rest.ts`. */
import type { Seals } from '../../platform/vault/seals.ts';
import { type ServerSecrets, vault, type Vault } from '../../platform/vault/vault.ts';
import type { PaymentFileContent } from './fields.ts';

export const paymentFileVault = (secrets: ServerSecrets): Vault => vault(secrets, 'bank files', 'payment file');

export function paymentFileSeals(secrets: ServerSecrets): Seals<PaymentFileContent> {
  const files = paymentFileVault(secrets);
  return {
    seal: (stored) => ({ ...stored, content: files.seal(stored.content, stored.id) }),
    open: (stored) => ({ ...stored, content: files.open(stored.content, stored.id) }),
    isCurrent: ({ content }) => files.isCurrent(content),
  };
}
