/** `bursar audit list|verify`: shows the audit log, and checks its chain, environment by environment. */
import { Command } from 'commander';
import { AUDIT_ENTRY } from '../tenancy/audit-log/fields.ts';
import { loadConfig } from '../config.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { allEnvironments, newestEntries, type ServiceEnvironment, verifyAuditLog } from '../operator/audit.ts';
import { withDatabase } from './database.ts';
import { UsageError } from '../operator/exit.ts';
import { shownEnvironment } from '../operator/person.ts';
import { print, printJson, say } from './remote/terminal.ts';
import { described, wholeNumber, withJson } from './remote/output.ts';

export function auditCommand(): Command {
  const audit = new Command('audit');
  described(audit, 'read and check the audit log; over the API: GET /v1/audit_log', 'audit list --limit 5');
  described(audit.command('list'), 'show the newest entries', 'audit list --merchant Acme --json')
    .option('--merchant <name>', 'only the environments of this merchant')
    .option('--limit <count>', 'so many of each environment', wholeNumber(1, 99_999), 20)
    .option('--json', 'as JSON, one entry a line')
    .action(list);
  const check = described(
    audit.command('verify'),
    'find entries that were changed, are missing or were inserted',
    'audit verify --json > audit-heads.json',
    'Prints the newest sequence and hash of each environment. Keep them elsewhere: who can change the whole database can also make a new log.\nEnds with 1 when an entry does not fit.',
  );
  withJson(check.option('--merchant <name>', 'only the environments of this merchant')).action(verify);
  return audit;
}

async function list({ merchant, limit, json }: { merchant?: string; limit: number; json?: boolean }): Promise<void> {
  const lines = await withDatabase(loadConfig(), async (run) => {
    const all: string[] = [];
    for (const each of await chosenEnvironments(run, merchant)) {
      const shown = shownEnvironment(each);
      for (const entry of await newestEntries(run, each.environmentId, limit)) {
        const { sequence, createdAt, action, actor, address, subject, details } = entry;
        const at = new Date(createdAt).toISOString();
        const words = [at, shown, sequence, action, actor, address ?? '–', subject ?? '–', JSON.stringify(details)];
        all.push(json ? AUDIT_ENTRY.render(entry, each.livemode) : words.join('  '));
      }
    }
    return all;
  });
  if (lines.length === 0) say('No entries yet.');
  for (const line of lines) print(line);
}

async function chosenEnvironments(run: Run, merchant: string | undefined): Promise<ServiceEnvironment[]> {
  const chosen = (await allEnvironments(run)).filter((each) => merchant === undefined || each.merchant === merchant);
  if (chosen.length === 0 && merchant !== undefined)
    throw new UsageError(`No merchant ${merchant}. See: bursar keys list`);
  return chosen;
}

async function verify({ merchant, json }: { readonly merchant?: string; readonly json?: boolean }): Promise<void> {
  const verdicts = await withDatabase(loadConfig(), async (run) => {
    const done = [];
    for (const each of await chosenEnvironments(run, merchant)) {
      const shown = shownEnvironment(each);
      const progress = (entries: bigint) => entries >= 100_000n && say(`${shown}: ${entries} entries …`);
      done.push({ ...each, shown, ...(await verifyAuditLog(run, each.environmentId, progress)) });
    }
    return done;
  });
  if (verdicts.length === 0) say('There is no environment yet, so no log was checked.');
  if (json) {
    const plain = verdicts.map(({ merchant: owner, livemode, environmentId: environment, sequence, hash, fault }) => {
      const entries = Number(sequence);
      return { merchant: owner, livemode, environment, entries, hash, fault: fault?.sentence ?? null };
    });
    printJson(plain);
  } else {
    for (const { shown, environmentId, sequence, hash, fault } of verdicts) {
      const state = fault?.sentence ?? `ok, ${sequence} ${sequence === 1n ? 'entry' : 'entries'}, ${hash}`;
      print(`${shown}  ${environmentId}  ${state}`);
    }
  }
  if (verdicts.some(({ fault }) => fault !== null)) process.exitCode = 1;
}
