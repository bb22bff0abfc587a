/**
 * What a new installation begins with: a merchant, its sandbox with three funded accounts and one recipient, and a key.
 * Everything has fixed idempotency keys, so the next start carries on one that was cut short. Never touches a live
 * environment.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { internal } from '../write/internal.ts';
import { FIRST_MERCHANT } from '../core/company.ts';
import type { Config } from '../config.ts';
import { ensureEnvironment, keyMaker, type Run } from '../tenancy/keys/keys.ts';
import { createKey } from './keys.ts';
import type { Origin } from '../core/state.ts';
import type { Submit } from './operator.ts';
import { environmentState } from '../tenancy/keys/sql.ts';
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { Command } from '../write/slices.ts';
import type { Submission } from '../write/submission.ts';

/** Events of a complete first start: three accounts opened, three funded, one recipient. */
const FIRST_EVENTS = 7;

/** The write path, as `App` has it. */
interface WritePath {
  submit(submission: Submission): Promise<{ readonly status: number; readonly body: string }>;
}

export interface Start {
  /** `null`: shown at an earlier start, and not kept. */
  readonly key: string | null;
  readonly recipient: string | null;
}

/** First start or not: the sandbox is there, and with the embedded database its key can be shown again. */
export async function firstStart(
  app: WritePath,
  run: Run,
  serverSecret: string,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<Start> {
  const environmentId = await ensureEnvironment(run, FIRST_MERCHANT, false);
  const state = async () => (await run(environmentState(uuidOf(environmentId))))[0];
  const before = await state();
  // The sandbox key opens fake money only, so the embedded database keeps it beside itself, readable by its owner.
  const file = databaseUrl === null ? join(dataDir, 'sandbox-key') : null;
  let key = file !== null && existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  const keys = Number(before?.['keys'] ?? 0);
  // Each key has an event, and the command line may have made some before.
  const events = Number(before?.['last_sequence']) - keys;
  if (events < FIRST_EVENTS && before?.['recipient'] === null) await fillSandbox(app, environmentId);
  if (key === null && keys === 0) {
    const submit: Submit = (id, command) =>
      app.submit(internal('cli', id, command, 'first-start key', 'first-start key'));
    const maker = keyMaker({ current: serverSecret, previous: [] });
    const all = { scopes: null, accounts: null, allowedIps: null, expiresAt: null };
    const order = { merchant: FIRST_MERCHANT, livemode: false, name: 'first start', ...all };
    ({ key } = await createKey({ submit, run, maker }, order));
    if (file !== null) writeFileSync(file, `${key}\n`, { mode: 0o600 });
  }
  const recipient = (await state())?.['recipient'] as string | null | undefined;
  return { key, recipient: recipient ? idOf('rcp', recipient) : null };
}

/** Fills a sandbox as at the first start. Objects that are there stay. `origin`: who asks, if not the first start. */
export async function fillSandbox(app: WritePath, environmentId: string, origin?: Origin): Promise<void> {
  const submit = (name: string, command: Command) => {
    const submission = internal('cli', environmentId, command, `first-start ${name}`, `first-start ${name}`);
    return app.submit(origin === undefined ? submission : { ...submission, origin });
  };
  const metadata = undefined;
  for (const currency of ['EUR', 'USD', 'GBP']) {
    const { body } = await submit(`account ${currency}`, { type: 'create_account', currency, name: null, metadata });
    const { id } = JSON.parse(body) as { id: string };
    await submit(`funds ${currency}`, { type: 'fund_account', account: id, amount: '10000.00' });
  }
  await submit('recipient', {
    type: 'create_recipient',
    name: 'Ada Lovelace',
    recipientType: 'individual',
    currency: 'EUR',
    country: 'DE',
    email: null,
    bankDetails: { iban: 'DE89370400440532013000' },
    metadata,
  });
}
