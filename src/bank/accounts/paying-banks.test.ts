/** What the environment's row knows of bank accounts that pay, and what an upgrade adds to it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { runSql } from '../../../test/support/harness/database.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';
import { rowsOf } from '../../../test/support/model/audit.ts';
import { migrationsFolder } from '../../platform/db/migrate.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication();
});
afterAll(() => application?.stop());

it('an upgrade knows what bank accounts say of their holders', async () => {
  const add = async (more: object) =>
    must(
      await application.live.client.post('/v1/bank_accounts', {
        country: 'DE',
        holder: 'Rossum GmbH',
        cut_off: '14:30',
        time_zone: 'Europe/Berlin',
        ...more,
      }),
    );
  const holder_address = { city: 'Berlin', country: 'DE' };
  const [one, other] = [{ iban: 'DE89370400440532013000' }, { iban: 'DE02120300000000202051' }];
  await add({ currency: 'EUR', bank_details: one, uses: ['collections'] });
  await add({ currency: 'EUR', bank_details: other, holder_address });
  await add({ currency: 'USD', bank_details: { ...one, bic: 'COBADEFFXXX' } });
  await add({ currency: 'USD', bank_details: { ...other, bic: 'BYLADEM1001' }, holder_address });
  const rows = () =>
    rowsOf<{ paying_banks: object[] }>(
      application.databaseUrl,
      'SELECT paying_banks FROM environments WHERE paying_banks IS NOT NULL',
    );
  const before = await rows();
  expect(before).toMatchObject([
    {
      paying_banks: [
        { currency: 'EUR', hasName: true, hasAddress: true },
        { currency: 'USD', hasName: true, hasAddress: false },
        { currency: 'USD', hasName: true, hasAddress: true },
      ],
    },
  ]);
  await runSql(
    application.databaseUrl,
    `UPDATE environments SET paying_banks = (SELECT jsonb_agg(b - 'hasName' - 'hasAddress') FROM jsonb_array_elements(paying_banks) AS b)
      WHERE paying_banks IS NOT NULL`,
  );
  const [update = ''] = readFileSync(join(migrationsFolder(), '0127_payable_payouts.sql'), 'utf8').split(';');
  await runSql(application.databaseUrl, update);
  expect(await rows()).toEqual(before);
});
