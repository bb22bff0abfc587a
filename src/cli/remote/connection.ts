/**
 * Which server a command asks, and as whom: options, then BURSAR_URL and BURSAR_KEY, then the profile, kept in a file
 * that nobody else can read (0600). A refusal of the API ends with exit code 4. Parameters are sent as a form, so that
 * no digit changes on the way. Next: `resources.ts`.
 */
import type { Command } from 'commander';
import { type Bursar, BursarError, ConnectionError, createClient } from '../../../client/src/bursar.ts';
import { clientSettings } from '../../config.ts';
import { Exit, UsageError } from '../../operator/exit.ts';
import { fetch } from '../../platform/outbound/fetch.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from '../../../client/src/parse.ts';
import { type Json, secretAnswer } from './output.ts';
import { replacePrivate } from './private-file.ts';
import { visible } from './terminal.ts';

export interface RemoteOptions {
  readonly url?: string;
  readonly key?: string;
  readonly profile?: string;
  readonly json?: boolean;
}

export interface Connection {
  readonly bursar: Bursar;
  readonly url: string;
  readonly key: string;
  readonly fetch: typeof fetch;
  readonly profile: string;
}

/** The options that every remote command has. */
export function remote(command: Command): Command {
  return command
    .option('--url <address>', 'the server; also BURSAR_URL, or the profile')
    .option(
      '--key <key>',
      'the API key, or - to read it from standard input, where no list of processes shows it; also BURSAR_KEY, or the profile',
    )
    .option('--profile <name>', 'saved by `bursar login`; also BURSAR_PROFILE')
    .option('--json', 'JSON, one object a line');
}

export async function connect(options: RemoteOptions): Promise<Connection> {
  const env = clientSettings();
  const profile = options.profile ?? (env.profile || 'default');
  const saved = (await readProfiles())[profile];
  if (saved === undefined && profile !== 'default')
    throw new UsageError(`No profile ${profile}. Make it: bursar login --profile ${profile}`);
  const url = options.url ?? (env.url || saved?.url) ?? '';
  const key = options.key ?? (env.key || saved?.key) ?? '';
  if (url === '' || key === '') {
    throw new UsageError(
      'Which server, and with which key? Set BURSAR_URL and BURSAR_KEY, give --url and --key, or save them: bursar login',
    );
  }
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new UsageError(`${url} is no address; one looks like http://127.0.0.1:4242`);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UsageError(
      'The address of the server may hold no name and password. The key goes into BURSAR_KEY or --key.',
    );
  const asked = key === '-' ? await secretAnswer('API key: ') : key;
  const server = { url, key: asked, fetch };
  return { bursar: createClient({ url, apiKey: asked, fetch }), ...server, profile };
}

/** Runs the work and says faults of the API as such. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionError) throw new Exit('failed', visible(error.message));
    if (!(error instanceof BursarError)) throw error;
    const { code, message, param, requestId, errors } = error;
    const more = errors.slice(1).map((each) => `  ${each.param === undefined ? '' : `${each.param}: `}${each.message}`);
    const about = [`code ${code}`, ...(param === undefined ? [] : [`parameter ${param}`]), `request ${requestId}`];
    throw new Exit('refused', [message, ...more, `(${about.join(', ')})`].map(visible).join('\n'));
  }
}

interface Profile {
  readonly url: string;
  readonly key: string;
}

export const configFolder = (): string => join(clientSettings().configFolder, 'bursar');
const profilesFile = () => join(configFolder(), 'profiles.json');

async function readProfiles(): Promise<Readonly<Record<string, Profile>>> {
  const text = await readFile(profilesFile(), 'utf8').catch(() => null);
  if (text === null) return {};
  try {
    return JSON.parse(text) as Readonly<Record<string, Profile>>;
  } catch {
    throw new UsageError(`${profilesFile()} is not JSON. Mend it, or remove it and log in again: bursar login`);
  }
}

export async function saveProfile(name: string, profile: Profile): Promise<string> {
  const all = { ...(await readProfiles()), [name]: profile };
  await replacePrivate(profilesFile(), `${JSON.stringify(all, null, 2)}\n`);
  return profilesFile();
}

/** `status=paid` → a form. Throws `UsageError` where there is no `=`. */
function formOf(pairs: readonly string[]): string {
  const entries = pairs.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`${JSON.stringify(pair)} is no parameter; one looks like amount=250.00`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return new URLSearchParams(entries).toString();
}

/** The path with these parameters in its query. */
export function pathWith(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${formOf(pairs)}`;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

export async function get(bursar: Bursar, path: string): Promise<string> {
  return (await bursar.request('GET', path)).text();
}

export async function post(bursar: Bursar, path: string, pairs: readonly string[], idempotencyKey?: string) {
  const body = pairs.length === 0 ? {} : { body: formOf(pairs), headers: FORM };
  return (await bursar.request('POST', path, { ...body, idempotencyKey })).text();
}

interface ListPage {
  /** As the server wrote them. */
  readonly raw: readonly Json[];
  /** With amounts as text. */
  readonly data: readonly Json[];
  readonly next: string | null;
}

const BEHIND = /<[^?>]*(\?[^>]*)>;\s*rel="next"/;
const BEFORE = /<[^?>]*(\?[^>]*)>;\s*rel="prev"/;

export async function pageAt(bursar: Bursar, path: string): Promise<ListPage> {
  const response = await bursar.request('GET', path);
  const text = await response.text();
  // A list that is read backwards goes on before the page.
  const onward = /[?&]ending_before=/.test(path) ? BEFORE : BEHIND;
  const next = onward.exec(response.headers.get('Link') ?? '')?.[1];
  const dataOf = (list: unknown) => (list as { readonly data: readonly Json[] }).data;
  return {
    raw: dataOf(JSON.parse(text)),
    data: dataOf(parse(text)),
    next: next === undefined ? null : `${path.split('?')[0]}${next}`,
  };
}
