/** What a payer keeps: the code as a picture, the receipt as a document, read back by other programs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQr } from '../../../test/support/browser/qr.ts';
import { Payer, pathOf, type Seen } from '../../../test/support/browser/payer.ts';
import { createDatabase, type Database } from '../../../test/support/harness/database.ts';
import { textsOf } from '../../../test/support/harness/pdf-texts.ts';
import { Client } from '../../../test/support/harness/http.ts';
import { makeKey, type ServerProcess, startServer } from '../../../test/support/harness/server-process.ts';
import { must } from '../../../test/support/harness/tenant-fixture.ts';

let database: Database;
let server: ServerProcess;
let client: Client;
let payer: Payer;
beforeAll(async () => {
  database = await createDatabase();
  // Compiled: of the sources each thread would be compiled again.
  server = await startServer({ databaseUrl: database.url });
  client = new Client(server.address, (await makeKey(database.url)).key);
  payer = new Payer(server.address);
  must(await client.post('/v1/accounts', { currency: 'EUR' }));
});
afterAll(async () => {
  payer?.close();
  client?.close();
  await server?.kill();
  await database?.drop();
});

const order = { amount: '1234.50', currency: 'EUR', description: 'Sourdough for beginners', reference: 'Invoice 4711' };
const waiting = async (): Promise<Seen> =>
  payer.start((must(await client.post('/v1/payment_links', order)).json as { url: string }).url);
async function file(page: Seen, name: string) {
  const reply = await fetch(`${server.address}${pathOf(page.path).replace(/\?.*/, '')}/${name}`);
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}

describe('the picture of the code', () => {
  it('says what the page shows, while the payment waits and not later', async () => {
    const page = await waiting();
    const { reply, bytes } = await file(page, 'code.png');
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(readQr(bytes).text).toContain('\nEUR1234.50\n');
    const paid = await payer.press(page, 'exact');
    expect((await file(paid, 'code.png')).reply.status).toBe(404);
  });
});

describe('the receipt', () => {
  it('is there once money came, and says who was paid what, when in the time zone of the payer', async () => {
    const address = { line1: 'Invalidenstraße 43', postal_code: '10115', city: 'Berlin', country: 'DE' };
    must(await client.post('/v1/settings', { name: 'Café Zoë', contact_email: 'hello@zoe.example', address }));
    const page = await waiting();
    expect((await file(page, 'receipt.pdf')).reply.status).toBe(404); // the control
    const paid = await payer.press(page, 'exact');
    const { reply, bytes } = await file(paid, 'receipt.pdf?lang=de&zone=Asia/Tokyo');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="RF\d\d\w+\.pdf"$/);
    const pages = await textsOf(bytes);
    expect(pages).toHaveLength(1);
    const texts = pages.flat();
    const wanted = ['Beleg', 'Café Zoë', 'Invalidenstraße 43', '10115 Berlin', 'Deutschland', 'hello@zoe.example'];
    wanted.push('Testmodus', '1.234,50 €', 'Sourdough for beginners', 'Invoice 4711', 'Überweisung');
    for (const text of wanted) expect(texts).toContain(text);
    expect(texts.filter((text) => text.includes('GMT+9'))).toHaveLength(1);
    const utc = await textsOf((await file(paid, 'receipt.pdf?zone=Nowhere/Land')).bytes);
    expect(utc.flat().filter((text) => text.endsWith(' UTC'))).toHaveLength(1);
  });
});

it('names a company that has set no name, and never by the internal name of its merchant', async () => {
  const made = await makeKey(database.url, 'default');
  const own = new Client(server.address, made.key);
  must(await own.post('/v1/accounts', { currency: 'EUR' }));
  const { url } = must(await own.post('/v1/payment_links', order)).json as { url: string };
  const nameOf = async () => /<p class="name"><bdi>([^<]*)/.exec((await payer.open(url)).html)?.[1];
  expect(await nameOf()).toBe('Example company');
  const account = {
    currency: 'EUR',
    country: 'DE',
    holder: 'Zoë Bakes GmbH',
    bank_details: { iban: 'DE89370400440532013000' },
  };
  must(await own.post('/v1/bank_accounts', { ...account, cut_off: '14:30', time_zone: 'Europe/Berlin' }));
  expect(await nameOf()).toBe('Zoë Bakes GmbH');
  must(await own.post('/v1/settings', { name: 'Zoë Bakes' }));
  expect(await nameOf()).toBe('Zoë Bakes');
  own.close();
});
