/**
 * A company as the dashboard shows it, made by the API alone: thirty days by the sandbox clock, payouts in every state, three currencies,
 * names that try to be markup, an endpoint that nobody answers at, money that has no place, and payouts that wait for a second person. The
 * same for pictures and for tests. Next: `people.ts` for who looks at it, `tour.ts` for how.
 */
import { eventually } from '../harness/eventually.ts';
import { idIn, must } from '../harness/tenant-fixture.ts';
import type { Client, Json } from '../harness/http.ts';

/** Ids of what pages are about. */
export interface World {
  readonly accounts: Readonly<Record<'EUR' | 'GBP' | 'USD' | 'JPY', string>>;
  readonly recipients: readonly string[];
  readonly failed: string;
  readonly returned: string;
  readonly paid: string;
  readonly held: readonly string[];
  readonly batch: string;
  readonly exchange: string;
  readonly endpoint: string;
  readonly failingEndpoint: string;
  readonly bankAccount: string;
  /** Of that bank account; the bank has not answered. */
  readonly paymentFile: string;
  /** For one payment, which waits. */
  readonly link: string;
  /** Came in part. */
  readonly payment: string;
  /** Its day is before the last ones of the history. */
  readonly expected: string;
  /** One that pays, and one that its account cannot pay. */
  readonly standingOrders: Readonly<Record<'runs' | 'failed', string>>;
  /** Of that bank account; the entry has no place. */
  readonly statement: string;
  readonly entry: string;
  /** Of a request that was refused, and the words of its refusal. */
  readonly refused: { readonly requestId: string; readonly message: string };
}

interface Payee {
  readonly name: string;
  readonly currency: 'EUR' | 'GBP' | 'USD';
  readonly country: string;
  readonly details: Readonly<Record<string, string>>;
}

/** Accounts that decide how a payout ends stand in docs/sandbox.md. */
const NO_ACCOUNT = 'DE62370400440532013001';
const CLOSED_AFTER = 'DE70370400440532013051';

const inGermany = (name: string, iban: string): Payee => ({ name, currency: 'EUR', country: 'DE', details: { iban } });

const PAYEES: readonly Payee[] = [
  inGermany('Noether Consulting', 'DE89370400440532013000'),
  inGermany('Emmy & Partner mbH', 'DE02120300000000202051'),
  inGermany('Chien-Shiung Wu', NO_ACCOUNT),
  inGermany('Lise Meitner', CLOSED_AFTER),
  inGermany('<img src=x onerror=alert(1)> GmbH', 'DE02500105170137075030'),
  inGermany('شركة الخوارزمي للحساب', 'DE02100500000054540402'),
  inGermany('Łukasz Żółć 🎻', 'DE02300209000106531065'),
  inGermany(`Gesellschaft ${'sehr '.repeat(12)}langer Namen`, 'DE02200505501015871393'),
  {
    name: 'Turing Machines Ltd',
    currency: 'GBP',
    country: 'GB',
    details: { account_number: '00012345', sort_code: '108800' },
  },
  {
    name: 'Hopper Compilers Inc',
    currency: 'USD',
    country: 'US',
    details: { account_number: '000123456789', routing_number: '110000000' },
  },
];

const DAY_S = 86_400;

/** `days`: of history. Some forty requests a day. */
export async function makeWorld(client: Client, { days = 30 } = {}): Promise<World> {
  const post = async (path: string, body: object = {}): Promise<Json> => must(await client.post(path, body)).json;
  const make = async (path: string, body: object) => idIn(await client.post(path, body));

  await post('/v1/test_helpers/reset');
  await post('/v1/settings', { name: 'Analytical Engines' });
  const account = async (currency: string, name: string, amount: string) => {
    const id = await make('/v1/accounts', { currency, name });
    await post(`/v1/test_helpers/accounts/${id}/fund`, { amount });
    return id;
  };
  const accounts = {
    EUR: await account('EUR', 'Main EUR', '900000.00'),
    GBP: await account('GBP', 'Main GBP', '240000.50'),
    USD: await account('USD', 'Main USD', '310000.00'),
    JPY: await account('JPY', 'Tokyo', '12500000'),
  };
  const recipients: string[] = [];
  for (const { name, currency, country, details } of PAYEES) {
    const body = { name, type: 'company', currency, country, bank_details: details };
    recipients.push(await make('/v1/recipients', body));
  }

  const now = must(await client.get('/v1/me')).json['now'] as number;
  const again = {
    interval: 'day',
    interval_count: 5,
    starts_on: new Date(now * 1_000).toISOString().slice(0, 10),
  };
  const standingOrders = {
    runs: await make('/v1/standing_orders', {
      ...again,
      amount: '45.00',
      currency: 'EUR',
      account: accounts.EUR,
      recipient: recipients[1],
      reference: 'Rent',
    }),
    failed: await make('/v1/standing_orders', {
      ...again,
      amount: '990000.00',
      currency: 'GBP',
      account: accounts.GBP,
      recipient: recipients[8],
    }),
  };

  const endpoint = await make('/v1/webhook_endpoints', {
    url: 'https://erp.example.com/hooks',
    enabled_events: ['account.closed'],
    description: 'ERP',
  });

  const link = await make('/v1/payment_links', {
    amount: '250.00',
    currency: 'EUR',
    account: accounts.EUR,
    description: 'Garden table <b>No. 7</b>',
    reference: 'Invoice 4711',
  });
  const kiosk = await make('/v1/payment_links', {
    amount_type: 'open',
    minimum_amount: '500',
    currency: 'JPY',
    account: accounts.JPY,
    description: 'Kiosk',
    reusable: true,
  });
  for (const amount of ['1200', '980']) await post(`/v1/test_helpers/payment_links/${kiosk}/pay`, { amount });
  const payment = await make(`/v1/test_helpers/payment_links/${link}/pay`, { amount: '100.00' });
  const expected = await make('/v1/expected_payments', {
    amount: '119.00',
    currency: 'EUR',
    account: accounts.EUR,
    payer: 'شركة الخوارزمي للحساب',
    description: 'Invoice 2026-17',
    due_on: new Date(Date.now() + 3 * DAY_S * 1_000).toISOString().slice(0, 10),
  });
  await make('/v1/expected_payments', { amount: '5000', currency: 'JPY', account: accounts.JPY, payer: 'Noether' });

  let number = 0;
  const pay = async (which: number, amount: string): Promise<string> => {
    const { currency } = PAYEES[which] as Payee;
    number += 1;
    return make('/v1/payouts', {
      amount,
      currency,
      account: accounts[currency],
      recipient: recipients[which],
      reference: `Invoice ${2000 + number}`,
      external_id: `inv-${2000 + number}`,
    });
  };
  /** The end that its recipient's account decides. */
  const finish = async (payout: string) => {
    for (let step = 0; step < 3; step++) {
      const { status, json } = await client.post(`/v1/test_helpers/payouts/${payout}/advance`, {});
      if (status !== 200 || ['failed', 'returned'].includes(json['status'] as string)) return;
    }
  };
  const EXCHANGE = { sell_currency: 'EUR', buy_currency: 'USD', amount: '2500.00' };
  let exchange = '';
  const ended: Record<number, string> = {};
  for (let day = 0; day < days; day++) {
    for (let nth = 0; nth < 2 + (day % 4); nth++) {
      const which = (day * 3 + nth * 7) % PAYEES.length;
      const payout = await pay(
        which,
        `${400 + ((day * 137 + nth * 911) % 4600)}.${String((day * 7 + nth * 13) % 100).padStart(2, '0')}`,
      );
      await finish(payout);
      ended[which] = payout;
    }
    if (day % 5 === 2) {
      exchange = await make('/v1/exchanges', EXCHANGE);
      await post(`/v1/test_helpers/accounts/${accounts.EUR}/fund`, { amount: '5200.00' });
    }
    await post('/v1/test_helpers/clock/advance', { seconds: DAY_S });
  }
  if (exchange === '') exchange = await make('/v1/exchanges', EXCHANGE);
  ended[2] ??= await endedAt(2);
  ended[3] ??= await endedAt(3);
  ended[0] ??= await endedAt(0);
  async function endedAt(which: number) {
    const payout = await pay(which, '1128.08');
    await finish(payout);
    return payout;
  }

  const bankAccount = await make('/v1/bank_accounts', {
    name: 'Nordbank',
    currency: 'EUR',
    country: 'DE',
    holder: 'Analytical Engines',
    bank_details: { iban: 'DE02600501010002034304' },
    cut_off: '14:30',
    time_zone: 'Europe/Berlin',
  });
  await pay(1, '64.00');
  const { files } = must(await client.post('/v1/payment_files', { bank_account: bankAccount })).json;
  const [{ id: paymentFile }] = files as [{ readonly id: string }];
  const fileNow = async () => must(await client.get(`/v1/payment_files/${paymentFile}`)).json;
  await eventually('the file is sealed', async () => (await fileNow())['status'] === 'sealed');

  const wages = PAYEES.slice(0, 3).map((_, which) => ({
    amount: `${100 + which}.00`,
    currency: 'EUR',
    account: accounts.EUR,
    recipient: recipients[which],
    reference: 'Wages',
  }));
  const batch = await make('/v1/payouts/batch', { payouts: wages, external_id: 'wages-november' });

  const failingEndpoint = await make('/v1/webhook_endpoints', {
    url: 'https://hooks.example.com/old-crm',
    enabled_events: ['recipient.created', 'payout.failed'],
    description: 'Old CRM',
  });

  // Money that nobody can place.
  await post(`/v1/test_helpers/bank_accounts/${bankAccount}/credit`, {
    amount: '980.00',
    text: 'RG 4711',
    name: 'R. LUXEMBURG',
  });
  const [entry] = must(await client.get('/v1/bank_entries?status=unmatched&limit=1')).json['data'] as Json[];

  // From here on payouts over 1,000.00 wait for a second person.
  await post('/v1/limits', { currency: 'EUR', amount: '1000.00', action: 'hold' });
  const held: string[] = [];
  for (const [which, amount] of [
    [0, '5166.78'],
    [1, '3744.52'],
    [6, '2025.00'],
  ] as const)
    held.push(await pay(which, amount));
  await pay(0, '120.00');

  const refusal = await client.post('/v1/payouts', {
    amount: '9000000.00',
    currency: 'EUR',
    account: accounts.EUR,
    recipient: recipients[0] as string,
  });
  const { request_id: requestId, message } = refusal.json['error'] as {
    readonly request_id: string;
    readonly message: string;
  };
  return {
    accounts,
    recipients,
    failed: ended[2],
    returned: ended[3],
    paid: ended[0],
    held,
    batch,
    exchange,
    endpoint,
    failingEndpoint,
    bankAccount,
    paymentFile,
    link,
    payment,
    expected,
    standingOrders,
    statement: entry?.['statement'] as string,
    entry: entry?.['id'] as string,
    refused: { requestId, message },
  };
}
