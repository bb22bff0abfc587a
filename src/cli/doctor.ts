/** `bursar doctor`: looks at everything around the service, and says how to mend each fault. The checks: `operator/doctor.ts`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { keptLogin } from '../platform/db/embedded/access.ts';
import type { OpenDatabase } from '../operator/doctor-database.ts';
import { examine } from '../operator/doctor.ts';
import type { Finding } from '../operator/finding.ts';
import { SERVER_ROLE, urlsOf, withLogin } from '../operator/database.ts';
import { openUnchangedDatabase } from './database.ts';
import { EXIT_CODES } from '../operator/exit.ts';
import { asTyped } from '../operator/program-name.ts';
import { printJson } from './terminal.ts';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('look at machine, settings, database and network, and say how to mend each fault; changes nothing')
    .option('--json', 'as JSON, for programs')
    .addHelpText(
      'after',
      `
Run it with the settings and as the user of the server. Ends with 0 when all is fine, 3 when something is wrong.

Example:
  bursar doctor`,
    )
    .action(async ({ json }: { readonly json?: boolean }) => {
      const config = loadConfig();
      const stops: (() => Promise<void>)[] = [];
      const open = async (): Promise<OpenDatabase | null> => {
        if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION'))) return null;
        const { client, url, close } = await openUnchangedDatabase(config);
        stops.push(close);
        const login = config.databaseUrl === null ? keptLogin(config.dataDir, SERVER_ROLE) : null;
        const serverUrl = urlsOf(config)?.serverUrl ?? (login === null ? url : withLogin(url, login));
        return { client, ownerUrl: url, serverUrl };
      };
      let findings: readonly Finding[];
      try {
        findings = await examine(config, open);
      } finally {
        for (const stop of stops) await stop();
      }
      if (json) printJson(findings.map(plain));
      else process.stdout.write(`${asTyped(findings.map(line).join('\n'))}\n`);
      if (findings.some(({ isFine }) => !isFine)) process.exitCode = EXIT_CODES.damage;
    });
}

const plain = ({ title, isFine, message, mend }: Finding) => ({
  title,
  status: isFine ? 'fine' : 'wrong',
  message,
  mend,
});

const line = ({ title, isFine, message, mend }: Finding): string =>
  `${isFine ? 'fine ' : 'WRONG'}  ${title.padEnd(18)}  ${message}${mend === null ? '' : `\n       ${' '.repeat(18)}  → ${mend}`}`;
