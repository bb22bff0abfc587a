/** `bursar get PATH`, `bursar post PATH name=value…`: any operation of the API. And `bursar login`, which saves address and key. */
import { Command } from 'commander';
import { UsageError } from '../../operator/exit.ts';
import { asking, connect, get, pathWith, post, remote, type RemoteOptions, saveProfile } from './connection.ts';
import { described } from './output.ts';
import { print, say } from './terminal.ts';
import { shown, withKey, type WriteOptions } from './resources.ts';

function pathFrom(given: string): string {
  if (!given.startsWith('/') && !given.startsWith('v1/'))
    throw new UsageError(`${given} is no path; one looks like /v1/payouts`);
  return given.startsWith('/') ? given : `/${given}`;
}

export function getCommand(): Command {
  const command = new Command('get').argument('<path>').argument('[filter...]');
  return remote(described(command, 'GET any path of the API', 'get /v1/payouts status=paid limit=2')).action(
    (path: string, filters: string[], options: RemoteOptions) =>
      shown(options, ({ bursar }) => get(bursar, pathWith(pathFrom(path), filters))),
  );
}

export function postCommand(): Command {
  const command = new Command('post').argument('<path>').argument('[parameter...]');
  const example = 'post /v1/test_helpers/payouts/po_…/pay';
  return withKey(remote(described(command, 'POST to any path of the API', example))).action(
    (path: string, pairs: string[], options: WriteOptions) =>
      shown(options, ({ bursar }) => post(bursar, pathFrom(path), pairs, options.idempotencyKey)),
  );
}

export function loginCommand(): Command {
  const about = 'save address and key as a profile, in a file that is yours alone';
  const command = described(new Command('login'), about, 'login --url http://127.0.0.1:4242 --key -');
  return remote(command).action(async (options: RemoteOptions) => {
    const profile = options.profile ?? 'default';
    const { bursar, url, key } = await connect({ ...options, profile: 'default' });
    await asking(() => bursar.request('GET', '/v1/accounts?limit=1'));
    const file = await saveProfile(profile, { url, key });
    if (options.json === true) print(JSON.stringify({ profile, url, file }));
    else say(`Saved as profile ${profile} in ${file}.`);
  });
}
