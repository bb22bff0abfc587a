/**
 * T19, torture by numbers and text: thousands of amounts in every form a request has, an oracle of its own for each, and
 * everything that a currency can be made of. A refusal has the contract's body and writes nothing; what is accepted is exactly what
 * was sent. All of it as dry runs of requests that would succeed, so that only the thing under test can be what is refused.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Application, startApplication } from './application.ts';
import { type ProbeClient, probe, refusalIn, type Sent } from './probe-client.ts';
import { codeOf } from '../generators/contract.ts';
import { type Fixtures, furnish } from './fixtures.ts';
import { idIn } from './tenant-fixture.ts';
import type { Json } from './http.ts';
import { amountsToTry, expectedMinor } from '../generators/torture.ts';

const FORM = 'application/x-www-form-urlencoded';
const encode = encodeURIComponent;

/** The tests. `every`: of the amounts only each so-manieth. */
export function amountTorture(every: number): void {
  let application: Application;
  let fixtures: Fixtures;
  /**
   * Recipients and rich accounts by currency, one for each number of decimals. None of them is EUR, which the fixtures pay
   * through a bank: a SEPA payment has a largest amount of its own.
   */
  const recipients = new Map<string, string>();
  const accounts = new Map<string, string>();
  let ask: ProbeClient;
  let before: string;

  beforeAll(async () => {
    application = await startApplication();
    ask = probe(application);
    const { sandbox } = application;
    fixtures = await furnish(application, sandbox);
    for (const [currency, exponent] of [
      ['CHF', 2],
      ['JPY', 0],
      ['KWD', 3],
    ] as const) {
      const bank = { country: 'DE', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
      recipients.set(
        currency,
        idIn(await sandbox.client.post('/v1/recipients', { name: 'Ada', type: 'individual', currency, ...bank })),
      );
      const account = idIn(await sandbox.client.post('/v1/accounts', { currency }));
      accounts.set(currency, account);
      const most = '999999999999999';
      const amount = exponent === 0 ? most : `${most.slice(0, -exponent)}.${most.slice(-exponent)}`;
      await application.submit(sandbox.environmentId, { type: 'fund_account', account, amount });
    }
    before = await ask.written();
  });

  afterAll(() => application?.stop());

  describe('amounts', () => {
    const all = amountsToTry();
    const tried = all.filter((_, at) => at % every === 0);
    type Way = readonly [name: string, send: (amount: string, currency: string) => Promise<Sent>];

    /** A JSON number must have the grammar of one; what has not is no JSON at all, and tried as such. */
    const order = (currency: string) =>
      `"currency":"${currency}","recipient":"${recipients.get(currency)}","account":"${accounts.get(currency)}"`;
    const formOrder = (currency: string) =>
      `currency=${currency}&recipient=${recipients.get(currency)}&account=${accounts.get(currency)}`;
    /** Of which no account is full. */
    const OTHER: Readonly<Record<string, string>> = { CHF: 'SEK', JPY: 'IDR', KWD: 'SEK' };
    const WAYS: readonly Way[] = [
      [
        'form payout',
        (amount, currency) =>
          ask.send('POST', '/v1/payouts', `amount=${encode(amount)}&${formOrder(currency)}&dry_run=true`, FORM),
      ],
      [
        'JSON number payout',
        (amount, currency) => ask.send('POST', '/v1/payouts', `{"amount":${amount},${order(currency)},"dry_run":true}`),
      ],
      [
        'JSON string payout',
        (amount, currency) =>
          ask.send('POST', '/v1/payouts', `{"amount":${JSON.stringify(amount)},${order(currency)},"dry_run":true}`),
      ],
      [
        'form exchange',
        (amount, currency) =>
          ask.send(
            'POST',
            '/v1/exchanges',
            `amount=${encode(amount)}&sell_currency=${currency}&buy_currency=${OTHER[currency]}&sell_account=${accounts.get(currency)}&dry_run=true`,
            FORM,
          ),
      ],
      [
        'JSON string exchange',
        (amount, currency) =>
          ask.send(
            'POST',
            '/v1/exchanges',
            `{"amount":${JSON.stringify(amount)},"sell_currency":"${currency}","buy_currency":"${OTHER[currency]}","sell_account":"${accounts.get(currency)}","dry_run":true}`,
          ),
      ],
      [
        'JSON number batch',
        (amount, currency) =>
          ask.send('POST', '/v1/payouts/batch', `{"payouts":[{"amount":${amount},${order(currency)}}],"dry_run":true}`),
      ],
    ];

    it('are enough', () => {
      expect(all.length).toBeGreaterThanOrEqual(2_000);
      const valid = tried.filter((amount) => expectedMinor(amount, 2) !== null).length;
      expect(valid).toBeGreaterThan(300 / every);
      expect(tried.length - valid).toBeGreaterThan(1_000 / every);
    });

    it.each(WAYS)('as %s: exactly what was sent, or a refusal', async (name, attempt) => {
      const wrong: string[] = [];
      for (const [currency, exponent] of [
        ['CHF', 2],
        ['JPY', 0],
        ['KWD', 3],
      ] as const) {
        for (let start = 0; start < tried.length; start += 50) {
          await Promise.all(
            tried.slice(start, start + 50).map(async (amount) => {
              // In quotes a JSON number is a JSON string, which has a way of its own.
              if (name.includes('number') && amount.startsWith('"')) return;
              const sent = await attempt(amount, currency);
              const expected = expectedMinor(amount, exponent, name.includes('number'));
              const verdict = verdictOf(sent, name);
              // The computed side of an exchange has limits of its own.
              if (name.includes('exchange') && expected !== null && /amount_too_(?:small|large)$/.test(verdict)) return;
              const right = expected === null ? /^4(?:00|13) [a-z_]+$/.test(verdict) : verdict === `200 ${expected}`;
              if (!right) wrong.push(`${JSON.stringify(amount)} ${currency}: ${verdict}, expected ${expected}`);
            }),
          );
        }
      }
      expect(wrong).toEqual([]);
      expect(await ask.written()).toBe(before);
    });

    it('in CSV: what is wrong is refused', async () => {
      const wrong: string[] = [];
      for (const amount of tried.filter((each) => expectedMinor(each, 2) === null)) {
        const cell = `"${amount.replaceAll('"', '""')}"`;
        const row = `${cell},CHF,${recipients.get('CHF')}`;
        const sent = await ask.send('POST', '/v1/payouts/batch', `amount,currency,recipient\n${row}`, 'text/csv');
        const verdict = verdictOf(sent, 'batch');
        if (!/^4(?:00|13) [a-z_]+$/.test(verdict)) wrong.push(`${JSON.stringify(amount)}: ${verdict}`);
      }
      expect(wrong).toEqual([]);
      expect(await ask.written()).toBe(before);
    });

    it('control: an oracle that is wrong by one is noticed', async () => {
      const sent = await (WAYS[0] as Way)[1]('250.00', 'CHF');
      expect(verdictOf(sent, 'form payout')).toBe('200 25000');
      expect(expectedMinor('250.00', 2)).toBe(25_000n);
      expect(expectedMinor('250.001', 2)).toBeNull();
    });
  });

  describe('currencies', () => {
    const pay = (currency: string) =>
      ask.send('POST', '/v1/payouts', JSON.stringify({ amount: 5, currency, recipient: fixtures.rcp, dry_run: true }));

    it.each(['EUR', 'eur', 'Eur'])('%s is taken and answered as EUR', async (currency) => {
      const { status, json } = await pay(currency);
      expect([status, json['currency']]).toEqual([200, 'EUR']);
    });

    it.each([
      'EURO',
      'XXX',
      'XTS',
      'XAU',
      'DEM',
      'HRK',
      'ＥＵＲ',
      'EU',
      '€',
      '',
      ' EUR',
      'EUR ',
      'EUR\u0000',
      'ΕUR',
      'eu\u0131',
      'ıdr',
      '978',
      'constructor',
      '__proto__',
      'toString',
    ])('%j is refused', async (currency) => {
      expect(['currency_unsupported', 'parameter_invalid']).toContain(refusalIn(await pay(currency)));
      const sent = await ask.send('GET', `/v1/payouts?currency=${encode(currency)}`);
      expect(['currency_unsupported', 'parameter_invalid']).toContain(refusalIn(sent));
    });

    it.each(['true', '["EUR"]', '{"code":"EUR"}', '978', '1e3'])('%s in JSON is refused', async (currency) => {
      const sent = await ask.send(
        'POST',
        '/v1/payouts',
        `{"amount":5,"currency":${currency},"recipient":"${fixtures.rcp}"}`,
      );
      expect(refusalIn(sent)).toBe('currency_unsupported');
    });
    it('null in JSON is none', async () => {
      const sent = await ask.send('POST', '/v1/payouts', `{"amount":5,"currency":null,"recipient":"${fixtures.rcp}"}`);
      expect(refusalIn(sent)).toBe('parameter_missing');
    });

    afterAll(async () => expect(await ask.written()).toBe(before));
  });
}

/** `200 25000` with the amount of the answer in minor units, or `400 amount_invalid`. */
function verdictOf({ status, text, json }: Sent, way: string): string {
  if (status !== 200) return `${status} ${codeOf(text)}`;
  const [first] = way.includes('batch') ? (json['results'] as readonly Json[]) : [];
  const object = first === undefined ? json : (first['payout'] as Json);
  return `200 ${object[way.includes('exchange') ? 'sell_amount_minor' : 'amount_minor'] as number}`;
}
