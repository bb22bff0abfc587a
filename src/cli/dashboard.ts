/**
 * `bursar dashboard invite|login|reset|confirm|list|end-sessions`: people and the dashboard, on the database. A link is written to standard
 * output once, and nowhere else: whoever has it is let in. The work: `operator/people.ts`.
 */
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import { FIRST_MERCHANT } from '../core/company.ts';
import { type Role, ROLES } from '../core/roles.ts';
import { isId } from '../core/values/ids.ts';
import { UsageError } from '../operator/exit.ts';
import { withOperator } from '../operator/operator.ts';
import * as people from '../operator/people.ts';
import { programName } from '../operator/program-name.ts';
import { serverSecrets } from '../operator/server-secret.ts';
import { LOG, withDatabase, withOwner } from './database.ts';
import { described, withJson } from './remote/output.ts';
import { print, printJson, printTable, say } from './remote/terminal.ts';

export function dashboardCommand(): Command {
  const all = described(
    new Command('dashboard'),
    'let people into the dashboard, and sign them out',
    'dashboard invite --email ada@example.com --live --role approver',
  );
  described(
    all.command('invite'),
    'let somebody in; the link is shown once, and good for seven days',
    'dashboard invite --email ada@example.com --live --role operator --role accountant',
  )
    .requiredOption('--email <address>', 'of the person; nothing is sent to it', address)
    .option('--name <name>', 'how you call the person')
    .option('--sandbox', 'for fake money')
    .option('--live', 'for real money')
    .option('--merchant <name>', 'whose environment; a new merchant is made', FIRST_MERCHANT)
    .option('--role <role>', `what the person may do (repeatable): ${ROLES.join(', ')}`, role, [])
    .option('--admin', 'every role: for the first administrator, who can then let in everybody else')
    .action(invite);
  described(
    all.command('login'),
    'make a link that signs a person in, good for 15 minutes; live wants a second factor all the same',
    'dashboard login --email ada@example.com',
  )
    .requiredOption('--email <address>', 'of a person who has joined', address)
    .action(({ email }: Addressed) => link(email, 'login'));
  described(
    all.command('reset'),
    'make a link by which a person sets a new password and passkey; those from before end when it is opened',
    'dashboard reset --email ada@example.com',
  )
    .requiredOption('--email <address>', 'of a person who has joined', address)
    .action(({ email }: Addressed) => link(email, 'reset'));
  described(
    all.command('confirm <user-id>'),
    'agree that a user whom somebody else let in may approve',
    'dashboard confirm usr_…',
  ).action(confirm);
  withJson(described(all.command('list'), 'list everybody, with roles and open sessions', 'dashboard list')).action(
    list,
  );
  described(
    all.command('end-sessions'),
    'sign a person out everywhere, within a second; or everybody',
    'dashboard end-sessions --email ada@example.com',
  )
    .option('--email <address>', 'of the person', address)
    .option('--all', 'everybody')
    .action(endSessions);
  return all;
}

interface Addressed {
  readonly email: string;
}

interface InviteOptions extends Addressed {
  readonly name?: string;
  readonly sandbox?: boolean;
  readonly live?: boolean;
  readonly merchant: string;
  readonly role: readonly Role[];
  readonly admin?: boolean;
}

function address(value: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(value) && value.length <= 254) return value;
  throw new InvalidArgumentError('An e-mail address, such as ada@example.com.');
}

function role(value: string, before: readonly Role[]): readonly Role[] {
  const given = value.split(',');
  const unknown = given.find((each) => !ROLES.some((known) => known === each));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is no role. Allowed: ${ROLES.join(', ')}.`);
  return [...before, ...(given as Role[])];
}

async function invite({ email, name, sandbox, live, merchant, role: roles, admin }: InviteOptions): Promise<void> {
  if ((live ?? false) === (sandbox ?? false)) {
    throw new UsageError('Say which: --sandbox (fake money) or --live (real money).');
  }
  const given = [...new Set<Role>([...roles, ...(admin === true ? ROLES : [])])];
  if (given.length === 0) throw new UsageError(`Say what the person may do: --role ${ROLES.join(', --role ')}.`);
  const asked = { email, name: name ?? null, livemode: live ?? false, merchant, roles: given };
  const { user, url } = await asOperator((operator) => people.invitePerson(operator, asked));
  say(
    `Invited ${email} as ${user}: ${given.join(', ')}. The link opens once, within seven days. Hand it over yourself:`,
  );
  printLink(url);
  if (given.join() === 'admin') {
    say(
      'An administrator who is nothing else lets in viewers and administrators: nobody gives more than they hold. See --admin.',
    );
  }
}

async function link(email: string, kind: 'login' | 'reset'): Promise<void> {
  const url = await asOperator((operator) => people.linkPerson(operator, email, kind));
  say(
    `The link opens once, within ${kind === 'login' ? '15 minutes' : 'a day'}. Whoever has it is let in as ${email}:`,
  );
  printLink(url);
}

/** This command does not ask a running server where it listens. */
function printLink(url: string): void {
  print(url);
  const { hostname, port } = new URL(url);
  if (hostname === 'localhost' && port !== '')
    say(`If your server does not listen on port ${port}, set PORT as it has it.`);
}

async function confirm(user: string): Promise<void> {
  if (!isId('usr', user)) throw new UsageError(`${user} is not the id of a user (usr_…). See: bursar dashboard list`);
  await asOperator((operator) => people.confirmPerson(operator, user));
  say(`Confirmed ${user}. It may approve, as far as its roles go.`);
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const everybody = await withDatabase(loadConfig(), people.listPeople);
  if (json) return printJson(everybody);
  if (everybody.length === 0) {
    const example = `${programName()} dashboard invite --email you@example.com --sandbox --admin`;
    return print(`Nobody yet. Let somebody in with: ${example}`);
  }
  const instant = (atMs: number | null) => (atMs === null ? '–' : new Date(atMs).toISOString().slice(0, 16));
  const head = [
    'user',
    'address',
    'name',
    'merchant',
    'mode',
    'roles',
    'status',
    'second factor',
    'last seen',
    'sessions',
  ];
  const rows = everybody.map((each) => [
    each.user,
    each.email,
    each.name ?? '–',
    each.merchant,
    each.mode,
    each.roles.join(' '),
    each.roles.includes('approver') && !each.mayApprove ? `${each.status}, not confirmed` : each.status,
    each.secondFactor,
    instant(each.lastSeenAt),
    String(each.sessions),
  ]);
  await printTable(head, rows);
}

async function endSessions({ email, all }: { email?: string; all?: boolean }): Promise<void> {
  if ((email === undefined) === (all !== true))
    throw new UsageError('Say whom: --email <address>, or --all for everybody.');
  const count = await asOperator((operator) => people.endSessions(operator, email ?? null));
  say(`Ended ${count} ${count === 1 ? 'session' : 'sessions'}. They open nothing within a second.`);
}

/** Refusals become mistakes in the command line. */
async function asOperator<T>(work: (operator: people.PeopleOperator) => Promise<T>): Promise<T> {
  const config = loadConfig();
  if (!config.dashboard) say('BURSAR_DASHBOARD is off: links open nothing until it is on.');
  const baseUrl = config.dashboardUrl ?? (config.publicUrl || `http://localhost:${config.port}`);
  return withOwner(config, async (client, url) => {
    const secrets = await serverSecrets(config);
    const run = async (statement: { text: string; values: unknown[] }) => (await client.query(statement)).rows;
    return withOperator({ ...config, url, log: LOG }, (submit) => work({ submit, run, secrets, baseUrl })).catch(
      (error: unknown) => {
        throw error instanceof people.PersonRefused ? new UsageError(error.message) : error;
      },
    );
  });
}
