/** `bursar migrate`: brings the schema and the rights of the server to what this version needs, without starting it. */
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { prepareDatabase } from '../operator/database.ts';
import { isNamed } from '../operator/installation.ts';
import { sealMigrated } from '../operator/seal-stored.ts';
import { keptSecrets } from '../operator/server-secret.ts';
import { LOG, withNewDatabase, withUnchangedDatabase } from './database.ts';
import { described } from './remote/output.ts';
import { print, say } from './remote/terminal.ts';

export function migrateCommand(): Command {
  return described(
    new Command('migrate'),
    'bring the database to what this version needs, without starting the server, which does the same',
    'backup before-upgrade.backup && bursar migrate',
    'Stop every server first, and make a backup.',
  ).action(async () => {
    const config = loadConfig();
    // A folder that is named is meant. The default one is that of any folder in which somebody types this.
    const opened = isNamed() ? withNewDatabase : withUnchangedDatabase;
    const done = await opened(config, async (_, url) => {
      const ran = await prepareDatabase(url, LOG);
      await sealMigrated(url, LOG, await keptSecrets(config), ran);
      return ran;
    });
    for (const name of done) print(name);
    say(done.length === 0 ? 'Nothing to do.' : `${done.length} migrations applied.`);
  });
}
