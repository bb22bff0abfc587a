/**
 * What a new installation begins with: a merchant, its sandbox with three funded accounts and one recipient, and a key.
 * Everything goes down the write path under fixed idempotency keys, so that a first start that was cut short is simply
 * carried on by the next one. Never touches a live environment.
 */
import type { App } from './app.ts';
import { createKey, ensureEnvironment, type Run } from '../keys/keys.ts';
import { environmentState } from '../keys/sql.ts';
import { uuidOf } from '../core/ids.ts';
import type { Command } from '../write/commands.ts';

export const FIRST_MERCHANT = 'default';

/** Events of a complete first start: three accounts opened, three funded, one recipient. */
const FIRST_EVENTS = 7n;

const ACCOUNTS = [
  { currency: 'EUR', amount: '10000.00' },
  { currency: 'USD', amount: '10000.00' },
  { currency: 'GBP', amount: '10000.00' },
] as const;

/** Fills the sandbox of the first merchant if it is new. Returns a fresh sandbox key where `wantKey` says so. */
export async function firstStart(
  app: Pick<App, 'submit'>,
  run: Run,
  serverSecret: string,
  wantKey: boolean,
): Promise<string | null> {
  const environmentId = await ensureEnvironment(run, FIRST_MERCHANT, false);
  const [environment] = await run(environmentState(uuidOf(environmentId)));
  if ((environment?.['last_sequence'] as bigint) < FIRST_EVENTS) {
    const submit = (name: string, command: Command) =>
      app.submit({
        environmentId,
        command,
        origin: { requestId: null, idempotencyKey: null },
        recordKey: `first-start ${name}`,
        fingerprint: `first-start ${name}`,
        dryRun: false,
      });
    for (const { currency, amount } of ACCOUNTS) {
      const { body } = await submit(`account ${currency}`, {
        type: 'create_account',
        currency,
        name: null,
        metadata: undefined,
      });
      const { id } = JSON.parse(body) as { id: string };
      await submit(`funds ${currency}`, { type: 'fund_account', account: id, amount });
    }
    await submit('recipient', {
      type: 'create_recipient',
      name: 'Ada Lovelace',
      recipientType: 'individual',
      currency: 'EUR',
      country: 'DE',
      email: null,
      bankDetails: { iban: 'DE89370400440532013000' },
      metadata: undefined,
    });
  }
  if (!wantKey) return null;
  const order = { merchant: FIRST_MERCHANT, livemode: false, name: 'first start', scopes: null, expiresAt: null };
  return (await createKey(run, serverSecret, order)).key;
}
