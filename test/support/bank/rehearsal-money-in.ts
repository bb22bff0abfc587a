/**
 * Live from end to end, inward: payers of thirteen kinds and payouts that come back, reported by a bank in camt.053 of two pages, camt.052 and
 * camt.054, to two environments in different orders, then all of it again in ZIPs and as other bytes. Every cent ends where the payer's kind
 * says, in both. Outward: `rehearsal.ts`. Few: `test/long/small/rehearsal-money-in.test.ts`; 5,000:
 * `test/long/rehearsal-money-in.test.ts`.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/core/values/ids.ts';
import { isoDay } from '../../../src/core/values/time.ts';
import type { Command } from '../../../src/write/slices.ts';
import { bundleReaders } from './bundled-reader.ts';
import { type End, KINDS, payerOf, type Stage } from './payers-of-kinds.ts';
import { zipOf } from './read-documents.ts';
import { SimulatedBank } from './simulated-bank.ts';
import { type Application, type Holder, startApplication } from '../harness/application.ts';
import { eventually } from '../harness/eventually.ts';
import type { Json } from '../harness/http.ts';
import { must } from '../harness/tenant-fixture.ts';
import { auditDatabase } from '../model/audit.ts';

bundleReaders();
/** Payouts beside, which come back or do not: so many credits to one. */
const CREDITS_A_PAYOUT = 12;
/** One of every fate. */
const LEAST_PAYOUTS = 6;
const DAY_MS = 86_400_000;
const OPENING = 5_000_000n;
const IBANS = { EUR: 'DE89370400440532013000', USD: 'DE02120300000000202051' } as const;
/** Days on which money comes in. */
const DAYS = 2;
const AT_ONCE = 50;
/** Files of a ZIP. */
const A_ZIP = 9;

const day = (from: number): string => isoDay(Date.now() + from * DAY_MS);
/** The same order for the same name. */
const shuffled = <T>(all: readonly T[], name: string): T[] =>
  all
    .map((each, at) => [createHash('sha256').update(`${name} ${at}`).digest('hex'), each] as const)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, each]) => each);

/** `count` pieces of work, some at a time, in order. */
async function inTurns<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let at = 0; at < count; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, n) => work(at + n));
    done.push(...(await Promise.all(some)));
  }
  return done;
}

let application: Application;

interface Seen {
  readonly states: ReadonlyMap<string, string>;
  readonly duplicates: ReadonlyMap<string, string | null>;
  /** By the bank's reference. */
  readonly entries: ReadonlyMap<string | null, Json>;
  readonly payouts: readonly { readonly id: string; readonly status: string }[];
  readonly banks: readonly { readonly currency: string; readonly balance: number }[];
}

/** An environment with its payers, its payouts and its bank. */
class Inflow {
  readonly bank = new SimulatedBank(
    Object.entries(IBANS).map(([currency, number]) => ({
      number,
      currency,
      balance: currency === 'EUR' ? OPENING : 0n,
    })),
  );
  documents: string[] = [];
  ends: readonly End[] = [];
  readonly #holder: Holder;
  readonly #credits: number;
  #account = '';

  constructor(holder: Holder, credits: number) {
    this.#holder = holder;
    this.#credits = credits;
  }

  readonly get = async (path: string) => must(await this.#holder.client.get(path)).json;
  readonly post = async (path: string, body: object) => must(await this.#holder.client.post(path, body)).json;
  /** Until it is imported: a large file is answered before, and later than other requests. */
  async upload(body: string | Buffer): Promise<void> {
    const headers = { authorization: `Bearer ${this.#holder.key}`, 'content-type': 'application/octet-stream' };
    const url = new URL('/v1/statement_files', application.address);
    const sent = await fetch(url, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const document = (await sent.json()) as Json;
    expect([sent.status, document['object']]).toEqual([200, 'statement_file']);
    if (document['status'] !== 'importing') return;
    const path = `/v1/statement_files/${document['id'] as string}`;
    const isImported = async () => (await this.get(path))['status'] !== 'importing';
    await eventually(`${path} is imported`, isImported, { patienceMs: 300_000 });
  }
  async uploadZips(documents: readonly string[], of: number): Promise<void> {
    for (let at = 0; at < documents.length; at += of) {
      await this.upload(zipOf(documents.slice(at, at + of).map((xml, n) => [`${n}.xml`, xml] as const)));
    }
  }
  readonly #submit = async (command: Command) =>
    JSON.parse(await application.submit(this.#holder.environmentId, command)) as Json;

  async all(path: string): Promise<Json[]> {
    const found: Json[] = [];
    for (let after = ''; ; ) {
      const page = await this.get(`${path}?limit=100${after}`);
      const data = page['data'] as Json[];
      found.push(...data);
      if (page['has_more'] !== true) return found;
      after = `&starting_after=${data.at(-1)?.['id'] as string}`;
    }
  }

  /** Bank accounts, a rule, the opening balance, payers and payouts; and all that the bank then has to say. */
  async set(): Promise<void> {
    for (const [currency, iban] of Object.entries(IBANS)) {
      const holder = { currency, country: 'DE', holder: 'Rossum GmbH', bank_details: { iban, bic: 'BYLADEM1001' } };
      await this.post('/v1/bank_accounts', { ...holder, cut_off: '14:30', time_zone: 'Europe/Berlin' });
    }
    this.#account = (await this.post('/v1/accounts', { currency: 'EUR', name: 'Main' }))['id'] as string;
    const settlements = (await this.post('/v1/accounts', { currency: 'EUR', name: 'Cards' }))['id'] as string;
    await this.post('/v1/bank_rules', { name: 'Cards', text: '*card settlement*', to: settlements });
    for (const document of this.bank.begin(day(-10), () => 'camt.053')) await this.upload(document);
    const [opening] = await this.all('/v1/bank_entries');
    const assignments = [{ to: this.#account }];
    await this.post(`/v1/bank_entries/${opening?.['id'] as string}/assign`, { assignments, reason: 'Before Bursar' });
    const stage: Stage = {
      post: this.post,
      submit: this.#submit,
      sql: (text, [id]) => application.sql(text, [uuidOf(id as string)]),
      account: this.#account,
      settlements,
    };
    this.ends = await inTurns(this.#credits, (n) => payerOf(stage, n));
    for (let at = 0; at < DAYS; at += 1) {
      for (const [currency, iban] of Object.entries(IBANS)) {
        const today = this.ends.filter((end, n) => end.currency === currency && n % DAYS === at);
        const credits = today.flatMap((end) => end.credits);
        if (credits.length > 0) this.documents.push(...this.bank.receive(iban, day(at - 9), credits));
      }
    }
    await this.#pay();
    // What books nothing is imported too, but for one bank account only: each file takes a thread.
    this.documents = this.documents.filter((xml) => xml.includes('camt.053') || !xml.includes(IBANS.USD));
  }

  /** Payouts leave in a file, and the bank pays them, rejects them, or sends them back. */
  async #pay(): Promise<void> {
    const payee = { name: 'Ada Lovelace', type: 'individual', currency: 'EUR', country: 'DE', iban: IBANS.USD };
    const recipient = (await this.post('/v1/recipients', payee))['id'] as string;
    const payout = { amount: 7, currency: 'EUR', account: this.#account, recipient };
    await this.post('/v1/payouts/batch', {
      payouts: Array.from(
        { length: Math.max(LEAST_PAYOUTS, Math.ceil(this.#credits / CREDITS_A_PAYOUT)) },
        () => payout,
      ),
    });
    const { files } = await this.post('/v1/payment_files', {});
    const file = `/v1/payment_files/${(files as Json[])[0]?.['id'] as string}`;
    await eventually(`${file} is sealed`, async () => (await this.get(file))['status'] === 'sealed');
    const { text } = must(await this.#holder.client.get(`${file}/content`));
    this.documents.push(...this.bank.take(text), ...this.bank.execute(day(4)));
  }

  /** What the environment says now. */
  async read(): Promise<Seen> {
    const payments = await this.all('/v1/payments');
    const states = [...payments, ...(await this.all('/v1/expected_payments'))].map(
      (each) => [each['id'] as string, each['status'] as string] as const,
    );
    const entries = (await this.all('/v1/bank_entries')).map(
      (each) => [(each['remittance'] as Json)['bank_reference'] as string | null, each] as const,
    );
    return {
      states: new Map(states),
      duplicates: new Map(payments.map((each) => [each['id'] as string, each['duplicate_of'] as string | null])),
      entries: new Map(entries),
      payouts: (await this.all('/v1/payouts')) as unknown as Seen['payouts'],
      banks: (await this.all('/v1/bank_accounts')) as unknown as Seen['banks'],
    };
  }

  async differences(): Promise<string[]> {
    return this.differencesOf(await this.read());
  }

  /** Where that differs from what the payers and the bank say, in words; none is right. */
  differencesOf({ states, duplicates, entries, payouts, banks }: Seen, ends = this.ends): string[] {
    const wrong: string[] = [];
    for (const end of ends) {
      for (const [id, state] of end.states) {
        if (states.get(id) !== state) wrong.push(`${end.kind}: ${id} is ${states.get(id) as string}, not ${state}`);
      }
      const found = [...end.entries].map(([reference, expected]) => {
        const assigned = entries.get(reference)?.['assignments'] as { readonly to: string }[] | undefined;
        const to = assigned?.map((each) => each.to).join() ?? 'an entry that is missing';
        if (expected !== 'duplicate' && to !== (expected ?? '')) wrong.push(`${end.kind}: ${reference} went to ${to}`);
        return to;
      });
      if (end.kind !== 'twice') continue;
      const kept = [...end.states.keys()][0] as string;
      const other = found.find((to) => to !== kept) ?? '';
      if (!found.includes(kept) || duplicates.get(other) !== kept) wrong.push(`twice: ${found.join()} of ${kept}`);
    }
    for (const { id, status } of payouts) {
      const fate = this.bank.fates.get(id.replace('_', '').toUpperCase())?.fate ?? 'not sent';
      const expected = fate.startsWith('returned') ? 'returned' : fate === 'rejected' ? 'failed' : 'paid';
      if (status !== expected) wrong.push(`${id} is ${status}, and was ${fate}`);
    }
    for (const { currency, balance } of banks) {
      const kept = this.bank.accounts.find((each) => each.currency === currency)?.balance;
      if (BigInt(balance) !== kept) wrong.push(`the ledger says ${balance} ${currency}, and the bank ${kept}`);
    }
    const waiting = ends.flatMap((end) => [...end.entries.values()]).filter((to) => to === null).length;
    const unmatched = [...entries.values()].filter((each) => each['status'] === 'unmatched').length;
    if (unmatched !== waiting) wrong.push(`${unmatched} entries wait, and ${waiting} should`);
    return wrong;
  }

  /** All that an import could change. */
  async snapshot(): Promise<object> {
    const [counts] = await application.sql(
      `SELECT (SELECT count(*) FROM transfers)::int AS transfers, (SELECT count(*) FROM bank_entries)::int AS entries,
        (SELECT count(*) FROM payments)::int AS payments, (SELECT count(*) FROM events WHERE environment_id = $1 AND type LIKE 'pay%')::int AS events`,
      [uuidOf(this.#holder.environmentId)],
    );
    const shown = async (path: string) =>
      (await this.all(path)).map(({ id, status, balance }) => [id, status, balance] as const);
    return { counts, accounts: await shown('/v1/accounts'), banks: await shown('/v1/bank_accounts') };
  }
}

/** As in `rehearsal.ts`: each upload takes a thread. */
export interface Sparing {
  readonly filesOfZip?: number;
  /** Of the first order, so many come alone and the others in ZIPs of three. */
  readonly alone?: number;
}

/** The cases of a rehearsal with so many credits. */
export function moneyComesIn(credits: number, sparing: Sparing = {}): void {
  const { filesOfZip = A_ZIP, alone = Number.POSITIVE_INFINITY } = sparing;
  beforeAll(async () => {
    application = await startApplication();
  });
  afterAll(() => application?.stop());

  describe('payers and a bank that only sends files', () => {
    let first: Inflow;
    let second: Inflow;

    it(`${credits} payers of ${Object.keys(KINDS).length} kinds are expected, twice`, async () => {
      first = new Inflow(application.live, credits);
      second = new Inflow(application.otherLive, credits);
      for (const each of [first, second]) await each.set();
      expect(new Set(first.ends.map(({ kind }) => kind))).toEqual(new Set(Object.keys(KINDS)));
      expect((await first.differences()).length).toBeGreaterThan(credits / 2); // nothing has come yet
    });

    it('reports in two orders, and every cent is where its kind says', async () => {
      const inOrder = shuffled(first.documents, 'first');
      for (const document of inOrder.slice(0, alone)) await first.upload(document);
      await first.uploadZips(inOrder.slice(alone), 3);
      expect(await first.differences()).toEqual([]);
      await second.uploadZips(shuffled(second.documents, 'second').toReversed(), filesOfZip);
      expect(await second.differences()).toEqual([]);
      const proofs = (await first.all('/v1/bank_statements')).map(({ proof }) => proof);
      expect(new Set(proofs)).toEqual(new Set(['ok']));
    });

    it('everything once more, in ZIPs and as other bytes, changes nothing', async () => {
      const before = await first.snapshot();
      const again = shuffled(first.documents, 'third');
      await first.uploadZips(
        again.map((xml) => `${xml}\n`),
        filesOfZip,
      );
      expect(await first.snapshot()).toEqual(before);
      expect(await first.differences()).toEqual([]);
      expect(await auditDatabase(application.databaseUrl)).toEqual([]);
    });

    it('control: a payer who paid otherwise is noticed, of each kind', async () => {
      const seen = await first.read();
      for (const kind of Object.keys(KINDS)) {
        const at = first.ends.findIndex((end) => end.kind === kind);
        const end = first.ends[at] as End;
        const entries = new Map([...end.entries].map(([name]) => [name, end.kind === 'unknown' ? 'fees' : null]));
        const other = { ...end, entries: kind === 'twice' ? new Map([[`R${at}XA`, null]]) : entries };
        if (kind === 'another currency' || kind === 'two references')
          other.entries = new Map([...entries.keys()].map((name) => [name, 'fees']));
        expect(first.differencesOf(seen, first.ends.with(at, other)), kind).not.toEqual([]);
      }
    });
  });
}
