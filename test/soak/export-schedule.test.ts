/** Exports that nobody asks for: in the half hour before a cut-off, once a business day. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nextAt } from '../support/faults/stop-at.ts';
import { type Application, startApplication } from '../support/harness/application.ts';
import { eventually } from '../support/harness/eventually.ts';
import type { Json } from '../support/harness/http.ts';
import { must } from '../support/harness/tenant-fixture.ts';
import { addBusinessDays } from '../../src/core/rails/business-days.ts';
import { isoDay } from '../../src/core/values/time.ts';

const BANK = {
  currency: 'EUR',
  country: 'DE',
  holder: 'Rossum GmbH',
  bank_details: { iban: 'DE89370400440532013000' },
  cut_off: '14:30',
  time_zone: 'UTC',
  exports: 'before_cut_off',
};

const DAY_MS = 86_400_000;

let application: Application;
beforeAll(async () => {
  application = await startApplication({ config: { exportSchedulePollMs: 20 } });
});
afterAll(() => application?.stop());

const client = () => application.sandbox.client;
const post = async (path: string, body: object) => must(await client().post(path, body)).json;
const idOf = async (path: string, body: object) => (await post(path, body))['id'] as string;
/** Resolves when the schedule has looked from beginning to end, and what it opened is sealed. */
async function aRound(): Promise<void> {
  await nextAt('payment_schedule.looked', 2); // the first round may have begun before
  const isSealed = async () => (await files()).every(({ status }) => status === 'sealed');
  await eventually('files are sealed', isSealed);
}
const files = async () => (must(await client().get('/v1/payment_files')).json['data'] as Json[]).toReversed();

it('makes up for a cut-off that a sandbox clock was moved over, and for what was due before it only', async () => {
  const { client: other } = application.otherSandbox;
  const made = async (path: string, body: object) => must(await other.post(path, body)).json;
  const filesThere = async () => must(await other.get('/v1/payment_files')).json['data'] as Json[];
  const account = (await made('/v1/accounts', { currency: 'EUR' }))['id'] as string;
  await made(`/v1/test_helpers/accounts/${account}/fund`, { amount: 50 });
  const payee = { name: 'Ada', type: 'individual', currency: 'EUR', country: 'DE', iban: 'DE02120300000000202051' };
  const recipient = (await made('/v1/recipients', payee))['id'];
  const pay = async (amount: number) =>
    (await made('/v1/payouts', { amount, currency: 'EUR', recipient, account }))['id'] as string;
  const day = addBusinessDays('target', isoDay(Date.now() + DAY_MS), 0);
  const toDay = async (instant: string, fromMs: number) => {
    const seconds = Math.ceil((Date.parse(instant) - fromMs) / 1000);
    const { now } = await made('/v1/test_helpers/clock/advance', { seconds });
    return (now as number) * 1000;
  };
  await made('/v1/bank_accounts', BANK);
  let clockMs = await toDay(`${day}T10:00:00Z`, Date.now());
  const before = await pay(1);
  clockMs = await toDay(`${day}T20:00:00Z`, clockMs);
  const after = await pay(2);
  await eventually('its file is sealed', async () => (await filesThere())[0]?.['status'] === 'sealed');
  expect(await filesThere()).toMatchObject([{ execution_on: day, created_by: 'worker' }]);
  expect(must(await other.get(`/v1/payouts/${before}`)).json['status']).toBe('in_transit');
  await nextAt('payment_schedule.looked', 2);
  expect(await filesThere()).toHaveLength(1);
  const next = addBusinessDays('target', isoDay(Date.parse(day) + DAY_MS), 0);
  await pay(3);
  clockMs = await toDay(`${next}T20:00:00Z`, clockMs);
  await eventually('the next one is sealed', async () => (await filesThere()).length === 2);
  expect((await filesThere())[0]).toMatchObject({ execution_on: next });
  expect(must(await other.get(`/v1/payouts/${after}`)).json['status']).toBe('in_transit');

  // Nothing was due before the third cut-off, and what is due behind it waits for the next one.
  await toDay(`${addBusinessDays('target', next, 1)}T20:00:00Z`, clockMs);
  const late = await pay(4);
  await nextAt('payment_schedule.looked', 2);
  expect(must(await other.get(`/v1/payouts/${late}`)).json['status']).toBe('pending');
  expect(await filesThere()).toHaveLength(2);
});

it('puts what may leave into a file before the cut-off, and what comes later into that of the next day', async () => {
  const account = await idOf('/v1/accounts', { currency: 'EUR' });
  await post(`/v1/test_helpers/accounts/${account}/fund`, { amount: 50 });
  const recipient = await idOf('/v1/recipients', {
    name: 'Ada Lovelace',
    type: 'individual',
    currency: 'EUR',
    country: 'DE',
    iban: 'DE02120300000000202051',
  });
  const pay = (amount: number, speed = 'standard') =>
    idOf('/v1/payouts', { amount, currency: 'EUR', recipient, account, speed });
  const day = addBusinessDays('target', isoDay(Date.now() + DAY_MS), 0);
  let clockMs = Date.now();
  const moveTo = async (instant: string): Promise<void> => {
    const seconds = Math.floor((Date.parse(instant) - clockMs) / 1000);
    await post('/v1/test_helpers/clock/advance', { seconds });
    clockMs += seconds * 1000;
  };
  // First, so that no hour at which the test runs is in the half hour before the cut-off.
  await moveTo(`${day}T13:50:00Z`);
  const bank = await idOf('/v1/bank_accounts', BANK);
  await pay(1);
  await aRound();
  expect(await files()).toEqual([]); // 40 minutes before the cut-off

  await moveTo(`${day}T14:10:00Z`);
  await aRound();
  expect(await files()).toMatchObject([
    {
      status: 'sealed',
      bank_account: bank,
      payouts_count: 1,
      total_minor: 100,
      execution_on: day,
      created_by: 'worker',
    },
  ]);

  await pay(2);
  const atOnce = await pay(0.5, 'instant');
  await aRound();
  // One a day: banks charge by file, and people carry it there. Instant payouts do not wait.
  expect((await files()).slice(1)).toMatchObject([
    {
      status: 'sealed',
      route: 'sepa_instant',
      total_minor: 50,
      payouts_count: 1,
      execution_on: day,
      created_by: 'worker',
    },
  ]);
  expect(must(await client().get(`/v1/payouts/${atOnce}`)).json).toMatchObject({
    status: 'in_transit',
    expected_arrival_on: day,
  });

  const next = addBusinessDays('target', isoDay(Date.parse(day) + DAY_MS), 0);
  await moveTo(`${next}T14:01:00Z`);
  await aRound();
  expect((await files())[2]).toMatchObject({ status: 'sealed', total_minor: 200, execution_on: next });

  await post(`/v1/bank_accounts/${bank}`, { exports: 'by_hand' });
  await pay(3);
  await pay(4, 'instant'); // nothing leaves by itself any more
  await moveTo(`${addBusinessDays('target', isoDay(Date.parse(next) + DAY_MS), 0)}T14:01:00Z`);
  await aRound();
  expect(await files()).toHaveLength(3);
});
