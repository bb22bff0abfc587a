/** `bursar restored`: what to run once after the database was put back to an earlier state, before the servers start again. */
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import { MOST_SKIPPED, noteRestores } from '../process/restored.ts';
import { LOG, withDatabaseUrl } from './database.ts';

export function restoredCommand(): Command {
  return new Command('restored')
    .description(
      'tell readers of events that the database was restored from a backup: moves the sequence of every environment on and writes environment.restored',
    )
    .option(
      '--skip <count>',
      'sequences to leave out; more than the events that were lost',
      (value) => {
        const count = /^\d{1,10}$/.test(value) ? Number(value) : 0;
        if (count >= 1 && count <= MOST_SKIPPED) return count;
        throw new InvalidArgumentError(`A whole number, 1 to ${MOST_SKIPPED}.`);
      },
      1_000_000,
    )
    .addHelpText('after', '\nExample, after a restore:\n  bursar restored && npm start')
    .action(async ({ skip }: { readonly skip: number }) => {
      const config = loadConfig();
      await withDatabaseUrl(config, async (url) => {
        const restored = await noteRestores({ ...config, url, log: LOG }, skip);
        for (const { environmentId, lastSequence, nextSequence } of restored)
          process.stdout.write(`${environmentId}  events to ${lastSequence} are kept; the next is ${nextSequence}\n`);
        const next =
          'Compare with your clients and your bank what is newer than the backup: docs/guides/operating/backups.md, "After a restore".';
        process.stderr.write(`${restored.length} environments moved on. ${next}\n`);
      });
    });
}
