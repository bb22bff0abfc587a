/** `bursar export person` and `bursar redact`: the data about one person, and its erasure. */
import { Command } from 'commander';
import { type Config, loadConfig } from '../config.ts';
import { isId } from '../core/values/ids.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { allEnvironments } from '../operator/audit.ts';
import { FIRST_MERCHANT } from '../core/company.ts';
import { withOperator } from '../operator/operator.ts';
import { findPerson, type Sought, SoughtInvalid } from '../operator/person.ts';
import { exportPerson } from '../operator/person-export.ts';
import { stepsToRedact } from '../operator/person-redact.ts';
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
  readonly name?: string;
  readonly yes?: boolean;
}

const byPerson = (command: Command) =>
  command
    .option('--merchant <name>', 'in whose environments, sandbox and live', FIRST_MERCHANT)
    .option('--recipient <rcp_…>', 'the person behind this recipient')
    .option('--email <address>', 'the person with this e-mail')
    .option('--iban <iban>', 'the person with this account')
    .option('--name <name>', 'the person with exactly this name');

export function exportCommand(): Command {
  const all = described(new Command('export'), 'write out stored data', 'export person --recipient rcp_…');
  const person = described(
    all.command('person'),
    'everything about one person, payee or payer, as JSON, with whole account numbers',
    'export person --merchant Acme --email ada@example.com > ada.json',
  );
  byPerson(person).action(exportOne);
  return all;
}

export function redactCommand(): Command {
  const command = described(
    new Command('redact'),
    'erase a person, payee or payer: names, e-mails, accounts and words, from earlier states, events and recorded answers too',
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
    const persons = await findPerson(run, sealing, environments, sought);
    const steps = stepsToRedact(persons, sought, config.recordsRetentionYears);
    if (steps.length === 0) throw new Exit('failed', 'Nobody was found. Nothing was erased.');
    for (const { shown } of steps) say(shown);
    const question = `Erase the person from ${steps.length === 1 ? 'this object' : `these ${steps.length} objects`}? It cannot be undone. Type yes: `;
    if (options.yes !== true && !(await isConfirmed(question, /^yes$/i))) throw new UsageError('Nothing was erased.');
    let refused = 0;
    await withOperator(
      { ...config, url, log: LOG, asOwner: true },
      async (submit) => {
        for (const { environmentId, id, command } of steps) {
          const { status, body } = await submit(environmentId, command);
          if (status === 200) print(`Erased ${id}.`);
          else {
            refused += 1;
            say((JSON.parse(body) as { error: { message: string } }).error.message);
          }
        }
      },
      sealing,
    );
    if (refused > 0) throw new Exit('failed', `${refused} of ${steps.length} were not erased.`);
  });
}

function soughtIn({ recipient, email, iban, name }: PersonOptions): Sought {
  const given = [recipient, email, iban, name].filter((each) => each !== undefined);
  if (given.length !== 1) throw new UsageError('Say who: one of --recipient, --email, --iban and --name.');
  if (email !== undefined) return { email };
  if (iban !== undefined) return { iban };
  if (name !== undefined) return { name };
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
