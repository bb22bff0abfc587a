/**
 * T7: the wire is cut before, in and after an answer, or in the request. The client repeats with its key: one effect
 * each. And the wire between server and PostgreSQL, where no client helps: `test/long/cut-wire.test.ts` has more of
 * that.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { newSeed, seeded } from '../support/generators/seeded.ts';
import { payOverCuts } from '../support/faults/cut-database.ts';
import { payOverCutWire } from '../support/faults/cut-wire.ts';
import { startProxy } from '../support/faults/proxy.ts';
import { startApplication } from '../support/harness/application.ts';
import { Client } from '../support/harness/http.ts';
import { builtProgram } from '../support/harness/server-process.ts';
import { isRelease } from '../support/generators/random-cases.ts';

const CUTS = 80;

beforeAll(() => void builtProgram()); // or it would hold up the server in this process

test.concurrent(`${CUTS} cuts: as many effects as keys, and the answer of the repetition is that of the effect`, async () => {
  const seed = newSeed();
  const { felt, complaints } = await payOverCutWire({ cuts: CUTS, chance: seeded(seed) });
  expect(complaints, `seed ${seed}`).toEqual([]);
  expect(felt).toBeGreaterThan(CUTS / 2);
});

test.runIf(isRelease).concurrent('control: where keys are not written down, payments are doubled', async () => {
  const { complaints } = await payOverCutWire({ cuts: 20, chance: seeded(newSeed()), fault: 'no_records' });
  expect(complaints.filter((complaint) => complaint.includes('done 2 times'))).not.toEqual([]);
});

test.concurrent('control: the proxy without a plan cuts nothing', async () => {
  const application = await startApplication();
  const proxy = await startProxy(application.address, () => ({}));
  const client = new Client(proxy.address, application.sandbox.key);
  expect((await client.get('/v1/accounts')).status).toBe(200);
  expect(proxy.cuts()).toBe(0);
  client.close();
  await proxy.close();
  await application.stop();
});

/** Long enough for a session to be set up and a batch to be read back once in a while. */
const SHORT = { payments: 500, leastCuts: 5, span: { least: 2_000, most: 7_000 } };

describe('the wire to PostgreSQL is cut', () => {
  test.concurrent('every command is answered once it is done, and done once', async () => {
    expect(await payOverCuts({ ...SHORT })).toEqual([]);
  });

  test
    .runIf(isRelease)
    .concurrent('control: where outcomes are not written down, the server itself pays twice', async () => {
      const complaints = await payOverCuts({ ...SHORT, fault: 'no_records' });
      expect(complaints.join()).toContain('were acknowledged');
    });
});
