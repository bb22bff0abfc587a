/** `bursar doctor`: looks at everything around the service, and says how to mend each fault. The checks: `operator/doctor.ts`. */
import { Command } from 'commander';
import { loadConfig } from '../config.ts';
import { keptLogin } from '../platform/db/embedded/access.ts';
import { examine, INSTALLATION } from '../operator/doctor.ts';
import type { Finding } from '../operator/finding.ts';
import { SERVER_ROLE, urlsOf, withLogin } from '../operator/database.ts';
import { withUnchangedDatabase } from './database.ts';
import { EXIT_CODES } from '../operator/exit.ts';
import { asTyped } from '../operator/program-name.ts';
import { printJson, printText } from './remote/terminal.ts';
import { described, withJson } from './remote/output.ts';

export function doctorCommand(): Command {
  const command = described(
    new Command('doctor'),
    'look at machine, settings, database and network, and say how to mend each fault; changes nothing',
    'doctor',
    'Run it with the settings of the server, on its machine, while it runs. Says first which installation it looks at. Ends with 0 when all is fine, 3 when something is wrong, 1 when there is no installation.',
  );
  return withJson(command).action(async ({ json }: { readonly json?: boolean }) => {
    const config = loadConfig();
    const findings = await examine(config, (look) =>
      withUnchangedDatabase(config, (client, url) => {
        const login = config.databaseUrl === null ? keptLogin(config.dataDir, SERVER_ROLE) : null;
        const serverUrl = urlsOf(config)?.serverUrl ?? (login === null ? url : withLogin(url, login));
        return look({ client, serverUrl });
      }),
    );
    if (json) printJson(findings.map(plain));
    else printText(`${asTyped(findings.map(line).join('\n'))}\n`);
    const wrong = findings.filter(({ isFine }) => !isFine);
    if (wrong.length > 0)
      process.exitCode = wrong.some(({ title }) => title === INSTALLATION) ? EXIT_CODES.failed : EXIT_CODES.damage;
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
