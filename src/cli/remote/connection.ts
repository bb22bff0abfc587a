/**
 * Which server a command asks, and as whom: --url and --key, then BURSAR_URL and BURSAR_KEY (or BURSAR_API_KEY), then the profile. What the API refuses ends with
 * exit code 4 and names code, parameter and request. Next: `resources.ts`.
 */
import type { Command } from 'commander';
import { type Bursar, BursarError, ConnectionError, createClient } from '../../../client/src/bursar.ts';
import { clientSettings } from '../../config.ts';
import { Exit, UsageError } from '../../operator/exit.ts';
import { readProfiles } from './profiles.ts';

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
  readonly profile: string;
}

/** The options that every remote command has. */
export function remote(command: Command): Command {
  return command
    .option('--url <address>', 'the server; also BURSAR_URL, or the profile')
    .option('--key <key>', 'the API key; also BURSAR_KEY, or the profile')
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
  if (!URL.canParse(url)) throw new UsageError(`${url} is no address; one looks like http://127.0.0.1:4242`);
  return { bursar: createClient({ url, key }), url, key, profile };
}

/** Runs the work and says faults of the API as such. */
export async function asking<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionError) throw new Exit('failed', error.message);
    if (!(error instanceof BursarError)) throw error;
    const { code, message, param, requestId, errors } = error;
    const more = errors.slice(1).map((each) => `  ${each.param === undefined ? '' : `${each.param}: `}${each.message}`);
    const about = [`code ${code}`, ...(param === undefined ? [] : [`parameter ${param}`]), `request ${requestId}`];
    throw new Exit('refused', [message, ...more, `(${about.join(', ')})`].join('\n'));
  }
}
