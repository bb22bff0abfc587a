/** `bursar bank accounts list|add|change|resume-exports|approve|reject|close`: the operator's accounts at banks, on a running server. Part of `bank.ts`. */
import { Command } from 'commander';
import { snakeCase } from '../core/fields.ts';
import type { BankAccount } from '../../client/src/bursar.ts';
import { majorOf } from '../core/values/money.ts';
import { bankClient } from './bank-client.ts';
import { asking, remote, type RemoteOptions } from './remote/connection.ts';
import { described, type Json, type Pair, pairs, printRows } from './remote/output.ts';
import { print } from './remote/terminal.ts';

/** What may change, as the API calls it; what each means: `bank/accounts/parameters.ts`. */
const SETTINGS: readonly (readonly [flags: string, description: string])[] = [
  ['--name <text>', 'your name for it'],
  ['--holder <text>', 'name of the account holder, as the bank has it'],
  ['--cut-off <HH:MM>', 'until when a payment file leaves on the same day'],
  ['--time-zone <name>', 'of the cut-off, such as Europe/Berlin'],
  ['--bank-profile <word>', 'epc, de_dk, ch_sps or generic'],
  ['--calendar <word>', 'whose business days: target, ch, gb, us, pl, se, dk, no, cz, hu, ro or weekdays'],
  ['--booked-by <word>', 'camt.053, camt.052 or camt.054'],
  ['--payee-check <word>', 'on or off'],
  ['--exports <word>', 'by_hand or before_cut_off'],
  ['--paid-by <word>', 'booking or status'],
  ['--reversal-sign <word>', 'own or original'],
  ['--charges <word>', 'to_fees or by_hand'],
  ['--on-drift <word>', 'warn or stop_exports'],
];

export function accountsCommand(): Command {
  const about = 'your accounts at banks: list, add, change, approve, close, resume exports';
  const accounts = described(new Command('accounts'), about, 'bank accounts list');
  const verb = (line: string, what: string, example: string, isDefault = false) =>
    remote(described(accounts.command(line, { isDefault }), what, `bank accounts ${example}`));
  verb('list', 'list them', 'list --json', true).action(list);
  withSettings(
    verb(
      'add',
      'add one; the bank’s statements move it from then on',
      'add --currency EUR --country DE --holder "Example GmbH" --iban DE02… --cut-off 14:30 --time-zone Europe/Berlin',
    ),
  )
    .requiredOption('--currency <code>', 'ISO 4217')
    .requiredOption('--country <code>', 'ISO 3166-1 alpha-2')
    .option('--iban <iban>', 'its IBAN')
    .option('--bic <bic>', 'BIC of the bank')
    .option('--detail <name=value>', 'another bank detail, such as sort_code=200000', pairs, [])
    .action(add);
  const kept = 'change its settings; those that you do not name stay';
  withSettings(verb('change <ba_…>', kept, 'change ba_… --exports before_cut_off')).action(change);
  verb(
    'resume-exports <ba_…>',
    'let payouts leave again that a drifting statement has stopped',
    'resume-exports ba_… --reason "The bank has explained the difference."',
  )
    .requiredOption('--reason <text>', 'why; kept in the audit log')
    .action(resume);
  verb('approve <ba_…>', 'agree as a second person that payers see what waits', 'approve ba_… --fingerprint 7d1c…')
    .requiredOption('--fingerprint <text>', 'of the change, as `bursar bank accounts list` shows it')
    .action(approve);
  verb('reject <ba_…>', 'let payers go on seeing what they see', 'reject ba_…').action(reject);
  verb('close <ba_…>', 'close it, at a balance of zero', 'close ba_…').action(close);
  return accounts;
}

function withSettings(command: Command): Command {
  for (const [flags, description] of SETTINGS) command.option(flags, description);
  const several = (value: string): string[] => (value === '' ? [] : value.split(','));
  return command
    .option('--holidays <days>', 'all days on which it is closed beside those of its calendar, commas between', several)
    .option('--uses <words>', 'payouts, collections, or both with a comma between', several);
}

type Options = RemoteOptions & Readonly<Record<string, unknown>>;

const HEAD = ['bank account', 'name', 'account', 'currency', 'balance', 'profile', 'cut-off', 'exports', 'status'];

async function list(options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  const all = await asking(() => client.whole<BankAccount>('/v1/bank_accounts'));
  if (options.json) for (const account of all) print(JSON.stringify(account));
  else {
    await printRows(HEAD, all.map(rowOf));
    for (const account of all) if (account.pending_changes !== null) print(waiting(account, account.pending_changes));
  }
}

/** What the second person looks at, and how he agrees. */
function waiting(
  { id }: BankAccount,
  { changes, actors, fingerprint }: NonNullable<BankAccount['pending_changes']>,
): string {
  const what = Object.entries(changes ?? {}).map(([name, value]) => `${name} ${String(value)}`);
  return `\n${id} waits for a second person: ${what.join('; ')} (asked for by ${actors?.join(', ')}).\nbursar bank accounts approve ${id} --fingerprint ${fingerprint}`;
}

function rowOf(account: BankAccount) {
  const { id, name, currency, balance, profile, cut_off, time_zone, exports, status, bank_details } = account;
  const { iban, account_number: number, clabe } = bank_details;
  const held = majorOf(BigInt(balance), currency);
  const at = `…${(iban ?? number ?? clabe ?? '').slice(-4)}`;
  return [id, name ?? '–', at, currency, held, profile, `${cut_off} ${time_zone}`, exports, status];
}

async function add({ iban, bic, detail, ...options }: Options): Promise<void> {
  const details = Object.fromEntries(detail as readonly Pair[]);
  const bank_details = { ...details, ...(iban !== undefined && { iban }), ...(bic !== undefined && { bic }) };
  await send('/v1/bank_accounts', { ...bodyOf(options), bank_details }, options);
}

const change = (id: string, options: Options) => send(pathOf(id), bodyOf(options), options);

const approve = (id: string, options: Options) =>
  send(`${pathOf(id)}/approve`, { fingerprint: options['fingerprint'] }, options);

const reject = (id: string, options: Options) => send(`${pathOf(id)}/reject`, {}, options);

const close = (id: string, options: Options) => send(`${pathOf(id)}/close`, {}, options);

const resume = (id: string, options: Options) =>
  send(`${pathOf(id)}/resume_exports`, { reason: options['reason'] }, options);

const pathOf = (id: string): string => `/v1/bank_accounts/${encodeURIComponent(id)}`;

/** Settings as the API names them; what says where the server is, is none. */
function bodyOf({ url: _url, key: _key, profile: _profile, json: _json, bankProfile, ...settings }: Options): Json {
  const named = { ...settings, ...(bankProfile !== undefined && { profile: bankProfile }) };
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [snakeCase(name), value]));
}

async function send(path: string, body: Json, options: RemoteOptions): Promise<void> {
  const client = await bankClient(options);
  const account = await asking(() => client.post<BankAccount>(path, body));
  print(options.json ? JSON.stringify(account) : `${account.id}  ${account.currency}  ${account.status}`);
}
