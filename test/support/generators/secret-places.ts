/**
 * Where secrets are sent: keys in every header of every operation, and account numbers in every field of every form of a body. Each place
 * once, with keys and numbers by turns: `test/secrets.soak.test.ts`. Each key and each number in each place: `test/long/secrets.test.ts`.
 */
import type { Contract, Operation } from './contract.ts';
import { exampleBody, pathOf } from './places.ts';
import type { Application } from '../harness/application.ts';
import type { Fixtures } from '../harness/fixtures.ts';

export type Method = 'GET' | 'POST' | 'DELETE';
/** Sends it and keeps the whole answer. */
export type Send = (
  method: Method,
  url: string,
  payload?: string | Buffer,
  type?: string,
  headers?: Record<string, string>,
) => Promise<number>;

/** Accounts of every shape; each is valid, so that it is also stored. */
export const ACCOUNTS = [
  { name: 'Iban Canary', currency: 'EUR', country: 'DE', iban: 'DE55210501700046802931' },
  { name: 'Us Canary', currency: 'USD', country: 'US', account_number: '90817263544', routing_number: '110000000' },
  { name: 'Gb Canary', currency: 'GBP', country: 'GB', account_number: '73519284', sort_code: '108800' },
] as const;
export const NUMBERS = ['DE55210501700046802931', '210501700046802931', '0046802931', '90817263544', '73519284'];
/** Typed wrong: a digit too many, a check digit off. They are no less private. */
export const MISTYPED = ['DE56210501700046802931', '908172635449081726354490', '7351928473519284'];
export const PASSWORD = 'canary-password-4711';
const FORM = 'application/x-www-form-urlencoded';

const FIELDS = [
  'iban',
  'account_number',
  'clabe',
  'routing_number',
  'sort_code',
  'bic',
  'ifsc',
  'bsb',
  'transit_number',
  'institution_number',
];
const PLACES = [
  { currency: 'EUR', country: 'DE' },
  { currency: 'USD', country: 'US' },
  { currency: 'GBP', country: 'GB' },
  { currency: 'MXN', country: 'MX' },
  { currency: 'INR', country: 'IN' },
];

/** All of them, or the one whose turn it is. */
const some = <T>(all: readonly T[], everyOne: boolean, turn: number): readonly T[] =>
  everyOne ? all : all.slice(turn % all.length, (turn % all.length) + 1);

/** The part of a key that makes it one; its prefix and last four are shown on purpose. */
export const secretOf = (key: string): string => key.slice(8, -4);

export const found = (haystack: string, needles: readonly string[]): readonly string[] =>
  needles.filter((needle) => haystack.includes(needle));

/** In each header of each operation: every key, or one by turns. */
export async function sendKeys(
  send: Send,
  {
    contract,
    fixtures,
    keys,
    everyOne,
  }: {
    readonly contract: Contract;
    readonly fixtures: Fixtures;
    readonly keys: readonly string[];
    readonly everyOne: boolean;
  },
): Promise<void> {
  const example = (operation: Operation) =>
    operation.body ? JSON.stringify(exampleBody(operation, fixtures)) : undefined;
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
  const headersOf = [
    (key: string) => ({ authorization: `Bearer ${key}` }),
    (key: string) => basic(`${key}:`),
    (key: string) => basic(`${key}:${PASSWORD}`),
    (key: string) => ({ authorization: `Digest ${key}`, cookie: `key=${key}`, 'x-api-key': key }),
  ];
  let turn = 0;
  for (const operation of contract.operations) {
    if (operation.operationId === 'resetSandbox') continue;
    const path = pathOf(operation, (kind) => fixtures[kind]);
    for (const headers of headersOf)
      for (const key of some(keys, everyOne, turn++))
        await send(operation.method, path, example(operation), undefined, headers(key));
  }
}

/** In each field of each form of a body: every number in every place, or one by turns. */
export async function sendNumbers(
  send: Send,
  { recipient, paid, everyOne }: { readonly recipient: string; readonly paid: string; readonly everyOne: boolean },
): Promise<void> {
  let turn = 0;
  for (const field of FIELDS)
    for (const number of some([...NUMBERS, ...MISTYPED], everyOne, turn++)) {
      for (const place of some(PLACES, everyOne, turn)) {
        const body = { name: 'Ada', type: 'individual', ...place, [field]: number };
        await send('POST', '/v1/recipients', JSON.stringify({ ...body, dry: true }));
        await send('POST', '/v1/recipients/validate', JSON.stringify(body));
        await send('POST', '/v1/recipients/batch', JSON.stringify({ recipients: [body], dry: true }));
        await send('POST', '/v1/recipients/batch', JSON.stringify({ recipients: [{ ...body, dry: true }] }));
        await send('POST', '/v1/recipients/match', JSON.stringify(body));
        await send('POST', '/v1/recipients/match/batch', JSON.stringify({ payees: [body] }));
        const payouts = [{ ...body, amount: 5, currency: 'EUR' }];
        await send('POST', '/v1/payouts/batch', JSON.stringify({ payouts, mode: 'partial', create_recipients: true }));
        await send('POST', `/v1/recipients/${recipient}`, JSON.stringify({ [field]: number }));
      }
      const bodies: readonly (readonly [string | Buffer, string?])[] = [
        [`${field}=${number}&${field}=${number}`, FORM],
        [`${field}[]=${number}`, FORM],
        [`${field}[a]=${number}`, FORM],
        [`${field}=${number}%zz`, FORM],
        [`{"${field}":${JSON.stringify(number)}`],
        [`{"${field}":[${JSON.stringify(number)}]}`],
        [`{"${field}":${number.replace(/\D/g, '').replace(/^0+/, '')}}`],
        [Buffer.concat([Buffer.from(`{"${field}":"${number}`), Buffer.from([0xff]), Buffer.from('"}')])],
        [`{"${field}":"${number}"}`, 'text/plain'],
      ];
      for (const [body, type] of bodies) await send('POST', '/v1/recipients', body, type);
      const payout = { amount: 5, currency: 'EUR', recipient: paid, [field]: number };
      await send('POST', '/v1/payouts', JSON.stringify(payout));
      await send('POST', '/v1/payouts/batch', `${field}\n"${number}`, 'text/csv');
      await send('POST', '/v1/payouts/batch', `amount,${field}\n5,${number},6`, 'text/csv');
      await send('GET', `/v1/recipients?${field}=${number}`);
      await send('GET', `/v1/recipients/requirements?country=DE&currency=EUR&${field}=${number}`);
    }
}

/** The whole database, as text. */
export async function storedIn({ sql }: Pick<Application, 'sql'>): Promise<string> {
  const tables = await sql(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`);
  const rows = await Promise.all(tables.map(({ name }) => sql(`SELECT t::text FROM "${String(name)}" t`)));
  return JSON.stringify(rows);
}
