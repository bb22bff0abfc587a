/** Address, Latin name and duplicates of recipients, over real HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { uuidOf } from '../../core/values/ids.ts';

const BERLIN = { line1: 'Invalidenstraße 43', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SHOWN = {
  line1: 'Invalidenstraße 43',
  line2: null,
  postal_code: '10115',
  city: 'Berlin',
  state: null,
  country: 'DE',
};

let application: Application;
let client: Client;
beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
});
afterAll(() => application?.stop());

const create = (body: object = {}) => client.post('/v1/recipients', { ...RECIPIENT, ...body });
const versions = (id: string) =>
  application.sql(
    'SELECT version, address, latin_name FROM recipient_versions WHERE recipient_id = $1 ORDER BY version',
    [uuidOf(id)],
  );

describe('address and latin_name', () => {
  it('are kept and shown, also after another process read them, and a form says the same', async () => {
    const made = must(await create({ name: 'Ада Лавлейс', latin_name: 'Ada Lovelace', address: BERLIN })).json;
    expect(made).toMatchObject({ address: SHOWN, latin_name: 'Ada Lovelace' });
    const read = must(await client.get(`/v1/recipients/${made['id'] as string}`));
    expect(read.json).toMatchObject({ address: SHOWN, latin_name: 'Ada Lovelace' });
    expect(Object.keys(read.json['address'] as object)).toEqual(Object.keys(SHOWN));
    const form = Object.entries({ ...RECIPIENT }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const address = 'address[city]=Berlin&address[country]=DE';
    const sent = must(await client.post('/v1/recipients', `${form.join('&')}&${address}`, { form: true })).json;
    expect(sent['address']).toEqual({ ...SHOWN, line1: null, postal_code: null });
  });

  it('a change makes a new version, so that payouts keep what they were made with; the same again changes nothing', async () => {
    const id = idIn(await create({ address: BERLIN }));
    const change = async (body: object) => must(await client.post(`/v1/recipients/${id}`, body)).json;
    expect(await change({ address: { ...BERLIN, city: 'Potsdam' } })).toMatchObject({ address: { city: 'Potsdam' } });
    await change({ address: { ...BERLIN, city: 'Potsdam' } });
    expect(await change({ latin_name: 'Ada' })).toMatchObject({ latin_name: 'Ada', address: { city: 'Potsdam' } });
    expect(await change({ address: null, latin_name: null })).toMatchObject({ address: null, latin_name: null });
    expect(
      (await versions(id)).map((row) => [
        row['version'],
        (JSON.parse(String(row['address'])) as Json | null)?.['city'],
        row['latin_name'],
      ]),
    ).toEqual([
      [1, 'Berlin', null],
      [2, 'Potsdam', null],
      [3, 'Potsdam', 'Ada'],
      [4, undefined, null],
    ]);
    const [event] = must(await client.get(`/v1/events?related_object=${id}&limit=1`)).json['data'] as Json[];
    expect((event?.['data'] as Json | undefined)?.['previous_attributes']).toEqual({
      address: expect.objectContaining({ city: 'Potsdam' }),
      latin_name: 'Ada',
    });
  });

  it.each([
    ['no town', { address: { country: 'DE' } }, '400 parameter_missing address[city]'],
    ['no country', { address: { city: 'Berlin' } }, '400 parameter_missing address[country]'],
    ['an unknown country', { address: { city: 'Berlin', country: 'XX' } }, '400 country_unsupported address[country]'],
    [
      'a street that is too long',
      { address: { ...BERLIN, line1: 'x'.repeat(71) } },
      '400 text_too_long address[line1]',
    ],
    ['a text', { address: 'Berlin' }, '400 parameter_invalid address'],
    ['another script', { latin_name: 'Ада' }, '400 parameter_invalid latin_name'],
    ['no letter', { latin_name: '47-11' }, '400 parameter_invalid latin_name'],
    ['a name that is too long', { latin_name: 'x'.repeat(71) }, '400 parameter_invalid latin_name'],
  ])('%s is refused', async (_what, body, expected) => {
    expect(outcome(await create(body))).toBe(expected);
  });
});

describe('duplicate_of', () => {
  it('names the oldest active recipient with the same account, whatever it is called; control: another account', async () => {
    const iban = 'DE75512108001245126199';
    const first = must(await create({ iban })).json;
    const second = must(await create({ iban: 'DE75 5121 0800 1245 1261 99', name: 'A. Lovelace' })).json;
    const third = must(await create({ iban })).json;
    expect([first['duplicate_of'], second['duplicate_of'], third['duplicate_of']]).toEqual([
      null,
      first['id'],
      first['id'],
    ]);
    must(await client.write('DELETE', `/v1/recipients/${first['id'] as string}`, {}));
    expect(must(await create({ iban })).json['duplicate_of']).toBe(second['id']);
    expect(must(await create({ iban: 'DE02120300000000202051' })).json['duplicate_of']).toBeNull();
  });

  it('knows accounts without an IBAN by number and bank', async () => {
    const account = { currency: 'USD', country: 'US', account_number: '4711000123', routing_number: '110000000' };
    const us = { name: 'Grace Hopper', type: 'individual', ...account };
    const first = idIn(await client.post('/v1/recipients', us));
    expect(must(await client.post('/v1/recipients', us)).json['duplicate_of']).toBe(first);
    const elsewhere = { ...us, routing_number: '021000021' };
    expect(must(await client.post('/v1/recipients', elsewhere)).json['duplicate_of']).toBeNull();
  });

  it('is said by validate too, and the same key gives the same bytes', async () => {
    const iban = 'DE91100000000123456789';
    const body = { ...RECIPIENT, iban };
    expect(must(await client.post('/v1/recipients/validate', body)).json).toMatchObject({
      valid: true,
      duplicate_of: null,
    });
    const idempotencyKey = 'a duplicate';
    const made = must(await client.post('/v1/recipients', body, { idempotencyKey }));
    expect(must(await client.post('/v1/recipients/validate', body)).json['duplicate_of']).toBe(made.json['id']);
    expect(must(await client.post('/v1/recipients', body, { idempotencyKey })).text).toBe(made.text);
  });

  it('knows nothing of other environments', async () => {
    const iban = 'DE27100777770209299700';
    idIn(await create({ iban }));
    const other = must(await application.otherSandbox.client.post('/v1/recipients', { ...RECIPIENT, iban })).json;
    expect(other['duplicate_of']).toBeNull();
  });
});

it('requirements say how the money travels, and what is asked of the holder', async () => {
  const of = async (query: string) => must(await client.get(`/v1/recipients/requirements?${query}`)).json;
  expect((await of('country=DE&currency=EUR'))['payment_scheme']).toBe('sepa');
  expect((await of('country=US&currency=USD'))['payment_scheme']).toBe('local');
  expect((await of('country=DE&currency=USD'))['payment_scheme']).toBe('swift');
  const { holder } = await of('country=JP&currency=JPY');
  expect((holder as Json[]).map(({ field }) => field)).toEqual(['name', 'latin_name', 'address']);
});
