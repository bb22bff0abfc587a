/** `bursar export person` and `bursar redact`: the data about one person, and its erasure. */
import { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { isId } from '../core/values/ids.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { allEnvironments } from '../operator/audit.ts';
import { FIRST_MERCHANT } from '../operator/bootstrap.ts';
import { withOperator } from '../operator/operator.ts';
import { exportPerson, findRecipients, shownEnvironment, type Sought, SoughtInvalid } from '../operator/person.ts';
import { serverSecrets } from '../operator/server-secret.ts';
import { type AtRest, atRest } from '../write/at-rest.ts';
import { LOG, withOwner } from './database.ts';
import { print, printJson, say } from './remote/terminal.ts';
import { Exit, UsageError } from '../operator/exit.ts';
import { described, isConfirmed } from './remote/output.ts';

interface PersonOptions {
  readonly merchant: string;
  readonly recipient?: string;
  readonly email?: string;
  readonly iban?: string;
  readonly yes?: boolean;
}

const byPerson = (command: Command) =>
  command
    .option('--merchant <name>', 'in whose environments, sandbox and live', FIRST_MERCHANT)
    .option('--recipient <rcp_…>', 'the person behind this recipient')
    .option('--email <address>', 'the person with this e-mail')
    .option('--iban <iban>', 'the person with this account');

export function exportCommand(): Command {
  const all = described(new Command('export'), 'write out stored data', 'export person --recipient rcp_…');
  const person = described(
    all.command('person'),
    'everything about one person, as JSON, with whole bank details',
    'export person --merchant Acme --email ada@example.com > ada.json',
  );
  byPerson(person).action(exportOne);
  return all;
}

export function redactCommand(): Command {
  const command = described(
    new Command('redact'),
    'erase a person: name, e-mail, metadata and bank details of recipients, from earlier states, events and recorded answers too',
    'redact --merchant Acme --iban DE89370400440532013000',
    'Shows what it found and asks first.',
  );
  return byPerson(command).option('--yes', 'do not ask').action(redact);
}

async function exportOne(options: PersonOptions): Promise<void> {
  const sought = soughtIn(options);
  await onDatabase(options.merchant, async ({ run, sealing, environments }) => {
    printJson(await exportPerson(run, sealing, environments, sought));
  });
}

async function redact(options: PersonOptions): Promise<void> {
  const sought = soughtIn(options);
  await onDatabase(options.merchant, async ({ run, sealing, environments, config, url }) => {
    const all = await findRecipients(run, sealing, environments, sought);
    const found = all.filter(({ recipient }) => recipient.status !== 'redacted');
    if (found.length === 0) throw new Exit('failed', 'Nobody was found. Nothing was erased.');
    for (const {
      environment,
      recipient: { id, name, email },
    } of found)
      say(`${shownEnvironment(environment)}  ${id}  ${name}  ${email ?? ''}`);
    const question = `Erase ${found.length === 1 ? 'this person' : `these ${found.length}`}? It cannot be undone. Type yes: `;
    if (options.yes !== true && !(await isConfirmed(question, /^yes$/i))) throw new UsageError('Nothing was erased.');
    const retentionYears = config.recordsRetentionYears;
    let refused = 0;
    await withOperator(
      { ...config, url, log: LOG, asOwner: true },
      async (submit) => {
        for (const { environment, recipient } of found) {
          const command = { type: 'redact_recipient', recipient: recipient.id, retentionYears } as const;
          const { status, body } = await submit(environment.environmentId, command);
          if (status === 200) print(`Erased ${recipient.id}.`);
          else {
            refused += 1;
            say((JSON.parse(body) as { error: { message: string } }).error.message);
          }
        }
      },
      sealing,
    );
    if (refused > 0) throw new Exit('failed', `${refused} of ${found.length} were not erased.`);
  });
}

function soughtIn({ recipient, email, iban }: PersonOptions): Sought {
  const given = [recipient, email, iban].filter((each) => each !== undefined);
  if (given.length !== 1) throw new UsageError('Say who: one of --recipient, --email and --iban.');
  if (email !== undefined) return { email };
  if (iban !== undefined) return { iban };
  if (!isId('rcp', recipient as string)) throw new UsageError(`${recipient} is not the id of a recipient (rcp_…).`);
  return { recipient: recipient as string };
}

interface Opened {
  readonly config: Config;
  readonly url: string;
  readonly run: Run;
  readonly sealing: AtRest;
  readonly environments: Awaited<ReturnType<typeof allEnvironments>>;
}

async function onDatabase(merchant: string, work: (opened: Opened) => Promise<void>): Promise<void> {
  const config = loadConfig();
  await withOwner(config, async (client, url) => {
    const sealing = atRest(await serverSecrets(config));
    const run: Run = async (statement) => (await client.query(statement)).rows;
    const environments = (await allEnvironments(run)).filter((each) => each.merchant === merchant);
    if (environments.length === 0) throw new UsageError(`No merchant ${merchant}. See: bursar keys list`);
    await work({ config, url, run, sealing, environments }).catch((error: unknown) => {
      throw error instanceof SoughtInvalid ? new UsageError(error.message) : error;
    });
  });
}
