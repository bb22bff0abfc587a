/** What is stored about a payer is found, exported and erased: in every table, in what is sealed, and in every answer. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { camt } from '../../test/support/bank/camt.ts';
import { handedIn } from '../../test/support/bank/hand-in.ts';
import { type Application, SERVER_SECRET, startApplication } from '../../test/support/harness/application.ts';
import type { Json } from '../../test/support/harness/http.ts';
import { join } from '../../test/support/harness/people.ts';
import { idIn, must } from '../../test/support/harness/tenant-fixture.ts';
import { newReference, newToken } from '../collecting/payments/tokens.ts';
import { loadConfig } from '../config.ts';
import { idOf, uuidOf } from '../core/values/ids.ts';
import type { Run } from '../tenancy/keys/keys.ts';
import { atRest } from '../write/at-rest.ts';
import { TABLES } from '../write/slices.ts';
import { withOperator } from './operator.ts';
import { EnvironmentReader, findPerson, type Sought } from './person.ts';
import { exportPerson } from './person-export.ts';
import { stepsToRedact } from './person-redact.ts';

const sealing = atRest({ current: SERVER_SECRET, previous: [] });
let application: Application;
let account = '';
let bank = '';
beforeAll(async () => {
  application = await startApplication();
  account = idIn(await post('/v1/accounts', { currency: 'EUR' }));
  const details = { holder: 'Rossum GmbH', bank_details: { iban: 'DE02120300000000202051' } };
  const dated = { cut_off: '14:30', time_zone: 'Europe/Berlin' };
  bank = idIn(await post('/v1/bank_accounts', { currency: 'EUR', country: 'DE', ...details, ...dated }));
});
afterAll(() => application?.stop());

const post = async (path: string, body: object = {}, options = {}) =>
  must(await application.sandbox.client.post(path, body, options));
const get = async (path: string) => must(await application.sandbox.client.get(path)).json;
const run: Run = ({ text, values }) => application.sql(text, values);
const sandbox = () => ({ environmentId: application.sandbox.environmentId, livemode: false, merchant: 'first' });

interface Payer {
  readonly name: string;
  readonly email: string;
  readonly iban: string;
  readonly words: readonly string[];
  readonly link: string;
  readonly payment: string;
  readonly entry: string;
}
/** German ones, with their check digits. */
function ibanOf(number: number): string {
  const account = String(number).padStart(18, '3');
  return `DE${String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0')}${account}`;
}
let count = 0;
/** Pays a link by a transfer that the bank reports; then the money is refunded in two parts. */
async function payer(refunds: readonly number[] = []): Promise<Payer> {
  const number = ++count;
  const name = `Ada Byron the ${number}th`;
  const email = `Ada.${number}@Example.com`;
  const iban = ibanOf(number);
  const note = `born 1815, number ${number}.`;
  const asked = { amount: '250.10', currency: 'EUR', account, customer_email: email, metadata: { note } };
  const key = { idempotencyKey: `link ${number}` };
  const link = idIn(
    await post('/v1/payment_links', { ...asked, after_completion: { message: `Thanks, ${name}` } }, key),
  );
  await post(`/v1/payment_links/${link}`, { customer_email: email }, { idempotencyKey: `same ${number}` });
  const { environmentId } = application.sandbox;
  const reference = newReference();
  const start = { type: 'start_payment', link, method: 'bank_transfer', amount: null } as const;
  const { id: payment } = JSON.parse(
    await application.submit(environmentId, { ...start, reference, token: newToken() }),
  ) as { id: string };
  const text = `${reference} Thanks from ${name}`;
  const entry = idIn(
    await post(`/v1/test_helpers/bank_accounts/${bank}/credit`, { amount: '250.10', name, iban, text }),
  );
  for (const amount of refunds) await post(`/v1/payments/${payment}/refund`, { amount });
  return { name, email, iban, link, payment, entry, words: [name, email, iban, note] };
}

const redact = (sought: Sought, retentionYears = 0) =>
  withOperator(
    { ...loadConfig({}), url: application.databaseUrl, log: pino({ level: 'silent' }), asOwner: true },
    async (submit) => {
      const steps = stepsToRedact(await findPerson(run, sealing, [sandbox()], sought), sought, retentionYears);
      const answers: { readonly id: string; readonly status: number; readonly body: string }[] = [];
      for (const { environmentId, id, command } of steps)
        answers.push({ id, ...(await submit(environmentId, command)) });
      return answers;
    },
    sealing,
  );

/** All rows of all tables, as text, and all that is sealed in them, opened. */
async function everything(): Promise<string> {
  const tables = await application.sql(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const texts: string[] = [];
  for (const { name } of tables)
    for (const row of await application.sql(`SELECT t::text AS row FROM ${String(name)} t`))
      texts.push(String(row['row']));
  const reader = new EnvironmentReader(run, sealing, sandbox());
  for (const kind of Object.keys(sealing.kinds) as (keyof typeof TABLES)[]) {
    for await (const object of reader.all<object>(TABLES[kind] as never, 'true'))
      texts.push(
        JSON.stringify({ ...object }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      );
  }
  return texts.join('\n');
}
const traces = async ({ words }: Payer) => {
  const text = await everything();
  return words.filter((word) => text.includes(word));
};

describe('a payer', () => {
  it.each(['email', 'iban', 'name'] as const)('is found, exported and erased by %s', async (by) => {
    const made = await payer([100, 50]);
    const other = await payer();
    const { link, payment, entry, words, name, iban } = made;
    const sought = { [by]: by === 'email' ? made.email.toLowerCase() : made[by] } as unknown as Sought;
    expect(await traces(made)).toEqual(words); // control
    const found = (await exportPerson(run, sealing, [sandbox()], sought)) as Record<string, Json[]>;
    expect(found).toMatchObject({
      payment_links: [{ id: link, customer_email: made.email, events: expect.any(Array) as unknown }],
      payments: [{ id: payment, payer: { name, iban } }],
      bank_entries: [{ id: entry, counterparty: { name, account: iban } }],
      recipients: [{ name, bank_details: { iban } }, { name }],
    });
    const refunds = (found['recipients'] ?? []).flatMap((each) => each['payouts'] as Json[]);
    for (const { id } of refunds) await post(`/v1/test_helpers/payouts/${id as string}/pay`);
    const amounts = async () =>
      application.sql(
        `SELECT sequence::text, type, (regexp_match(object, '"amount":[0-9.]+'))[1] AS amount FROM events
        WHERE object_id = ANY ($1::uuid[]) ORDER BY events.sequence`,
        [[link, payment, entry].map(uuidOf)],
      );
    const before = await amounts();

    const answers = await redact(sought);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(await traces(made)).toEqual([]);
    expect(await traces(other)).toEqual(other.words); // control: nobody else is erased
    expect((await amounts()).slice(0, before.length)).toEqual(before);
    expect(await get(`/v1/payment_links/${link}`)).toMatchObject({ customer_email: null, metadata: {}, amount: 250.1 });
    const kept = { amount_received: 250.1, payer: { name: 'Redacted', account_last4: null } };
    expect(await get(`/v1/payments/${payment}`)).toMatchObject(kept);
    expect(await get(`/v1/bank_entries/${entry}`)).toMatchObject({
      amount: 250.1,
      status: 'matched',
      counterparty: { name: 'Redacted', account_last4: null },
      remittance: { text: null },
    });
    for (const id of [link, payment]) {
      const { data } = await get(`/v1/events?related_object=${id}&order=desc&limit=1`);
      expect(data).toMatchObject([{ type: id === link ? 'payment_link.updated' : 'payment.updated' }]);
    }
    for (const id of [link, payment, entry]) {
      const { data } = await get(`/v1/audit_log?subject=${id}`);
      expect((data as Json[])[0]?.['action']).toMatch(/^(payment_link|payment|bank_entry)\.redacted$/);
    }
    const refused = await application.sandbox.client.post(`/v1/payments/${payment}/refund`, {});
    expect(refused.json['error']).toMatchObject({ code: 'refund_recipient_missing' });
    expect(await redact(sought)).toEqual([]); // nothing is left to do
    // What is answered again is neither the payer nor an old answer.
    for (const key of [`link ${count - 1}`, `same ${count - 1}`]) {
      const path = key.startsWith('link') ? '/v1/payment_links' : `/v1/payment_links/${link}`;
      const again = await application.sandbox.client.post(
        path,
        { customer_email: 'x@example.com' },
        { idempotencyKey: key },
      );
      expect(again.status).toBe(400);
      expect(again.text).not.toContain('Ada');
    }
  });

  it('is kept as long as the records of money have to be, and erased whole', async () => {
    const made = await payer();
    const answers = await redact({ email: made.email }, 10);
    expect(answers.map(({ id, status }) => [id.slice(0, 3), status])).toEqual([
      ['be_', 400],
      ['pay', 400],
      ['pli', 400],
    ]);
    for (const { body } of answers) expect(body).toContain(`until ${new Date().getUTCFullYear() + 10}-`);
    expect(await traces(made)).toEqual(made.words);
    const unpaid = { amount: 5, currency: 'EUR', account, customer_email: 'nobody.paid@example.com' };
    const link = idIn(await post('/v1/payment_links', unpaid));
    expect(await redact({ email: 'nobody.paid@example.com' }, 10)).toMatchObject([{ id: link, status: 200 }]);
  });

  it('who is expected to pay is found by name, and by what the bank reports', async () => {
    const payerName = 'Charles Babbage';
    const make = async () => post('/v1/expected_payments', { amount: 7, currency: 'EUR', account, payer: payerName });
    const invoices = [(await make()).json, (await make()).json] as const;
    const paid = { amount: 7, name: 'Someone', iban: 'AT611904300234573201' };
    await post(`/v1/test_helpers/bank_accounts/${bank}/credit`, { ...paid, text: invoices[0]['reference'] });
    const byAccount = await exportPerson(run, sealing, [sandbox()], { iban: paid.iban });
    expect(byAccount).toMatchObject({ expected_payments: [{ id: invoices[0]['id'] }], bank_entries: [{}] });
    const answers = await redact({ name: ' charles   BABBAGE ' });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await traces({ words: [payerName, paid.iban] } as unknown as Payer)).toEqual([]);
    expect(await get(`/v1/expected_payments/${invoices[1]['id'] as string}`)).toMatchObject({ payer: 'Redacted' });
  });

  it('what an endpoint answered to an event about the person is gone', async () => {
    const hook = idIn(
      await post('/v1/webhook_endpoints', { url: 'https://hooks.example.com/', enabled_events: ['*'] }),
    );
    const made = await payer([3]);
    const [paid] = await application.sql('SELECT max(id::text) AS refund FROM payouts');
    await post(`/v1/test_helpers/payouts/${idOf('po', paid?.['refund'] as string)}/pay`);
    const said = [{ started: 1, outcome: 'refused', response: `unknown customer ${made.email}` }];
    await application.sql(
      `UPDATE deliveries d SET attempts = $2::text::jsonb FROM events e WHERE d.endpoint_id = $1
        AND e.environment_id = d.environment_id AND e.sequence = d.sequence AND e.object_id = ANY ($3::uuid[])`,
      [uuidOf(hook), JSON.stringify(said), [...[made.link, made.payment].map(uuidOf), paid?.['refund']]],
    );
    await redact({ email: made.email });
    expect(await traces(made)).toEqual([]);
    await post(`/v1/webhook_endpoints/${hook}`, { enabled_events: ['ping'] });
  });
});

describe('one of several who paid in a collective credit', () => {
  const [ADA, BEN] = [
    { amount: '2.00', name: 'Ada Collective', iban: ibanOf(901), text: 'from Ada C.' },
    { amount: '3.00', name: 'Ben Collective', iban: ibanOf(902), text: 'from Ben C.' },
  ];
  const own = { iban: ibanOf(900), day: '2026-06-01' };
  const entry = { amount: '5.00', reference: 'C-1' };
  const notice = camt([{ ...own, id: 'N1', entries: [{ ...entry, details: [ADA, BEN] }] }], 'camt.054');
  const wordsOf = ({ name, iban, text }: typeof ADA) => ({ words: [name, iban, text] }) as unknown as Payer;

  it('is exported and erased from what waits for the entry, and from the entry, and the others stay', async () => {
    const details = { holder: 'Rossum GmbH', bank_details: { iban: own.iban }, time_zone: 'Europe/Berlin' };
    await post('/v1/bank_accounts', { currency: 'EUR', country: 'DE', cut_off: '14:30', ...details });
    must(await handedIn(application.sandbox.client, notice));
    const waiting = (await exportPerson(run, sealing, [sandbox()], { name: ADA.name })) as Record<string, Json[]>;
    expect(waiting['bank_entry_details']).toMatchObject([{ transactions: [{ name: ADA.name, account: ADA.iban }] }]);
    expect(JSON.stringify(waiting)).not.toContain(BEN.name);
    expect(await traces(wordsOf(ADA))).toHaveLength(3); // control
    expect(await redact({ iban: ADA.iban })).toMatchObject([{ status: 200 }]);
    expect(await traces(wordsOf(ADA))).toEqual([]);
    expect(await traces(wordsOf(BEN))).toHaveLength(3);

    const statement = { ...own, opening: '10.00', closing: '15.00', entries: [entry] };
    must(await handedIn(application.sandbox.client, camt([statement])));
    const exported = (await exportPerson(run, sealing, [sandbox()], { iban: BEN.iban })) as Record<string, Json[]>;
    expect(exported['bank_entries']).toMatchObject([
      {
        transactions: [{ counterparty: { name: BEN.name, account: BEN.iban } }],
        events: [{}, { object: { transactions: [{}] } }],
      },
    ]);
    expect(await redact({ iban: BEN.iban })).toMatchObject([{ status: 200 }]);
    expect(await traces(wordsOf(BEN))).toEqual([]);
    const [booked] = (await get('/v1/bank_entries?limit=1'))['data'] as Json[];
    expect(booked).toMatchObject({ transactions: [{ amount: 2 }, { amount: 3, counterparty: { name: 'Redacted' } }] });
    expect(await redact({ iban: BEN.iban })).toEqual([]);
  });
});

it('a recipient is found by the names and the accounts that it once had, however they are written, until it is erased', async () => {
  const [before, after] = ['GB18NWBK10880073519284', 'GB82WEST12345698765432'];
  const made = { name: 'Mary Godwin', latin_name: 'Mary W', type: 'individual', currency: 'GBP', country: 'GB' };
  const id = idIn(await post('/v1/recipients', { ...made, account_number: '73519284', sort_code: '108800' }));
  await post(`/v1/recipients/${id}`, { name: 'Mary Shelley', latin_name: 'Mary S', iban: after });
  const found = async (sought: Sought) => {
    const [person] = await findPerson(run, sealing, [sandbox()], sought);
    return [...(person?.recipients.keys() ?? [])];
  };
  const marks = [
    { name: 'mary godwin' },
    { name: 'Mary W' },
    { name: 'Mary Shelley' },
    { iban: before },
    { iban: after },
  ];
  for (const sought of marks) expect(await found(sought), JSON.stringify(sought)).toEqual([id]);
  expect(await found({ name: 'Mary' })).toEqual([]); // control
  await post(`/v1/recipients/${id}/redact`);
  for (const sought of marks) expect(await found(sought), JSON.stringify(sought)).toEqual([]);
});

describe('a recipient with a standing order', () => {
  it('is erased, and the order ends: it says why, and an event tells', async () => {
    const ada = { name: 'Grace Hopper', type: 'individual', currency: 'EUR', country: 'DE' };
    const recipient = idIn(await post('/v1/recipients', { ...ada, iban: 'DE89370400440532013000' }));
    const wanted = { amount: 5, currency: 'EUR', recipient, account, interval: 'month', starts_on: '2099-01-31' };
    const [order, paused, ended] = [
      idIn(await post('/v1/standing_orders', wanted)),
      idIn(await post('/v1/standing_orders', wanted)),
      idIn(await post('/v1/standing_orders', wanted)),
    ];
    await post(`/v1/standing_orders/${paused}/pause`);
    await post(`/v1/standing_orders/${ended}/cancel`);
    await post(`/v1/recipients/${recipient}/redact`);
    const stopped = { status: 'canceled', canceled_reason: 'recipient_redacted', next_run_on: null };
    for (const id of [order, paused]) {
      expect(await get(`/v1/standing_orders/${id}`)).toMatchObject(stopped);
      const { data } = await get(`/v1/events?related_object=${id}&order=desc&limit=1`);
      expect(data).toMatchObject([{ type: 'standing_order.canceled', data: { object: stopped } }]);
    }
    expect(await get(`/v1/standing_orders/${ended}`)).toMatchObject({ canceled_reason: 'requested' });
  });
});

describe('who signs in', () => {
  const EMAIL = 'Grace.Hopper@Example.com';
  const everywhere = async () => {
    const [row] = await application.sql(
      `SELECT concat_ws('', (SELECT string_agg(t::text, '') FROM people t), (SELECT string_agg(t::text, '') FROM users t),
        (SELECT string_agg(t::text, '') FROM person_credentials t), (SELECT string_agg(t::text, '') FROM passkeys t),
        (SELECT string_agg(t::text, '') FROM sessions t), (SELECT string_agg(t::text, '') FROM audit_log t), (SELECT string_agg(t::text, '') FROM idempotency_records t)) AS all`,
    );
    return row?.['all'] as string;
  };

  it('is exported, and erased from users, people and recorded answers; the last administrator is not', async () => {
    const invited = { email: EMAIL, name: 'Grace Brewster', roles: ['admin'] };
    const user = (await post('/v1/users', invited, { idempotencyKey: 'invited' })).json as {
      id: string;
      email: string;
    };
    await join(application, application.sandbox, user);
    await application.sql(
      `INSERT INTO person_credentials (person_id, password_hash) SELECT id, 'Grace' FROM people WHERE email = $1`,
      [EMAIL],
    );
    await application.sql(
      `INSERT INTO passkeys (id, person_id, public_key, rp_id, name) SELECT 'k', id, '', 'localhost', 'Grace’s phone' FROM people WHERE email = $1`,
      [EMAIL],
    );
    await application.sql(
      `INSERT INTO sessions (hash, id, person_id, method, second_factor, user_agent, ends_at)
        SELECT 'h', gen_random_uuid(), id, 'passkey', true, 'Grace’s browser', now() FROM people WHERE email = $1`,
      [EMAIL],
    );
    const sought = { email: EMAIL.toLowerCase() };
    const { users } = (await exportPerson(run, sealing, [sandbox()], sought)) as { users: readonly Json[] };
    expect(users).toMatchObject([
      { id: user.id, email: EMAIL, merchant: 'first', invited_as: EMAIL, calls_itself: 'Self' },
    ]);
    expect(await redact(sought)).toMatchObject([{ id: user.id, status: 400 }]);
    expect(await everywhere()).toMatch(/Grace/); // control
    const other = (await post('/v1/users', { email: 'other@example.com', roles: ['admin'] })).json as typeof user;
    await join(application, application.sandbox, other);
    expect(await redact(sought)).toMatchObject([{ id: user.id, status: 200 }]);
    expect(await everywhere()).not.toMatch(/Grace|grace/);
    expect(await get(`/v1/users/${user.id}`)).toMatchObject({ status: 'suspended', name: null });
    expect(await application.sql('SELECT id FROM people WHERE id = $1', [uuidOf(user.id)])).toEqual([]);
    expect(await redact(sought)).toEqual([]);
  });
});
