/** `bursar get PATH`, `bursar post PATH name=value…`: any operation of the API. And `bursar login`, which saves address and key. */
import { Command } from 'commander';
import { UsageError } from '../../operator/exit.ts';
import {
  asking,
  connect,
  remote,
  type RemoteOptions,
  readProfiles,
  saveProfile,
  formOf,
  get,
  post,
  withQuery,
} from './connection.ts';
import { print, say } from './output.ts';
import { shown } from './resources.ts';

function pathFrom(given: string): string {
  if (!given.startsWith('/') && !given.startsWith('v1/'))
    throw new UsageError(`${given} is no path; one looks like /v1/payouts`);
  return given.startsWith('/') ? given : `/${given}`;
}

export function getCommand(): Command {
  return remote(new Command('get').argument('<path>').argument('[filter...]'))
    .description('GET any path of the API')
    .addHelpText('after', '\nExample:\n  bursar get /v1/payouts status=paid limit=2')
    .action((path: string, filters: string[], options: RemoteOptions) =>
      shown(options, ({ bursar }) => get(bursar, withQuery(pathFrom(path), formOf(filters)))),
    );
}

export function postCommand(): Command {
  return remote(new Command('post').argument('<path>').argument('[parameter...]'))
    .description('POST to any path of the API')
    .option('--idempotency-key <key>', 'the same key again gives the same answer, and does nothing twice')
    .addHelpText('after', '\nExample:\n  bursar post /v1/test_helpers/payouts/po_…/pay')
    .action((path: string, pairs: string[], options: RemoteOptions & { readonly idempotencyKey?: string }) =>
      shown(options, ({ bursar }) => post(bursar, pathFrom(path), formOf(pairs), options.idempotencyKey)),
    );
}

export function loginCommand(): Command {
  return remote(new Command('login'))
    .description('save address and key as a profile, in a file that is yours alone')
    .addHelpText('after', '\nExample:\n  bursar login --url http://127.0.0.1:4242 --key sk_test_…')
    .action(async (options: RemoteOptions) => {
      const profile = options.profile ?? 'default';
      const { bursar, url, key } = await connect({ ...options, profile: 'default' });
      await asking(() => bursar.request('GET', '/v1/accounts?limit=1'));
      const file = await saveProfile(profile, { ...(await readProfiles())[profile], url, key });
      if (options.json === true) print(JSON.stringify({ profile, url, file }));
      else say(`Saved as profile ${profile} in ${file}.`);
    });
}
