/** The entry of sessions: what of a request counts as somebody doing something. */
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { callerWith } from '../../../test/support/harness/keys.ts';
import { clientAddresses, type TrustedProxies, trustedProxies } from './client-address.ts';
import { type Door, doorEntry } from './door.ts';
import { keyless } from './keyless.ts';
import type { Serving } from './serve.ts';

it('a stream that stays open is no activity, however it was opened; a request is, but for one that says not', async () => {
  const quiet: boolean[] = [];
  const door: Door = {
    placeAt: () => ({ origin: 'http://localhost', rpId: 'localhost' }),
    isOwnPage: () => true,
    admit: (_visit, _environment, isQuiet) => {
      quiet.push(isQuiet);
      return callerWith();
    },
    operations: [],
  };
  const clients = clientAddresses(trustedProxies('') as TrustedProxies, () => undefined);
  const entry = doorEntry(door, { clients, keyless: keyless(clients, 0) } as Serving);
  const request = (headers: object) =>
    ({ id: 'req', headers: { 'sec-fetch-site': 'same-origin', ...headers }, socket: {} }) as unknown as FastifyRequest;
  await entry.admit(request({}));
  await entry.admit(request({ 'bursar-activity': 'none' }));
  await entry.again(request({}));
  expect(quiet).toEqual([false, true, true]);
});
