/**
 * A sandbox on the write path (`writer.ts`) that has just paid: EUR accounts with 10.00 each and a recipient, all of which its
 * lane remembers. Next: `write/state-cache.ts`.
 */
import type { PayoutOrder } from '../../../src/paying/payouts/decide.ts';
import type { Command } from '../../../src/write/slices.ts';
import type { Outcome } from '../../../src/write/idempotency.ts';
import { payoutOrder } from './literals.ts';
import type { Writing } from './writer.ts';

/** What an answer says. */
export interface AnswerSummary {
  readonly code: string | undefined;
  readonly id: string | undefined;
  /** The account that a payout was made from. */
  readonly from: string | undefined;
  readonly replayed: boolean;
}

export interface CachedSandbox {
  readonly environmentId: string;
  /** Oldest first. */
  readonly accounts: readonly string[];
  readonly recipient: string;
  /** 1.00 EUR to the recipient. */
  payout(fields?: Partial<PayoutOrder>): Command;
  /** With a key of its own, unless one is named. */
  send(command: Command, key?: string, fingerprint?: string): Promise<Outcome>;
  answerOf(command: Command, key?: string, fingerprint?: string): Promise<AnswerSummary>;
}

let keys = 0;

export async function cachedSandbox(writing: Writing, accountsCount: number): Promise<CachedSandbox> {
  const environmentId = await writing.environment();
  const send: CachedSandbox['send'] = (command, key = `remembered ${++keys}`, fingerprint = 'f') =>
    writing.send(environmentId, command, { key, fingerprint });
  const made = async (command: Command) => (JSON.parse((await send(command)).body) as { id: string }).id;
  const eur = { currency: 'EUR', metadata: undefined } as const;
  const bank = { country: 'DE', email: null, bankDetails: { iban: 'DE89370400440532013000' } } as const;
  const accounts: string[] = [];
  for (let n = 0; n < accountsCount; n++) accounts.push(await made({ type: 'create_account', name: null, ...eur }));
  const recipient = await made({
    type: 'create_recipient',
    name: 'Ada',
    recipientType: 'individual',
    ...bank,
    ...eur,
  });
  for (const account of accounts) await made({ type: 'fund_account', account, amount: '10' });
  const payout: CachedSandbox['payout'] = (fields = {}) => ({
    type: 'create_payout',
    order: payoutOrder({ amount: 100n, recipient, ...fields }),
    settlementDelayMs: null,
  });
  await send(payout()); // now the oldest open account is known
  return {
    environmentId,
    accounts,
    recipient,
    payout,
    send,
    async answerOf(command, key, fingerprint) {
      const { body, replayed } = await send(command, key, fingerprint);
      const { error, id, account } = JSON.parse(body) as { error?: { code: string }; id?: string; account?: string };
      return { code: error?.code, id, from: account, replayed };
    },
  };
}
