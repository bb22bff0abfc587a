/** A person is found in a database with Turkish letters, whose `lower('I')` is `ı`: e-mails are compared by our own rule. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import { databaseOfLocale } from '../../test/support/harness/database.ts';
import { idIn, must } from '../../test/support/harness/tenant-fixture.ts';
import { atRest } from '../write/at-rest.ts';
import { exportPerson } from './person-export.ts';
import { comparable, comparableName, type Sought } from './person.ts';

let application: Application;
beforeAll(async () => {
  application = await startApplication({ database: await databaseOfLocale('tr-TR') });
});
afterAll(() => application?.stop());

const post = async (path: string, body: object) => must(await application.sandbox.client.post(path, body));
const found = async (sought: Sought) => {
  const { environmentId } = application.sandbox;
  const environments = [{ environmentId, livemode: false, merchant: 'first' }];
  const sealing = atRest({ current: SERVER_SECRET, previous: [] });
  const all = await exportPerson(({ text, values }) => application.sql(text, values), sealing, environments, sought);
  const { recipients, payment_links: links } = all as Record<'recipients' | 'payment_links', { id: string }[]>;
  return [...recipients, ...links].map(({ id }) => id);
};

describe('under tr-TR', () => {
  it('control: the database has the letters of Turkish', async () => {
    const [row] = await application.sql("SELECT lower('I') AS dotless, lower('INFO') = lower('info') AS is_same");
    expect(row).toEqual({ dotless: 'ı', is_same: false });
  });

  it('capitals are the same e-mail, and a dotless i is another', async () => {
    const ada = { type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE89370400440532013000' };
    const capitals = idIn(await post('/v1/recipients', { ...ada, name: 'INGE IRIS', email: 'INGE@ISTANBUL.EXAMPLE' }));
    const small = idIn(await post('/v1/recipients', { ...ada, name: 'inge iris', email: 'inge@istanbul.example' }));
    const dotless = idIn(await post('/v1/recipients', { ...ada, name: 'ınge ıris', email: 'ınge@istanbul.example' }));
    const asked = { currency: 'EUR', amount: 5, customer_email: 'Inge@Istanbul.Example' };
    const bank = {
      currency: 'EUR',
      country: 'DE',
      holder: 'Rossum GmbH',
      cut_off: '14:30',
      time_zone: 'Europe/Berlin',
    };
    await post('/v1/bank_accounts', { ...bank, bank_details: { iban: 'DE02120300000000202051' } });
    const link = idIn(await post('/v1/payment_links', asked));
    expect(await found({ email: 'inge@istanbul.EXAMPLE' })).toEqual([capitals, small, link]);
    expect(await found({ name: 'Inge Iris' })).toEqual([capitals, small]);
    expect(await found({ name: 'ınge IRIS' })).toEqual([]);
    expect(await found({ name: 'ınge ıris' })).toEqual([dotless]);
  });
});

describe('by Unicode alone', () => {
  it.each([
    ['INFO@EXAMPLE.COM', 'info@example.com', true],
    ['ınfo@example.com', 'info@example.com', false], // a dotless i is another letter
    ['İnfo@example.com', 'info@example.com', false],
    ['Jose\u0301@example.com', 'JOSÉ@example.com', true],
    ['wada@example.com', 'ada@example.com', false],
  ])('%s and %s: %s', (one, other, isSame) => expect(comparable(one) === comparable(other)).toBe(isSame));

  it('blanks of names', () => expect(comparableName(' ADA\u00a0 Lovelace ')).toBe(comparableName('Ada lovelace')));
});
