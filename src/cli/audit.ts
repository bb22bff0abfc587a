/** `bursar audit verify`: checks the chain of the audit log, environment by environment. */
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { allEnvironments, verifyAuditLog } from '../process/audit.ts';
import { withDatabase } from './database.ts';
import { UsageError } from './keys.ts';

export function auditCommand(): Command {
  const audit = new Command('audit').description('check the audit log; read it with GET /v1/audit_log');
  audit
    .command('verify')
    .description('find entries that were changed, are missing or were inserted')
    .option('--merchant <name>', 'only the environments of this merchant')
    .option('--json', 'as JSON, for programs')
    .addHelpText(
      'after',
      '\nPrints the newest sequence and hash of each environment. Keep them elsewhere: who can change the whole database can also make a new log.\nEnds with 1 when an entry does not fit.',
    )
    .action(verify);
  return audit;
}

async function verify({ merchant, json }: { readonly merchant?: string; readonly json?: boolean }): Promise<void> {
  const verdicts = await withDatabase(loadConfig(), async (run) => {
    const all = await allEnvironments(run);
    const chosen = all.filter((each) => merchant === undefined || each.merchant === merchant);
    if (chosen.length === 0) throw new UsageError(`No merchant ${merchant}. See: bursar keys list`);
    const done = [];
    for (const each of chosen) {
      const shown = `${each.merchant} ${each.livemode ? 'live' : 'sandbox'}`;
      const progress = (entries: bigint) =>
        entries >= 100_000n && process.stderr.write(`${shown}: ${entries} entries …\n`);
      done.push({ ...each, shown, ...(await verifyAuditLog(run, each.environmentId, progress)) });
    }
    return done;
  });
  if (json) {
    const plain = verdicts.map(({ merchant: owner, livemode, environmentId, head, fault }) => {
      const { sequence, hash } = head;
      return { merchant: owner, livemode, environment: environmentId, entries: Number(sequence), hash, fault };
    });
    process.stdout.write(`${JSON.stringify(plain, null, 2)}\n`);
  } else {
    for (const { shown, environmentId, head, fault } of verdicts) {
      const state = fault ?? `ok, ${head.sequence} ${head.sequence === 1n ? 'entry' : 'entries'}, ${head.hash}`;
      process.stdout.write(`${shown}  ${environmentId}  ${state}\n`);
    }
  }
  if (verdicts.some(({ fault }) => fault !== null)) process.exitCode = 1;
}
