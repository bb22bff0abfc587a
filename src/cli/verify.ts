/**
 * `bursar verify`: recomputes the books of all environments and says where they do not agree. The checks: `verify/verify.ts`. `bursar rebuild`
 * begins the daily sums anew; a running server, or the next one, makes them from the transfers.
 */
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { type Damage, inWords, MAX_SHOWN, RULES, type Verdict, verify } from '../verify/verify.ts';
import { runOn } from '../operator/database.ts';
import { forgetSums } from '../reports/summary/sql.ts';
import { assertMigrated, withOwner, withUnchangedDatabase } from './database.ts';
import { keptSecrets } from '../operator/server-secret.ts';
import { fileOpener } from '../operator/seal-stored.ts';
import { EXIT_CODES } from '../operator/exit.ts';
import { printJson, printText, say, secondsSince, showProgress } from './remote/terminal.ts';
import { described, withJson } from './remote/output.ts';

export function verifyCommand(): Command {
  const command = described(
    new Command('verify'),
    'recompute the books and the audit log from what the database holds, and say where they do not agree',
    'verify --json > verification.json',
    'Reads one snapshot and changes nothing; a server may be running. Ends with 0 when all is well, 3 when damage was found, 1 when it could not run.',
  );
  return withJson(command).action(async ({ json }: { readonly json?: boolean }) => {
    const startedMs = performance.now();
    const config = loadConfig();
    const found = await withUnchangedDatabase(config, async (client) => {
      await assertMigrated(client, config);
      const openFile = await fileOpener(client, await keptSecrets(config));
      if (openFile === null) say('Payment files are not opened: the server secret is not here.');
      return collect(verify(runOn(client), { openFile }));
    });
    const result = { ...found, seconds: secondsSince(startedMs) };
    if (json) printJson(result);
    else printText(summary(result));
    if (result.damages_count > 0) process.exitCode = EXIT_CODES.damage;
  });
}

interface Found {
  readonly rules_count: number;
  readonly damages_count: number;
  /** Of one rule and environment, the first {@link MAX_SHOWN}. */
  readonly damages: readonly Damage[];
}

/** Shows on a terminal which rule was looked at last. */
export async function collect(verdicts: AsyncIterable<Verdict>): Promise<Found> {
  const damages: Damage[] = [];
  let [rules, count] = [0, 0];
  for await (const verdict of verdicts) {
    rules += 1;
    damages.push(...verdict.damages);
    for (const times of verdict.counts.values()) count += times;
    showProgress(`${rules} of ${RULES} rules, ${count === 0 ? 'no damage' : `${count} damages`} (${verdict.rule})`);
  }
  showProgress('');
  return { rules_count: rules, damages_count: count, damages };
}

/** For people. Ends with what to do next. */
export function summary(found: Found & { readonly seconds: number }): string {
  const { rules_count, damages_count, damages, seconds } = found;
  if (damages_count === 0) return `The books agree: ${rules_count} rules, ${seconds} s.\n`;
  const lines = damages.map(inWords);
  if (damages.length < damages_count)
    lines.push(`… and ${damages_count - damages.length} more: of one rule and environment, ${MAX_SHOWN} are shown.`);
  const next = damages.every(({ kind }) => kind === 'daily_sum')
    ? 'Daily sums follow from the transfers, which agree. Make the sums anew with: bursar rebuild'
    : 'Stop the servers, keep this list, and restore a backup or ask for help before anything is changed by hand.';
  return `${lines.join('\n')}\n\n${damages_count} damages found, ${rules_count} rules, ${seconds} s. ${next}\n`;
}

export function rebuildCommand(): Command {
  return described(
    new Command('rebuild'),
    'forget the daily sums of GET /v1/summary, and let a server make them anew from the transfers',
    'verify || bursar rebuild',
    'For when bursar verify finds a damage of the kind daily_sum, and no other. Servers may be running. No money and no other table is touched.',
  ).action(async () => {
    await withOwner(loadConfig(), async (client) => {
      await client.query('BEGIN');
      for (const { text, values } of forgetSums(null)) await client.query(text, [...values]);
      await client.query('COMMIT');
    });
    say('The daily sums are gone. A server makes them anew, a million transfers in about a minute.');
  });
}
