/** What a receiver repeats of the headers is not written down. A real receiver and sender; the database is what would be written. */
import { expect, it, vi } from 'vitest';
import { idAt } from '../../../test/support/harness/literals.ts';
import { endpointRow } from '../../../test/support/webhooks/endpoint-row.ts';
import { type Received, startReceiver } from '../../../test/support/webhooks/receiver.ts';
import { Dispatcher } from './dispatcher.ts';
import { createSender } from './send.ts';
import { Versions } from '../../platform/http/version/versions.ts';

const ENVIRONMENT = idAt('env', 1);
const ENDPOINT = idAt('we', 1);
const TOKEN = '8f3a2c91d4e5';

it.each([200, 500])('masks the values of headers in the kept answer, with status %i', async (status) => {
  const receiver = await startReceiver(({ headers }: Received, response) => {
    response.statusCode = status;
    response.end(JSON.stringify({ ...headers, about: `no such token: ${TOKEN}` }));
  });
  const row = endpointRow({
    url: receiver.url,
    headers: JSON.stringify([{ name: 'Authorization', sealed: `Bearer ${TOKEN}` }]),
  });
  let written = '';
  const dispatcher = new Dispatcher({
    run: (statement) => {
      for (const value of statement.values) if (Buffer.isBuffer(value)) written += value.toString('latin1');
      return Promise.resolve([]);
    },
    rows: () => Promise.resolve([row]),
    send: () => Promise.resolve(),
    open: (sealed) => sealed,
    openHeader: (sealed) => sealed,
    versions: new Versions(),
    renderEvent: () => '{}',
    sender: createSender({ privateTargets: () => 'loopback', keepsPrivateAnswers: () => true }),
    concurrency: 1,
    pollMs: 60_000,
    onFault: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  const delivery = {
    environmentId: ENVIRONMENT,
    livemode: false,
    endpointId: ENDPOINT,
    sequence: 1n,
    eventId: idAt('evt', 1),
    body: '{}',
    claims: 1,
    inOrder: false,
    failures: 0,
    clockOffsetMs: 0,
    endpointsVersion: 1n,
    claimedAtMs: Number.MAX_SAFE_INTEGER, // never too late
    isFresh: true,
    trace: null,
  };
  const about = { environmentIds: [ENVIRONMENT], commands: 1, inOrder: [], hasMore: false, hasReplay: false };
  dispatcher.committed({ ...about, handedOver: [delivery] });
  await vi.waitFor(() => expect(written).toContain('no such token: ****'));
  expect(receiver.received[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  expect(written).not.toContain(TOKEN);
  await dispatcher.stop();
  await receiver.stop();
});
