#!/usr/bin/env node
/** The command line beside the server: one file per verb. It works on the database of a running server, or starts the
 * embedded one for as long as it needs it. Next: `keys.ts`. */
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { EmbeddedError } from '../db/embedded/embedded.ts';
import { DatabaseUnfit } from '../db/pool.ts';
import { VERSION } from '../core/version.ts';
import { auditCommand } from './audit.ts';
import { keysCommand, UsageError } from './keys.ts';
import { exportCommand, redactCommand } from './person.ts';
import { restoredCommand } from './restored.ts';
import { secretCommand } from './secret.ts';

const program = new Command('bursar')
  .description(
    'Bursar on the command line. Settings come from the same variables as the server’s (DATABASE_URL, BURSAR_DATA, …).',
  )
  .version(VERSION)
  .showHelpAfterError()
  .addCommand(keysCommand())
  .addCommand(auditCommand())
  .addCommand(exportCommand())
  .addCommand(redactCommand())
  .addCommand(restoredCommand())
  .addCommand(secretCommand());

program.parseAsync().catch((error: unknown) => {
  const known = [UsageError, ConfigError, EmbeddedError, DatabaseUnfit].some((kind) => error instanceof kind);
  process.stderr.write(`${known ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
});
