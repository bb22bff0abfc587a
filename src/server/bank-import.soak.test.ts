/** Statement files side by side: the same one handed in several times is imported once, and a large one holds up nobody else's. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { camt } from '../../test/support/bank/camt.ts';
import { type Application, type Holder, startApplication } from '../../test/support/harness/application.ts';
import { eventually } from '../../test/support/harness/eventually.ts';
import { BANK_ACCOUNT, must } from '../../test/support/harness/tenant-fixture.ts';

const IBAN = 'DE89370400440532013000';
/** More than 16 MB. */
const MANY = 8_000;
const LINES = Array.from({ length: 14 }, () => 'x'.repeat(140));

let application: Application;
beforeAll(async () => {
  application = await startApplication();
  for (const { client } of [application.live, application.otherLive])
    must(await client.post('/v1/bank_accounts', BANK_ACCOUNT));
});
afterAll(() => application?.stop());

const send = ({ client }: Holder, file: string) =>
  client.send('POST', '/v1/bank/documents', file, { 'content-type': 'application/xml' });

const statementOf = (count: number): string => {
  const entries = Array.from({ length: count }, (_, n) => ({
    amount: '1.00',
    reference: `BANK${n}`,
    details: [{ name: 'Jan Novák', iban: 'AT611904300234573201', text: LINES }],
  }));
  return camt([{ iban: IBAN, day: '2026-11-20', opening: '0.00', closing: `${count}.00`, entries }]);
};

it('four times the same large file at once is one import, beside which another environment imports', async () => {
  const large = statementOf(MANY);
  expect(large.length).toBeGreaterThan(16_000_000);
  let isOver = false;
  const handedIn = Promise.all(Array.from({ length: 4 }, () => send(application.live, large))).finally(() => {
    isOver = true;
  });
  const small = must(await send(application.otherLive, statementOf(3))).json;
  expect([small['status'], isOver]).toEqual(['imported', false]);

  const documents = (await handedIn).map((reply) => must(reply).json['id'] as string);
  expect(new Set(documents).size).toBe(1);
  const path = `/v1/bank/documents/${documents[0] as string}`;
  const isImported = async () => must(await application.live.client.get(path)).json['status'] !== 'importing';
  await eventually('the large file is imported', isImported, { patienceMs: 300_000 });
  const { json } = must(await application.live.client.get('/v1/bank_accounts'));
  expect((json['data'] as readonly { readonly balance: number }[])[0]?.balance).toBe(MANY * 100);
  const [row] = await application.sql("SELECT count(*)::int AS entries FROM bank_entries WHERE kind = 'entry'");
  expect(row?.['entries']).toBe(MANY + 3);
});
