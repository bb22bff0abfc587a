/** Deposit references are unique in the whole database: two companies may have the same bank account, and a payer names only the reference. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { depositReference } from '../../core/rails/creditor-reference.ts';
import { idSource, uuidOf } from '../../core/values/ids.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

it('those of companies that open accounts at the same moment differ', async () => {
  const { sandbox, live, otherSandbox, otherLive } = application;
  const references: string[] = [];
  for (let round = 0; round < 50; round += 1) {
    const made = await Promise.all(
      [sandbox, live, otherSandbox, otherLive].map(({ client }) => client.post('/v1/accounts', { currency: 'EUR' })),
    );
    references.push(...made.map((reply) => depositReference(must(reply).json['id'] as string)));
  }
  expect(new Set(references).size).toBe(references.length);
});

it('those of one millisecond differ', () => {
  const atMs = Date.UTC(2026, 10, 24);
  const made = Array.from({ length: 100 }, () => depositReference(idSource(atMs).next('acct')));
  expect(new Set(made).size).toBeGreaterThan(98); // a million places; the database refuses the rest
});

it('and the database takes no second account of the same instant and counter, whose is it ever', async () => {
  const { sandbox, otherSandbox } = application;
  const { id } = must(await sandbox.client.post('/v1/accounts', { currency: 'EUR' })).json as { id: string };
  const columns = (await application.sql(
    `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns WHERE table_name = 'accounts' AND column_name NOT IN ('environment_id', 'id')`,
  )) as unknown as [{ names: string }];
  const copied = (index: number) =>
    application.sql(
      `INSERT INTO accounts (environment_id, id, ${columns[0].names})
        SELECT $1, overlay(id::text placing $3 from 36 for 1)::uuid, ${columns[0].names} FROM accounts WHERE id = $2`,
      [uuidOf(otherSandbox.environmentId), uuidOf(id), String(index)],
    );
  await expect(copied(1)).rejects.toThrow('accounts_deposit_reference');
  await application.sql('DROP INDEX accounts_deposit_reference'); // control: nothing else refuses it
  await copied(1);
});
