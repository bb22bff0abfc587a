#!/usr/bin/env node
/**
 * The command line. Verbs work on the database, or on a running server through its API; a verb’s file is imported when
 * it is called. Next: `verbs.ts`.
 */
import { Command, CommanderError } from 'commander';
import { VERSION } from '../core/values/version.ts';
import { EXIT_CODES, Exit } from '../operator/exit.ts';
import { endWithReader, printText, sayText } from './remote/terminal.ts';
import { VERBS } from './verbs.ts';

const HELP = `
Exit codes: 0 done, 1 failed, 2 wrong command line, 3 damage found, 4 refused by the API.
Help with an example: bursar <command> --help`;

/** The program with the verb that is called, whole, and of all others a line of help. */
async function program(args: readonly string[]): Promise<Command> {
  const all = new Command('bursar')
    .description('Bursar on the command line. Settings come from the same variables as the server’s.')
    .version(VERSION)
    .addHelpText('after', HELP);
  const called = args.find((each) => !each.startsWith('-') && each !== 'help');
  for (const [name, { help, load }] of Object.entries(VERBS)) {
    all.addCommand(name === called ? await load() : new Command(name).description(help));
  }
  endByExitCode(all);
  return all;
}

/** Commander would end the process by itself, with 1 for a wrong command line. What is wrong is followed by the help of its command. */
function endByExitCode(command: Command): void {
  command.exitOverride().showHelpAfterError().configureOutput({ writeOut: printText, writeErr: sayText });
  command.commands.forEach(endByExitCode);
}

/** A fault that a person can mend is shown without a stack. The files of these errors are imported late too. */
async function end(error: unknown): Promise<void> {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_CODES.usage; // it has said why
    return;
  }
  process.exitCode = error instanceof Exit ? error.code : EXIT_CODES.failed;
  const isPlain = error instanceof Exit || (await isKnown(error));
  const { message, stack } = error as Error;
  const { asTyped } = await import('../operator/program-name.ts');
  sayText(`${isPlain ? asTyped(message) : (stack ?? String(error))}\n`);
}

async function isKnown(error: unknown): Promise<boolean> {
  const { ConfigError } = await import('../config.ts');
  const { EmbeddedError } = await import('../platform/db/embedded/embedded.ts');
  const { DatabaseUnfit } = await import('../platform/db/pool.ts');
  const { BackupUnusable } = await import('../platform/backup/frames.ts');
  return [ConfigError, EmbeddedError, DatabaseUnfit, BackupUnusable].some((kind) => error instanceof kind);
}

endWithReader();
const args = process.argv.slice(2);
await program(args)
  .then((each) => each.parseAsync())
  .catch(end);
