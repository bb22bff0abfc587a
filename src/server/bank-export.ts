/** Exports of payouts as payment files, put together: what would leave, and the worker that fills the files. */
import { BANK_ACCOUNTS, loadBankAccountsOf, scheduledAccounts } from '../bank/accounts/sql.ts';
import type { PaymentFileCommand } from '../bank/payment-files/slice.ts';
import { type ExportOptions, startExports } from '../bank/payment-files/exporting.ts';
import { planExport } from '../bank/payment-files/plan.ts';
import type { PaymentFileParts } from '../bank/payment-files/routes.ts';
import { nextStatement, type SandboxBankParts, reportOn } from '../bank/payment-files/sandbox-bank.ts';
import { lastDayReported } from '../bank/statements/sql.ts';
import { environmentNow } from '../platform/http/clock.ts';
import { startSchedule } from '../bank/payment-files/schedule.ts';
import { paymentFileSeals } from '../bank/payment-files/sealing.ts';
import { assert } from '../core/values/assert.ts';
import { idOf } from '../core/values/ids.ts';
import type { Row, Statement } from '../platform/db/wire/statement.ts';
import type { Lease } from '../platform/workers/lease.ts';
import type { ServerSecrets } from '../platform/vault/vault.ts';

export function paymentFiles(
  options: Pick<ExportOptions, 'detailsOf' | 'withinMs' | 'pollMs' | 'onFault' | 'lease'> & {
    rows(statement: Statement): Promise<readonly Row[]>;
    write(
      environmentId: string,
      command: PaymentFileCommand,
    ): Promise<{ readonly status: number; readonly body: string }>;
    readonly secrets: ServerSecrets;
    /** Between two looks whether a cut-off is near. */
    readonly schedulePollMs: number;
    readonly scheduleLease: Lease;
  },
) {
  const { rows, secrets, withinMs, detailsOf } = options;
  const accounts = async (environmentId: string) =>
    (await rows(loadBankAccountsOf([environmentId]))).map((row) => BANK_ACCOUNTS.read(row));
  const account = async (environmentId: string, id: string) => {
    const found = (await accounts(environmentId)).find((each) => each.id === id);
    assert(found, `bank account ${id} of a file exists`);
    return found;
  };
  const plan: PaymentFileParts['plan'] = (asked) => planExport({ rows, accounts, detailsOf }, { withinMs, ...asked });
  const sandboxBank: SandboxBankParts = {
    rows,
    detailsOf,
    accounts,
    now: (environmentId) => environmentNow({ rows }, environmentId),
    async lastDayOf(environmentId, bankAccount) {
      const [row] = await rows(lastDayReported(environmentId, bankAccount));
      return (row?.['day'] as string | null) ?? null;
    },
  };
  const worker = startExports({ ...options, account });
  const wake = () => worker.wake();
  const schedule = startSchedule({
    ...options,
    accounts: async () =>
      (await rows(scheduledAccounts(withinMs))).map((row) => ({
        environmentId: idOf('env', row['environment_id'] as string),
        account: BANK_ACCOUNTS.read(row),
        hasInstant: row['has_instant'] as boolean,
        nowMs: row['environment_now'] as number,
      })),
    plan,
    onOpened: wake,
    pollMs: options.schedulePollMs,
    lease: options.scheduleLease,
  });
  const parts: PaymentFileParts = {
    seals: paymentFileSeals(secrets),
    plan,
    coverage: sandboxBank,
    wake,
    reportOn: (environmentId, file) => reportOn(sandboxBank, environmentId, file),
    nextStatement: (environmentId, id, given) => nextStatement(sandboxBank, environmentId, id, given),
  };
  return {
    parts,
    async stop() {
      await schedule.stop();
      await worker.stop();
    },
  };
}
