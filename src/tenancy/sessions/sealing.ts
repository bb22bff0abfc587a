/** Secrets of authenticator apps as they are stored: sealed under the server secret, each for the id of its person. */
import { type ServerSecrets, type Vault, vault } from '../../platform/vault/vault.ts';

export const totpVault = (secrets: ServerSecrets): Vault =>
  vault(secrets, 'authenticator apps', 'secret of the authenticator app');
