/** `bursar keys create|list|revoke|roll`. A key's text is written to standard output once, and nowhere else. */
import { Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config.ts';
import { programName } from '../operator/program-name.ts';
import { isId } from '../core/values/ids.ts';
import { keyMaker, listedKeys } from '../tenancy/keys/keys.ts';
import { networkFrom } from '../tenancy/keys/networks.ts';
import { createKey, KeyRefused, type Operator, revokeKey, rollKey } from '../operator/keys.ts';
import { withOperator } from '../operator/operator.ts';
import { type Scope, SCOPES } from '../platform/http/route.ts';
import { Versions } from '../platform/http/version/versions.ts';
import { API_VERSION } from '../core/values/version.ts';
import { serverSecrets } from '../operator/server-secret.ts';
import { FIRST_MERCHANT } from '../core/company.ts';
import { LOG, withDatabase, withOwner } from './database.ts';
import { UsageError } from '../operator/exit.ts';
import { print, printJson, printTable, say } from './remote/terminal.ts';
import { described, wholeNumber, withJson } from './remote/output.ts';

const MAX_OVERLAP_DAYS = 7;
const DAY_SECONDS = 86_400;

export function keysCommand(): Command {
  const keys = described(new Command('keys'), 'make, list, revoke and roll API keys', 'keys list --merchant Acme');
  described(
    keys.command('create'),
    'make a key; it is shown once',
    'keys create --sandbox --name payroll --scope payouts:write --scope recipients:read',
  )
    .option('--sandbox', 'a key to fake money')
    .option('--live', 'a key to real money')
    .option('--merchant <name>', 'whose key; the first key of a merchant creates the merchant', FIRST_MERCHANT)
    .option('--name <name>', 'what the key is for', 'made on the command line')
    .option('--scope <resource:read|write...>', 'restrict the key to these scopes (repeatable)', scope, [])
    .option('--account <acct_…>', 'restrict the key to this account (repeatable)', account, [])
    .option('--address <address or network>', 'let the key be used from there only (repeatable)', network, [])
    .option('--expires-in-days <days>', 'until when it works', wholeNumber(1, 9999, ' of days'))
    .option('--api-version <date>', 'the version of the API that it is pinned to', apiVersion, API_VERSION)
    .action(create);
  withJson(described(keys.command('list'), 'list keys; never their text', 'keys list --json'))
    .option('--merchant <name>', 'only keys of this merchant')
    .action(list);
  described(
    keys.command('revoke <key-id>'),
    'stop a key at once (within a second everywhere)',
    'keys revoke key_…',
  ).action(revokeOne);
  described(keys.command('roll <key-id>'), 'make a new key in place of an old one', 'keys roll key_… --overlap-days 2')
    .option(
      '--overlap-days <days>',
      `days the old key still works, 0 to ${MAX_OVERLAP_DAYS}`,
      wholeNumber(0, MAX_OVERLAP_DAYS, ' of days'),
      0,
    )
    .action(roll);
  return keys;
}

function scope(value: string, before: readonly string[]): readonly string[] {
  const given = value.split(',');
  const unknown = given.find((each) => !SCOPES.some((known) => known === each));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is no scope. Allowed: ${SCOPES.join(', ')}.`);
  return [...before, ...given];
}

function account(value: string, before: readonly string[]): readonly string[] {
  if (isId('acct', value)) return [...before, value];
  throw new InvalidArgumentError(`${value} is not the id of an account (acct_…).`);
}

function network(value: string, before: readonly string[]): readonly string[] {
  if (networkFrom(value)) return [...before, value];
  throw new InvalidArgumentError('An address or a network, such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32.');
}

function apiVersion(value: string): string {
  const { dates } = new Versions();
  if (dates.includes(value)) return value;
  throw new InvalidArgumentError(`There is no such version of the API. There are: ${dates.join(', ')}.`);
}

interface CreateOptions {
  readonly sandbox?: boolean;
  readonly live?: boolean;
  readonly merchant: string;
  readonly name: string;
  readonly scope: readonly Scope[];
  readonly account: readonly string[];
  readonly address: readonly string[];
  readonly expiresInDays?: number;
  readonly apiVersion: string;
}

async function create(options: CreateOptions): Promise<void> {
  if ((options.live ?? false) === (options.sandbox ?? false)) {
    throw new UsageError('Say which: --sandbox (fake money) or --live (real money).');
  }
  const {
    merchant,
    name,
    scope: scopes,
    account: accounts,
    address: addresses,
    expiresInDays,
    apiVersion: version,
  } = options;
  const orNull = (list: readonly string[]) => (list.length > 0 ? list : null);
  const expiresAt = expiresInDays === undefined ? null : Date.now() + expiresInDays * DAY_SECONDS * 1000;
  const livemode = options.live ?? false;
  const powers = { scopes: orNull(scopes), accounts: orNull(accounts), allowedIps: orNull(addresses), expiresAt };
  show(await asOperator((operator) => createKey(operator, { merchant, livemode, name, version, ...powers })));
}

async function list({ merchant, json }: { merchant?: string; json?: boolean }): Promise<void> {
  const keys = await withDatabase(loadConfig(), (run) => listedKeys(run, merchant ?? null));
  if (json) return printJson(keys);
  if (keys.length === 0) return print(`No keys yet. Make one with: ${programName()} keys create --sandbox`);
  const head = [
    'id',
    'merchant',
    'mode',
    'name',
    'key',
    'scopes',
    'status',
    'version',
    'expires',
    'last used',
    'line last used',
  ];
  const day = (atMs: number | null) => (atMs === null ? '–' : new Date(atMs).toISOString().slice(0, 16));
  const rows = keys.map((key) => {
    const { id, merchant: owner, livemode, name, shown, scopes, status, version, expiresAt } = key;
    const instants = [expiresAt, key.lastUsedAt, key.lineLastUsedAt].map(day);
    const mode = livemode ? 'live' : 'sandbox';
    return [id, owner, mode, name, shown, scopes?.join(' ') ?? 'all', status, version, ...instants];
  });
  await printTable(head, rows);
}

async function revokeOne(keyId: string): Promise<void> {
  assertKeyId(keyId);
  const done = await asOperator((operator) => revokeKey(operator, keyId));
  if (!done) throw new UsageError(`No key ${keyId}. See: bursar keys list`);
  say(`Revoked ${keyId}.`);
}

async function roll(keyId: string, { overlapDays: overlap }: { overlapDays: number }): Promise<void> {
  assertKeyId(keyId);
  const made = await asOperator((operator) => rollKey(operator, keyId, overlap * DAY_SECONDS));
  if (!made) throw new UsageError(`No key ${keyId}. See: bursar keys list`);
  show(made);
  say(overlap === 0 ? 'The old key works no longer.' : `The old key works for ${overlap} more days.`);
}

function assertKeyId(keyId: string): void {
  if (!isId('key', keyId)) throw new UsageError(`${keyId} is not the id of a key (key_…). See: bursar keys list`);
}

function show({ id, key }: { readonly id: string; readonly key: string }): void {
  say(`Made ${id}. The key is shown once, keep it safe:`);
  print(key);
}

/** Refusals of the write path become mistakes in the command line. */
async function asOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = loadConfig();
  return withOwner(config, async (client, url) => {
    const maker = keyMaker(await serverSecrets(config));
    const run: Operator['run'] = async (statement) => (await client.query(statement)).rows;
    return withOperator({ ...config, url, log: LOG }, (submit) => work({ submit, run, maker })).catch(
      (error: unknown) => {
        throw error instanceof KeyRefused ? new UsageError(error.message) : error;
      },
    );
  });
}
