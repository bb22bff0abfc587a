/** Statements over real HTTP: figures that add up, periods that meet, both formats, files that are cut off when they are wrong. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { between, newSeed, seeded } from '../../../test/support/generators/seeded.ts';
import { type Application, startApplication } from '../../../test/support/harness/application.ts';
import { type Fixtures, furnish } from '../../../test/support/harness/fixtures.ts';
import type { Client, Json } from '../../../test/support/harness/http.ts';
import { outcome } from '../../../test/support/harness/probe-client.ts';
import { idIn, must, RECIPIENT } from '../../../test/support/harness/tenant-fixture.ts';
import { idAt } from '../../../test/support/harness/literals.ts';
import { uuidOf } from '../../core/values/ids.ts';
import { type Line, NO_NAMES } from './lines.ts';
import { wordsOf } from './pdf-words.ts';

interface Statement {
  readonly opening_balance: number;
  readonly closing_balance: number;
  readonly lines: readonly (Json & { amount_minor: number; balance_after: number; created: number })[];
}

let application: Application;
let client: Client;
let fixtures: Fixtures;
const accounts: string[] = [];
let startedAt: number;
let now: number;
const seed = newSeed();
const chance = seeded(seed);
const below = (end: number) => Math.floor(between(chance, 0, end));

beforeAll(async () => {
  application = await startApplication();
  client = application.sandbox.client;
  fixtures = await furnish(application, application.sandbox);
  startedAt = Math.floor(Date.now() / 1000) - 5;
  for (let n = 0; n < 3; n++) {
    const id = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    must(await client.post(`/v1/test_helpers/accounts/${id}/fund`, { amount: 1_000 }));
    accounts.push(id);
  }
  const recipient = idIn(await client.post('/v1/recipients', { ...RECIPIENT, name: '=Ada "Lovelace", Ltd' }));
  const account = () => accounts[below(3)] as string;
  for (let n = 0; n < 120; n++) {
    const kind = below(6);
    const amount = `${below(50)}.${10 + below(90)}`;
    if (kind < 3) await client.post('/v1/transfers', { from: account(), to: account(), amount });
    else if (kind === 3) {
      const order = {
        amount,
        currency: 'EUR',
        recipient,
        account: account(),
        reference: '+1 bill',
        external_id: `n${n}`,
      };
      const payout = idIn(await client.post('/v1/payouts', order));
      if (below(2) === 0) must(await client.post(`/v1/payouts/${payout}/cancel`));
    } else if (kind === 4) await client.post(`/v1/test_helpers/accounts/${account()}/fund`, { amount });
    else must(await client.post('/v1/test_helpers/clock/advance', { seconds: 1 + below(20_000) }));
  }
  now = must(await client.post('/v1/test_helpers/clock/advance', { seconds: 100 })).json['now'] as number;
});
afterAll(() => application?.stop());

const read = async (account: string, query: string): Promise<Statement> =>
  must(await client.get(`/v1/accounts/${account}/statement?${query}`)).json as unknown as Statement;
const balanceOf = async (id: string) => must(await client.get(`/v1/accounts/${id}`)).json['balance'] as number;

/** What is wrong with the figures of a statement. */
function faultsOf({ opening_balance: opening, closing_balance: closing, lines }: Statement): string[] {
  const faults: string[] = [];
  let balance = opening;
  for (const line of lines) {
    balance += line.amount_minor;
    if (balance !== line.balance_after) faults.push(`${balance} is not ${line.balance_after}`);
  }
  return balance === closing ? faults : [...faults, `${balance} is not the closing ${closing}`];
}

describe('figures', () => {
  it(`add up in every range, and the end of one is the beginning of the next (seed ${seed})`, async () => {
    let lines = 0;
    for (let n = 0; n < 40; n++) {
      const account = accounts[below(3)] as string;
      const cuts = Array.from({ length: 3 }, () => startedAt + below(now - startedAt)).toSorted((a, b) => a - b);
      let last = { closing: 0, from: 0 };
      let sum = 0;
      for (const to of [...cuts, now]) {
        if (to < last.from) continue;
        const statement = await read(account, `from=${last.from}&to=${to}`);
        expect(faultsOf(statement)).toEqual([]);
        expect(statement.opening_balance).toBe(last.closing);
        expect(statement.lines.every(({ created }) => created >= last.from && created <= to)).toBe(true);
        last = { closing: statement.closing_balance, from: to + 1 };
        sum += statement.lines.length;
      }
      const whole = await read(account, `from=0&to=${now}`);
      expect([sum, last.closing]).toEqual([whole.lines.length, await balanceOf(account)]);
      lines += sum;
    }
    expect(lines).toBeGreaterThan(500);
  });

  it('control: a line too many, too few or changed is found', async () => {
    const statement = await read(accounts[0] as string, `from=0&to=${now}`);
    const [first, ...others] = statement.lines as [Statement['lines'][number], ...Statement['lines']];
    expect(faultsOf(statement)).toEqual([]);
    expect(faultsOf({ ...statement, lines: others })).not.toEqual([]);
    expect(faultsOf({ ...statement, lines: [first, first, ...others] })).not.toEqual([]);
    expect(faultsOf({ ...statement, lines: [{ ...first, amount_minor: 1 }, ...others] })).not.toEqual([]);
    expect(faultsOf({ ...statement, opening_balance: 1 })).not.toEqual([]);
  });

  it('days and instants mean the same span, and the default is the month of the environment’s clock', async () => {
    const account = accounts[1] as string;
    const day = new Date(now * 1000).toISOString().slice(0, 10);
    const start = Date.parse(`${day}T00:00:00Z`) / 1000;
    const byDay = await read(account, `from=${day}&to=${day}`);
    expect(byDay).toEqual(await read(account, `from=${start}&to=${start + 86_399}`));
    expect(byDay).toEqual(await read(account, `from=${day}T00:00:00Z&to=${day}T23:59:59Z`));
    const month = (await read(account, '')) as unknown as Json;
    expect(month).toMatchObject({
      from: Date.parse(`${day.slice(0, 7)}-01T00:00:00Z`) / 1000,
      closing_balance: await balanceOf(account),
    });
  });

  it('cuts off a statement whose rows do not add up', async () => {
    const account = idIn(await client.post('/v1/accounts', { currency: 'EUR' }));
    for (const amount of [5, 6]) must(await client.post(`/v1/test_helpers/accounts/${account}/fund`, { amount }));
    const path = `/v1/accounts/${account}/statement?format=csv`;
    expect(must(await client.get(path)).text).toContain('\r\nclosing,');
    await application.sql('UPDATE transfers SET amount = amount + 1 WHERE credit_account = $1 AND amount = 600', [
      uuidOf(account),
    ]);
    const said = await client.get(path).then(
      (reply) => reply.text,
      (error: unknown) => `cut: ${String(error)}`,
    );
    expect(said).not.toContain('closing,');
  });
});

describe('lines', () => {
  it('say the counterparty in words, and what names a payout', async () => {
    const lines = (await Promise.all(accounts.map((account) => read(account, `from=0&to=${now}`)))).flatMap(
      (statement) => statement.lines,
    );
    const payout = lines.find(({ cause }) => cause === 'payout');
    expect(payout).toMatchObject({
      counterparty: 'in_transit',
      cause_id: expect.stringMatching(/^po_/),
      recipient: expect.stringMatching(/^rcp_/),
      recipient_name: '=Ada "Lovelace", Ltd',
      reference: '+1 bill',
      external_id: expect.stringMatching(/^n\d+$/),
    });
    expect(lines.find(({ cause }) => cause === 'funding')).toMatchObject({ counterparty: 'bank', recipient: null });
    expect(lines.find(({ cause }) => cause === 'transfer')?.['counterparty']).toMatch(/^acct_/);
  });

  it('are the same in CSV, between opening and closing, without formulas', async () => {
    for (const account of accounts) {
      const statement = await read(account, `from=0&to=${now}`);
      const reply = must(await client.get(`/v1/accounts/${account}/statement?format=csv&from=0&to=${now}`));
      expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="acct_\w+_1970-01-01_[\d-]+\.csv"$/);
      const rows = reply.text.split('\r\n');
      expect(rows[0]).toMatch(/^type,account,currency,transfer,created,date,amount,amount_minor,balance_after,/);
      expect(rows.slice(1, -1).map((row) => row.split(',')[0])).toEqual([
        'opening',
        ...statement.lines.map(() => 'transfer'),
        'closing',
      ]);
      expect(rows.slice(2, -2).map((row) => Number(row.split(',')[8]))).toEqual(
        statement.lines.map((line) => line.balance_after),
      );
      if (statement.lines.some(({ cause }) => cause === 'payout'))
        expect(reply.text).toContain(`,"'=Ada ""Lovelace"", Ltd",'+1 bill,`);
    }
  });

  it('name payouts only to keys that may read payouts', async () => {
    const { client: reader } = await application.key({ scopes: ['accounts:read'] });
    const { client: wider } = await application.key({ scopes: ['accounts:read', 'payouts:read'] });
    for (const account of accounts) {
      const path = `/v1/accounts/${account}/statement?from=0&to=${now}`;
      expect(must(await reader.get(path)).text).not.toMatch(/Ada|\+1 bill|rcp_/);
      expect(must(await wider.get(path)).text).toBe(must(await client.get(path)).text);
    }
  });
});

describe('the form', () => {
  const asked = (query: string, accept: string) =>
    client.send('GET', `/v1/accounts/${fixtures.acct}/statement?from=0${query}`, '', { accept });
  const typeOf = async (query: string, accept: string) => {
    const { headers } = must(await asked(query, accept));
    expect(headers['vary']).toBe('Accept');
    return headers['content-type'];
  };

  it('is what Accept asks for, and format wins', async () => {
    expect(await typeOf('', '*/*')).toBe('application/json; charset=utf-8');
    expect(await typeOf('', 'text/csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('', 'application/json, text/csv')).toBe('application/json; charset=utf-8');
    expect(await typeOf('', 'application/json;q=0.1, application/xml;q=0.9')).toBe('application/xml');
    expect(await typeOf('', 'application/pdf')).toBe('application/pdf');
    expect(await typeOf('&format=csv', 'application/pdf')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('', 'text/html,application/xml;q=0.9,*/*;q=0.8')).toBe('application/json; charset=utf-8');
  });

  it('as CSV has instants for people, and a mark where one is asked for', async () => {
    const { text } = must(await asked('&format=csv', '*/*'));
    expect(text).toMatch(/\r\nclosing,acct_\w+,EUR,,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,/);
    expect(must(await asked('&bom=true&to=2026-01-01', 'text/csv')).text.startsWith('\ufefftype,account,')).toBe(true);
    expect(outcome(await asked('&bom=true', '*/*'))).toBe('400 parameter_conflict bom');
  });
});

describe('refusals', () => {
  it('come as JSON before anything of a file is sent', async () => {
    const of = async (query: string, account = fixtures.acct, as = client) =>
      outcome(await as.get(`/v1/accounts/${account}/statement?${query}`));
    expect(await of('format=mt940')).toBe('400 parameter_invalid format');
    expect(await of('from=2026-02-30')).toBe('400 parameter_invalid from');
    expect(await of('to=tomorrow')).toBe('400 parameter_invalid to');
    expect(await of('from=-1')).toBe('400 parameter_invalid from');
    expect(await of('from=2026-02-02&to=2026-02-01')).toBe('400 parameter_invalid to');
    expect(await of('limit=1')).toBe('400 parameter_unknown limit');
    expect(await of('format=csv', 'acct_01jd3v9q4ne8v8k3w2m6r5t7xa')).toBe('404 resource_missing id');
    expect(await of('format=csv', fixtures.acct, application.otherSandbox.client)).toBe('404 resource_missing id');
    const { client: narrow } = await application.key({ scopes: ['payouts:read'] });
    expect(await of('format=csv', fixtures.acct, narrow)).toBe('403 scope_missing');
  });
});

it('on paper, who paid stands in the title, and what for beneath it', () => {
  const [credit, debit] = [5n, -5n].map((signed) =>
    wordsOf(
      {
        transfer: {
          object: 'transfer',
          id: idAt('trf', 1),
          debitAccount: idAt('acct', 1),
          creditAccount: idAt('acct', 2),
          amount: 5n,
          currency: 'EUR',
          cause: 'bank_entry',
          causeId: idAt('be', 1),
          description: null,
          debitBalanceAfter: null,
          creditBalanceAfter: null,
          createdAt: 0,
        } as unknown as Line['transfer'],
        signed,
        balanceAfter: 5n,
        names: { ...NO_NAMES, counterpartyName: 'Grace & Co', text: 'Miete' },
      },
      () => true,
    ),
  );
  expect(credit).toEqual({ title: 'Grace & Co', details: ['Bank credit · Miete', idAt('be', 1)] });
  expect(debit?.details[0]).toBe('Bank debit · Miete');
});
