/** A payment file of two thousand payouts that its bank books as one debit. Three hundred: `src/bank/statements/whole-files.long.test.ts`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bookManyAtOnce, wholeFiles } from '../support/bank/whole-files.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { auditDatabase } from '../support/model/audit.ts';

let application: Application;
const stage = wholeFiles(() => application.sandbox.client);
beforeAll(async () => {
  application = await startApplication();
  await stage.furnish();
});
afterAll(() => application?.stop());

it('one debit for a file of two thousand payouts is one commit', async () => {
  await bookManyAtOnce(stage, 2_000);
  expect(await auditDatabase(application.databaseUrl)).toEqual([]);
});
