/**
 * What tests with files of several banks' dialects need (`dialects/`): bank accounts with customer accounts beside them, payouts in files, and
 * files handed in over HTTP, in the bytes that their declaration says. Next: `src/bank/statements/dialects.long.test.ts`.
 */
import { readFileSync } from 'node:fs';
import { eventually } from '../harness/eventually.ts';
import type { Client, Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import { handedIn } from './hand-in.ts';

export interface Bank {
  readonly id: string;
  readonly account: string;
}

/** A file of `dialects/` with texts of this run in it: `{{name}}`, or a part of one, `{{name:from:to}}`. */
export function filled(name: string, texts: Readonly<Record<string, string>>): string {
  const file = readFileSync(new URL(`./dialects/${name}.xml`, import.meta.url), 'utf8');
  return file.replaceAll(/\{\{(\w+)(?::(\d*):?(\d*))?\}\}/g, (_, key: string, from?: string, to?: string) =>
    (texts[key] as string).slice(Number(from || 0), Number(to || 99)),
  );
}

/** As its declaration says; UTF-16 with a mark, UTF-16BE without one. */
export function bytesOf(xml: string): Buffer {
  const declared = /encoding=["']([^"']+)/.exec(xml)?.[1]?.toLowerCase() ?? 'utf-8';
  if (declared === 'utf-8' || declared === 'us-ascii') return Buffer.from(xml);
  if (declared === 'utf-16') return Buffer.from(`\ufeff${xml}`, 'utf16le');
  if (declared === 'utf-16be') return Buffer.from(xml, 'utf16le').swap16();
  const decoder = new TextDecoder(declared);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from(
    Array.from(xml, (letter) => {
      const byte = bytes.get(letter);
      if (byte === undefined) throw new Error(`${letter} is not in ${declared}`);
      return byte;
    }),
  );
}

/** Of banks whose files have instants with the offset of their country. */
const ZONES: Readonly<Record<string, string>> = {
  CH: 'Europe/Zurich',
  CZ: 'Europe/Prague',
  NL: 'Europe/Amsterdam',
  US: 'America/New_York',
};

export function dialectStage(client: () => Client) {
  const get = async (path: string) => must(await client().get(path)).json;
  const list = async (path: string) => (await get(path))['data'] as Json[];
  const post = async (path: string, body: object) => must(await client().post(path, body)).json;
  const outgoing = (id: string) => id.replace('_', '').toUpperCase();
  return {
    get,
    list,
    post,
    /** A bank account of the operator's, and a customer account beside it that has money. */
    async bank(country: string, currency: string, bank_details: object, more: object = {}): Promise<Bank> {
      const account = (await post('/v1/accounts', { currency }))['id'] as string;
      await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 1_000 });
      const time_zone = ZONES[country] ?? 'UTC';
      const asked = { country, currency, bank_details, holder: 'Rossum', cut_off: '14:30', time_zone, ...more };
      return { account, id: (await post('/v1/bank_accounts', asked))['id'] as string };
    },
    /** So many payouts in a file of their own: how the file and each of them are called at the bank. */
    async sent({ id, account }: Bank, currency: string, country: string, iban: string, ...amounts: number[]) {
      const asked = { name: 'Ada', type: 'individual', currency, country, iban };
      const recipient = (await post('/v1/recipients', asked))['id'];
      const payouts: string[] = [];
      for (const amount of amounts) {
        payouts.push((await post('/v1/payouts', { amount, currency, recipient, account }))['id'] as string);
      }
      const [file] = (await post('/v1/payment_files', { bank_account: id }))['files'] as unknown as [{ id: string }];
      const isSealed = async () => (await get(`/v1/payment_files/${file.id}`))['status'] === 'sealed';
      await eventually('the file is sealed', isSealed);
      const [one = '', two = '', three = '', four = ''] = payouts.map(outgoing);
      return { payouts, said: { file: outgoing(file.id), one, two, three, four } };
    },
    /** Hands in a file of `dialects/`. */
    async imported(name: string, texts: Readonly<Record<string, string>> = {}): Promise<Json> {
      const bytes = bytesOf(filled(name, texts));
      return must(await handedIn(client(), bytes)).json;
    },
    proofsOf: async ({ id }: Bank) =>
      (await list(`/v1/bank_statements?bank_account=${id}&order=asc`)).map(({ proof }) => proof),
    /** Signed minor units, what has no place, and where the rest went. */
    bookedOn: async ({ id }: Bank) =>
      (await list(`/v1/bank_entries?bank_account=${id}&order=asc&limit=100`)).map((entry) => {
        const sign = entry['direction'] === 'credit' ? 1 : -1;
        const to = (entry['assignments'] as { to: string }[]).map((each) => each.to);
        return [sign * (entry['amount_minor'] as number), entry['amount_unassigned'], ...to];
      }),
    statusOf: async (payout: string) => (await get(`/v1/payouts/${payout}`))['status'],
  };
}
