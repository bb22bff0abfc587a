/**
 * Live from end to end with a bank that sees nothing but files: payouts in three currencies leave, are rejected, paid and sent back, and the
 * bank says so in pain.002, camt.052, camt.053 of two pages and camt.054, in any order, in ZIPs, and all of it twice more. In the end every
 * payout is where the bank left it, to the cent. Few: `test/long/small/rehearsal.test.ts`; 1,000: `test/long/rehearsal.test.ts`.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from './read-documents.ts';
import { type Fate, type KeptAccount, SimulatedBank } from './simulated-bank.ts';
import { type Application, startApplication } from '../harness/application.ts';
import { eventually } from '../harness/eventually.ts';
import type { Client, Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import { auditDatabase } from '../model/audit.ts';
import { handedIn } from './hand-in.ts';

const DAY_MS = 86_400_000;
/** Files of a ZIP; as many come alone the third time. */
const A_ZIP = 7;
const OPENING = 5_000_000n;

/** Each books by another message, and one of them books whole files. */
const BANKS = [
  {
    currency: 'EUR',
    bookedBy: 'camt.053',
    bank: { country: 'DE', bank_details: { iban: 'DE89370400440532013000' }, time_zone: 'Europe/Berlin' },
    payee: { country: 'DE', iban: 'DE02120300000000202051' },
    booksWhole: false,
  },
  {
    currency: 'CHF',
    bookedBy: 'camt.052',
    bank: { country: 'CH', bank_details: { iban: 'CH9300762011623852957' }, time_zone: 'Europe/Zurich' },
    payee: { country: 'CH', iban: 'CH5604835012345678009' },
    booksWhole: true,
  },
  {
    currency: 'USD',
    bookedBy: 'camt.054',
    bank: {
      country: 'US',
      bank_details: { routing_number: '021000021', account_number: '123456789' },
      time_zone: 'America/New_York',
    },
    payee: { country: 'US', routing_number: '021000021', account_number: '987654321' },
    booksWhole: false,
  },
] as const;
const NAMES = ['Jan Müller & Söhne', 'Ada Lovelace', 'Łucja Żak', 'Иван Петров', 'O’Brien Ltd'];

const STATES: Readonly<Record<Fate, string>> = {
  paid: 'paid',
  paid_to_another_name: 'paid',
  rejected: 'failed',
  returned: 'returned',
  returned_in_part: 'returned',
  returned_in_parts: 'returned',
};

let application: Application;
let client: Client;
let bank: SimulatedBank;
/** By currency. */
const accounts = new Map<string, string>();
const bankAccounts = new Map<string, string>();

const get = async (path: string) => must(await client.get(path)).json;
const post = async (path: string, body: object) => must(await client.post(path, body)).json;
const upload = async (body: string | Buffer) => must(await handedIn(client, body, 'application/octet-stream')).json;

/** The same order for the same name. */
const shuffled = <T>(all: readonly T[], name: string): T[] =>
  all
    .map((each, at) => [createHash('sha256').update(`${name} ${at}`).digest('hex'), each] as const)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, each]) => each);
const numberOf = (details: Readonly<Record<string, string>>) => details['iban'] ?? details['account_number'] ?? '';

async function furnish(): Promise<void> {
  application = await startApplication();
  client = application.live.client;
  for (const { currency, bookedBy, bank: at } of BANKS) {
    const body = { ...at, currency, holder: 'Rossum GmbH', cut_off: '14:30', booked_by: bookedBy, payee_check: 'on' };
    bankAccounts.set(currency, (await post('/v1/bank_accounts', body))['id'] as string);
    accounts.set(currency, (await post('/v1/accounts', { currency }))['id'] as string);
  }
  bank = new SimulatedBank(
    BANKS.map(({ currency, bank: { bank_details: details }, booksWhole }): KeptAccount => {
      return { number: numberOf(details), currency, balance: OPENING, booksWhole };
    }),
  );
}

/** Everything of one state, page by page. */
async function all(path: string): Promise<Json[]> {
  const found: Json[] = [];
  for (let after = ''; ; ) {
    const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100${after}`);
    const data = page['data'] as Json[];
    found.push(...data);
    if (page['has_more'] !== true) return found;
    after = `&starting_after=${data.at(-1)?.['id'] as string}`;
  }
}

const sealed = (id: string) =>
  eventually(
    `payment file ${id} is sealed`,
    async () => (await get(`/v1/payment_files/${id}`))['status'] === 'sealed',
    {
      patienceMs: 60_000,
    },
  );

/** What the service holds, as far as a bank could change it. */
async function snapshot(): Promise<object> {
  const payouts = await all('/v1/payouts');
  const [counts] = await application.sql(
    'SELECT (SELECT count(*) FROM transfers)::int AS transfers, (SELECT count(*) FROM events)::int AS events, (SELECT count(*) FROM bank_entries)::int AS entries',
  );
  const balances = (await get('/v1/accounts'))['data'] as Json[];
  const held = (await get('/v1/bank_accounts'))['data'] as Json[];
  return {
    payouts: payouts.map(({ id, status }) => [id, status]),
    balances: balances.map(({ id, balance }) => [id, balance]),
    held: held.map(({ id, balance }) => [id, balance]),
    counts,
  };
}

/** Where service and bank differ, in words; none is right. */
async function differences(fates = bank.fates): Promise<string[]> {
  const wrong: string[] = [];
  const expected = new Map(BANKS.map(({ currency }) => [currency as string, OPENING]));
  for (const payout of await all('/v1/payouts')) {
    const { id, status, currency } = payout as Readonly<Record<'id' | 'status' | 'currency', string>>;
    const known = fates.get(id.replace('_', '').toUpperCase());
    if (known === undefined) wrong.push(`${id} was never sent`);
    else {
      if (STATES[known.fate] !== status) wrong.push(`${id} is ${status}, and was ${known.fate}`);
      const spent = known.fate === 'rejected' ? 0n : known.amount - known.back;
      expected.set(currency, (expected.get(currency) as bigint) - spent);
    }
  }
  for (const [currency, account] of accounts) {
    const balance = (await get(`/v1/accounts/${account}`))['balance'] as number;
    if (BigInt(balance) !== expected.get(currency)) {
      wrong.push(`the account holds ${balance} ${currency}, and the bank left ${expected.get(currency)}`);
    }
    const held = (await get(`/v1/bank_accounts/${bankAccounts.get(currency)}`))['balance'] as number;
    const kept = bank.accounts.find((each) => each.currency === currency)?.balance;
    if (BigInt(held) !== kept) wrong.push(`the ledger says ${held} ${currency}, and the bank ${kept}`);
  }
  return wrong;
}

export interface Thinned {
  /** Each upload takes a thread, so a small rehearsal has large ZIPs. */
  readonly filesOfZip?: number;
  /** Of the first time, so many come alone and the others in ZIPs of three. */
  readonly alone?: number;
  /** Reports by which no bank account books are handed in for the first of them only. */
  readonly isThinned?: boolean;
}

/** Whether a document books, answers a file, or is of the first bank account. */
const matters = (xml: string): boolean =>
  !xml.includes('camt.05') ||
  BANKS.some(({ bank: { bank_details: details }, bookedBy }, at) => {
    return xml.includes(numberOf(details)) && (at === 0 || xml.includes(bookedBy));
  });

/** The cases of a rehearsal with so many payouts. */
export function moneyGoesOut(payouts: number, thinned: Thinned = {}): void {
  const { filesOfZip = A_ZIP, alone = Number.POSITIVE_INFINITY, isThinned = false } = thinned;
  const uploadZips = async (all: readonly string[], of = filesOfZip) => {
    for (let at = 0; at < all.length; at += of)
      await upload(zipOf(all.slice(at, at + of).map((xml, n) => [`${n}.xml`, xml] as const)));
  };
  beforeAll(furnish);
  afterAll(() => application?.stop());

  describe('a bank that sees nothing but files', () => {
    const documents: string[] = [];
    let end: object;

    it('holds money that is brought in by a statement', async () => {
      const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
      const bookedBy = new Map(BANKS.map((each) => [each.currency as string, each.bookedBy]));
      for (const document of bank.begin(yesterday, ({ currency }) => bookedBy.get(currency) ?? 'camt.053')) {
        documents.push(document);
        await upload(document);
      }
      const entries = (await get('/v1/bank_entries?status=unmatched'))['data'] as Json[];
      expect(new Set(entries.map(({ currency }) => currency))).toEqual(new Set(['CHF', 'EUR', 'USD']));
      for (const { id, currency } of entries) {
        await post(`/v1/bank_entries/${id as string}/assign`, {
          assignments: [{ to: accounts.get(currency as string) }],
          reason: 'Balance before Bursar',
        });
      }
      expect(await differences()).toEqual([]);
    });

    it(`takes ${payouts} payouts in three currencies`, async () => {
      for (const { currency, payee } of BANKS) {
        const recipients = NAMES.map((name) => post('/v1/recipients', { name, type: 'company', currency, ...payee }));
        const ids = (await Promise.all(recipients)).map(({ id }) => id as string);
        const account = accounts.get(currency);
        const count = Math.ceil(payouts / BANKS.length);
        const orders = Array.from({ length: count }, (_, at) => ({
          amount: `${1 + (at % 40)}.${String(at % 100).padStart(2, '0')}`,
          currency,
          account,
          recipient: ids[at % ids.length],
          reference: `Invoice ${at}`,
        }));
        for (let at = 0; at < count; at += 1_000) {
          await post('/v1/payouts/batch', { payouts: orders.slice(at, at + 1_000) });
        }
      }
      const { files, held } = await post('/v1/payment_files', {});
      expect(held).toEqual([]);
      expect(files).toHaveLength(3);
      const reports: string[] = [];
      for (const { id } of files as Json[]) {
        await sealed(id as string);
        const { text } = must(await client.get(`/v1/payment_files/${id as string}/content`));
        reports.push(...bank.take(text));
        reports.push(...bank.take(text)); // somebody hands it in twice
      }
      expect(bank.fates.size).toBe(Math.ceil(payouts / BANKS.length) * BANKS.length);
      expect(new Set([...bank.fates.values()].map(({ fate }) => fate)).size).toBe(Object.keys(STATES).length);
      const tomorrow = new Date(Date.now() + 4 * DAY_MS).toISOString().slice(0, 10);
      const executed = bank.execute(tomorrow);
      documents.push(...reports, ...(isThinned ? executed.filter(matters) : executed));
    });

    it('reports in any order, and every cent is where it left it', async () => {
      const inOrder = shuffled(documents, 'first');
      for (const document of inOrder.slice(0, alone)) await upload(document);
      await uploadZips(inOrder.slice(alone), 3);
      expect(await differences()).toEqual([]);
      expect((await get('/v1/bank_entries?status=unmatched'))['data']).toEqual([]);
      const statements = await all('/v1/bank_statements');
      expect(new Set(statements.map(({ proof }) => proof))).toEqual(new Set(['ok', 'none']));
      end = await snapshot();
    });

    it('reports everything twice more, in ZIPs too, and nothing changes', async () => {
      const again = shuffled(documents, 'second');
      await uploadZips(again);
      // As other bytes, so that they are other documents; each upload takes a thread, so most go in ZIPs too.
      const third = shuffled(documents, 'third').map((xml) => `${xml}\n`);
      const first = Math.min(A_ZIP, Math.ceil(third.length / filesOfZip));
      for (const document of third.slice(0, first)) await upload(document);
      await uploadZips(third.slice(first));
      expect(await snapshot()).toEqual(end);
      expect(await auditDatabase(application.databaseUrl)).toEqual([]);
    });

    it('control: a payment that fared otherwise, and a cent more, are noticed', async () => {
      const other = new Map(bank.fates);
      const [id, known] = [...other].find(([, { fate }]) => fate === 'returned') as [string, { amount: bigint }];
      other.set(id, { fate: 'returned_in_part', amount: known.amount, back: known.amount - 1n });
      expect(await differences(other)).toEqual([expect.stringContaining('and the bank left')]);
      other.set(id, { fate: 'paid', amount: known.amount, back: known.amount });
      expect(await differences(other)).toEqual([expect.stringContaining('is returned, and was paid')]);
    });
  });
}
