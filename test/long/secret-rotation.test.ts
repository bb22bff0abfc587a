/**
 * A rotation of the server secret beside real servers that serve payouts meanwhile, each a process of its own. With
 * servers in the process of the test, a rotation that is killed, and the embedded database:
 * `test/long/secret-swap.test.ts`.
 */
import { it } from 'vitest';
import { rollUnderLoad } from '../support/faults/secret-swap.ts';
import { asServer } from '../support/harness/database.ts';
import { startServer } from '../support/harness/server-process.ts';

it('servers go from one secret to the other under load: no key is refused, every delivery verifies, no payout is lost', () =>
  rollUnderLoad((url, setting) => {
    const env = { DATABASE_OWNER_URL: url, BURSAR_SANDBOX_STEP_SECONDS: '1', ...setting };
    return startServer({ databaseUrl: asServer(url), env });
  }));
