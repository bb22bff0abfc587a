/** `bursar start`: the server, until it is stopped. */
import { Command } from 'commander';
import { startServer, untilEnded } from './server.ts';

export function startCommand(): Command {
  return new Command('start')
    .description('run the server until it is stopped; settings come from variables (docs/settings.md)')
    .addHelpText('after', '\nExample:\n  PORT=4242 BURSAR_DATA=./data bursar start')
    .action(async () => {
      process.exitCode = await untilEnded(startServer());
    });
}
